/** Same picture or not, on prints made by hand. What photos do is in prepare-assets.test.ts. */
import { describe, expect, it } from 'vitest';
import {
  FINGERPRINT_SIDE_PX,
  type ImageFingerprint,
  isSameImage,
} from '../../../src/media/assets/duplicate.ts';

const SIDE = FINGERPRINT_SIDE_PX;
const toPrint = (
  paint: (x: number, y: number) => readonly number[],
  aspectRatio = 1.5,
): ImageFingerprint => ({
  aspectRatio,
  pixels: Uint8Array.from(
    Array.from({ length: SIDE * SIDE }, (_, index) => paint(index % SIDE, Math.floor(index / SIDE))).flat(),
  ),
});
const room = (x: number, y: number) => [40 + 6 * x, 30 + 5 * y, (x * y) % 200];
const jitter = (value: number, index: number) => Math.min(255, Math.max(0, value + ((index * 7) % 5) - 2));

describe('the same picture', () => {
  it('is one with the noise of another compression', () => {
    const noisy = toPrint((x, y) => room(x, y).map((value) => jitter(value, x + 3 * y)));
    expect(isSameImage(toPrint(room), noisy)).toBe(true);
  });

  it('is a plain colour and its recompressed copy', () => {
    expect(
      isSameImage(
        toPrint(() => [200, 30, 40]),
        toPrint(() => [199, 31, 40]),
      ),
    ).toBe(true);
  });

  it('may have sides rounded in scaling', () => {
    expect(isSameImage(toPrint(room, 1920 / 1280), toPrint(room, 481 / 320))).toBe(true);
  });
});

describe('another picture', () => {
  it('is another plain colour, however near', () => {
    expect(
      isSameImage(
        toPrint(() => [200, 200, 200]),
        toPrint(() => [203, 203, 203]),
      ),
    ).toBe(false);
    expect(
      isSameImage(
        toPrint(() => [255, 0, 0]),
        toPrint(() => [0, 0, 255]),
      ),
    ).toBe(false);
  });

  it('is the same with one object changed', () => {
    const staged = toPrint((x, y) => (x >= 8 && x < 11 && y >= 20 && y < 23 ? [250, 240, 230] : room(x, y)));
    expect(isSameImage(toPrint(room), staged)).toBe(false);
  });

  it('is the same made brighter, mirrored, or of another shape', () => {
    expect(
      isSameImage(
        toPrint(room),
        toPrint((x, y) => room(x, y).map((value) => Math.min(255, value * 1.1))),
      ),
    ).toBe(false);
    expect(
      isSameImage(
        toPrint(room),
        toPrint((x, y) => room(SIDE - 1 - x, y)),
      ),
    ).toBe(false);
    expect(isSameImage(toPrint(room, 1.5), toPrint(room, 1.33))).toBe(false);
  });

  it('is a faint drawing beside another faint drawing', () => {
    const faint = (at: number) => toPrint((x) => (x === at ? [215, 215, 215] : [200, 200, 200]));
    expect(isSameImage(faint(4), faint(20))).toBe(false);
  });
});
