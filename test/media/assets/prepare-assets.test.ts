/** The asset stage as a whole: formats, orientation, colours, damage, order, duplicates, cache, cleanliness. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../src/design/photo.ts';
import type { AssetRequest, PreparedAssets } from '../../../src/media/assets/prepare-assets.ts';
import { shardOf } from '../../../src/platform/disk/cache/cache-entry.ts';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';
import { realPathInside } from '../../../src/platform/disk/path-inside.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../../src/platform/network/guarded-connector.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { QUARTERS_FILE } from './heic-files.ts';
import { startServer } from './loopback-server.ts';
import { prepareIn } from './prepare-in.ts';
import { multiPicture, quarters, texture } from './sample-pictures.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/photos', import.meta.url));
const folder = temporaryFolder();
let caches = 0;

/** Writes pictures into a fresh folder and answers their names. */
async function save(pictures: Readonly<Record<string, Sharp | Buffer>>): Promise<string> {
  const dir = mkdtempSync(join(folder, 'in-'));
  for (const [name, image] of Object.entries(pictures)) {
    writeFileSync(join(dir, name), Buffer.isBuffer(image) ? image : await image.toBuffer());
  }
  return dir;
}

const urls = (...names: string[]) => names.map((url) => ({ url }));

function prepare(request: Partial<AssetRequest>): Promise<PreparedAssets> {
  caches += 1;
  return prepareIn(folder, {
    cache: createDiskCache(join(folder, `cache-${caches}`), { maxBytes: 1e9 }),
    workDir: join(folder, `work-${caches}`),
    ...request,
  });
}

/** The colour in the middle of each quarter, as [Y, U, V]: top left, top right, bottom left, bottom right. */
function corners(photo: Photo): number[][] {
  const { widthPx, heightPx } = photo;
  const master = readFileSync(photo.masterPath);
  expect(master).toHaveLength((widthPx * heightPx * 3) / 2);
  const at = (x: number, y: number) => {
    const column = Math.floor(widthPx * x);
    const row = Math.floor(heightPx * y);
    const chroma = (row >> 1) * (widthPx >> 1) + (column >> 1);
    const u = widthPx * heightPx + chroma;
    return [master[row * widthPx + column]!, master[u]!, master[u + (widthPx * heightPx) / 4]!];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

function expectNear(actual: number[][], wanted: number[][], distance: number): void {
  for (const [index, value] of actual.flat().entries()) {
    expect(Math.abs(value - wanted.flat()[index]!), `${actual} against ${wanted}`).toBeLessThanOrEqual(
      distance,
    );
  }
}

describe('a photo', () => {
  it('is the same in every format, depth and colour space', async () => {
    const alpha = quarters().ensureAlpha();
    const dir = await save({
      'base.png': quarters().png(),
      'q.jpg': quarters().jpeg({ quality: 95 }),
      'progressive.jpg': quarters().jpeg({ quality: 95, progressive: true }),
      'q444.jpg': quarters().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
      'lossless.webp': quarters().webp({ lossless: true }),
      'q.avif': quarters().avif({ quality: 90, effort: 0 }),
      'q.heic': QUARTERS_FILE,
      'two-pictures.mpo': await multiPicture(),
      'deep.avif': quarters().avif({ quality: 90, effort: 0, bitdepth: 10 }),
      'q.gif': quarters().gif(),
      'lzw.tiff': quarters().tiff({ compression: 'lzw' }),
      'jpeg.tiff': quarters().tiff({ compression: 'jpeg', quality: 95 }),
      'deep.png': await sharp(await quarters().png().toBuffer())
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
      'interlaced.png': quarters().png({ progressive: true }),
      'palette.png': quarters().png({ palette: true }),
      'alpha.png': alpha.png(),
      'p3.png': quarters().withIccProfile('p3').png(),
      'p3.jpg': quarters().jpeg({ quality: 95 }).withIccProfile('p3'),
      'p3-deep.tiff': await sharp(await quarters().png().toBuffer())
        .toColourspace('rgb16')
        .withIccProfile('p3')
        .tiff()
        .toBuffer(),
      'srgb.jpg': quarters().jpeg({ quality: 95 }).withIccProfile('srgb'),
      'cmyk.jpg': quarters().toColourspace('cmyk').jpeg({ quality: 95 }).withIccProfile('cmyk'),
    });
    const names = readdirSync(dir).filter((name) => name !== 'base.png');
    const { pictures, dropped } = await prepare({ baseDir: dir, pictures: urls('base.png', ...names) });
    expect(dropped).toEqual([]);
    const base = corners(pictures.get('base.png')!);
    // The reference itself, against the standard: red, green, blue and light grey of `quarters`.
    expect(base).toEqual([
      [73, 111, 203],
      [123, 97, 75],
      [72, 187, 114],
      [222, 128, 128],
    ]);
    for (const name of names) {
      // Ink cannot print the blue; read as if it were inverted or as RGB, it would be off by a hundred.
      expectNear(corners(pictures.get(name)!), base, name === 'cmyk.jpg' ? 32 : 3);
    }
  });

  it('stands upright, whatever its EXIF orientation', async () => {
    // How the camera would have stored an upright picture: the inverse of what each orientation asks for.
    const stored: Record<number, (image: Sharp) => Sharp> = {
      1: (image) => image,
      2: (image) => image.flop(),
      3: (image) => image.rotate(180),
      4: (image) => image.flip(),
      5: (image) => image.rotate(270).flop(),
      6: (image) => image.rotate(270),
      7: (image) => image.rotate(90).flop(),
      8: (image) => image.rotate(90),
    };
    const files: Record<string, Buffer> = {};
    for (const [orientation, store] of Object.entries(stored)) {
      const turned = await store(sharp(await quarters(480, 340).png().toBuffer()))
        .png()
        .toBuffer();
      // In each type the decoder reads the tag, and what it asks for does not depend on the type.
      const types = ['1', '6'].includes(orientation)
        ? (['jpeg', 'png', 'webp', 'tiff'] as const)
        : ['jpeg' as const];
      for (const type of types) {
        files[`${orientation}.${type}`] = await sharp(turned)
          .withMetadata({ orientation: Number(orientation) })
          .toFormat(type, type === 'webp' ? { lossless: true } : {})
          .toBuffer();
      }
    }
    const dir = await save(files);
    const { pictures } = await prepare({ baseDir: dir, pictures: urls(...Object.keys(files)) });
    const upright = corners(pictures.get('1.png')!);
    for (const name of Object.keys(files)) {
      const photo = pictures.get(name)!;
      expect([name, photo.widthPx, photo.heightPx, photo.sourceWidthPx]).toEqual([name, 480, 340, 480]);
      expectNear(corners(photo), upright, 3);
    }
  });

  it('is flattened on white where it is transparent, and grey where it is grey', async () => {
    const clear = sharp({
      create: { width: 400, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const grey = sharp({ create: { width: 400, height: 400, channels: 3, background: '#808080' } });
    const dir = await save({
      'clear.png': clear.png(),
      'grey.jpg': grey.clone().toColourspace('b-w').jpeg(),
      'grey16.png': grey.clone().toColourspace('grey16').png(),
    });
    const { pictures } = await prepare({
      baseDir: dir,
      pictures: urls('clear.png', 'grey.jpg', 'grey16.png'),
    });
    expect(corners(pictures.get('clear.png')!)[0]).toEqual([235, 128, 128]);
    expect(corners(pictures.get('grey.jpg')!)[0]).toEqual([126, 128, 128]);
    expect(corners(pictures.get('grey16.png')!)[0]).toEqual([126, 128, 128]);
  });

  it('is the first frame of an animation', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 400, height: 400, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = await Promise.all(['#ffffff', '#000000'].map(frame));
    const animated = () => sharp(frames, { join: { animated: true } });
    const dir = await save({ 'a.gif': animated().gif(), 'a.webp': animated().webp({ lossless: true }) });
    const { pictures } = await prepare({ baseDir: dir, pictures: urls('a.gif', 'a.webp') });
    for (const photo of pictures.values()) {
      expect([photo.widthPx, photo.heightPx]).toEqual([400, 400]);
      expect(corners(photo)[3]).toEqual([235, 128, 128]);
    }
    expect(pictures.size).toBe(2);
  });

  it('has even sides of at most 2560, is never enlarged, and keeps its shape', async () => {
    const dir = await save({
      'odd.png': texture(1, 481, 333).png(),
      'large.jpg': texture(2, 300, 200).resize(3001, 2001, { fit: 'fill' }).jpeg(),
      'tall.jpg': texture(3, 100, 400).resize(1000).jpeg(),
      'dot.png': quarters(2, 1).png(),
    });
    const { pictures } = await prepare({
      baseDir: dir,
      pictures: urls('odd.png', 'large.jpg', 'tall.jpg', 'dot.png'),
    });
    const sizes = [...pictures.values()].map((photo) => [
      photo.widthPx,
      photo.heightPx,
      photo.sourceWidthPx,
      photo.sourceHeightPx,
    ]);
    expect(sizes).toEqual([
      [480, 332, 481, 333],
      [2560, 1706, 3001, 2001],
      [640, 2560, 1000, 4000],
      [2, 2, 2, 1],
    ]);
    for (const { focus } of pictures.values()) {
      expect(Math.min(focus.x, focus.y)).toBeGreaterThan(0);
      expect(Math.max(focus.x, focus.y)).toBeLessThan(1);
    }
  });

  it('has its focus where something is to be seen', async () => {
    const spot = texture(5, 100, 100).png().toBuffer();
    const wall = sharp({ create: { width: 900, height: 600, channels: 3, background: '#d8d4cc' } });
    const dir = await save({
      'wall.png': wall.composite([{ input: await spot, left: 700, top: 380 }]).png(),
    });
    const { photos } = await prepare({ baseDir: dir, assets: urls('wall.png') });
    expect(photos[0]!.focus.x).toBeGreaterThan(0.6);
    expect(photos[0]!.focus.y).toBeGreaterThan(0.55);
  });
});

describe('a logo', () => {
  it('keeps its transparency, at most 1024 px long', async () => {
    const mark = {
      input: { create: { width: 1000, height: 250, channels: 4 as const, background: '#ff000080' } },
      left: 0,
      top: 0,
    };
    const logo = sharp({
      create: { width: 2048, height: 512, channels: 4, background: '#00000000' },
    }).composite([mark]);
    const dir = await save({ 'logo.png': logo.png() });
    const { logos } = await prepare({ baseDir: dir, logos: urls('logo.png') });
    const { widthPx, heightPx, masterPath } = logos.get('logo.png')!;
    expect([widthPx, heightPx]).toEqual([1024, 256]);
    const master = readFileSync(masterPath);
    expect(master).toHaveLength(1024 * 256 * 4);
    expect([...master.subarray(40 * 4, 41 * 4)]).toEqual([255, 0, 0, 128]);
    expect(master.at(-1)).toBe(0);
  });

  it('is described by its mean colour, from the cache as well', async () => {
    const letters = (fill: string) =>
      sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><circle cx="45" cy="45" r="40" fill="${fill}"/></svg>`,
        ),
      ).png();
    const clear = sharp({ create: { width: 60, height: 60, channels: 4, background: '#ffffff00' } }).png();
    const dir = await save({
      // The circle's soft edge is white at half alpha, which must not darken the mean.
      'white.png': letters('#fff'),
      'navy.webp': letters('#102a43').webp({ lossless: true }),
      'clear.png': clear,
      'boxed.jpg': quarters(200, 80).jpeg(),
    });
    const request = {
      baseDir: dir,
      logos: urls('white.png', 'navy.webp', 'clear.png', 'boxed.jpg'),
      cache: createDiskCache(join(dir, 'cache'), { maxBytes: 1e9 }),
    };
    for (const decoded of [4, 0]) {
      const { logos, decodedCount } = await prepare(request);
      expect(decodedCount).toBe(decoded);
      const colors = [...logos].map(([url, { medianColor }]) => [url, medianColor]);
      expect(Object.fromEntries(colors)).toEqual({
        'white.png': '#FFFFFF',
        'navy.webp': '#102A43',
        'clear.png': undefined,
        'boxed.jpg': undefined,
      });
    }
  });
});

describe('damage', () => {
  it('drops a picture that lacks a part, wherever it is cut', async () => {
    const files: Record<string, Buffer> = {};
    const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
    const whole = {
      'b.jpg': await texture(1).jpeg().toBuffer(),
      'p.jpg': await texture(2).jpeg({ progressive: true }).toBuffer(),
      'l.png': await texture(3).png().toBuffer(),
      'i.png': await texture(4).png({ progressive: true }).toBuffer(),
      'w.webp': await texture(5).webp().toBuffer(),
      'a.avif': await texture(6).avif({ effort: 0 }).toBuffer(),
      'g.gif': await texture(7).gif().toBuffer(),
      't.tiff': await texture(8).tiff({ compression: 'lzw' }).toBuffer(),
    };
    for (const [name, bytes] of Object.entries(whole)) {
      for (const share of [0.3, 0.9, 0.98]) files[`${share}-${name}`] = cut(bytes, share);
    }
    const jpeg = whole['b.jpg'];
    const end = Buffer.from([0xff, 0xd9]);
    files['sealed.jpg'] = Buffer.concat([cut(jpeg, 0.5), end]);
    files['sealed-p.jpg'] = Buffer.concat([cut(whole['p.jpg'], 0.5), end]);
    files['zeros.jpg'] = Buffer.concat([cut(jpeg, 0.6), Buffer.alloc(jpeg.length)]);
    files['html.jpg'] = Buffer.concat([cut(jpeg, 0.6), Buffer.from('<html>504</html>'.repeat(1000))]);
    // What libjpeg decodes into stripes without a word: a hole, a part that is missing, a part that is foreign.
    const third = Math.floor(jpeg.length / 3);
    files['hole.jpg'] = Buffer.concat([
      cut(jpeg, 0.4),
      Buffer.alloc(4096),
      jpeg.subarray(Math.floor(jpeg.length * 0.4) + 4096),
    ]);
    files['gap.jpg'] = Buffer.concat([jpeg.subarray(0, third), jpeg.subarray(third + 2000)]);
    files['foreign.jpg'] = Buffer.concat([
      jpeg.subarray(0, third),
      Buffer.from('504 Gateway Time-out'.repeat(20)),
      jpeg.subarray(third),
    ]);
    files['header.jpg'] = jpeg.subarray(0, 300);
    files['random.jpg'] = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), cut(whole['l.png'], 0.5)]);
    const dir = await save(files);
    const { photos, dropped } = await prepare({ baseDir: dir, assets: urls(...Object.keys(files)) });
    expect(photos.map(({ url }) => url)).toEqual([]);
    for (const { url, reason } of dropped) expect(reason, url).toMatch(/^corrupt: (the|a) [a-z ]+$/);
  });

  it('is not what follows the end of a sound picture, nor padding before it', async () => {
    const junk = [
      Buffer.alloc(3000),
      Buffer.from('<!-- trailer -->'.repeat(100)),
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]),
    ];
    const files: Record<string, Buffer> = {};
    const sound = {
      'b.jpg': await texture(1).jpeg().toBuffer(),
      'p.jpg': await texture(2).jpeg({ progressive: true }).toBuffer(),
      'l.png': await texture(3).png().toBuffer(),
      'w.webp': await texture(5).webp().toBuffer(),
      'g.gif': await texture(7).gif().toBuffer(),
      't.tiff': await texture(8).tiff().toBuffer(),
    };
    for (const [name, bytes] of Object.entries(sound)) {
      for (const [index, tail] of junk.entries()) files[`${index}-${name}`] = Buffer.concat([bytes, tail]);
    }
    const progressive = sound['p.jpg'];
    for (const padding of [1, 5, 4000]) {
      files[`padded-${padding}.jpg`] = Buffer.concat([
        progressive.subarray(0, -2),
        Buffer.alloc(padding),
        progressive.subarray(-2),
      ]);
    }
    // A profile that is nonsense says nothing against the pixels.
    const nonsense = Buffer.from(`ICC_PROFILE\0\x01\x01${'no profile '.repeat(30)}`, 'latin1');
    const marker = Buffer.from([0xff, 0xe2, (nonsense.length + 2) >> 8, (nonsense.length + 2) & 0xff]);
    files['profile.jpg'] = Buffer.concat([
      sound['b.jpg'].subarray(0, 2),
      marker,
      nonsense,
      sound['b.jpg'].subarray(2),
    ]);
    const dir = await save(files);
    const { pictures, dropped } = await prepare({ baseDir: dir, pictures: urls(...Object.keys(files)) });
    expect(dropped).toEqual([]);
    expect(pictures.size).toBe(Object.keys(files).length);
  });
});

describe('the verdict', () => {
  it('gives the reason of every dropped asset, in the order of the listing, then of the agents', async () => {
    const server = await startServer({
      '/front.jpg': (response) =>
        void texture(1)
          .jpeg()
          .toBuffer()
          .then((bytes) => response.end(bytes)),
    });
    const dir = await save({
      'front.png': texture(1).png(),
      'kitchen.jpg': texture(2).jpeg(),
      'small.jpg': texture(3, 640, 319).jpeg(),
      'copy.webp': texture(2).resize(396).webp(),
      'page.jpg': Buffer.from('<!doctype html><html></html>'),
      'drawing.jpg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>'),
      'empty.jpg': Buffer.alloc(0),
      'tiny.png': quarters(40, 40).png(),
      'portrait.jpg': texture(2).jpeg(),
    });
    mkdirSync(join(dir, 'folder.jpg'));
    try {
      const { photos, pictures, logos, dropped, decodedCount } = await prepare({
        baseDir: dir,
        assets: urls(
          'missing.jpg',
          `${server.origin}/front.jpg`,
          'small.jpg',
          'kitchen.jpg',
          'front.png',
          'page.jpg',
          'drawing.jpg',
          'empty.jpg',
          'copy.webp',
          'kitchen.jpg',
          `${server.origin}/gone.jpg`,
          'folder.jpg',
        ),
        pictures: urls('tiny.png', 'nobody.jpg', 'portrait.jpg', 'nobody.jpg'),
        logos: urls('drawing.jpg', 'tiny.png', 'nobody.jpg'),
      });
      expect(photos.map(({ url }) => url)).toEqual([`${server.origin}/front.jpg`, 'kitchen.jpg']);
      expect(dropped.map(({ url, reason }) => `${url} ${reason}`)).toEqual([
        'missing.jpg unreachable: file not found',
        'small.jpg too_small: 640 x 319 px, the shorter side must be at least 320 px',
        'front.png duplicate: the same picture as photo 2 (front.jpg)',
        'page.jpg not_an_image: an HTML page',
        'drawing.jpg unsupported_format: SVG (JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF wanted)',
        'empty.jpg not_an_image: no bytes at all',
        'copy.webp duplicate: the same picture as photo 4 (kitchen.jpg)',
        'kitchen.jpg duplicate: the same picture as photo 4 (kitchen.jpg)',
        `${server.origin}/gone.jpg unreachable: HTTP 404 Not Found`,
        'folder.jpg unreachable: a folder, not a file',
        'nobody.jpg unreachable: file not found',
        'drawing.jpg unsupported_format: SVG (JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF wanted)',
      ]);
      expect([...pictures.keys()]).toEqual(['tiny.png', 'portrait.jpg']);
      expect([...logos.keys()]).toEqual(['tiny.png']);
      expect(pictures.get('tiny.png')!.digest).not.toBe(logos.get('tiny.png')!.digest);
      // front.jpg, small, kitchen, front.png, copy, tiny twice; portrait.jpg has the bytes of kitchen.jpg.
      expect(decodedCount).toBeGreaterThanOrEqual(7);
      expect(server.requests).toEqual(['/front.jpg', '/gone.jpg']);
    } finally {
      await server.close();
    }
  });

  it('takes no two of the fixture’s photos for one, and copies for what they are', async () => {
    const names = readdirSync(FIXTURES).sort();
    const copies: Record<string, Buffer> = {};
    const copied = names.slice(0, 6);
    for (const [index, name] of copied.entries()) {
      const source = sharp(join(FIXTURES, name));
      copies[`${name}.copy`] = await [
        () => source.resize(700).jpeg({ quality: 35 }),
        () => source.resize(1000, undefined, { kernel: 'mitchell' }).webp({ quality: 50 }),
        () => source.resize(640).gif(),
      ][index % 3]!().toBuffer();
    }
    const dir = await save(copies);
    const { photos, dropped } = await prepare({
      assets: urls(
        ...names.map((name) => join(FIXTURES, name)),
        ...Object.keys(copies).map((name) => join(dir, name)),
      ),
    });
    expect(photos.map(({ url }) => basename(url))).toEqual(names);
    expect(dropped.map(({ reason }) => reason)).toEqual(
      copied.map((name, index) => `duplicate: the same picture as photo ${index + 1} (${name})`),
    );
  });

  it('has a limit of pixels that is checked from the header', async () => {
    const dir = await save({ 'a.png': texture(1, 500, 400).png() });
    const { dropped } = await prepare({
      baseDir: dir,
      assets: urls('a.png'),
      limits: { maxPixels: 199_999 },
    });
    expect(dropped).toEqual([{ url: 'a.png', reason: 'too_large: 500 x 400 px, more than 0.20 megapixels' }]);
  });
});

describe('a host whose photos time out', () => {
  it('comes after the others, so that it does not use up their time', async () => {
    const server = await startServer({
      '/slow': () => {},
      '/quick': (response) => response.end('no photo'),
    });
    const slow = ['/slow?0', '/slow?1', '/slow?2', '/slow?3'].map((path) => server.origin + path);
    const quick = `http://localhost:${server.port}/quick`;
    const { dropped } = await prepare({
      assets: urls(...slow, quick),
      limits: { stallTimeoutMs: 500, maxTries: 1, maxTimeoutsPerHost: 10 },
      network: { ...systemNetworkDeps, lookup: toLoopback },
    });
    expect(dropped).toHaveLength(5);
    // The second was waiting already when the first one timed out.
    expect(server.requests).toEqual(['/slow?0', '/slow?1', '/quick', '/slow?2', '/slow?3']);
    await server.close();
  });
});

/** As a name server that knows only this machine. */
const toLoopback = ((_name: string, _options: unknown, callback: (error: null, found: unknown[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as NetworkDeps['lookup'];

describe('an untrusted listing', () => {
  it('reads no file outside its folder, neither by name nor by a link, except those that are trusted', async () => {
    const outside = await save({ 'secret.png': texture(1).png(), 'logo.png': texture(2).png() });
    const dir = await save({ 'own.png': texture(3).png() });
    symlinkSync(join(outside, 'secret.png'), join(dir, 'link.png'));
    const logo = join(outside, 'logo.png');
    const secrets = [join(outside, 'secret.png'), `../${basename(outside)}/secret.png`, 'link.png'];
    const request = {
      baseDir: dir,
      assets: urls('own.png', ...secrets),
      pictures: urls('link.png'),
      logos: urls(logo),
    };
    const { photos, pictures, logos, dropped } = await prepare({
      ...request,
      pathToRead: (file, url) => (url === logo ? file : realPathInside(dir, file)),
    });
    expect(photos.map(({ url }) => url)).toEqual(['own.png']);
    expect([pictures.size, logos.size]).toEqual([0, 1]);
    expect(dropped.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 }, () => 'blocked_address: the file is outside the folder of the listing'),
    );
    expect((await prepare(request)).dropped.map(({ reason }) => reason.split(':')[0])).toEqual([
      'duplicate',
      'duplicate',
    ]);
  });
});

describe('a second run', () => {
  it('decodes nothing, and makes again only what was damaged', async () => {
    const dir = await save({
      'a.jpg': texture(1).jpeg(),
      'b.jpg': texture(2).jpeg(),
      'c.jpg': texture(3).jpeg(),
    });
    const cacheDir = join(folder, 'shared-cache');
    const cache = createDiskCache(cacheDir, { maxBytes: 1e9 });
    const run = (workDir: string) =>
      prepare({
        baseDir: dir,
        assets: urls('a.jpg', 'b.jpg', 'c.jpg'),
        cache,
        workDir: join(folder, workDir),
      });
    const first = await run('work-first');
    const second = await run('work-second');
    expect([first.decodedCount, second.decodedCount]).toEqual([3, 0]);
    const strip = ({ photos }: PreparedAssets) => photos.map(({ masterPath: _, ...photo }) => photo);
    expect(strip(second)).toEqual(strip(first));
    const cached = (photo: Photo, extension: string) => {
      const folder = join(cacheDir, 'photos', shardOf(photo.digest));
      const names = readdirSync(folder).filter((name) => name.startsWith(`${photo.digest}.${extension}~`));
      return join(folder, names[0] ?? 'none');
    };
    const [a, b, c] = first.photos as readonly Photo[] as [Photo, Photo, Photo];
    const intact = readFileSync(a.masterPath);
    for (const photo of [a, b, c]) rmSync(cached(photo, 'json'));
    expect((await run('work-third')).decodedCount).toBe(3);
    truncateSync(cached(a, 'yuv'), 1000);
    const flipped = readFileSync(cached(b, 'yuv'));
    flipped[5000]! ^= 1;
    writeFileSync(cached(b, 'yuv'), flipped);
    const repaired = await run('work-fourth');
    // Only the size of a master is looked at, until its pixels are needed.
    expect(repaired.decodedCount).toBe(1);
    expect(readFileSync(repaired.photos[0]!.masterPath).equals(intact)).toBe(true);
    expect(await repaired.areMastersIntact()).toBe(false);
    const again = await run('work-fourth');
    expect([again.decodedCount, await again.areMastersIntact()]).toEqual([1, true]);
    expect(again.photos.map(({ masterPath }) => masterPath)).toEqual(
      repaired.photos.map(({ masterPath }) => masterPath),
    );
    expect(readFileSync(again.photos[1]!.masterPath)[5000]).toBe(flipped[5000]! ^ 1);
  });

  it('keeps its masters although the cache is emptied under it', async () => {
    const dir = await save({ 'a.jpg': texture(1).jpeg() });
    const cacheDir = join(folder, 'emptied-cache');
    const cache = createDiskCache(cacheDir, { maxBytes: 1e9 });
    const { photos } = await prepare({ baseDir: dir, assets: urls('a.jpg'), cache });
    rmSync(cacheDir, { recursive: true });
    expect(readFileSync(photos[0]!.masterPath)).toHaveLength((400 * 330 * 3) / 2);
  });
});

describe('the stage', () => {
  it('leaves nothing but the masters, and tells how far it is', async () => {
    const server = await startServer({
      '/a.jpg': (response) =>
        void texture(1)
          .jpeg()
          .toBuffer()
          .then((bytes) => response.end(bytes)),
      '/b.jpg': (response) => void response.end('text'),
    });
    const workDir = join(folder, 'work-clean');
    const cacheDir = join(folder, 'cache-clean');
    const progress: [number, number][] = [];
    try {
      const { photos } = await prepare({
        workDir,
        cache: createDiskCache(cacheDir, { maxBytes: 1e9 }),
        assets: urls(`${server.origin}/a.jpg`, `${server.origin}/b.jpg`),
        onProgress: (done, total) => progress.push([done, total]),
      });
      const { digest } = photos[0]!;
      expect(readdirSync(workDir)).toEqual([`${digest}.yuv`]);
      const names = readdirSync(join(cacheDir, 'photos', shardOf(digest)));
      expect(names.map((name) => name.split('~')[0]).sort()).toEqual([`${digest}.json`, `${digest}.yuv`]);
      expect(progress).toEqual([
        [0, 2],
        [1, 2],
        [2, 2],
      ]);
    } finally {
      await server.close();
    }
  });

  it('ends at once when aborted, and leaves nothing', async () => {
    const controller = new AbortController();
    const server = await startServer({
      '/a.jpg': (response) => {
        response.writeHead(200);
        response.write('x');
        setImmediate(() => controller.abort());
      },
    });
    const dir = await save({ 'b.jpg': texture(1).jpeg(), 'c.jpg': texture(2).jpeg() });
    const workDir = join(folder, 'work-aborted');
    const cacheDir = join(folder, 'cache-aborted');
    try {
      const result = prepare({
        baseDir: dir,
        workDir,
        cache: createDiskCache(cacheDir, { maxBytes: 1e9 }),
        assets: urls(`${server.origin}/a.jpg`, 'b.jpg', 'c.jpg'),
        signal: controller.signal,
      });
      await expect(result).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
      expect(readdirSync(workDir).filter((name) => name.startsWith('source-'))).toEqual([]);
      for (const where of [workDir, cacheDir]) {
        const left = existsSync(where) ? readdirSync(where, { recursive: true }) : [];
        expect(left.filter((name) => String(name).endsWith('.tmp'))).toEqual([]);
      }
    } finally {
      await server.close();
    }
  });

  it('says so when its own folder cannot be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    await expect(prepare({ workDir: join(file, 'work') })).rejects.toMatchObject({
      code: 'store_unwritable',
    });
  });

  it('does not load sharp into the main process', async () => {
    const { execFileSync } = await import('node:child_process');
    const entry = new URL('../../../src/media/assets/prepare-assets.ts', import.meta.url).href;
    const script = `await import(${JSON.stringify(entry)});
      const { createRequire } = await import('node:module');
      const loaded = Object.keys(createRequire(import.meta.url).cache).concat(process.report.getReport().sharedObjects);
      process.stdout.write(String(loaded.some((name) => /sharp|libvips/.test(name))));`;
    const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      encoding: 'utf8',
    });
    expect(output).toBe('false');
  });
});
