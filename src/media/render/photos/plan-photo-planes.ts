/**
 * Plans which sizes of which photos a frame needs: slightly more pixels than its boxes show, against aliasing. A photo
 * with far too few is enlarged beforehand, because a better filter than the frame kernel's then costs next to nothing.
 * Pure.
 */
import type { Layer, PhotoGrade, Scene, Storyboard } from '../../../design/storyboard/storyboard.ts';
import { cameraView } from '../compose/camera-view.ts';
import { findPhotoLayer } from '../compose/compose-match-zoom.ts';
import type { PhotoSizes } from '../compose/draw-list.ts';
import { locateFrame } from '../compose/locate-frame.ts';
import { restBox } from '../compose/rect.ts';

/** A photo scaled to `widthPx` (its master's own width when scaling would gain nothing), larger or smaller. */
export interface PlaneUse {
  readonly digest: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly grade?: PhotoGrade;
}

/** Range of source pixels per output pixel at the widest view. */
const MIN_RATIO = 1.15;
const MAX_RATIO = 1.3;
/** Scaling by less than this is not worth the CPU time. */
const WORTHWHILE = 1.08;
/** Below this enlargement at the tightest view, Catmull-Rom alone looks the same. */
const ENLARGED_FROM = 1.25;
/**
 * Maximum longer side of an enlarged photo: it takes no more memory than the largest master. The frame kernel does the
 * rest.
 */
const ENLARGED_LONG_SIDE_PX = 2560;

/** The key of a use: equal for equal photos at equal sizes with equal grades. */
export function useKey({ digest, widthPx, grade }: PlaneUse): string {
  const graded = grade === undefined ? '' : `@${grade.stops},${grade.blue},${grade.red}`;
  return `${digest}@${widthPx}${graded}`;
}

function planUse(
  layer: Layer & { type: 'photo' },
  box: { w: number; h: number },
  sizes: PhotoSizes,
): PlaneUse[] {
  const size = sizes.get(layer.digest);
  // Composing the frame will fail with a message that names the photo.
  if (size === undefined) return [];
  const { camera, digest } = layer;
  const grade = layer.grade ? { grade: layer.grade } : {};
  const photo = { w: size.widthPx, h: size.heightPx };
  const spans = [camera.startFrame, camera.endFrame].map(
    (frame) => cameraView(camera, frame, digest, photo, box).width,
  );
  const widest = Math.max(...spans);
  const tightest = Math.min(...spans);
  const ratio = Math.min(MAX_RATIO, Math.max(MIN_RATIO, (1.1 * widest) / tightest));
  const target = (ratio * box.w) / widest;
  const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));
  const at = (widthPx: number): PlaneUse[] => [
    { digest, widthPx: even(widthPx), heightPx: even((widthPx * size.heightPx) / size.widthPx), ...grade },
  ];
  const tightWidthPx = box.w / tightest;
  if (tightWidthPx >= ENLARGED_FROM * size.widthPx) {
    const longest = (ENLARGED_LONG_SIDE_PX * size.widthPx) / Math.max(size.widthPx, size.heightPx);
    const enlarged = Math.min(tightWidthPx, longest);
    if (enlarged >= WORTHWHILE * size.widthPx) return at(enlarged);
  }
  if (target * WORTHWHILE >= size.widthPx) {
    return [{ digest, widthPx: size.widthPx, heightPx: size.heightPx, ...grade }];
  }
  return at(target);
}

function usesOfScene(scene: Scene, sizes: PhotoSizes): PlaneUse[] {
  return scene.layers.flatMap((layer) =>
    layer.type === 'photo' ? planUse(layer, restBox(layer.box), sizes) : [],
  );
}

/** The planes that only the transition out of a scene needs: a match-zoom shows each photo at the other's size too. */
function usesOfTransition(storyboard: Storyboard, sceneIndex: number, sizes: PhotoSizes): PlaneUse[] {
  const [leaving, coming] = [storyboard.scenes[sceneIndex], storyboard.scenes[sceneIndex + 1]];
  if (leaving?.transition.kind !== 'match-zoom' || coming === undefined) return [];
  const from = findPhotoLayer(leaving, leaving.transition.fromLayerId).layer;
  const to = findPhotoLayer(coming, leaving.transition.toLayerId).layer;
  return [...planUse(from, restBox(to.box), sizes), ...planUse(to, restBox(from.box), sizes)];
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
