/** Photos from the cache are checked before their pixels are used, and a damaged one is made again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createDiskCache } from '../../src/disk/cache/disk-cache.ts';
import { openRun } from '../../src/video/open-run.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const PHOTOS = path.resolve('fixtures/small/photos');

it('reads no photo of the cache until a frame is drawn, and then decodes a damaged one again', async () => {
  const home = temporaryFolder();
  const cacheDir = path.join(home, 'cache');
  const deps = {
    ...{ home, concurrency: 1, renderThreads: 1, templatesDirs: [], generator: 'listing-video test' },
    cache: createDiskCache(cacheDir, { maxBytes: 1e9 }),
    addressPolicy: { allowPrivate: false, allowFrom: [] },
    findFfmpeg: () => Promise.reject(new Error('no ffmpeg is needed')),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  } satisfies RenderDeps;
  const assets = readdirSync(PHOTOS).map((url) => ({ url }));
  const listing = { id: 'one', assets, agents: [{ id: 'ann', first_name: 'Ann', last_name: 'Lee' }] };
  const options = { templateId: 'classic', quality: 'draft', minAssets: 0, force: false } as const;
  const open = () =>
    openRun({ listing, baseDir: PHOTOS, options }, deps, {
      signal: new AbortController().signal,
      onAssets: () => undefined,
    });
  const first = await open();
  const pixels = first.assets.photos.map(({ masterPath }) => readFileSync(masterPath));
  await first.close();
  const masters = readdirSync(path.join(cacheDir, 'photos'), { recursive: true, encoding: 'utf8' });
  const damaged = path.join(cacheDir, 'photos', masters.find((name) => name.includes('.yuv~'))!);
  writeFileSync(damaged, Buffer.from(readFileSync(damaged)).fill(0, 4096, 8192));

  const second = await open();
  const read = () => second.assets.photos.map(({ masterPath }) => readFileSync(masterPath));
  expect(second.assets.decodedCount).toBe(0);
  expect(read()).not.toEqual(pixels);
  await Promise.all([second.requirePixels(), second.requirePixels()]);
  expect(read()).toEqual(pixels);
  await second.close();
});
