/** The guess at the opening. Real photos are measured elsewhere; these are drawn. */
import { describe, expect, it } from 'vitest';
import type { Thumbnail } from '../../../src/media/assets/read-thumbnails.ts';
import { guessOpening, outsideScore } from '../../../src/video/photos/outside-score.ts';

type Rgb = readonly [number, number, number];

function draw(color: (x: number, y: number) => Rgb, widthPx = 320, heightPx = 214): Thumbnail {
  const rgb = new Uint8Array(widthPx * heightPx * 3);
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 0; x < widthPx; x += 1) rgb.set(color(x / widthPx, y / heightPx), (y * widthPx + x) * 3);
  const print = { aspectRatio: 1.5, pixels: new Uint8Array() };
  return { rgb, widthPx, heightPx, sourceWidthPx: 3000, sourceHeightPx: 2000, print };
}

/** Sky, a pale house with dark windows, a lawn. */
const house = (x: number, y: number): Rgb => {
  if (y > 0.7) return [80, 140, 60];
  const isHouse = x > 0.2 && x < 0.8 && y > 0.3;
  if (!isHouse) return [130, 180, 235];
  return Math.floor(x * 12) % 2 === 0 && y > 0.4 && y < 0.6 ? [40, 45, 60] : [225, 215, 200];
};
/** Warm walls, a wooden floor, a bright window with a blue view. */
const room = (x: number, y: number): Rgb => {
  if (x > 0.4 && x < 0.6 && y > 0.2 && y < 0.5) return [190, 215, 245];
  return y > 0.65 ? [150, 105, 70] : [225, 212, 190];
};

describe('outsideScore', () => {
  it('tells a house under the sky from a room with a window', () => {
    expect(outsideScore(draw(house))).toBeGreaterThan(1);
    expect(outsideScore(draw(room))).toBeLessThan(-1);
  });

  it.each([
    [214, 320],
    [24, 24],
    [7, 5],
    [1, 1],
  ])('is a number for a thumbnail of %d x %d px', (widthPx, heightPx) => {
    expect(outsideScore(draw(room, widthPx, heightPx))).toBeLessThan(0);
  });

  it('does not take a white or a black image for the outside', () => {
    expect(outsideScore(draw(() => [255, 255, 255]))).toBeLessThan(0);
    expect(outsideScore(draw(() => [0, 0, 0]))).toBeLessThan(0);
  });
});

describe('guessOpening', () => {
  it('proposes the photo with the highest score', () => expect(guessOpening([-3, 1, null, 4, 2])).toBe(3));
  it('proposes nothing when no photo clearly looks like it', () =>
    expect(guessOpening([-3, -1, null, 0.9])).toBeNull());
  it('never replaces a first photo that could be the outside by day', () => {
    for (const first of [0.5, 0, -1.9]) expect(guessOpening([first, 9])).toBeNull();
    expect(guessOpening([null, 0.5, 9])).toBeNull();
  });
  it('proposes nothing without photos', () => expect(guessOpening([])).toBeNull());
});
