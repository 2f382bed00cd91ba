/** How light a photo is, measured from a master made for it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { toYuvPlanes } from '../../src/media/assets/decode/yuv-planes.ts';
import { createLightMeter } from '../../src/video/plan/photo-light.ts';
import { createToneMeter } from '../../src/video/plan/photo-tone.ts';
import { samplePhoto } from '../design/storyboard/sample.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const [W, H] = [96, 64];
const folder = temporaryFolder();

type Pixels = (x: number, y: number) => readonly [number, number, number];

/** A photo whose pixels are `rgb`. */
async function photoOf(name: string, rgb: Pixels) {
  const pixels = Uint8Array.from(
    Array.from({ length: W * H }, (_, i) => rgb(i % W, Math.floor(i / W))).flat(),
  );
  const masterPath = path.join(folder, `${name}.yuv`);
  await writeFile(masterPath, toYuvPlanes(pixels, W, H));
  return { ...samplePhoto(name, W, H), masterPath };
}

async function toneOf(name: string, rgb: Pixels) {
  return createToneMeter()(await photoOf(name, rgb))!;
}

it('the tint of a room is the mean of its colors', async () => {
  const tintOf = async (name: string, rgb: Pixels) => createLightMeter()(await photoOf(name, rgb))!.tint!;
  const wall = await tintOf('wall', (x) => (x < W / 2 ? [180, 128, 80] : [128, 128, 128]));
  const wood = await tintOf('wood', () => [180, 128, 80]);
  expect(wood.red).toBeGreaterThan(0.1);
  expect(wood.blue).toBeLessThan(-0.1);
  expect(wall.red).toBeCloseTo(wood.red / 2, 2);
  expect(wall.blue).toBeCloseTo(wood.blue / 2, 2);
  const lawn = await tintOf('lawn', (x) => (x < W / 2 ? [110, 128, 80] : [128, 128, 128]));
  expect([wood.green, lawn.green]).toEqual([0, expect.closeTo(0.5, 1)]);
});

it('a photo has a color along each of its edges', async () => {
  const photo = await photoOf('sky over lawn', (x, y) =>
    y < H / 2 ? [90, 140, 220] : x < W / 2 ? [70, 120, 50] : [150, 150, 150],
  );
  const { top, bottom, left, right } = createLightMeter()(photo)!.sides!;
  const levels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const near = (...rgb: number[]) => rgb.map((value) => expect.closeTo(value, -0.9));
  expect(levels(top)).toEqual(near(90, 140, 220));
  expect(levels(bottom)).toEqual(near(110, 135, 100));
  expect(levels(left)).toEqual(near(80, 130, 135));
  expect(levels(right)).toEqual(near(120, 145, 185));
});

it('the light of a grey wall is known in stops', async () => {
  const tone = await toneOf('grey', () => [128, 128, 128]);
  expect(tone.stops).toBeCloseTo(2.2 * Math.log2(128 / 255), 1);
});

it('a blown window is no light', async () => {
  const room = await toneOf('room', () => [110, 110, 110]);
  const window = await toneOf('window', (x) => (x < 8 ? [255, 255, 255] : [110, 110, 110]));
  expect(window.stops).toBeCloseTo(room.stops, 5);
});

it('is unknown for a photo that cannot be read', () => {
  expect(createToneMeter()(samplePhoto('gone'))).toBeUndefined();
});
