import { beforeAll, describe, expect, it } from 'vitest';
import { catmullRomTable, PHASES } from '../../../../src/media/render/kernel/catmull-rom.ts';
import { resampleScratchBytes } from '../../../../src/media/render/kernel/kernel-functions.ts';
import { type Kernel, loadKernel } from '../../../../src/media/render/kernel/load-kernel.ts';

let kernel: Kernel;

beforeAll(async () => {
  kernel = await loadKernel();
});

/** Catmull-Rom in floating point, straight from the polynomial. */
function reference(source: (i: number) => number, position: number): number {
  const i = Math.floor(position);
  const t = position - i;
  const [a, b, c, d] = [source(i - 1), source(i), source(i + 1), source(i + 2)];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

function resample(
  pixels: Uint8Array,
  w: number,
  h: number,
  dstW: number,
  dstH: number,
  x: number[],
  y: number[],
): Uint8Array {
  const { memory, functions, lut } = kernel;
  const src = memory.allocate(pixels.length);
  const dst = memory.allocate(dstW * dstH);
  const scratch = memory.allocate(resampleScratchBytes(dstW));
  memory.view(src, pixels.length).set(pixels);
  functions.resample(dst, dstW, dstW, dstH, src, w, w, h, x[0]!, x[1]!, y[0]!, y[1]!, lut, scratch);
  const result = memory.view(dst, dstW * dstH).slice();
  for (const address of [src, dst, scratch]) memory.free(address);
  return result;
}

describe('catmullRomTable', () => {
  it('has weights that sum to one in every phase and mirror each other', () => {
    const table = catmullRomTable();
    for (let phase = 0; phase < PHASES; phase++) {
      const weights = table.subarray(4 * phase, 4 * phase + 4);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(16_384);
    }
    expect([...table.subarray(0, 4)]).toEqual([0, 16_384, 0, 0]);
    expect([...table.subarray(4 * 256, 4 * 257)]).toEqual([...table.subarray(4 * 768, 4 * 769)].reverse());
  });
});

describe('resample', () => {
  it('copies at scale 1 and whole offsets, repeating the edge outside', () => {
    const pixels = Uint8Array.from({ length: 20 * 4 }, (_, i) => (i * 37) & 255);
    const result = resample(pixels, 20, 4, 24, 6, [-2, 1], [-1, 1]);
    for (let y = 0; y < 6; y++) {
      for (let x = 0; x < 24; x++) {
        const [sx, sy] = [Math.max(0, Math.min(19, x - 2)), Math.max(0, Math.min(3, y - 1))];
        expect(result[y * 24 + x]).toBe(pixels[sy * 20 + sx]);
      }
    }
  });

  it('is within one level of Catmull-Rom in floating point', () => {
    const [w, h] = [64, 40];
    const f = (i: number) => 128 + 90 * Math.sin(i * 0.9);
    const g = (j: number) => 0.5 + 0.5 * Math.cos(j * 0.7);
    const pixels = Uint8Array.from({ length: w * h }, (_, k) => Math.round(f(k % w) * g(Math.floor(k / w))));
    const at = (i: number, j: number) =>
      pixels[Math.max(0, Math.min(h - 1, j)) * w + Math.max(0, Math.min(w - 1, i))] as number;
    const [x0, dx, y0, dy] = [1.37, 1.173, 0.61, 1.059];
    const result = resample(pixels, w, h, 50, 34, [x0, dx], [y0, dy]);
    for (let y = 0; y < 34; y++) {
      for (let x = 0; x < 50; x++) {
        const exact = reference((j) => reference((i) => at(i, j), x0 + x * dx), y0 + y * dy);
        expect(
          Math.abs((result[y * 50 + x] as number) - Math.max(0, Math.min(255, exact))),
        ).toBeLessThanOrEqual(1);
      }
    }
  });

  it('keeps a flat plane flat at every value', () => {
    for (const value of [0, 1, 16, 127, 235, 254, 255]) {
      const result = resample(new Uint8Array(32 * 32).fill(value), 32, 32, 40, 40, [0.3, 0.77], [-0.4, 0.77]);
      expect(new Set(result)).toEqual(new Set([value]));
    }
  });
});

describe('crossfade', () => {
  function crossfade(a: number[], b: number[], mix: number): number[] {
    const { memory, functions } = kernel;
    const [first, second] = [a, b].map(([y, u, v]) => {
      const address = memory.allocate(24);
      memory.view(address, 16).fill(y!);
      memory.view(address + 16, 4).fill(u!);
      memory.view(address + 20, 4).fill(v!);
      return address;
    }) as [number, number];
    functions.crossfadeChroma(first, first, second, 4, 4, mix);
    functions.crossfadeLuma(first, first, second, 16, mix);
    const bytes = memory.view(first, 24).slice();
    memory.free(first);
    memory.free(second);
    return [bytes[5]!, bytes[17]!, bytes[21]!];
  }

  it('shows its ends exactly', () => {
    const [a, b] = [
      [200, 90, 140],
      [50, 160, 110],
    ];
    expect(crossfade(a, b, 0)).toEqual(a);
    expect(crossfade(a, b, 1)).toEqual(b);
  });

  it('mixes light, not code values: half white over black is brighter than half grey', () => {
    expect(crossfade([235, 128, 128], [16, 128, 128], 0.5)).toEqual([
      Math.round(16 + 219 * Math.SQRT1_2),
      128,
      128,
    ]);
  });

  it('mixes the chroma of equally bright images evenly and fades from black with the colour it has', () => {
    expect(crossfade([100, 90, 140], [100, 170, 120], 0.25)).toEqual([100, 110, 135]);
    // A quarter of the light is half the code value, of luma above black as of chroma.
    const [y, u, v] = crossfade([16, 128, 128], [116, 168, 88], 0.25);
    expect([y, u, v]).toEqual([66, 148, 108]);
  });
});
