/** What a cache contains, kind by kind, and how people clear it. */
import { CACHE_KINDS, PROGRAM_KIND } from './cache-entry.ts';
import { removeEntries } from './remove-entries.ts';
import { readEntries, type ScannedEntry } from './scan-cache.ts';

export interface CacheShare {
  readonly entries: number;
  readonly sizeBytes: number;
  /** The part that runs use now. */
  readonly heldBytes: number;
  /** Time of the last use of the entry that was not used for longest, ms since the epoch; null without entries. */
  readonly oldestUseMs: number | null;
}

export interface CacheUsage extends CacheShare {
  readonly kinds: readonly (CacheShare & { readonly kind: string })[];
}

/** Reads the usage of the cache at `root`, which need not exist. */
export async function readCacheUsage(root: string, nowMs: number): Promise<CacheUsage> {
  const entries = await readEntries(root, nowMs);
  const found = new Set(entries.map(({ kind }) => kind));
  const kinds = [...new Set([...CACHE_KINDS, ...[...found].sort()])];
  return {
    ...shareOf(entries),
    kinds: kinds.map((kind) => ({ kind, ...shareOf(entries.filter((entry) => entry.kind === kind)) })),
  };
}

export interface Clearing {
  readonly removedEntries: number;
  readonly freedBytes: number;
  /** Of the entries that runs use: they stay. */
  readonly heldBytes: number;
}

export interface ClearOptions {
  /** Kinds to clear; absent: all but the copy of ffmpeg. */
  readonly kinds?: readonly string[];
  /** Removes nothing. */
  readonly isDryRun: boolean;
  readonly nowMs: number;
}

export async function clearCache(root: string, { kinds, isDryRun, nowMs }: ClearOptions): Promise<Clearing> {
  const isChosen = ({ kind }: ScannedEntry) => kinds?.includes(kind) ?? kind !== PROGRAM_KIND;
  const entries = (await readEntries(root, nowMs)).filter(isChosen);
  const { heldBytes } = shareOf(entries);
  const free = entries.filter(({ isHeld }) => !isHeld);
  if (!isDryRun) return { ...(await removeEntries(free)), heldBytes };
  return { removedEntries: free.length, freedBytes: shareOf(free).sizeBytes, heldBytes };
}

function shareOf(entries: readonly ScannedEntry[]): CacheShare {
  const share = { entries: 0, sizeBytes: 0, heldBytes: 0, oldestUseMs: null as number | null };
  for (const { sizeBytes, usedMs, isHeld } of entries) {
    share.entries += 1;
    share.sizeBytes += sizeBytes;
    if (isHeld) share.heldBytes += sizeBytes;
    if (usedMs > 0) share.oldestUseMs = Math.min(usedMs, share.oldestUseMs ?? usedMs);
  }
  return share;
}
