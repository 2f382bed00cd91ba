/** The layers of one scene at one frame, as draw operations. Pure. */

import type { Box, Layer, PhotoLayer, Scene, TextLayer } from '../../../design/storyboard/storyboard.ts';
import { trackValue } from '../../../design/timeline/track-value.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { toYuv } from '../color.ts';
import { cameraView } from './camera-view.ts';
import type { DrawOp, OpMask, PhotoSizes, PhotoView, Rect } from './draw-list.ts';
import { type PhotoSize, planUse } from './plane-use.ts';
import { EVERYWHERE, FAR, intersect, isEmpty, moveBox, restBox, toRect } from './rect.ts';

/** The page a scene is painted on: the frame, or the frame moved by a push. */
export interface Page {
  readonly w: number;
  readonly h: number;
  readonly dx: number;
  readonly dy: number;
  /** The area that can be painted, px of the frame. */
  readonly clip: Rect;
}

export interface SceneMoment {
  readonly scene: Scene;
  readonly sceneIndex: number;
  /** Negative during the transition into the scene. */
  readonly sceneFrame: number;
}

/** Two scenes on one page while a transition leads from one to the other. */
export interface SceneChange {
  readonly leaving: SceneMoment;
  readonly coming: SceneMoment;
  /** The whole frame. */
  readonly page: Page;
  readonly sizes: PhotoSizes;
}

/**
 * What a layer shows of its photo in `box`.
 *
 * @throws {@link ListingVideoError} `render_failed` when the photo was not handed in.
 */
export function photoView(layer: PhotoLayer, sceneFrame: number, box: Box, sizes: PhotoSizes): PhotoView {
  const size = sizeOf(layer, sizes);
  const source = planUse(layer, restBox(layer.box), size);
  return { source, ...cameraView(layer, sceneFrame, size, box) };
}

function sizeOf(layer: PhotoLayer, sizes: PhotoSizes): PhotoSize {
  const size = sizes.get(layer.digest);
  if (size !== undefined) return size;
  throw new ListingVideoError(
    'render_failed',
    `The storyboard shows photo ${layer.digest}, which was not handed in.`,
    { context: { layer: layer.id, digest: layer.digest } },
  );
}

/**
 * Extends the edges of a box that lie on the page's edges: otherwise a page that ends between two pixels would get a
 * half-covered rim, and background would show in the chroma sites on the border.
 */
function bleed(box: Box, page: Page): Rect {
  const near = 0.01;
  return {
    x0: box.x <= page.dx + near ? -FAR : box.x,
    y0: box.y <= page.dy + near ? -FAR : box.y,
    x1: box.x + box.w >= page.dx + page.w - near ? FAR : box.x + box.w,
    y1: box.y + box.h >= page.dy + page.h - near ? FAR : box.y + box.h,
  };
}

/** Fractions hidden from each edge. */
function clipFractions(
  layer: Layer,
  frame: number,
): { left: number; top: number; right: number; bottom: number } {
  const at = (property: 'clipLeft' | 'clipTop' | 'clipRight' | 'clipBottom'): number =>
    trackValue(layer.tracks, property, frame, 0);
  return { left: at('clipLeft'), top: at('clipTop'), right: at('clipRight'), bottom: at('clipBottom') };
}

/**
 * The window that a layer is seen through. An edge that hides nothing does not clip (ink can hang over a text's box),
 * but a fixed window also clips along the layer's movement, so that a line can rise out of nothing.
 */
function clipWindow(layer: Layer, frame: number, atRest: Box, moved: Box): Rect {
  const hidden = clipFractions(layer, frame);
  const box = layer.clipFixed === true ? atRest : moved;
  const moves = (property: 'dx' | 'dy'): boolean =>
    layer.clipFixed === true && layer.tracks?.some((track) => track.property === property) === true;
  const [across, along] = [moves('dx'), moves('dy')];
  return {
    x0: hidden.left > 0 || across ? box.x + hidden.left * box.w : -FAR,
    y0: hidden.top > 0 || along ? box.y + hidden.top * box.h : -FAR,
    x1: hidden.right > 0 || across ? box.x + box.w - hidden.right * box.w : FAR,
    y1: hidden.bottom > 0 || along ? box.y + box.h - hidden.bottom * box.h : FAR,
  };
}

/**
 * True when the layer has moved out of its window. Its own box decides, as the template moves it: in a draft the window
 * is rounded, and half a row of the layer would show in it.
 */
function isMovedOut({ clipFixed, box }: Layer, dx: number, dy: number): boolean {
  return clipFixed === true && (Math.abs(dx) >= box.w || Math.abs(dy) >= box.h);
}

/** The step of a text at a frame: 0 for `lines`, n for `steps[n - 1]`. */
function textStep(layer: TextLayer, sceneFrame: number): number {
  return (layer.steps ?? []).filter((step) => step.startFrame <= sceneFrame).length;
}

function masked({ mask }: Layer, box: Box): { mask?: OpMask } {
  return mask ? { mask: { ...mask, over: toRect(box) } } : {};
}

/** The operations of one layer; none when it is not seen at this frame. */
export function composeLayer(
  { scene, sceneIndex, sceneFrame }: SceneMoment,
  layerIndex: number,
  page: Page,
  sizes: PhotoSizes,
  fade = 1,
): DrawOp[] {
  const layer = scene.layers[layerIndex] as Layer;
  const own = layer.type === 'fill' && !layer.gradient ? (layer.alpha ?? 1) : 1;
  const alpha = fade * own * trackValue(layer.tracks, 'opacity', sceneFrame, 1);
  if (alpha <= 0) return [];
  const atRest = moveBox(restBox(layer.box), page.dx, page.dy);
  const dx = trackValue(layer.tracks, 'dx', sceneFrame, 0);
  const dy = trackValue(layer.tracks, 'dy', sceneFrame, 0);
  if (isMovedOut(layer, dx, dy)) return [];
  const box = moveBox(atRest, dx, dy);
  const clip = intersect(page.clip, clipWindow(layer, sceneFrame, atRest, box));
  const rect = intersect(clip, bleed(box, page));
  const frame = { x0: 0, y0: 0, x1: page.w, y1: page.h };
  if (isEmpty(intersect(clip, frame))) return [];
  const ref = { scene: sceneIndex, layer: layerIndex, step: 0 };
  switch (layer.type) {
    case 'fill':
      if (isEmpty(intersect(rect, frame))) return [];
      return [
        {
          op: 'fill',
          rect,
          color: toYuv(layer.color),
          alpha,
          ...(layer.gradient ? { gradient: { ...layer.gradient, over: toRect(box) } } : {}),
          ...masked(layer, box),
        },
      ];
    case 'photo':
      if (isEmpty(intersect(rect, frame))) return [];
      return [
        {
          op: 'photo',
          view: photoView(layer, sceneFrame, box, sizes),
          box,
          rect,
          alpha,
          ...masked(layer, box),
        },
      ];
    case 'graphic':
      return [{ op: 'graphic', ref, x: box.x, y: box.y, clip, alpha }];
    case 'mark':
      return [{ op: 'mask', ref, x: box.x, y: box.y, clip, color: toYuv(layer.color), alpha }];
    case 'text': {
      const step = textStep(layer, sceneFrame);
      const color = toYuv(layer.color);
      return [{ op: 'mask', ref: { ...ref, step }, x: box.x, y: box.y, clip, color, alpha }];
    }
  }
}

/** The whole scene: its background, then its layers in order. */
export function composeScene(moment: SceneMoment, page: Page, sizes: PhotoSizes): DrawOp[] {
  return [
    { op: 'fill', rect: page.clip, color: toYuv(moment.scene.background), alpha: 1 },
    ...moment.scene.layers.flatMap((_, index) => composeLayer(moment, index, page, sizes)),
  ];
}

export function wholePage(w: number, h: number): Page {
  return { w, h, dx: 0, dy: 0, clip: EVERYWHERE };
}
