/** Draws photos, resampled plane by plane from the YUV of their masters. */

import type { Box } from '../../../design/storyboard/storyboard.ts';
import type { DrawOp, OpMask, PhotoView, Rect } from '../compose/draw-list.ts';
import type { PlaneUse } from '../compose/plane-use.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { PhotoPlanes } from '../photos/photo-planes.ts';
import type { CoverageBuffers } from './coverage.ts';
import { maskedBands } from './shape-bands.ts';
import { crossfadeImages, imageAt, type YuvImage } from './yuv-image.ts';

/** What photos are drawn with; `scratch` are two images as large as the frame. */
export interface PhotoPainter {
  readonly kernel: Kernel;
  readonly coverage: CoverageBuffers;
  readonly scratch: readonly [number, number];
  /** `resampleScratchBytes` of the frame's width. */
  readonly resampleScratch: number;
  /** The loaded planes of a photo. */
  planes(source: PlaneUse): PhotoPlanes;
}

/** Even-sided region of the frame, px. */
interface Region {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The pixels that `rect` touches in any plane. */
function regionOf(frame: YuvImage, rect: Rect): Region {
  const x = Math.max(0, 2 * Math.floor(rect.x0 / 2));
  const y = Math.max(0, 2 * Math.floor(rect.y0 / 2));
  const x1 = Math.min(frame.w, 2 * Math.ceil((rect.x1 + 0.5) / 2));
  const y1 = Math.min(frame.h, 2 * Math.ceil(rect.y1 / 2));
  return { x, y, w: Math.max(0, x1 - x), h: Math.max(0, y1 - y) };
}

/**
 * Paints the photo whose `view` fills `box` into an image of the size of `region`.
 *
 * Luma pixel i has its center at i + 1/2; a left-sited chroma pixel j at luma (2j + 1/2, 2j + 1). The same is true in
 * the photo, except that scaling a master by k moves its first chroma site from 1/2 to k/2.
 */
function resamplePhoto(
  painter: PhotoPainter,
  target: YuvImage,
  region: Region,
  view: PhotoView,
  box: Box,
): void {
  const { kernel, resampleScratch } = painter;
  const photo = painter.planes(view.source);
  const stepX = (view.width * photo.widthPx) / box.w;
  const stepY = (view.height * photo.heightPx) / box.h;
  const left = view.left * photo.widthPx - box.x * stepX;
  const top = view.top * photo.heightPx - box.y * stepY;
  for (const [index, plane] of target.planes.entries()) {
    const isLuma = plane.pitch === 1;
    const source = photo.planes[index] as PhotoPlanes['planes'][number];
    const x0 = isLuma
      ? left + (region.x + 0.5) * stepX - 0.5
      : (left + (region.x + 0.5) * stepX + photo.chromaSiteX) / 2 - 0.5;
    const y0 = isLuma ? top + (region.y + 0.5) * stepY - 0.5 : (top + (region.y + 1) * stepY) / 2 - 0.5;
    kernel.functions.resample(
      plane.address,
      plane.stride,
      plane.w,
      plane.h,
      source.address,
      source.w,
      source.w,
      source.h,
      x0,
      stepX,
      y0,
      stepY,
      kernel.lut,
      resampleScratch,
    );
  }
}

/** Lays the image of a region over the frame within `rect`. */
function blendRegion(
  painter: PhotoPainter,
  frame: YuvImage,
  image: YuvImage,
  region: Region,
  rect: Rect,
  alpha: number,
  mask?: OpMask,
): void {
  for (const [index, plane] of frame.planes.entries()) {
    const source = image.planes[index] as YuvImage['planes'][number];
    for (const { x, y, columns, rows } of maskedBands(painter.coverage, plane, rect, mask)) {
      const fromX = x.from - region.x / plane.pitch;
      const fromY = y.from - region.y / plane.pitch;
      painter.kernel.functions.blendRect(
        plane.address + y.from * plane.stride + x.from,
        plane.stride,
        source.address + fromY * source.stride + fromX,
        source.stride,
        x.count,
        y.count,
        columns,
        rows,
        x.solidFrom,
        x.solidTo,
        Math.round(256 * alpha),
      );
    }
  }
}

function coversFrame(frame: YuvImage, rect: Rect): boolean {
  // Half a pixel more on the left, where the footprint of the first chroma site begins.
  return rect.x0 <= -0.5 && rect.y0 <= 0 && rect.x1 >= frame.w && rect.y1 >= frame.h;
}

/** True for opaque photos that cover the whole frame: nothing that is painted before them is seen. */
export function hidesAllBelow(frame: YuvImage, op: DrawOp): boolean {
  if (op.op === 'photo' && (op.alpha < 1 || op.mask !== undefined)) return false;
  return (op.op === 'photo' || op.op === 'photo-mix') && coversFrame(frame, op.rect);
}

export function drawPhoto(painter: PhotoPainter, frame: YuvImage, op: DrawOp & { op: 'photo' }): void {
  const region = regionOf(frame, op.rect);
  if (region.w === 0 || region.h === 0) return;
  const isWhole = hidesAllBelow(frame, op);
  const image = isWhole ? frame : imageAt(painter.scratch[0], region.w, region.h);
  resamplePhoto(painter, image, region, op.view, op.box);
  if (!isWhole) blendRegion(painter, frame, image, region, op.rect, op.alpha, op.mask);
}

/** Draws two photos in one box, dissolving linear in light; straight into the frame when they cover all of it. */
export function drawPhotoMix(painter: PhotoPainter, frame: YuvImage, op: DrawOp & { op: 'photo-mix' }): void {
  const region = regionOf(frame, op.rect);
  if (region.w === 0 || region.h === 0) return;
  const isWhole = hidesAllBelow(frame, op);
  const from = isWhole ? frame : imageAt(painter.scratch[0], region.w, region.h);
  resamplePhoto(painter, from, region, op.from, op.box);
  if (op.mix > 0) {
    const to = imageAt(painter.scratch[1], region.w, region.h);
    resamplePhoto(painter, to, region, op.to, op.box);
    crossfadeImages(painter.kernel, from, to, op.mix);
  }
  if (!isWhole) blendRegion(painter, frame, from, region, op.rect, 1);
}
