/** Draws texts and marks (one color through a mask) and logos (premultiplied planes). */
import type { YuvColor } from '../color.ts';
import type { Rect } from '../compose/draw-list.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { MaskPlane, StoredMask } from './framed-mask.ts';
import type { MaskPlacer, PlacedMask } from './place-mask.ts';
import type { Plane, YuvImage } from './yuv-image.ts';

/** A mask and its offset from its layer's origin. */
export interface MaskMaterial {
  readonly stored: StoredMask;
  readonly offsetX: number;
  readonly offsetY: number;
}

/** A logo: coverage, and Y, U and V premultiplied by it, all at full resolution. */
export interface GraphicMaterial {
  readonly alpha: StoredMask;
  readonly planes: readonly [StoredMask, StoredMask, StoredMask];
}

interface PlanePart {
  /** Address on the plane, offset in the mask, and size of the part on the plane. */
  readonly dst: number;
  readonly offset: number;
  readonly w: number;
  readonly h: number;
}

/** The part of a mask (at `x`, `y` of the plane) that lies on the plane. */
function clipToPlane(plane: Plane, mask: MaskPlane, x: number, y: number): PlanePart | null {
  const [x0, y0] = [Math.max(0, x), Math.max(0, y)];
  const w = Math.min(plane.w, x + mask.w) - x0;
  const h = Math.min(plane.h, y + mask.h) - y0;
  if (w <= 0 || h <= 0) return null;
  return { dst: plane.address + y0 * plane.stride + x0, offset: (y0 - y) * mask.stride + (x0 - x), w, h };
}

function partOf(plane: Plane, placed: PlacedMask) {
  return plane.pitch === 1
    ? { mask: placed.luma, part: clipToPlane(plane, placed.luma, placed.x, placed.y) }
    : { mask: placed.chroma, part: clipToPlane(plane, placed.chroma, placed.chromaX, placed.chromaY) };
}

/** Draws a mask in one color; `at` is the layer's origin, px of the frame. */
export function drawMask(
  kernel: Kernel,
  placer: MaskPlacer,
  target: YuvImage,
  material: MaskMaterial,
  at: { readonly x: number; readonly y: number; readonly clip: Rect; readonly alpha: number },
  color: YuvColor,
): void {
  const placed = placer.place(material.stored, at.x + material.offsetX, at.y + material.offsetY, at.clip);
  if (placed === null) return;
  const values = [color.y, color.u, color.v];
  const opacity = Math.round(256 * at.alpha);
  for (const [index, plane] of target.planes.entries()) {
    const { mask, part } = partOf(plane, placed);
    if (part === null) continue;
    const { dst, offset, w, h } = part;
    const value = values[index] as number;
    kernel.functions.overlayMask(dst, plane.stride, mask.address + offset, mask.stride, w, h, value, opacity);
  }
}

/** Draws a logo. `placers` are two, since coverage and color are needed at the same time. */
export function drawGraphic(
  kernel: Kernel,
  placers: readonly [MaskPlacer, MaskPlacer],
  target: YuvImage,
  material: GraphicMaterial,
  at: { readonly x: number; readonly y: number; readonly clip: Rect; readonly alpha: number },
): void {
  const coverage = placers[0].place(material.alpha, at.x, at.y, at.clip);
  if (coverage === null) return;
  const opacity = Math.round(256 * at.alpha);
  for (const [index, plane] of target.planes.entries()) {
    const value = placers[1].place(material.planes[index] as StoredMask, at.x, at.y, at.clip);
    if (value === null) continue;
    const { mask, part } = partOf(plane, coverage);
    const source = plane.pitch === 1 ? value.luma : value.chroma;
    if (part === null) continue;
    const { dst, offset, w, h } = part;
    kernel.functions.overlayPremultiplied(
      dst,
      plane.stride,
      source.address + offset,
      mask.address + offset,
      mask.stride,
      w,
      h,
      opacity,
    );
  }
}
