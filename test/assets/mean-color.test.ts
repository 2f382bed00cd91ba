import { describe, expect, it } from 'vitest';
import { toMeanColor } from '../../src/assets/mean-color.ts';

const mean = (...pixels: (readonly [number, number, number, number])[]) =>
  toMeanColor(Uint8Array.from(pixels.flat()));

describe('the mean colour of a logo', () => {
  it('is that of what is visible, whatever colour its transparent pixels have', () => {
    expect(mean([255, 255, 255, 255], [0, 0, 0, 0], [9, 200, 30, 0])).toBe('#FFFFFF');
    expect(mean([1, 2, 171, 255], [255, 255, 255, 0])).toBe('#0102AB');
  });

  it('is taken in linear light', () => {
    // Half the light of white is #BCBCBC in sRGB (IEC 61966-2-1); half the code value would be #808080.
    expect(mean([255, 255, 255, 255], [0, 0, 0, 255], [0, 0, 0, 0])).toBe('#BCBCBC');
  });

  it('counts a pixel by its alpha', () => {
    expect(mean([255, 0, 0, 255], [0, 0, 255, 85], [0, 0, 0, 0])).toBe(
      mean([255, 0, 0, 60], [255, 0, 0, 60], [255, 0, 0, 60], [0, 0, 255, 60]),
    );
    expect(mean([255, 255, 255, 128], [255, 255, 255, 1])).toBe('#FFFFFF');
  });

  it('does not exist where nothing can be seen, and where nothing is transparent', () => {
    expect(mean([255, 255, 255, 0], [0, 0, 0, 0])).toBeNull();
    expect(mean()).toBeNull();
    expect(mean([255, 255, 255, 255], [20, 20, 20, 255])).toBeNull();
  });
});
