/** I420 images in kernel memory: frames, and parts of them. */
import type { Kernel } from '../kernel/load-kernel.ts';

/** One plane of an image: `w` x `h` bytes at `address`, rows `stride` apart. */
export interface Plane {
  readonly address: number;
  readonly stride: number;
  readonly w: number;
  readonly h: number;
  /** Luma pixels per pixel of this plane, in each direction. */
  readonly pitch: 1 | 2;
  /** Start of pixel 0's footprint, in luma px: left-sited chroma spans from -0.5 to 1.5. */
  readonly offsetX: number;
}

/** Y, then U, then V without padding; even sides. */
export interface YuvImage {
  readonly address: number;
  readonly w: number;
  readonly h: number;
  readonly planes: readonly [Plane, Plane, Plane];
}

/** Bytes of an I420 image. */
export function frameBytes(w: number, h: number): number {
  return (w * h * 3) / 2;
}

/** Describes the `frameBytes(w, h)` bytes at `address`. */
export function imageAt(address: number, w: number, h: number): YuvImage {
  const chroma = (at: number): Plane => ({
    address: at,
    stride: w / 2,
    w: w / 2,
    h: h / 2,
    pitch: 2,
    offsetX: -0.5,
  });
  const u = address + w * h;
  return {
    address,
    w,
    h,
    planes: [{ address, stride: w, w, h, pitch: 1, offsetX: 0 }, chroma(u), chroma(u + (w * h) / 4)],
  };
}

/** Dissolves `over` into `base`, linear in light. Both have the same size. */
export function crossfadeImages(kernel: Kernel, base: YuvImage, over: YuvImage, mix: number): void {
  const { functions } = kernel;
  // Chroma first: it weighs by the lumas, which the second call overwrites.
  functions.crossfadeChroma(base.address, base.address, over.address, base.w, base.h, mix);
  functions.crossfadeLuma(base.address, base.address, over.address, base.w * base.h, mix);
}
