/** The match-zoom: one photo's box grows into the next scene's; two different photos dissolve. Pure. */

import { overlaps } from '../../../design/storyboard/box.ts';
import type { Box, Layer, PhotoLayer, Scene, Transition } from '../../../design/storyboard/storyboard.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { toYuv } from '../color.ts';
import { composeLayer, photoView, type SceneChange, type SceneMoment } from './compose-layers.ts';
import type { DrawOp, PhotoSizes, PhotoView } from './draw-list.ts';
import { smallestFor } from './plane-use.ts';
import { EVERYWHERE, FAR, restBox } from './rect.ts';

export function findPhotoLayer(scene: Scene, id: string): { index: number; layer: PhotoLayer } {
  const index = scene.layers.findIndex((layer) => layer.id === id);
  const layer = scene.layers[index];
  if (layer?.type !== 'photo') {
    throw new ListingVideoError(
      'render_failed',
      `Expected a photo layer "${id}" in ${scene.id} for a match-zoom, found ${layer?.type ?? 'none'}.`,
      { context: { scene: scene.id, layer: id } },
    );
  }
  return { index, layer };
}

/** The photo of a layer in the growing box, from the size for its own box or for the one of the other layer. */
function zoomView(
  layer: PhotoLayer,
  other: PhotoLayer,
  frame: number,
  box: Box,
  sizes: PhotoSizes,
): PhotoView {
  const own = photoView(layer, frame, box, sizes);
  const { source } = photoView({ ...layer, box: other.box }, frame, box, sizes);
  return { ...own, source: smallestFor(own.source, source, box.w / own.width) };
}

/**
 * One photo in the growing box. All of it moves and grows along one line, so that its proportions stay and its edges
 * stay outside of the box.
 */
function onePhotoView(
  [from, to]: readonly [PhotoLayer, PhotoLayer],
  [leaving, coming]: readonly [SceneMoment, SceneMoment],
  progress: number,
  box: Box,
  sizes: PhotoSizes,
): PhotoView {
  const [a, b] = [restBox(from.box), restBox(to.box)];
  const first = photoView(from, leaving.sceneFrame, a, sizes);
  const last = photoView(to, coming.sceneFrame, b, sizes);
  const w = lerp(a.w / first.width, b.w / last.width, progress);
  const h = lerp(a.h / first.height, b.h / last.height, progress);
  const x = lerp(a.x - (first.left * a.w) / first.width, b.x - (last.left * b.w) / last.width, progress);
  const y = lerp(a.y - (first.top * a.h) / first.height, b.y - (last.top * b.h) / last.height, progress);
  const [width, height] = [Math.min(1, box.w / w), Math.min(1, box.h / h)];
  return {
    source: smallestFor(first.source, last.source, w),
    left: Math.max(0, Math.min(1 - width, (box.x - x) / w)),
    top: Math.max(0, Math.min(1 - height, (box.y - y) / h)),
    width,
    height,
  };
}

const lerp = (a: number, b: number, t: number): number => a + (b - a) * t;

/** Layers that lie over the photo, or on one that does; words beside it stand on the page, never over a moving photo. */
function layersOver({ scene: { layers } }: SceneMoment, photo: number): ReadonlySet<number> {
  const over = [layers[photo]!.box];
  const indices = new Set<number>();
  for (const [index, { box }] of layers.entries()) {
    if (index <= photo || !over.some((each) => overlaps(each, box))) continue;
    over.push(box);
    indices.add(index);
  }
  return indices;
}

/** Words that both scenes say in one place stay lit: they come at once, over the ones that fade. */
function isSaidBefore(layer: Layer, { scene }: SceneMoment): boolean {
  return (
    layer.type === 'text' &&
    layer.reads !== '' &&
    scene.layers.some(
      (other) =>
        other.type === 'text' &&
        other.reads === layer.reads &&
        other.style.sizePx === layer.style.sizePx &&
        Math.abs(other.box.x - layer.box.x) < 1 &&
        Math.abs(other.box.y - layer.box.y) < 1,
    )
  );
}

/**
 * Painted from below: the backgrounds (dissolving if they differ), the layers under and beside either photo, the photos
 * in their growing box, the layers over them. Leaving layers fade out in the first `fadeFrames`, coming ones fade in
 * over the whole, but for words that stand in both.
 */
export function composeMatchZoom(
  transition: Transition & { kind: 'match-zoom' },
  transitionFrame: number,
  progress: number,
  { leaving, coming, page, sizes }: SceneChange,
): DrawOp[] {
  const from = findPhotoLayer(leaving.scene, transition.fromLayerId);
  const to = findPhotoLayer(coming.scene, transition.toLayerId);
  const [a, b] = [restBox(from.layer.box), restBox(to.layer.box)];
  const edge = (near: (box: Box) => number): number => lerp(near(a), near(b), progress);
  const [x0, y0] = [edge((box) => box.x), edge((box) => box.y)];
  const [x1, y1] = [edge((box) => box.x + box.w), edge((box) => box.y + box.h)];
  const box: Box = { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
  const fadeOut = Math.max(0, 1 - transitionFrame / Math.max(1, transition.fadeFrames));
  const parts = (
    moment: SceneMoment,
    photo: number,
    fadeOf: (layer: Layer) => number,
  ): [under: DrawOp[], over: DrawOp[]] => {
    const over = layersOver(moment, photo);
    const ops = (isOver: boolean): DrawOp[] =>
      moment.scene.layers.flatMap((layer, index) =>
        index !== photo && over.has(index) === isOver
          ? composeLayer(moment, index, page, sizes, fadeOf(layer))
          : [],
      );
    return [ops(false), ops(true)];
  };
  const [underFrom, overFrom] = parts(leaving, from.index, () => fadeOut);
  const [underTo, overTo] = parts(coming, to.index, (layer) => (isSaidBefore(layer, leaving) ? 1 : progress));
  const background = toYuv(coming.scene.background);
  // As in a scene: an edge on the frame's border reaches beyond it.
  const rect = {
    x0: x0 <= 0.01 ? -FAR : x0,
    y0: y0 <= 0.01 ? -FAR : y0,
    x1: x1 >= page.w - 0.01 ? FAR : x1,
    y1: y1 >= page.h - 0.01 ? FAR : y1,
  };
  const photo: DrawOp =
    from.layer.digest === to.layer.digest
      ? {
          op: 'photo',
          view: onePhotoView([from.layer, to.layer], [leaving, coming], progress, box, sizes),
          box,
          rect,
          alpha: 1,
        }
      : {
          op: 'photo-mix',
          from: zoomView(from.layer, to.layer, leaving.sceneFrame, box, sizes),
          to: zoomView(to.layer, from.layer, coming.sceneFrame, box, sizes),
          mix: progress,
          box,
          rect,
        };
  return [
    { op: 'fill', rect: EVERYWHERE, color: toYuv(leaving.scene.background), alpha: 1 },
    ...(coming.scene.background === leaving.scene.background
      ? []
      : [{ op: 'fill', rect: EVERYWHERE, color: background, alpha: progress } as const]),
    ...underFrom,
    ...underTo,
    photo,
    ...overFrom,
    ...overTo,
  ];
}
