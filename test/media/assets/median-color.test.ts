import { describe, expect, it } from 'vitest';
import { toMedianColor } from '../../../src/media/assets/median-color.ts';

type Pixel = readonly [number, number, number, number];
const CLEAR: Pixel = [255, 255, 255, 0];
const median = (...pixels: readonly Pixel[]) => toMedianColor(Uint8Array.from(pixels.flat()));

describe('the median colour of a logo', () => {
  it('is that of what is visible, whatever colour its transparent pixels have', () => {
    expect(median([255, 255, 255, 255], [0, 0, 0, 0], [9, 200, 30, 0])).toBe('#FFFFFF');
    expect(median([1, 2, 171, 255], CLEAR)).toBe('#0102AB');
  });

  it('is that of the greater part, however light the rest', () => {
    const navy: Pixel = [16, 42, 67, 255];
    const white: Pixel = [255, 255, 255, 255];
    expect(median(navy, white, navy, CLEAR)).toBe('#102A43');
    expect(median(white, white, CLEAR, navy)).toBe('#FFFFFF');
  });

  it('orders colours by how light they look, not by their codes', () => {
    // Yellow is nearly as light as white, blue nearly as dark as black.
    expect(median([255, 255, 0, 255], [0, 0, 255, 255], [128, 128, 128, 255], CLEAR)).toBe('#808080');
  });

  it('counts a pixel by its alpha', () => {
    expect(median([255, 0, 0, 255], [0, 0, 255, 85], [0, 0, 255, 85])).toBe('#FF0000');
    expect(median([255, 255, 255, 128], [0, 0, 0, 1])).toBe('#FFFFFF');
  });

  it('does not exist where nothing can be seen, and where nothing is transparent', () => {
    expect(median(CLEAR, [0, 0, 0, 0])).toBeNull();
    expect(median()).toBeNull();
    expect(median([255, 255, 255, 255], [20, 20, 20, 255])).toBeNull();
  });
});
