/** The cache in a bucket is bounded by age and by size, and nothing else in the bucket is touched. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { pruneCache } from '../../../src/video/bucket/prune-cache.ts';
import { describeWithBucket } from './test-bucket.ts';

const ALL = { maxBytes: Number.POSITIVE_INFINITY, isDryRun: false, signal: new AbortController().signal };

describeWithBucket('the cache in a bucket', (server) => {
  it('loses its old entries, and the results stay', async () => {
    const bucket = server.open();
    const keys = ['cache/segments/a', 'cache/photos/b', 'cachet/c', 'files/org_a/d', 'ready'];
    for (const key of keys)
      await bucket.put({ key, sizeBytes: 4, open: () => Readable.from([Buffer.from('text')]) });
    const hourMs = 3_600_000;
    const before = { ...ALL, olderThanMs: Date.now() - hourMs };
    expect(await pruneCache(bucket, before)).toEqual({ removed: 0, freedBytes: 0, kept: 2, keptBytes: 8 });
    const after = { ...ALL, olderThanMs: Date.now() + hourMs };
    const freed = { removed: 2, freedBytes: 8, kept: 0, keptBytes: 0 };
    expect(await pruneCache(bucket, { ...after, isDryRun: true })).toEqual(freed);
    expect((await bucket.list('cache/')).length).toBe(2);
    expect(await pruneCache(bucket, after)).toEqual(freed);
    expect((await bucket.list('')).sort()).toEqual(['cachet/c', 'files/org_a/d', 'ready']);
  });
});

it('the oldest entries go until the rest fits', async () => {
  const removed: string[] = [];
  const bucket = {
    async *walk() {
      for (const storedAtMs of [50, 10, 40, 20, 30])
        yield { key: `cache/${storedAtMs}`, sizeBytes: 100, storedAtMs };
    },
    remove: async (key: string) => void removed.push(key),
  };
  expect(await pruneCache(bucket, { ...ALL, olderThanMs: 15, maxBytes: 250 })).toEqual({
    ...{ removed: 3, freedBytes: 300, kept: 2, keptBytes: 200 },
  });
  expect(removed.sort()).toEqual(['cache/10', 'cache/20', 'cache/30']);
});
