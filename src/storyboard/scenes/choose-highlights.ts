/** Which scenes the preview shows: the opening, up to three of the body, the agent. Pure. */
import type { Scene } from '../storyboard.ts';

const MAX_FROM_BODY = 3;

/** Indexes, ascending. The first single, the facts, and a scene of several photos say most in little time. */
export function chooseHighlights(scenes: readonly Scene[]): number[] {
  const last = scenes.length - 1;
  const body = scenes.map((scene, index) => ({ scene, index })).slice(1, last);
  const picked = new Set<number>();
  const pick = (found: { readonly index: number } | undefined) => found && picked.add(found.index);
  pick(body.find(({ scene }) => scene.kind === 'photo'));
  pick(body.find(({ scene }) => scene.kind === 'facts'));
  pick(body.findLast(({ scene }) => scene.kind !== 'photo' && scene.kind !== 'facts'));
  for (const { index } of body.toReversed()) {
    if (picked.size >= Math.min(MAX_FROM_BODY, body.length)) break;
    picked.add(index);
  }
  return [0, ...[...picked].sort((a, b) => a - b), last];
}
