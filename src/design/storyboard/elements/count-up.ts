/** Makes the steps in which a number counts up to its value. Pure. */
import type { Fact } from '../../../listing/words/facts.ts';
import type { Layer } from '../storyboard.ts';

/** Longer than this a number that is not true stands before people. */
export const MAX_COUNT_SEC = 0.6;
/** A paused video or a thumbnail shows a number that is nearly true: counting starts at least at so much of it. */
const MIN_FROM_SHARE = 0.9;
/** The true number stands at least so long after its counting, before the scene's way out. */
export const MIN_COUNTED_SEC = 1.5;

interface CountUpStep {
  readonly startFrame: number;
  readonly text: string;
}

/**
 * At most `steps` texts from `fromShare` of the value (0.9 at least) to the value, slowing down, in {@link MAX_COUNT_SEC} at
 * most; the last is the fact's own text, and the others group their digits with the same separator. Empty for a price, a
 * word, and numbers below 10.
 */
export function countUpSteps(
  fact: Pick<Fact, 'value' | 'numeric'>,
  design: { readonly fromShare: number; readonly for: number; readonly steps: number },
  startFrame: number,
  fps: number,
): CountUpStep[] {
  const { numeric, value } = fact;
  if (numeric === null || numeric < 10 || numeric >= 1e9) return [];
  const separator = /\d(\D)\d/.exec(value)?.[1] ?? '';
  const steps: CountUpStep[] = [];
  const fromShare = Math.max(MIN_FROM_SHARE, design.fromShare);
  const countSec = Math.min(MAX_COUNT_SEC, design.for);
  for (let index = 0; index < design.steps; index++) {
    const progress = index / (design.steps - 1);
    const left = 1 - progress;
    const eased = 1 - left * left * left;
    const isLast = index === design.steps - 1;
    const count = Math.round(numeric * (fromShare + (1 - fromShare) * eased));
    const text = isLast ? value : group(count, separator);
    if (steps.at(-1)?.text === text) continue;
    steps.push({ startFrame: startFrame + Math.round(progress * countSec * fps), text });
  }
  return steps.length > 1 ? steps : [];
}

/** A number that would be true for less than {@link MIN_COUNTED_SEC} does not count. @param leavesAt - Scene frame. */
export function countedInTime(layer: Layer, leavesAt: number, fps: number): Layer {
  if (layer.type !== 'text' || layer.steps === undefined) return layer;
  const { steps, ...still } = layer;
  const { startFrame, lines } = steps.at(-1)!;
  return leavesAt - startFrame >= MIN_COUNTED_SEC * fps ? layer : { ...still, lines };
}

function group(count: number, separator: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, separator);
}
