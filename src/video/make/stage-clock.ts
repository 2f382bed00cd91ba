/** Wall-clock seconds per stage of a run, for the report. */
import { STAGES, type Stage } from '../video-task.ts';

export interface StageClock {
  /** Runs `work` and counts its time to `stage`. */
  measure<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  /** Seconds so far, to the millisecond. */
  read(): Record<Stage | 'total', number>;
}

/** @param nowMs - A clock that never runs backwards. */
export function createStageClock(nowMs: () => number): StageClock {
  const startedMs = nowMs();
  const spentMs = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]));
  return {
    async measure(stage, work) {
      const fromMs = nowMs();
      try {
        return await work();
      } finally {
        spentMs.set(stage, (spentMs.get(stage) ?? 0) + nowMs() - fromMs);
      }
    },
    read() {
      const entries = [...spentMs].map(([stage, ms]) => [stage, toSeconds(ms)] as const);
      return { ...Object.fromEntries(entries), total: toSeconds(nowMs() - startedMs) } as Record<
        Stage | 'total',
        number
      >;
    },
  };
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}
