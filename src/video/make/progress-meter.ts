/** Turns the progress of stages into one percentage for the task, and estimates the remaining time. */
import type { Progress, Stage } from '../video-task.ts';

/** Share of the wall time of a usual run (12 photos, nothing cached); they add up to 100. */
const STAGE_WEIGHTS: Record<Stage, number> = {
  assets: 7,
  storyboard: 1,
  render: 88,
  assemble: 3,
  publish: 1,
};

export interface ProgressMeter {
  /** `fraction` of the stage that is done, 0 to 1. Earlier stages count as done. */
  report(stage: Stage, fraction: number): void;
}

/**
 * Percentages never fall. The remaining time is the elapsed time scaled by what is left, once there is enough of it to
 * say something (2 s and 3 %); before that it is null.
 *
 * @param nowMs - A clock that never runs backwards, in milliseconds.
 */
export function createProgressMeter(emit: (progress: Progress) => void, nowMs: () => number): ProgressMeter {
  const startedMs = nowMs();
  let highest = 0;
  return {
    report(stage, fraction) {
      const percent = Math.max(highest, toPercent(stage, Math.min(1, Math.max(0, fraction))));
      highest = percent;
      const elapsedSec = (nowMs() - startedMs) / 1000;
      const isReliable = percent >= 3 && elapsedSec >= 2;
      const etaSeconds = isReliable ? Math.ceil((elapsedSec * (100 - percent)) / percent) : null;
      emit({ percent: Math.round(percent * 10) / 10, stage, etaSeconds });
    },
  };
}

function toPercent(stage: Stage, fraction: number): number {
  let before = 0;
  for (const [name, weight] of Object.entries(STAGE_WEIGHTS)) {
    if (name === stage) return before + weight * fraction;
    before += weight;
  }
  return before;
}
