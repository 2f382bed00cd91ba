/** A hook that is the opening's own photo in the opening's place: one shot, to which the words come. Pure. */
import type { PhotoDraft } from '../elements/scene-context.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { SceneDraft } from '../scenes/build-scene.ts';
import type { Box } from '../storyboard.ts';

type Lead = Pick<PhotoDraft, 'digest' | 'box' | 'camera' | 'photo' | 'closer'>;

/** Whether one photo of a hook stands where that of the opening stands, so that one camera moves over both. */
export function isOneShot(
  from: { readonly digest: string; readonly box: Box } | undefined,
  to: { readonly digest: string; readonly box: Box } | undefined,
): boolean {
  if (from === undefined || to === undefined || from.digest !== to.digest) return false;
  return (['x', 'y', 'w', 'h'] as const).every((side) => from.box[side] === to.box[side]);
}

/** The photo of the opening that a hook of one photo shows before; undefined where they are two shots. */
export function revealedPhoto(
  plan: readonly PlannedScene[],
  drafts: readonly SceneDraft[],
): Lead | undefined {
  if (plan[0]?.role !== 'hook' || plan[1]?.role !== 'hero') return undefined;
  const [hook, hero] = drafts.map(({ layers }) =>
    layers.filter((layer): layer is PhotoDraft => layer.type === 'photo'),
  );
  const [before, after] = [hook?.[0], hero?.[0]];
  const moves = before?.camera === 'move' && after?.camera === 'move';
  return hook?.length === 1 && moves && isOneShot(before, after) ? after : undefined;
}
