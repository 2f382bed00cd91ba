/** A mask in kernel memory with a clear frame around it, so that shifting and chroma siting need no special edges. */

import type { KernelMemory } from '../kernel/kernel-memory.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { Plane } from './yuv-image.ts';

/** Clear pixels on each side; chroma siting reads up to two beyond the mask. */
const FRAME = 2;

/** A mask with its frame, or coverage at chroma sites. `address` is that of pixel (0, 0). */
export type MaskPlane = Pick<Plane, 'address' | 'stride' | 'w' | 'h'>;

/** Bytes of a mask with its frame. */
export function framedBytes(w: number, h: number): number {
  return (w + 2 * FRAME) * (h + 2 * FRAME);
}

/** Describes a framed mask in the block at `block`; the caller has cleared its frame. */
export function framedAt(block: number, w: number, h: number): MaskPlane {
  const stride = w + 2 * FRAME;
  return { address: block + FRAME * stride + FRAME, stride, w, h };
}

/** Pixels of a chroma plane that a mask of `length` at luma pixel `start` touches: 1-2-1 across, 1-1 down. */
export function chromaExtent(
  start: number,
  length: number,
  axis: 'x' | 'y',
): { from: number; count: number } {
  const from = Math.floor(start / 2);
  const last = axis === 'x' ? Math.floor((start + length) / 2) : Math.floor((start + length - 1) / 2);
  return { from, count: last - from + 1 };
}

/** Upper bound of the bytes for a mask's chroma coverage. */
export function chromaBytes(w: number, h: number): number {
  return (Math.floor(w / 2) + 2) * (Math.floor(h / 2) + 2);
}

/** Writes the mask's coverage at the chroma sites when its pixel (0, 0) lies at luma pixel (`x`, `y`). */
export function writeChromaMask(
  kernel: Kernel,
  mask: MaskPlane,
  x: number,
  y: number,
  target: number,
): MaskPlane {
  const across = chromaExtent(x, mask.w, 'x');
  const down = chromaExtent(y, mask.h, 'y');
  const from = mask.address + (2 * down.from - y) * mask.stride + (2 * across.from - x);
  kernel.functions.chromaMask(target, across.count, across.count, down.count, from, mask.stride);
  return { address: target, stride: across.count, w: across.count, h: down.count };
}

/** A mask that is kept: its pixels, and its chroma coverage for each of its four positions on the chroma grid. */
export class StoredMask {
  readonly mask: MaskPlane;
  readonly #kernel: Kernel;
  readonly #block: number;
  readonly #chroma = new Map<number, MaskPlane>();

  constructor(kernel: Kernel, pixels: Uint8Array, w: number, h: number) {
    const { memory } = kernel;
    this.#kernel = kernel;
    this.#block = memory.allocate(framedBytes(w, h));
    this.mask = framedAt(this.#block, w, h);
    memory.view(this.#block, framedBytes(w, h)).fill(0);
    for (let y = 0; y < h; y++) {
      memory.bytes.set(pixels.subarray(y * w, (y + 1) * w), this.mask.address + y * this.mask.stride);
    }
  }

  chromaAt(x: number, y: number): MaskPlane {
    const parity = (x & 1) | ((y & 1) << 1);
    let chroma = this.#chroma.get(parity);
    if (chroma === undefined) {
      const { w, h } = this.mask;
      const target = this.#kernel.memory.allocate(chromaBytes(w, h));
      chroma = writeChromaMask(this.#kernel, this.mask, x & 1, y & 1, target);
      this.#chroma.set(parity, chroma);
    }
    return chroma;
  }

  free(): void {
    const memory: KernelMemory = this.#kernel.memory;
    memory.free(this.#block);
    for (const { address } of this.#chroma.values()) memory.free(address);
    this.#chroma.clear();
  }
}
