/** Brings entrances forward in time. Pure. */
import type { LayerDraft } from '../elements/scene-context.ts';
import { isWayOut } from '../motion/posed-frame.ts';

export function earlier(draft: LayerDraft, frames: number): LayerDraft {
  if (frames === 0) return draft;
  const tracks = draft.tracks?.map((track) => ({
    ...track,
    startFrame: track.startFrame - frames,
    endFrame: track.endFrame - frames,
  }));
  const moved = tracks ? { ...draft, tracks } : draft;
  if (moved.type !== 'text' || !moved.steps) return moved;
  return { ...moved, steps: moved.steps.map((step) => ({ ...step, startFrame: step.startFrame - frames })) };
}

/** The layers of a scene whose captions begin to come with its photos: there is no time to wait for them. */
export function withCaptionsAtOnce(layers: readonly LayerDraft[]): LayerDraft[] {
  const captions = layers.filter(({ type, id }) => type === 'text' && id.startsWith('caption'));
  const wait = Math.min(...captions.map(startOf));
  if (captions.length === 0 || wait <= 0) return [...layers];
  return layers.map((layer) =>
    layer.type === 'photo' ? layer : earlier(layer, Math.min(wait, startOf(layer))),
  );
}

/** The layers of an opening that begins a video: all words stand in its first frame, which lists of videos show. */
export function withWordsAtOnce(layers: readonly LayerDraft[]): LayerDraft[] {
  return layers.map((layer) => {
    if (layer.type === 'photo' || !layer.tracks) return layer;
    const standing = { ...layer, tracks: layer.tracks.filter(isWayOut) };
    if (standing.type !== 'text' || !standing.steps) return standing;
    const { steps, ...text } = standing;
    return { ...text, lines: steps.at(-1)!.lines };
  });
}

function startOf({ tracks = [] }: LayerDraft): number {
  return tracks.length === 0 ? 0 : Math.max(0, Math.min(...tracks.map(({ startFrame }) => startFrame)));
}
