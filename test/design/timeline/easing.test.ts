import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Easing } from '../../../src/design/storyboard/storyboard.ts';
import { ease } from '../../../src/design/timeline/easing.ts';

const TOKENS: readonly Easing[] = ['linear', 'settle', 'glide', 'leave', 'draw'];

describe('ease', () => {
  it('starts at 0 and ends at 1 exactly, and holds outside', () => {
    for (const token of TOKENS) {
      expect([ease(token, -0.5), ease(token, 0), ease(token, 1), ease(token, 7)]).toEqual([0, 0, 1, 1]);
    }
  });

  it('is symmetric where the curve is: glide is half way at half time', () => {
    expect(ease('glide', 0.5)).toBeCloseTo(0.5, 10);
    expect(ease('glide', 0.2) + ease('glide', 0.8)).toBeCloseTo(1, 10);
  });

  // Solved independently for x(s) = t with 60-step bisection in another language.
  it.each([
    ['settle', 0.25, 0.8256],
    ['settle', 0.5, 0.9718],
    ['glide', 0.25, 0.0708],
    ['leave', 0.5, 0.0282],
    ['draw', 0.5, 0.7913],
  ] as const)('follows the curve of %s at %d', (token, t, expected) => {
    expect(ease(token, t)).toBeCloseTo(expected, 3);
  });

  it('never falls and never leaves 0 to 1', () => {
    const time = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...TOKENS), time, time, (token, a, b) => {
        const [early, late] = [ease(token, Math.min(a, b)), ease(token, Math.max(a, b))];
        expect(early).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(1);
        expect(late).toBeGreaterThanOrEqual(early - 1e-12);
      }),
    );
  });
});
