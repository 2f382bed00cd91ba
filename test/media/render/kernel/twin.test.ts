import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  enlargeScratchBytes,
  type KernelFunctions,
  resampleScratchBytes,
} from '../../../../src/media/render/kernel/kernel-functions.ts';
import { enlargeTaps } from '../../../../src/media/render/kernel/lanczos-taps.ts';
import { type Kernel, loadKernel } from '../../../../src/media/render/kernel/load-kernel.ts';
import { webAssembly } from '../../../../src/platform/load-assembly.ts';
import { loadTwin } from './twin.ts';

let simd: Kernel;
let twin: Kernel;

beforeAll(async () => {
  simd = await loadKernel();
  twin = loadTwin();
});

/** Bytes with every value and hard edges, from a seed. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const value = state >>> 24;
    return value < 40 ? 0 : value > 215 ? 255 : value;
  });
}

function coverage(length: number, seed: number): Uint16Array {
  return Uint16Array.from(noise(length, seed), (value) => (value > 127 ? 256 : value * 2));
}

type Block = Uint8Array | Uint16Array | Int32Array | number;

/**
 * Runs `call` in both kernels on equal memory (a number is a block of that many clear bytes) and compares the first.
 */
function expectSame(
  blocks: readonly Block[],
  call: (f: KernelFunctions, at: number[], lut: number) => void,
): void {
  const [a, b] = [simd, twin].map((kernel) => {
    const { memory } = kernel;
    const sizes = blocks.map((block) => (typeof block === 'number' ? block : block.byteLength));
    const at = sizes.map((size) => memory.allocate(size));
    for (const [i, block] of blocks.entries()) {
      const view = memory.view(at[i] as number, sizes[i] as number);
      if (typeof block === 'number') view.fill(0);
      else view.set(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
    }
    call(kernel.functions, at, kernel.lut);
    const result = Buffer.from(memory.view(at[0] as number, sizes[0] as number));
    for (const address of at) memory.free(address);
    return result;
  }) as [Buffer, Buffer];
  if (!a.equals(b)) {
    const first = a.findIndex((value, i) => value !== b[i]);
    expect.fail(`byte ${first}: ${a[first]} with SIMD, ${b[first]} in TypeScript`);
  }
}

const size = fc.integer({ min: 1, max: 70 });
const seed = fc.integer({ min: 1, max: 1e9 });
const alpha = fc.integer({ min: 0, max: 256 });
const check = <T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (...values: T) => void,
): void =>
  fc.assert(fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), run as never), {
    numRuns: 150,
  });

it('a processor without SIMD is named as the reason that no frame can be drawn', async () => {
  const validate = vi.spyOn(webAssembly, 'validate').mockReturnValue(false);
  try {
    await expect(loadKernel()).rejects.toMatchObject({
      code: 'render_failed',
      message: expect.stringContaining('SIMD'),
      hint: expect.stringContaining('SSE4.1'),
    });
  } finally {
    validate.mockRestore();
  }
});

describe('the SIMD kernel and its TypeScript twin give the same bytes', () => {
  it('resample, at any scale and offset', () => {
    const origin = fc.double({ min: -20, max: 60, noNaN: true });
    const step = fc.double({ min: 0.05, max: 4, noNaN: true });
    check<[number, number, number, number, number, number, number, number, number]>(
      [size, size, size, size, origin, step, origin, step, seed],
      (dstW, dstH, srcW, srcH, x0, dx, y0, dy, n) => {
        const blocks = [dstW * dstH, noise(srcW * srcH, n), resampleScratchBytes(dstW)];
        expectSame(blocks, (f, [dst, src, scratch], lut) => {
          f.resample(dst!, dstW, dstW, dstH, src!, srcW, srcW, srcH, x0, dx, y0, dy, lut, scratch!);
        });
      },
    );
  });

  it('crossfade', () => {
    const mix = fc.double({ min: 0, max: 1, noNaN: true });
    check<[number, number, number, number]>([size, size, mix, seed], (halfW, halfH, t, n) => {
      const [w, h] = [2 * halfW, 2 * halfH];
      const bytes = (w * h * 3) / 2;
      expectSame([bytes, noise(bytes, n), noise(bytes, n + 1)], (f, [dst, a, b]) => {
        f.crossfadeLuma(dst!, a!, b!, w * h, t);
        f.crossfadeChroma(dst!, a!, b!, w, h, t);
      });
    });
  });

  it('fill and blend of rectangles', () => {
    check<[number, number, number, number, number]>(
      [size, size, alpha, fc.integer({ min: 0, max: 255 }), seed],
      (w, h, opacity, value, n) => {
        const columns = coverage(w, n);
        const solidFrom = Math.floor(w / 4);
        const solidTo = Math.floor((3 * w) / 4);
        columns.fill(256, solidFrom, solidTo);
        const blocks = [noise(w * h, n), noise(w * h, n + 1), columns, coverage(h, n + 2)];
        expectSame(blocks, (f, [dst, , cols, rows]) => {
          f.fillRect(dst!, w, w, h, cols!, rows!, solidFrom, solidTo, value, opacity);
        });
        expectSame(blocks, (f, [dst, src, cols, rows]) => {
          f.blendRect(dst!, w, src!, w, w, h, cols!, rows!, solidFrom, solidTo, opacity);
        });
      },
    );
  });

  it('overlay of masks and of premultiplied images', () => {
    check<[number, number, number, number, number]>(
      [size, size, alpha, fc.integer({ min: 0, max: 255 }), seed],
      (w, h, opacity, value, n) => {
        const mask = noise(w * h, n + 1);
        expectSame([noise(w * h, n), mask], (f, [dst, at]) => {
          f.overlayMask(dst!, w, at!, w, w, h, value, opacity);
        });
        const premultiplied = mask.map((coverage, i) => (coverage * (i % 256)) >> 8);
        expectSame([noise(w * h, n), premultiplied, mask], (f, [dst, src, at]) => {
          f.overlayPremultiplied(dst!, w, src!, at!, w, w, h, opacity);
        });
      },
    );
  });

  it('enlargement, to any size', () => {
    const larger = fc.double({ min: 1, max: 4, noNaN: true });
    const sharpening = fc.double({ min: 0, max: 0.5, noNaN: true });
    check<[number, number, number, number, number, number]>(
      [size, size, larger, larger, sharpening, seed],
      (srcW, srcH, across, down, amount, n) => {
        const [dstW, dstH] = [Math.floor(srcW * across), Math.floor(srcH * down)];
        const tables = [enlargeTaps(dstW, srcW, amount), enlargeTaps(dstH, srcH, amount)];
        const blocks = [dstW * dstH, noise(srcW * srcH, n), ...tables, enlargeScratchBytes(dstW, srcW)];
        expectSame(blocks, (f, [dst, src, columns, rows, scratch]) => {
          f.enlarge(dst!, dstW, dstH, src!, srcW, srcH, columns!, rows!, scratch!);
        });
      },
    );
  });

  it('moving, clipping and chroma of masks', () => {
    check<[number, number, number, number, number]>([size, size, alpha, alpha, seed], (w, h, fx, fy, n) => {
      const stride = w + 1;
      expectSame([w * h, noise(stride * (h + 2), n)], (f, [dst, src]) => {
        f.shiftMask(dst!, w, src!, stride, w, h, fx, fy);
      });
      expectSame([noise(w * h, n), coverage(w, n + 1), coverage(h, n + 2)], (f, [mask, columns, rows]) => {
        f.multiplyMask(mask!, w, w, h, columns!, rows!);
      });
      expectSame([w * h, noise((2 * w + 2) * (2 * h + 2), n)], (f, [dst, src]) => {
        f.chromaMask(dst!, w, w, h, src! + 1, 2 * w + 2);
      });
    });
  });
});
