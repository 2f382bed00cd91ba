/** Which layers of a scene are seen before it starts, while the transition into it runs. Pure. */
import type { Layer, Scene, Track } from '../storyboard/storyboard.ts';

const CLIPS: ReadonlySet<Track['property']> = new Set(['clipLeft', 'clipTop', 'clipRight', 'clipBottom']);

/**
 * The layers that can be seen before the scene's frame 0. A layer that enters out of nothing, at frame 0 or later, is
 * left out; in doubt a layer is included.
 */
export function layersSeenOnEntering(scene: Scene): Layer[] {
  return scene.layers.filter((layer) => !(layer.tracks ?? []).some((track) => hides(track, layer)));
}

/** True when the track hides the layer until the scene starts: before all tracks of a property the first applies. */
function hides(track: Track, layer: Layer): boolean {
  return (
    leavesNothing(track, layer) &&
    track.startFrame >= 0 &&
    (layer.tracks ?? []).every(
      ({ property, startFrame }) => property !== track.property || startFrame >= track.startFrame,
    )
  );
}

function leavesNothing({ property, from }: Track, { box, clipFixed = false }: Layer): boolean {
  if (property === 'opacity') return from <= 0;
  if (CLIPS.has(property)) return from >= 1;
  // Moved out of the window of its box at rest, which stands still.
  return clipFixed && Math.abs(from) >= (property === 'dy' ? box.h : box.w);
}

/**
 * True when something that can be the agent's is seen in the transition into the card: text, a logo, or a photo that
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
