import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clearCache, readCacheUsage } from '../../../../src/platform/disk/cache/cache-usage.ts';
import { aCache } from './a-cache.ts';

it('the usage names every kind, with its size, what runs hold of it and its oldest use', async () => {
  const { root, cache, hold, add, time } = await aCache();
  const startMs = time();
  await add('photos', 'a.yuv', Buffer.alloc(600));
  await cache.putBytes('photos', 'a.json', Buffer.alloc(10));
  await add('photos', 'b.yuv', Buffer.alloc(600));
  await hold('segments', 'c.segment', Buffer.alloc(50));
  const { kinds, ...all } = await readCacheUsage(root, time());
  expect(all).toMatchObject({ entries: 3, sizeBytes: 1260, heldBytes: 50 });
  expect(all.oldestUseMs).toBeGreaterThan(startMs);
  expect(all.oldestUseMs).toBeLessThanOrEqual(time());
  expect(
    kinds.map(({ kind, entries, sizeBytes, heldBytes }) => [kind, entries, sizeBytes, heldBytes]),
  ).toEqual([
    ['photos', 2, 1210, 0],
    ['segments', 1, 50, 50],
    ['audio', 0, 0, 0],
    ['stills', 0, 0, 0],
    ['posters', 0, 0, 0],
    ['previews', 0, 0, 0],
    ['storyboards', 0, 0, 0],
  ]);
  expect(kinds[2]!.oldestUseMs).toBeNull();
});

it('clearing takes the chosen kinds, says what it freed, and leaves what runs hold', async () => {
  const { root, hold, add, names, time, job } = await aCache();
  const clear = (isDryRun: boolean, kinds?: string[]) =>
    clearCache(root, { isDryRun, nowMs: time(), ...(kinds ? { kinds } : {}) });
  await add('photos', 'a.yuv', Buffer.alloc(600));
  await add('stills', 'b', Buffer.alloc(60));
  await hold('segments', 'c.segment', Buffer.alloc(50));
  const photos = { removedEntries: 1, freedBytes: 600, heldBytes: 0 };
  expect(await clear(true, ['photos'])).toEqual(photos);
  expect(names('photos')).toEqual(['a.yuv']);
  expect(await clear(false, ['photos'])).toEqual(photos);
  expect([names('photos'), names('stills')]).toEqual([[], ['b']]);
  expect(await clear(false)).toEqual({ removedEntries: 1, freedBytes: 60, heldBytes: 50 });
  await rm(join(job, 'made-segments-c.segment'));
  expect(await clear(false)).toEqual({ removedEntries: 1, freedBytes: 50, heldBytes: 0 });
});

it('a cache that is not there is empty', async () => {
  const { root, time } = await aCache();
  expect(await readCacheUsage(root, time())).toMatchObject({ entries: 0, sizeBytes: 0, oldestUseMs: null });
  expect(await clearCache(root, { isDryRun: false, nowMs: time() })).toEqual({
    removedEntries: 0,
    freedBytes: 0,
    heldBytes: 0,
  });
});
