import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CACHE_KINDS,
  type CacheEntry,
  costPerByte,
} from '../../../../src/platform/disk/cache/cache-entry.ts';
import { chooseEvictions } from '../../../../src/platform/disk/cache/choose-evictions.ts';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

let keys = 0;
const entry = (kind: string, sizeBytes: number, ageMs: number): CacheEntry => {
  keys += 1;
  return { kind, key: `k${String(keys).padStart(6, '0')}`, sizeBytes, usedMs: NOW - ageMs, isHeld: false };
};

const entries = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom(...CACHE_KINDS, 'of-another-version'),
    key: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }),
    sizeBytes: fc.nat(10_000_000),
    usedMs: fc.integer({ min: -1e9, max: 1e10 }).map((ageMs) => NOW - ageMs),
    isHeld: fc.boolean(),
  }),
  { selector: ({ kind, key }) => `${kind}/${key}`, maxLength: 40 },
);
const bytes = fc.integer({ min: -1000, max: 100_000_000 });

const sum = (list: readonly CacheEntry[]) => list.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

describe('what leaves the cache', () => {
  it('is as much as was asked when there is that much, and no entry of it is needless', () => {
    fc.assert(
      fc.property(entries, bytes, (all, asked) => {
        const chosen = chooseEvictions(all, asked, NOW);
        expect(sum(chosen)).toBeGreaterThanOrEqual(Math.min(asked, sum(all)));
        if (sum(all) >= asked)
          for (const one of chosen) expect(sum(chosen) - one.sizeBytes).toBeLessThan(asked);
      }),
    );
  });

  it('is the same in every process, whatever the order in which the disk names the entries', () => {
    fc.assert(
      fc.property(entries, bytes, fc.gen(), (all, asked, gen) => {
        const shuffled = gen(fc.shuffledSubarray, all, { minLength: all.length });
        expect(chooseEvictions(shuffled, asked, NOW)).toEqual(chooseEvictions(all, asked, NOW));
      }),
    );
  });

  it('goes before everything of its kind and size that was used later', () => {
    fc.assert(
      fc.property(entries, bytes, (all, asked) => {
        const sameSize = all.map((one) => ({ ...one, sizeBytes: 1000 }));
        const chosen = new Set(chooseEvictions(sameSize, asked, NOW));
        const kept = sameSize.filter((one) => !chosen.has(one));
        for (const one of chosen)
          for (const other of kept.filter(({ kind }) => kind === one.kind))
            expect(Math.min(one.usedMs, NOW)).toBeLessThanOrEqual(Math.min(other.usedMs, NOW));
      }),
    );
  });

  it('is what costs least to make again, of entries that were used together', () => {
    const photo = entry('photos', 5_000_000, MINUTE);
    const segment = entry('segments', 5_000_000, 2 * MINUTE);
    expect(chooseEvictions([segment, photo], 1, NOW)).toEqual([photo]);
  });

  it('does not depend on what runs hold, so that nothing of more worth leaves in its place', () => {
    fc.assert(
      fc.property(entries, bytes, (all, asked) => {
        const keys = (list: readonly CacheEntry[]) =>
          chooseEvictions(list, asked, NOW).map(({ kind, key }) => `${kind}/${key}`);
        expect(keys(all)).toEqual(keys(all.map((one) => ({ ...one, isHeld: !one.isHeld }))));
      }),
    );
  });

  it('is a segment too, once it was not used for much longer than the photos', () => {
    const ratio = costPerByte('segments') / costPerByte('photos');
    const photo = entry('photos', 5_000_000, 60 * MINUTE);
    const [young, old] = [0.9, 1.2].map((part) => entry('segments', 5_000_000, part * ratio * 60 * MINUTE));
    expect(chooseEvictions([photo, young!], 1, NOW)).toEqual([photo]);
    expect(chooseEvictions([photo, old!], 1, NOW)).toEqual([old]);
  });

  it('is no small entry when the large one behind it is enough', () => {
    const [small, large] = [entry('photos', 1000, 3 * MINUTE), entry('photos', 5000, 2 * MINUTE)];
    expect(chooseEvictions([small, large], 5000, NOW)).toEqual([large]);
    expect(chooseEvictions([small, large], 1000, NOW)).toEqual([small]);
  });
});
