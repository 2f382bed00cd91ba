/** Thumbnails and times of photos on disk. */
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parseCaptureTime } from '../../../src/media/assets/decode/read-capture-time.ts';
import { compareNames } from '../../../src/video/photos/find-photos.ts';
import { impressionsOf, lookAtPhotos } from '../../../src/video/photos/look-at-photos.ts';
import { sortByTime } from '../../../src/video/photos/sort-by-time.ts';
import { folderOf } from '../../cli/listing-files.ts';
import { quarters } from '../../media/assets/sample-pictures.ts';

const SMALL = fileURLToPath(new URL('../../../fixtures/small/photos', import.meta.url));
const signal = new AbortController().signal;

async function taken(time: string, subSec = ''): Promise<Buffer> {
  const exif = { IFD2: { DateTimeOriginal: time, ...(subSec === '' ? {} : { SubSecTimeOriginal: subSec }) } };
  return quarters(40, 30).jpeg().withExif(exif).toBuffer();
}

describe('lookAtPhotos', () => {
  it('makes upright thumbnails, names what cannot be used, and finds copies, plans and the front', async () => {
    const folder = await folderOf({ 'cut.jpg': (await quarters().jpeg().toBuffer()).subarray(0, 900) });
    const turned = path.join(folder, 'turned.jpg');
    await writeFile(turned, await quarters(480, 360).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    const smaller = path.join(folder, 'smaller.jpg');
    await sharp(path.join(SMALL, 'kitchen.jpg')).resize(480).jpeg({ quality: 60 }).toFile(smaller);
    const plan = path.join(folder, 'drawn.png');
    const walls =
      '<path d="M40 40H560V400H40ZM300 40V250M40 250H420" fill="none" stroke="#222" stroke-width="6"/>';
    const drawing = `<svg width="600" height="440"><rect width="600" height="440" fill="#fff"/>${walls}</svg>`;
    await sharp(Buffer.from(drawing)).png().toFile(plan);
    const files = [
      path.join(SMALL, 'kitchen.jpg'),
      path.join(SMALL, 'front.jpg'),
      path.join(folder, 'cut.jpg'),
      turned,
      smaller,
      plan,
    ];
    const home = path.join(folder, 'home');
    await mkdir(home);
    const photos = await lookAtPhotos(files, { home, signal });
    expect(photos.map(({ file }) => file)).toEqual(files);
    expect(photos.map(({ problem }) => problem)).toEqual([
      null,
      null,
      expect.stringMatching(/^corrupt: /),
      null,
      null,
      null,
    ]);
    expect(photos[3]!.thumbnail).toMatchObject({
      widthPx: 240,
      heightPx: 320,
      sourceWidthPx: 360,
      sourceHeightPx: 480,
    });
    // Turned to the right, the blue corner is at the top left.
    const [red, , blue] = photos[3]!.thumbnail!.rgb;
    expect(blue).toBeGreaterThan(red! + 100);
    expect(impressionsOf(photos)).toEqual({
      opening: files[1],
      unusable: new Map([[files[2], expect.stringMatching(/^corrupt: /)]]),
      copies: new Map([[smaller, files[0]]]),
      floorPlans: [plan],
    });
    expect(await readdir(path.join(home, 'work'))).toEqual([]);
  });

  it('stops when it is aborted', async () => {
    const home = await folderOf();
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(lookAtPhotos([path.join(SMALL, 'front.jpg')], { home, signal: stopped })).rejects.toThrow(
      'enough',
    );
  });
});

describe('sortByTime', () => {
  it('sorts by the time of the camera, and by that of the file where there is none', async () => {
    const cwd = await folderOf({
      'b.jpg': await taken('2026:03:01 10:00:00', '5'),
      'a.jpg': await taken('2026:03:01 10:00:00', '25'),
      'late.jpg': await taken('2026:03:02 09:00:00'),
      'scan.jpg': await quarters(40, 30).jpeg().toBuffer(),
    });
    const place = (name: string) => path.join(cwd, name);
    await utimes(place('scan.jpg'), new Date(2026, 2, 1, 12), new Date(2026, 2, 1, 12));
    const sorted = await sortByTime(['late.jpg', 'b.jpg', 'scan.jpg', 'a.jpg'].map(place));
    expect(sorted).toEqual({
      files: ['a.jpg', 'b.jpg', 'scan.jpg', 'late.jpg'].map(place),
      withoutCameraTime: [place('scan.jpg')],
    });
  });

  it('survives files that are absent, empty or no photos', async () => {
    const cwd = await folderOf({ 'empty.jpg': '', 'text.jpg': 'Exif\0\0II*\0' });
    const files = ['absent.jpg', 'empty.jpg', 'text.jpg'].map((name) => path.join(cwd, name));
    expect(new Set((await sortByTime([...files, cwd])).withoutCameraTime)).toEqual(new Set([...files, cwd]));
  });
});

describe('parseCaptureTime', () => {
  const TIME = Date.UTC(2026, 2, 1, 10, 30, 5);

  it.each(['jpeg', 'png', 'webp'] as const)('reads it from %s', async (format) => {
    const exif = { IFD2: { DateTimeOriginal: '2026:03:01 10:30:05' } };
    const bytes = await quarters(40, 30).withExif(exif).toFormat(format).toBuffer();
    expect(parseCaptureTime(bytes)).toBe(TIME);
  });

  it('reads it from TIFF, of which the block is made', async () => {
    const jpeg = await taken('2026:03:01 10:30:05');
    expect(parseCaptureTime(jpeg.subarray(jpeg.indexOf('Exif') + 6))).toBe(TIME);
  });

  it('reads it from HEIC, where the name of the block comes long before it', async () => {
    const jpeg = await taken('2026:03:01 10:30:05');
    const block = jpeg.subarray(jpeg.indexOf('Exif') + 6);
    const start = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0infe\0\0\0\0\0\x01\0\0Exif\0\0\0\0mdat', 'latin1');
    expect(parseCaptureTime(Buffer.concat([start, Buffer.alloc(3000), block]))).toBe(TIME);
  });

  it.each([
    '0000:00:00 00:00:00',
    '2026:02:30 10:30:05',
    '2026:13:01 10:30:05',
    '2026:03:01 25:61:61',
    '1969:12:31 23:59:59',
    '    :  :     :  :  ',
  ])('is null for a camera without a clock: %s', async (time) => {
    expect(parseCaptureTime(await taken(time))).toBeNull();
  });

  it('survives damage anywhere', async () => {
    const bytes = await taken('2026:03:01 10:30:05');
    const start = bytes.indexOf('Exif');
    for (let at = start; at < start + 200; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = 0xff;
      const time = parseCaptureTime(damaged);
      expect(time === null || Number.isFinite(time)).toBe(true);
      expect(() => parseCaptureTime(bytes.subarray(0, at))).not.toThrow();
    }
  });
});

it('sorts names as people count, and a photo before its copy', () => {
  const names = ['10.jpg', '2 (1).jpg', '2.jpg', '2 copy.JPG', '2-1.jpg'];
  expect(names.sort(compareNames)[0]).toBe('2.jpg');
  expect(names.at(-1)).toBe('10.jpg');
});
