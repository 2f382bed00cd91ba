/** Brings entrances forward in time. Pure. */
import type { LayerDraft } from '../elements/scene-context.ts';

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

function startOf({ tracks = [] }: LayerDraft): number {
  return tracks.length === 0 ? 0 : Math.max(0, Math.min(...tracks.map(({ startFrame }) => startFrame)));
}
