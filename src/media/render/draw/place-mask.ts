/**
 * Places stored masks on the frame: at whole pixels as they are, at fractions and with clips through scratch memory.
 */
import type { Rect } from '../compose/draw-list.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { CoverageBuffers } from './coverage.ts';
import {
  chromaBytes,
  chromaExtent,
  framedAt,
  framedBytes,
  type MaskPlane,
  type StoredMask,
  writeChromaMask,
} from './framed-mask.ts';

/** A mask whose pixel (0, 0) lies at luma pixel (`x`, `y`), and chroma pixel (0, 0) at (`chromaX`, `chromaY`). */
export interface PlacedMask {
  readonly luma: MaskPlane;
  readonly x: number;
  readonly y: number;
  readonly chroma: MaskPlane;
  readonly chromaX: number;
  readonly chromaY: number;
}

/** Whole pixels and 256ths of one. */
function splitOffset(offset: number): { whole: number; part: number } {
  const steps = Math.round(offset * 256);
  const whole = Math.floor(steps / 256);
  return { whole, part: steps - whole * 256 };
}

export class MaskPlacer {
  readonly #kernel: Kernel;
  readonly #coverage: CoverageBuffers;
  #block = 0;
  #sizeBytes = 0;

  constructor(kernel: Kernel, coverage: CoverageBuffers) {
    this.#kernel = kernel;
    this.#coverage = coverage;
  }

  /** The mask at (`left`, `top`); null when the clip hides all of it. Valid until the next call. */
  place(stored: StoredMask, left: number, top: number, clip: Rect): PlacedMask | null {
    const across = splitOffset(left);
    const down = splitOffset(top);
    const [x, y] = [across.whole, down.whole];
    const moved = across.part !== 0 || down.part !== 0;
    const w = stored.mask.w + (moved ? 1 : 0);
    const h = stored.mask.h + (moved ? 1 : 0);
    if (clip.x1 <= x || clip.x0 >= x + w || clip.y1 <= y || clip.y0 >= y + h) return null;
    const clipped = clip.x0 > x || clip.y0 > y || clip.x1 < x + w || clip.y1 < y + h;
    const chromaX = chromaExtent(x, w, 'x').from;
    const chromaY = chromaExtent(y, h, 'y').from;
    if (!moved && !clipped) {
      return { luma: stored.mask, x, y, chroma: stored.chromaAt(x, y), chromaX, chromaY };
    }
    const { functions, memory } = this.#kernel;
    const block = this.#scratch(framedBytes(w, h) + chromaBytes(w, h));
    memory.view(block, framedBytes(w, h)).fill(0);
    const luma = framedAt(block, w, h);
    const { address, stride } = stored.mask;
    // At a whole offset the same call copies: one neighbor then has all the weight.
    const from = moved ? address - stride - 1 : address;
    const [fx, fy] = moved ? [across.part, down.part] : [256, 256];
    functions.shiftMask(luma.address, luma.stride, from, stride, w, h, fx, fy);
    if (clipped) {
      const shifted = { x0: clip.x0 - x, y0: clip.y0 - y, x1: clip.x1 - x, y1: clip.y1 - y };
      this.#clip(luma, shifted);
    }
    const chroma = writeChromaMask(this.#kernel, luma, x, y, block + framedBytes(w, h));
    return { luma, x, y, chroma, chromaX, chromaY };
  }

  #clip(mask: MaskPlane, window: Rect): void {
    const { functions, memory } = this.#kernel;
    const grid = (length: number) => ({ length, pitch: 1, offset: 0 });
    const covered = this.#coverage.interval(grid(mask.w), grid(mask.h), window);
    const clearRows = (fromRow: number, toRow: number): void => {
      for (let y = fromRow; y < toRow; y++) memory.view(mask.address + y * mask.stride, mask.w).fill(0);
    };
    if (covered === null) {
      clearRows(0, mask.h);
      return;
    }
    const { x, y, columns, rows } = covered;
    clearRows(0, y.from);
    clearRows(y.from + y.count, mask.h);
    for (let row = y.from; row < y.from + y.count; row++) {
      const at = mask.address + row * mask.stride;
      memory.view(at, x.from).fill(0);
      memory.view(at + x.from + x.count, mask.w - x.from - x.count).fill(0);
    }
    const at = mask.address + y.from * mask.stride + x.from;
    functions.multiplyMask(at, mask.stride, x.count, y.count, columns, rows);
  }

  #scratch(sizeBytes: number): number {
    const { memory } = this.#kernel;
    if (sizeBytes > this.#sizeBytes) {
      memory.free(this.#block);
      this.#sizeBytes = sizeBytes;
      this.#block = memory.allocate(sizeBytes);
    }
    return this.#block;
  }

  free(): void {
    this.#kernel.memory.free(this.#block);
    this.#sizeBytes = 0;
  }
}
