import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaTaps } from '../../../src/media/render/photos/area-taps.ts';

describe('areaTaps', () => {
  it('takes the plain mean at a whole ratio', () => {
    const taps = areaTaps(3, 12, (i) => (i + 0.5) * 4, 4);
    expect(taps).toEqual([0, 4, 8].map((first) => ({ first, weights: [64, 64, 64, 64] })));
  });

  it('copies at ratio 1 and interpolates at an offset, repeating the border', () => {
    expect(areaTaps(2, 2, (i) => i + 0.5, 1)).toEqual([
      { first: 0, weights: [256] },
      { first: 1, weights: [256] },
    ]);
    expect(areaTaps(2, 2, (i) => i + 0.75, 1)).toEqual([
      { first: 0, weights: [192, 64] },
      { first: 1, weights: [256] },
    ]);
  });

  it('sums to 256 inside the source, at any size', () => {
    const length = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(length, length, fc.double({ min: -0.5, max: 0.5, noNaN: true }), (dst, src, shift) => {
        const ratio = src / dst;
        for (const { first, weights } of areaTaps(dst, src, (i) => (i + 0.5) * ratio + shift, ratio)) {
          expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(256);
          expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(first + weights.length).toBeLessThanOrEqual(src);
        }
      }),
    );
  });
});
