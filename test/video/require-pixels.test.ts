/** Photos from the cache are checked before their pixels are used, and a damaged one is made again. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { renderPoolWhenNeeded } from '../../src/video/make/render-pool-when-needed.ts';
import { openRun, type Run } from '../../src/video/open-run.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const FIXTURE = path.resolve('fixtures/small/photos');

/** Runs of one listing over one cache. */
function createWorld() {
  const home = temporaryFolder();
  const photos = path.join(home, 'photos');
  cpSync(FIXTURE, photos, { recursive: true });
  const cacheDir = path.join(home, 'cache');
  const deps = {
    ...{ home, concurrency: 1, renderThreads: 1, templatesDirs: [], generator: 'listing-video test' },
    cache: createDiskCache(cacheDir, { maxBytes: 1e9 }),
    addressPolicy: { allowPrivate: false, allowFrom: [] },
    findFfmpeg: () => Promise.reject(new Error('no ffmpeg is needed')),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  } satisfies RenderDeps;
  const assets = readdirSync(photos).map((url) => ({ url }));
  const listing = { id: 'one', assets, agents: [{ id: 'ann', first_name: 'Ann', last_name: 'Lee' }] };
  const options = { templateId: 'classic', quality: 'draft', minAssets: 0, force: false } as const;
  const masters = () =>
    readdirSync(path.join(cacheDir, 'photos'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.yuv~'))
      .map((name) => path.join(cacheDir, 'photos', name));
  return {
    photos,
    masters,
    open: () =>
      openRun({ listing, baseDir: photos, options }, deps, {
        signal: new AbortController().signal,
        onAssets: () => undefined,
      }),
    damage() {
      const [file] = masters() as [string];
      writeFileSync(file, Buffer.from(readFileSync(file)).fill(0, 4096, 8192));
    },
  };
}

const pixelsOf = (run: Run) => run.assets.photos.map(({ masterPath }) => readFileSync(masterPath));

it('reads no photo of the cache until a frame is drawn, and then decodes a damaged one again', async () => {
  const { open, damage } = createWorld();
  const first = await open();
  const pixels = pixelsOf(first);
  await first.close();
  damage();
  const second = await open();
  expect(second.assets.decodedCount).toBe(0);
  expect(pixelsOf(second)).not.toEqual(pixels);
  await Promise.all([second.requirePixels(), second.requirePixels()]);
  expect(pixelsOf(second)).toEqual(pixels);
  await second.close();
});

it('names a damaged photo whose file has gone meanwhile', async () => {
  const { open, damage, photos } = createWorld();
  await (await open()).close();
  damage();
  const run = await open();
  rmSync(photos, { recursive: true });
  await expect(run.requirePixels()).rejects.toMatchObject({
    code: 'render_failed',
    message: expect.stringMatching(
      /^the cached copy of \S+\.jpg is damaged, and the file cannot be read again: unreachable/,
    ),
  });
  await run.close();
});

it('leaves the cache as it is when the run ends while its photos are checked', async () => {
  const { open, masters } = createWorld();
  const first = await open();
  await first.close();
  const before = masters();
  const run = await open();
  const pool = renderPoolWhenNeeded({ prepare: run.requirePixels, threads: 1 });
  const stills = pool.renderStills({} as never);
  // As a run that failed elsewhere: nobody waits for the frame.
  const ended = expect(stills).rejects.toThrow();
  await pool.close();
  await run.close();
  await ended;
  expect(masters()).toEqual(before);
  expect(existsSync(run.workDir)).toBe(false);
});

it('takes a photo that cannot be read for absent, and keeps its entry', async () => {
  const { open, masters } = createWorld();
  await (await open()).close();
  const before = masters();
  const run = await open();
  rmSync(run.workDir, { recursive: true });
  expect(await run.assets.areMastersIntact()).toBe(false);
  expect(masters()).toEqual(before);
  await run.close();
});
