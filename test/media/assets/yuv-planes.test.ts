/** sRGB to BT.709 limited range, against values computed in floating point and against the standard's own. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createYuvConverter,
  toYuvPlanes,
  yuvByteLength,
} from '../../../src/media/assets/decode/yuv-planes.ts';

const plain = (color: readonly number[], width = 4, height = 2) =>
  Uint8Array.from({ length: width * height * 3 }, (_, index) => color[index % 3]!);

/** ITU-R BT.709-6 in floating point, rounded once. */
function reference([r, g, b]: readonly [number, number, number]): { y: number; u: number; v: number } {
  const luma = (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  return {
    y: 16 + 219 * luma,
    u: 128 + (224 * (b / 255 - luma)) / 1.8556,
    v: 128 + (224 * (r / 255 - luma)) / 1.5748,
  };
}

describe('the planes of a plain colour', () => {
  it.each([
    ['white', [255, 255, 255], [235, 128, 128]],
    ['black', [0, 0, 0], [16, 128, 128]],
    ['red', [255, 0, 0], [63, 102, 240]],
    ['green', [0, 255, 0], [173, 42, 26]],
    ['blue', [0, 0, 255], [32, 240, 118]],
    ['yellow', [255, 255, 0], [219, 16, 138]],
    ['cyan', [0, 255, 255], [188, 154, 16]],
    ['magenta', [255, 0, 255], [78, 214, 230]],
  ])('are exact for %s', (_, color, [y, u, v]) => {
    const yuv = toYuvPlanes(plain(color), 4, 2);
    expect([...yuv]).toEqual([...Array(8).fill(y), u, u, v, v]);
  });

  it('are within a rounding of the formula for every colour of a cube', () => {
    for (let r = 0; r <= 255; r += 15) {
      for (let g = 0; g <= 255; g += 15) {
        for (let b = 0; b <= 255; b += 15) {
          const [y, , , , u, v] = toYuvPlanes(plain([r, g, b], 2, 2), 2, 2);
          const wanted = reference([r, g, b]);
          expect(Math.abs(y! - wanted.y)).toBeLessThanOrEqual(0.51);
          expect(Math.abs(u! - wanted.u)).toBeLessThanOrEqual(0.51);
          expect(Math.abs(v! - wanted.v)).toBeLessThanOrEqual(0.51);
        }
      }
    }
  });

  it('have neutral chroma for every grey', () => {
    for (let level = 0; level <= 255; level += 1) {
      const yuv = toYuvPlanes(plain([level, level, level], 2, 2), 2, 2);
      expect([yuv[4], yuv[5]]).toEqual([128, 128]);
      expect(yuv[0]).toBe(Math.round(16 + (219 * level) / 255));
    }
  });
});

describe('the planes of a picture', () => {
  it('lie one after the other without padding', () => {
    expect(yuvByteLength(6, 4)).toBe(36);
    const rgb = plain([10, 20, 30], 6, 4);
    rgb.set([255, 255, 255], 3 * (2 * 6 + 5));
    const yuv = toYuvPlanes(rgb, 6, 4);
    expect(yuv).toHaveLength(36);
    expect(yuv.indexOf(235)).toBe(2 * 6 + 5);
  });

  it('filter chroma [1 2 1] around the even column, as left siting wants it', () => {
    // One blue column on grey: on an even column it gives half its colour there, on an odd one a quarter to each side.
    const width = 8;
    const withBlueColumn = (column: number) => {
      const rgb = plain([100, 100, 100], width, 2);
      for (const row of [0, 1]) rgb.set([100, 100, 200], 3 * (row * width + column));
      const yuv = toYuvPlanes(rgb, width, 2);
      return [...yuv.subarray(16, 20)].map((u) => u - 128);
    };
    const full = (224 * (100 / 255) * (1 - 0.0722)) / 1.8556;
    expect(withBlueColumn(4)).toEqual([0, 0, Math.round(full / 2), 0]);
    expect(withBlueColumn(3)).toEqual([0, Math.round(full / 4), Math.round(full / 4), 0]);
    // At the left edge the first column stands in for the one that is missing.
    expect(withBlueColumn(0)).toEqual([Math.round((full * 3) / 4), 0, 0, 0]);
    expect(withBlueColumn(7)).toEqual([0, 0, 0, Math.round(full / 4)]);
  });

  it('average chroma over both rows', () => {
    const rgb = plain([100, 100, 100], 2, 2);
    rgb.set([100, 100, 200, 100, 100, 200], 6);
    const full = (224 * (100 / 255) * (1 - 0.0722)) / 1.8556;
    expect(toYuvPlanes(rgb, 2, 2)[4]! - 128).toBe(Math.round(full / 2));
  });
});

describe('the converter in WebAssembly', () => {
  it('makes the same bytes, whatever the size', async () => {
    const convert = await createYuvConverter();
    expect(convert).not.toBe(toYuvPlanes);
    // Below one step, one step, steps that overlap, several strips, and a last strip that is shorter.
    for (const [width, height] of [
      [14, 4],
      [16, 2],
      [18, 6],
      [46, 34],
      [2880, 62],
      [1000, 300],
    ] as const) {
      const rgb = randomBytes(width * height * 3);
      for (let at = 0; at < rgb.length; at += 7) rgb[at] = at % 2 === 0 ? 255 : 0;
      expect(convert(rgb, width, height)).toEqual(toYuvPlanes(rgb, width, height));
    }
  });

  it('keeps no pixel of the image before', async () => {
    const convert = await createYuvConverter();
    convert(new Uint8Array(64 * 64 * 3).fill(255), 64, 64);
    const black = new Uint8Array(32 * 2 * 3);
    expect(convert(black, 32, 2)).toEqual(toYuvPlanes(black, 32, 2));
  });
});
