/**
 * Keeps manifest.json current while a batch runs, so that a killed run leaves a true one. Commands that share an output
 * folder share the file: each write merges under a lock.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../platform/disk/atomic-write.ts';
import { livenessOf, type ProcessIdentity, systemProbe } from '../../../platform/disk/process-identity.ts';
import { formatTimestamp } from '../../../video/publish/report.ts';
import { openFolderWhenFree } from '../../../video/publish/wait-for-folder.ts';
import { usageError } from '../../cli-error.ts';
import type { CommandRun } from '../../command-run.ts';
import type { ListingResult } from '../../listings/listing-result.ts';
import { type Manifest, type ManifestEntry, manifestName, toManifest, toManifestEntry } from './manifest.ts';
import { isState, mergeManifest } from './merge-manifest.ts';
import { unwritable } from '../prepare-file.ts';
import type { Shard } from '../shard.ts';

/** That of 100,000 listings takes 100 MB. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** Holds the lock while it exists. */
const LOCK_FOLDER = '.manifest';
/** A process that was suspended can hold the lock for hours. */
const MAX_WAIT_MS = 10_000;
/** Time between two writes, at least. */
const MIN_PAUSE_MS = 200;
/** With many listings a write takes longer. It gets one part in so many of the time. */
const PAUSE_PER_WRITE = 10;

export interface LiveManifestOptions {
  /** Absolute folder of all results. */
  readonly out: string;
  readonly shard: Shard | null;
  readonly startedMs: number;
}

export interface LiveManifest {
  /** Absolute. */
  readonly file: string;
  /** A listing has started or ended. It is written soon. */
  change(index: number, result: ListingResult | 'running'): void;
  /**
   * Writes the final state, durably.
   *
   * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
   */
  finish(
    results: readonly ListingResult[],
    exitCode: number,
    error?: { readonly code: string; readonly message: string },
  ): Promise<void>;
}

/** Writes the manifest with all listings PENDING. A fault of the file shows when the run finishes. */
export async function startManifest(
  run: CommandRun,
  listings: readonly ListingResult[],
  { out, shard, startedMs }: LiveManifestOptions,
): Promise<LiveManifest> {
  const file = path.join(out, manifestName(shard));
  const id = randomUUID();
  const own = {
    ...{ id, process: systemProbe().self, started_at: formatTimestamp(new Date(startedMs)) },
    ...{ ended_at: null, exit_code: null, error: null },
  };
  const toEntry = (result: ListingResult): ManifestEntry =>
    toManifestEntry(result, { runId: id, out, ...(result.kind === 'ready' ? { state: 'PENDING' } : {}) });
  const entries = listings.map(toEntry);
  const write = async (ended: object, isDurable: boolean): Promise<void> => {
    const now = new Date(run.host.nowMs());
    const lock = await openFolderWhenFree(path.join(out, LOCK_FOLDER), null, {
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      onWait: () => {},
    });
    try {
      const part = { run: { ...own, ...ended }, listings: entries };
      const merged = mergeManifest(await readManifest(file), part, (other) => {
        return livenessOf(other.process, systemProbe()) === 'alive';
      });
      const manifest = toManifest({ generator: `listing-video ${run.host.version}`, now, shard, ...merged });
      await writeFileAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`, { durable: isDurable });
    } finally {
      await lock.close();
    }
  };
  const writer = createSlowWriter(() => write({}, false));
  await writer.writeNow();
  return {
    file,
    change(index, result) {
      const before = entries[index];
      if (before === undefined) return;
      entries[index] = result === 'running' ? { ...before, state: 'RUNNING' } : toEntry(result);
      writer.schedule();
    },
    async finish(results, exitCode, error) {
      await writer.stop();
      for (const [index, result] of results.entries())
        entries[index] = toManifestEntry(result, { runId: id, out });
      const endedAt = formatTimestamp(new Date(run.host.nowMs()));
      try {
        await write({ ended_at: endedAt, exit_code: exitCode, error: error ?? null }, true);
      } catch (cause) {
        throw unwritable(file, cause);
      }
    },
  };
}

/** Writes after a change, one write at a time, with a pause after each. */
function createSlowWriter(write: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let isChanged = false;
  const writeNow = async (): Promise<void> => {
    isChanged = false;
    const startedMs = performance.now();
    // The next write can succeed, and the last one reports its fault.
    running = write().catch(() => {});
    await running;
    running = null;
    const pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_PER_WRITE * (performance.now() - startedMs));
    if (isStopped) return;
    timer = setTimeout(() => {
      timer = null;
      if (isChanged) void writeNow();
    }, pauseMs).unref();
  };
  return {
    writeNow,
    schedule(): void {
      isChanged = true;
      if (timer === null && running === null && !isStopped) void writeNow();
    },
    async stop(): Promise<void> {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

/** The manifest in place; null when it is absent, damaged, of an earlier version or not ours. */
export async function readManifest(file: string): Promise<Pick<Manifest, 'runs' | 'listings'> | null> {
  const { runs, listings } = (await readDocument(file)) ?? {};
  const isReadable =
    Array.isArray(runs) &&
    Array.isArray(listings) &&
    runs.every((run) => typeof run?.id === 'string' && isIdentity(run.process)) &&
    listings.every((entry) => typeof entry?.listing_file === 'string' && isState(entry.state));
  return isReadable ? { runs, listings } : null;
}

/** @throws ListingVideoError `usage` for a file with content that no version of this program wrote: a web app has one of this name. */
export async function requireOwnManifest(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size === 0) return;
  const { generator } = (await readDocument(file)) ?? {};
  if (typeof generator === 'string' && generator.startsWith('listing-video ')) return;
  throw usageError(
    `${file} is not a manifest of listing-video, or cannot be read`,
    'choose another folder with --out, or move the file away',
  );
}

/** Anything can have the name: a named pipe would hold up the command for ever. */
async function readDocument(file: string): Promise<Partial<Record<keyof Manifest, unknown>> | null> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > MAX_MANIFEST_BYTES) return null;
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

function isIdentity(found: Partial<ProcessIdentity> | null | undefined): boolean {
  return typeof found?.pid === 'number' && typeof found.boot === 'string';
}
