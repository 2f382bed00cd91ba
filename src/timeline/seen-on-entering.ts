/** Which layers of a scene are seen before it starts, while the transition into it runs. Pure. */
import type { Layer, Scene, Track } from '../storyboard/storyboard.ts';

/** For each property that can hide a layer, the value at which nothing of it is left. */
const HIDDEN_AT: Partial<Record<Track['property'], number>> = {
  opacity: 0,
  clipLeft: 1,
  clipTop: 1,
  clipRight: 1,
  clipBottom: 1,
};

/**
 * The layers that may be seen in the frames before the scene's frame 0. One whose entrance begins with the scene or
 * later, out of nothing, is not among them; in doubt a layer is.
 */
export function layersSeenOnEntering(scene: Scene): Layer[] {
  return scene.layers.filter(({ tracks }) => !(tracks ?? []).some((track) => hides(track, tracks ?? [])));
}

/** Before any track of a property has started, the first to come is in force, with its `from`. */
function hides(track: Track, tracks: readonly Track[]): boolean {
  return (
    track.from === HIDDEN_AT[track.property] &&
    track.startFrame >= 0 &&
    tracks.every(({ property, startFrame }) => property !== track.property || startFrame >= track.startFrame)
  );
}

/**
 * Whether something that may be the agent's is seen in the transition into the card: words, a logo, or a photo that
 * only the card shows.
 */
export function showsAgentOnEntering(card: Scene, others: readonly Scene[]): boolean {
  const shared = new Set(
    others.flatMap(({ layers }) => layers.flatMap((layer) => (layer.type === 'photo' ? layer.digest : []))),
  );
  return layersSeenOnEntering(card).some(
    (layer) =>
      layer.type === 'text' ||
      layer.type === 'graphic' ||
      (layer.type === 'photo' && !shared.has(layer.digest)),
  );
}
