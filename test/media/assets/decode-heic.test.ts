/** HEIC photos: turned, in other colours, as a grid, damaged. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { hasUndecodedPart } from '../../../src/media/assets/decode/damage/undecoded-part.ts';
import { decodeHeic, type HeicPicture } from '../../../src/media/assets/decode/decode-heic.ts';
import {
  ALPHA,
  box,
  codePoints,
  gridData,
  heic,
  heicGrid,
  heicOf,
  iccProfile,
  imir,
  irot,
  ispe,
  QUARTERS,
  QUARTERS_FILE,
  TILE,
  u8,
} from './heic-files.ts';
import type { Rgb } from './sample-pictures.ts';

/** An ICC profile that libvips ships, and the pixel that it has for a colour of sRGB. */
async function toProfile(name: string, [r, g, b]: Rgb): Promise<{ icc: Buffer; stored: Buffer }> {
  const file = await sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } })
    .withIccProfile(name)
    .png()
    .toBuffer();
  const { icc } = await sharp(file).metadata();
  return { icc: icc!, stored: await sharp(file, { ignoreIcc: true }).raw().toBuffer() };
}

const MAX_PIXELS = 100_000_000;
const decode = (file: Buffer): Promise<HeicPicture> => decodeHeic(file, MAX_PIXELS);

/** Values after coding differ by a few steps. */
const near = (color: Rgb) => color.map((value) => expect.toSatisfy((v: number) => Math.abs(v - value) <= 4));
const at = ({ data, widthPx, channels }: HeicPicture, x: number, y: number): number[] => [
  ...data.subarray(channels * (y * widthPx + x), channels * (y * widthPx + x) + 3),
];
const item = (picture: typeof TILE) => ({
  type: 'hvc1',
  properties: [picture.hvcC, ispe(picture.widthPx, picture.heightPx)],
  data: picture.units,
});
/** The transparency of the first item. */
const asAlpha = <T extends { readonly properties: readonly Buffer[] }>(picture: T) => ({
  ...picture,
  properties: [...picture.properties, ALPHA],
  alphaOf: 1,
});
const grid = (columns: number, widthPx: number, heightPx: number, from: readonly number[]) => ({
  type: 'grid',
  properties: [ispe(widthPx, heightPx)],
  data: gridData(columns, from.length / columns, widthPx, heightPx),
  from,
});
const GRID_FILE = heicGrid(TILE, 2, 2);
const RED: Rgb = [200, 30, 30];
const GREEN: Rgb = [30, 160, 60];
const BLUE: Rgb = [40, 60, 190];
const WHITE: Rgb = [240, 240, 240];

function expectQuarters(picture: HeicPicture, ...colors: readonly Rgb[]): void {
  const { widthPx, heightPx } = picture;
  const [left, right, top, bottom] = [widthPx / 4, (3 * widthPx) / 4, heightPx / 4, (3 * heightPx) / 4];
  expect([
    at(picture, left, top),
    at(picture, right, top),
    at(picture, left, bottom),
    at(picture, right, bottom),
  ]).toEqual(colors.map(near));
}

describe('a HEIC', () => {
  it('has its size and colours', async () => {
    const picture = await decode(QUARTERS_FILE);
    expect(picture).toMatchObject({ widthPx: 480, heightPx: 360, channels: 3, converter: null });
    expectQuarters(picture, RED, GREEN, BLUE, WHITE);
  });

  it.each([
    ['a quarter to the left', [irot(1)], 360, [GREEN, WHITE, RED, BLUE]],
    ['upside down', [irot(2)], 480, [WHITE, BLUE, GREEN, RED]],
    ['a quarter to the right', [irot(3)], 360, [BLUE, RED, WHITE, GREEN]],
    ['mirrored', [imir(1)], 480, [GREEN, RED, WHITE, BLUE]],
  ] as const)('stands as its file says: %s', async (_, properties, widthPx, colors) => {
    const picture = await decode(heic(QUARTERS, ...properties));
    expect(picture.widthPx).toBe(widthPx);
    expectQuarters(picture, ...colors);
  });

  it('is a grid of tiles, whose last ones are cut', async () => {
    const picture = await decode(
      heicGrid(TILE, 3, 2, { widthPx: 160, heightPx: 100, properties: [irot(1)] }),
    );
    expect(picture).toMatchObject({ widthPx: 100, heightPx: 160 });
    // Turned left: the column x of the grid is the row 159 - x.
    expect(at(picture, 40, 159 - (64 + 30))).toEqual(near([120, 140, 130]));
  });

  it('gives its colours by a profile or by code points', async () => {
    const srgb: Rgb = [217, 42, 24];
    const { icc, stored } = await toProfile('p3', srgb);
    for (const property of [iccProfile(icc), codePoints(12, 13)]) {
      const pixel = Uint8Array.from(stored);
      (await decode(heic(QUARTERS, property))).converter!.convert(pixel, 3);
      expect([...pixel]).toEqual(near(srgb));
    }
    expect((await decode(heic(QUARTERS, codePoints(1, 13)))).converter).toBeNull();
  });

  it.each([
    ['one picture', [asAlpha(item(TILE))]],
    ['a grid', [asAlpha(grid(2, 128, 64, [3, 4])), item(TILE), item(TILE)]],
  ])('has transparency: %s', async (_, pictures) => {
    const picture = await decode(heicOf([item(TILE), ...pictures]));
    expect(picture).toMatchObject({ widthPx: 64, heightPx: 64, channels: 4 });
  });

  it('is the primary picture of several', async () => {
    expect(await decode(heicOf([item(TILE), item(QUARTERS)]))).toMatchObject({ widthPx: 64 });
  });
});

describe('a HEIC that cannot be used', () => {
  it.each([
    ['cut', QUARTERS_FILE.subarray(0, -200), 'corrupt: the picture data is damaged'],
    [
      'with a hole',
      Buffer.from(QUARTERS_FILE).fill(0, QUARTERS_FILE.length - 250),
      'corrupt: the picture data is damaged',
    ],
    [
      'a grid with a hole',
      Buffer.from(GRID_FILE).fill(0, GRID_FILE.length - 30),
      'corrupt: the picture data',
    ],
    [
      'a grid of pictures that are derived',
      heicOf([
        { type: 'grid', properties: [ispe(64, 64)], data: gridData(1, 1, 64, 64), from: [2] },
        { type: 'iden', properties: [ispe(64, 64)], data: u8(0), from: [3] },
        item(TILE),
      ]),
      'unsupported_format: ',
    ],
    ['cut in its header', QUARTERS_FILE.subarray(0, 120), 'corrupt: the header cannot be read'],
    ['a grid without its tiles', heicGrid(TILE, 3, 2, { widthPx: 640, heightPx: 480 }), 'corrupt: '],
    [
      'larger than the limit',
      heic({ ...QUARTERS, widthPx: 20_000, heightPx: 6_000 }),
      'too_large: 20000 x 6000 px, 120 megapixels, at most 100 megapixels',
    ],
    [
      'cut from a grid that is larger than the limit',
      heicGrid(QUARTERS, 30, 30, { widthPx: 640, heightPx: 360 }),
      'too_large: 14400 x 10800 px, 155.5 megapixels, at most 100 megapixels',
    ],
    [
      'derived in another way',
      heicOf([{ type: 'iden', properties: [ispe(64, 64)], data: u8(0), from: [2] }, item(TILE)]),
      'unsupported_format: a HEIF file without an HEVC photo; export it as JPEG',
    ],
    [
      'coded in another way',
      heicOf([{ type: 'av01', properties: [box('av1C', u8(0x81, 0, 0, 0)), ispe(64, 64)], data: u8(0) }]),
      'unsupported_format: ',
    ],
    [
      'with transparency that is larger than the limit',
      heicOf([
        item(TILE),
        asAlpha(grid(1, 20_000, 6_000, [3])),
        item({ ...TILE, widthPx: 20_000, heightPx: 6_000 }),
      ]),
      'too_large: 20000 x 6000 px, 120 megapixels, at most 100 megapixels',
    ],
    [
      'with transparency that is derived',
      heicOf([
        item(TILE),
        asAlpha({ type: 'iden', properties: [ispe(64, 64)], data: u8(0), from: [3] }),
        item(TILE),
      ]),
      'unsupported_format: a HEIF file without an HEVC photo; export it as JPEG',
    ],
    [
      'with transparency that has transparency',
      heicOf([item(TILE), asAlpha(item(TILE)), { ...asAlpha(item(TILE)), alphaOf: 2 }]),
      'unsupported_format: ',
    ],
    [
      'with tiles that have transparency',
      heicOf([grid(2, 128, 64, [2, 3]), item(TILE), item(TILE), { ...asAlpha(item(TILE)), alphaOf: 3 }]),
      'unsupported_format: ',
    ],
    ['without a picture', heicOf([]), 'corrupt: the header cannot be read'],
  ])('is %s', async (_, file, message) => {
    await expect(decode(file)).rejects.toThrow(message);
  });

  it('has a part that the decoder left out', async () => {
    const picture = await decode(QUARTERS_FILE);
    expect(hasUndecodedPart(picture)).toBe(false);
    // What the decoder leaves at zero in all planes, at the end of the last rows.
    const data = Buffer.from(picture.data);
    for (let y = 352; y < 360; y += 1) {
      for (let x = 464; x < 480; x += 1) data.set([0, 135, 0], 3 * (480 * y + x));
    }
    expect(hasUndecodedPart({ ...picture, data })).toBe(true);
  });

  it('leaves the decoder usable', async () => {
    await expect(decode(QUARTERS_FILE.subarray(0, -200))).rejects.toThrow('corrupt');
    expectQuarters(await decode(QUARTERS_FILE), RED, GREEN, BLUE, WHITE);
  });
});
