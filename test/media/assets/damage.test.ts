/** Damaged pictures are dropped, and sound ones never, whatever program wrote them. `npm run bench -- damage` tries more. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { DAMAGES, seeded } from './damage-picture.ts';
import { QUARTERS_FILE } from './heic-files.ts';
import { prepareIn } from './prepare-in.ts';

const PHOTOS = fileURLToPath(new URL('../../../fixtures/photos/', import.meta.url));
const photo = (name: string, widthPx = 480): Sharp => sharp(join(PHOTOS, name)).resize(widthPx);
const folder = temporaryFolder();

/** The names of the files that are shown. */
async function show(
  files: Readonly<Record<string, Buffer>>,
): Promise<{ names: string[]; reasons: string[] }> {
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const urls = Object.keys(files).map((url) => ({ url }));
  const { pictures, dropped } = await prepareIn(folder, { pictures: urls });
  return { names: [...pictures.keys()], reasons: dropped.map(({ reason }) => reason) };
}

type Write = (image: Sharp) => Sharp;

/** A floor plan: large plain areas, of which little data is left. */
const PLAN = `<svg width="640" height="480"><rect width="640" height="480" fill="#fff"/>
  <path d="M60 60h520v360h-520zM60 220h260v200M320 60v100" fill="none" stroke="#000" stroke-width="4"/></svg>`;

describe('a picture', () => {
  it.each<[string, Write]>([
    ['lossy.webp', (image) => image.webp({ quality: 75 })],
    ['plain.gif', (image) => image.gif()],
    ['lzw.tiff', (image) => image.tiff({ compression: 'lzw' })],
    ['deflate.tiff', (image) => image.tiff({ compression: 'deflate', tile: true })],
    ['packbits.tiff', (image) => image.tiff({ compression: 'packbits' })],
    ['jpeg.tiff', (image) => image.tiff({ compression: 'jpeg' })],
  ])(
    'is not shown with a part that is zero, random, foreign, missing or elsewhere: %s',
    async (name, write) => {
      const sound = await write(photo('01-front.jpg', 320)).toBuffer();
      const other = await write(photo('06-kitchen.jpg', 320)).toBuffer();
      // A bit of a value that is not packed is a dot that nobody sees, and one of a brightness is valid.
      const kinds = Object.keys(DAMAGES).filter((kind) => kind !== 'flipped' || !/packbits|jpeg/.test(name));
      const damaged = kinds.flatMap((kind) =>
        [1, 2].map(
          (seed) => [`${kind}-${seed}-${name}`, DAMAGES[kind]!(sound, seeded(seed), other)] as const,
        ),
      );
      const { names, reasons } = await show(Object.fromEntries([...damaged, [name, sound]]));
      expect(names).toEqual([name]);
      for (const reason of reasons) expect(reason).toMatch(/^corrupt: (the|a) [a-z ]+$/);
    },
  );

  it('of a lossless WebP is not shown when it ends before its data', async () => {
    const [one, two] = await Promise.all(
      ['01-front.jpg', '06-kitchen.jpg'].map((name) => photo(name, 320).webp({ lossless: true }).toBuffer()),
    );
    // The first picture is whole, and half of another one follows inside the same chunk.
    const joined = Buffer.concat([one!, two!.subarray(0, 2 * Math.floor(two!.length / 4))]);
    joined.writeUInt32LE(joined.length - 8, 4);
    joined.writeUInt32LE(joined.length - 20, 16);
    expect((await show({ 'joined.webp': joined, 'sound.webp': one! })).names).toEqual(['sound.webp']);
  });

  it('of a lossless WebP is not shown when it ends in colored noise, as its data falls into step again', async () => {
    const { data, info } = await photo('01-front.jpg', 320).raw().toBuffer({ resolveWithObject: true });
    const random = seeded(1);
    const from = 3 * info.width * 120;
    for (let at = from; at < data.length; at += 1) data[at] = (data[at]! + random() * 256) & 255;
    const noisy = await sharp(data, { raw: info }).webp({ lossless: true }).toBuffer();
    const all = Buffer.from(data)
      .fill(0)
      .map(() => random() * 256);
    const art = await sharp(all, { raw: info }).webp({ lossless: true }).toBuffer();
    expect((await show({ 'noisy.webp': noisy, 'art.webp': art })).names).toEqual(['art.webp']);
  });

  it('of unpacked TIFF is not shown with sectors of another file', async () => {
    const sound = await photo('01-front.jpg', 480).tiff({ compression: 'none' }).toBuffer();
    const damaged = Buffer.from(sound);
    const at = 8 + 3 * 480 * 100 + 3 * 200;
    const random = seeded(2);
    for (let byte = at; byte < at + 12 * 512; byte += 1) damaged[byte] = random() * 256;
    expect((await show({ 'damaged.tiff': damaged, 'sound.tiff': sound })).names).toEqual(['sound.tiff']);
  });

  it('of HEVC is not shown when its data has another end', async () => {
    const files: Record<string, Buffer> = { 'sound.heic': QUARTERS_FILE };
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const start = QUARTERS_FILE.indexOf('mdat') + 4;
      const tail = QUARTERS_FILE.subarray(start + 40);
      const noise = DAMAGES.random!(Buffer.concat([Buffer.alloc(64), tail]), seeded(seed), tail).subarray(64);
      files[`${seed}.heic`] = Buffer.concat([QUARTERS_FILE.subarray(0, start + 40), noise]);
    }
    expect((await show(files)).names).toEqual(['sound.heic']);
  });
});

describe('a sound picture', () => {
  it('is shown, whatever its program, depth, colors and arrangement', async () => {
    const image = photo('02-front-dusk.jpg', 240);
    const plan = sharp(Buffer.from(PLAN));
    const frames = Buffer.concat([await image.raw().toBuffer(), await image.clone().flop().raw().toBuffer()]);
    const { width, height } = (await image.clone().raw().toBuffer({ resolveWithObject: true })).info;
    const raw = { width, height: 2 * height, channels: 3, pageHeight: height } as const;
    const moving = sharp(frames, { raw });
    const writers: Record<string, Sharp> = {
      'low.webp': image.clone().webp({ quality: 5 }),
      'high.webp': image.clone().webp({ quality: 100, smartSubsample: true }),
      'small.webp': image.clone().resize(17, 13).webp(),
      'see-through.webp': image.clone().ensureAlpha(0.5).webp(),
      'lossless.webp': image.clone().webp({ lossless: true }),
      'near.webp': image.clone().webp({ nearLossless: true, quality: 40 }),
      'plan.webp': plan.clone().webp(),
      'plan-lossless.webp': plan.clone().webp({ lossless: true }),
      'moving.webp': moving.clone().webp(),
      'moving.gif': moving.clone().gif(),
      'lines.gif': image.clone().gif({ progressive: true }),
      'two-colors.gif': plan.clone().gif({ colors: 2 }),
      'plan.gif': plan.clone().gif(),
      '16.tiff': image.clone().toColorspace('rgb16').tiff({ compression: 'lzw', predictor: 'horizontal' }),
      'cmyk.tiff': image.clone().toColorspace('cmyk').tiff({ compression: 'deflate' }),
      'cmyk-jpeg.tiff': image.clone().toColorspace('cmyk').tiff({ compression: 'jpeg' }),
      'grey.tiff': image.clone().greyscale().tiff({ compression: 'packbits' }),
      'one-bit.tiff': image.clone().greyscale().tiff({ bitdepth: 1, compression: 'packbits' }),
      'see-through.tiff': image.clone().ensureAlpha(0.5).tiff({ compression: 'lzw', tile: true }),
      'pyramid.tiff': image.clone().tiff({ compression: 'jpeg', tile: true, pyramid: true }),
      'big.tiff': image.clone().tiff({ compression: 'deflate', bigtiff: true }),
      'plan.tiff': plan.clone().tiff({ compression: 'lzw' }),
    };
    const files: Record<string, Buffer> = {};
    for (const [name, writer] of Object.entries(writers)) {
      files[name] = await writer.toBuffer();
    }
    const { names, reasons } = await show(files);
    expect(reasons).toEqual([]);
    expect(names).toEqual(Object.keys(files));
  });
});
