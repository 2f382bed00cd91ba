/**
 * Decides what leaves a full cache. Pure, and the same in every process, so that two that make room remove the same
 * entries.
 */
import { type CacheEntry, costPerByte, PROGRAM_KIND } from './cache-entry.ts';

/** Added to every age, so that of two entries that were just used the cheaper one goes. */
const MIN_AGE_MS = 60_000;

/**
 * The entries that are worth least, `bytes` of them: those of the largest age per cost of a byte. A segment costs 40
 * times as much as a photo of the same size, so it stays 40 times as long after its last use.
 *
 * It is the same whether a run holds an entry or not: the photos of a run are removed when it ends, and until then
 * nothing of more worth is removed in their place.
 *
 * A copy of ffmpeg stays: a run cannot go on without it.
 *
 * @returns In the order of their removal; none of them is needless.
 */
export function chooseEvictions<Entry extends CacheEntry>(
  entries: readonly Entry[],
  bytes: number,
  nowMs: number,
): Entry[] {
  const ranked = entries
    .filter(({ kind }) => kind !== PROGRAM_KIND)
    .map((entry) => ({ entry, rank: rankOf(entry, nowMs) }))
    .sort((a, b) => b.rank - a.rank || compareNames(a.entry, b.entry));
  const chosen: Entry[] = [];
  let freedBytes = 0;
  for (const { entry } of ranked) {
    if (freedBytes >= bytes) break;
    chosen.push(entry);
    freedBytes += entry.sizeBytes;
  }
  // The last one can be large enough to make some of those before it needless.
  return chosen.filter((entry) => {
    const isNeedless = freedBytes - entry.sizeBytes >= bytes;
    if (isNeedless) freedBytes -= entry.sizeBytes;
    return !isNeedless;
  });
}

/** A time of use in the future comes from a wrong clock and counts as now. */
function rankOf({ kind, usedMs }: CacheEntry, nowMs: number): number {
  return (Math.max(0, nowMs - usedMs) + MIN_AGE_MS) / costPerByte(kind);
}

function compareNames(a: CacheEntry, b: CacheEntry): number {
  const [left, right] = [`${a.kind}/${a.key}`, `${b.kind}/${b.key}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
