/** Scales rendered frames to small RGBA stills, for posters, previews and reports. */

import { writeRgba } from './color.ts';
import { imageAt, type Plane, type YuvImage } from './draw/yuv-image.ts';
import type { Kernel } from './kernel/load-kernel.ts';
import { type AreaTap, areaTaps } from './photos/area-taps.ts';
import type { Size } from './photos/sharp-pixels.ts';

/** Writes taps in the kernel's format and returns the block's address. */
function storeTaps(kernel: Kernel, taps: readonly AreaTap[]): number {
  const weightCount = taps.reduce((sum, { weights }) => sum + weights.length, 0);
  const block = kernel.memory.allocate(12 * taps.length + 2 * weightCount);
  const { buffer } = kernel.memory.bytes;
  const entries = new Int32Array(buffer, block, 3 * taps.length);
  const weightsAt = block + 12 * taps.length;
  const weights = new Uint16Array(buffer, weightsAt, weightCount);
  let next = 0;
  for (const [i, tap] of taps.entries()) {
    entries.set([tap.first, tap.weights.length, weightsAt + 2 * next], 3 * i);
    weights.set(tap.weights, next);
    next += tap.weights.length;
  }
  return block;
}

/** Scales frames of one size to stills of one size by area averaging. */
export class StillScaler {
  readonly #kernel: Kernel;
  readonly #from: Size;
  readonly #to: Size;
  /** For luma, then for chroma. */
  readonly #columns: readonly [number, number];
  readonly #rows: readonly [number, number];
  readonly #scaled: number;
  readonly #scratch: number;

  constructor(kernel: Kernel, from: Size, to: Size) {
    this.#kernel = kernel;
    this.#from = from;
    this.#to = to;
    const stepX = from.widthPx / to.widthPx;
    const stepY = from.heightPx / to.heightPx;
    // A left-sited chroma pixel c (counted in edges) lies at luma 2c - 1/2 across, at 2c down.
    const columns = [
      areaTaps(to.widthPx, from.widthPx, (i) => (i + 0.5) * stepX, stepX),
      areaTaps(to.widthPx, from.widthPx / 2, (i) => ((i + 0.5) * stepX + 0.5) / 2, stepX / 2),
    ] as const;
    const rows = [
      areaTaps(to.heightPx, from.heightPx, (i) => (i + 0.5) * stepY, stepY),
      areaTaps(to.heightPx, from.heightPx / 2, (i) => ((i + 0.5) * stepY) / 2, stepY / 2),
    ] as const;
    this.#columns = [storeTaps(kernel, columns[0]), storeTaps(kernel, columns[1])];
    this.#rows = [storeTaps(kernel, rows[0]), storeTaps(kernel, rows[1])];
    this.#scaled = kernel.memory.allocate(3 * to.widthPx * to.heightPx);
    this.#scratch = kernel.memory.allocate(2 * from.widthPx + 16);
  }

  /** The frame at `address` as opaque sRGB RGBA, rows without padding. */
  toRgba(address: number): Uint8Array<ArrayBuffer> {
    const { functions, memory } = this.#kernel;
    const { widthPx: w, heightPx: h } = this.#to;
    const frame: YuvImage = imageAt(address, this.#from.widthPx, this.#from.heightPx);
    for (const [index, plane] of frame.planes.entries()) {
      const half = plane.pitch === 1 ? 0 : 1;
      const { address: from, stride, w: fromW }: Plane = plane;
      const to = this.#scaled + index * w * h;
      const [columns, rows] = [this.#columns[half] as number, this.#rows[half] as number];
      functions.areaScale(to, w, w, h, from, stride, fromW, columns, rows, this.#scratch);
    }
    const pixels = memory.view(this.#scaled, 3 * w * h);
    const rgba = new Uint8ClampedArray(4 * w * h);
    for (let i = 0; i < w * h; i++)
      writeRgba(rgba, 4 * i, pixels[i]!, pixels[i + w * h]!, pixels[i + 2 * w * h]!);
    return new Uint8Array(rgba.buffer);
  }

  free(): void {
    const blocks = [...this.#columns, ...this.#rows, this.#scaled, this.#scratch];
    for (const block of blocks) this.#kernel.memory.free(block);
  }
}
