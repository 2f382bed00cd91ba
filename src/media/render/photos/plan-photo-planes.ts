/** Plans which sizes of which photos are loaded for a frame: all that its scenes can be drawn from. Pure. */
import type { PhotoLayer, Scene, Storyboard } from '../../../design/storyboard/storyboard.ts';
import { findPhotoLayer } from '../compose/compose-match-zoom.ts';
import type { PhotoSizes } from '../compose/draw-list.ts';
import { locateFrame } from '../compose/locate-frame.ts';
import { type PlaneUse, planUse, useKey } from '../compose/plane-use.ts';
import { restBox } from '../compose/rect.ts';

/** Empty for a photo that was not handed in: composing the frame fails with a message that names it. */
function usesOfLayer(layer: PhotoLayer, boxOf: PhotoLayer, sizes: PhotoSizes): PlaneUse[] {
  const size = sizes.get(layer.digest);
  return size === undefined ? [] : [planUse(layer, restBox(boxOf.box), size)];
}

function usesOfScene(scene: Scene, sizes: PhotoSizes): PlaneUse[] {
  return scene.layers.flatMap((layer) => (layer.type === 'photo' ? usesOfLayer(layer, layer, sizes) : []));
}

/** The planes that only the transition out of a scene needs: a match-zoom shows each photo at the other's size too. */
function usesOfTransition(storyboard: Storyboard, sceneIndex: number, sizes: PhotoSizes): PlaneUse[] {
  const [leaving, coming] = [storyboard.scenes[sceneIndex], storyboard.scenes[sceneIndex + 1]];
  if (leaving?.transition.kind !== 'match-zoom' || coming === undefined) return [];
  const from = findPhotoLayer(leaving, leaving.transition.fromLayerId).layer;
  const to = findPhotoLayer(coming, leaving.transition.toLayerId).layer;
  return [...usesOfLayer(from, to, sizes), ...usesOfLayer(to, from, sizes)];
}

export function planPhotoPlanes(storyboard: Storyboard, sizes: PhotoSizes, frameIndex: number): PlaneUse[] {
  const { sceneIndex, transitionFrame } = locateFrame(storyboard, frameIndex);
  const { scenes } = storyboard;
  const own = usesOfScene(scenes[sceneIndex] as Scene, sizes);
  if (transitionFrame === null) return own;
  return [
    ...own,
    ...usesOfTransition(storyboard, sceneIndex, sizes),
    ...usesOfScene(scenes[sceneIndex + 1] as Scene, sizes),
  ];
}

/** Names the photos that a frame draws from, at their sizes: equal names are loaded once. */
export function framePhotos(storyboard: Storyboard, sizes: PhotoSizes, frameIndex: number): string[] {
  return planPhotoPlanes(storyboard, sizes, frameIndex).map(useKey);
}
