/** Powers that every engine rounds alike. */
import { describe, expect, it } from 'vitest';
import { fractionalPower } from '../../src/design/fractional-power.ts';

describe('a fractional power', () => {
  it('is as exact as the one of the engine', () => {
    for (const base of [0.2, 0.64, 0.93, 1, 1.06, 3]) {
      for (const exponent of [0, 1 / 150, 0.25, 0.4, 1 / 3, 0.999, 1]) {
        expect(fractionalPower(base, exponent)).toBeCloseTo(base ** exponent, 14);
      }
    }
  });

  it('is exact at both ends', () => {
    expect([fractionalPower(0.64, 0), fractionalPower(0.64, 1), fractionalPower(0, 0.5)]).toEqual([
      1, 0.64, 0,
    ]);
  });
});
