/**
 * Keeps manifest.json current while a batch runs, so that a killed run leaves a true one. Commands that share an
 * output folder share the file: each write merges under a lock.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../../platform/disk/atomic-write.ts';
import { livenessOf, type ProcessIdentity, systemProbe } from '../../../platform/disk/process-identity.ts';
import { openFolderWhenFree } from '../../../video/publish/output-folder.ts';
import { formatTimestamp } from '../../../video/publish/report.ts';
import { usageError } from '../../cli-error.ts';
import type { ListingResult } from '../../listings/listing-result.ts';
import type { CreateDeps, CreateRequest } from '../create-request.ts';
import { unwritable } from '../output-files.ts';
import {
  type Manifest,
  type ManifestEntry,
  type ManifestRun,
  manifestName,
  toManifest,
  toManifestEntry,
} from './manifest.ts';
import { isState, mergeManifest } from './merge-manifest.ts';
import type { Batch, Reporter } from './reporter.ts';

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

/** Of a batch only. @throws ListingVideoError `usage` at the start for a manifest.json of somebody else. */
export function manifestReporter(
  { settings: { out }, outputs: { shard } }: CreateRequest,
  deps: CreateDeps,
): Reporter {
  const file = path.join(out, manifestName(shard));
  const runId = randomUUID();
  let entries: ManifestEntry[] = [];
  let ended: Pick<ManifestRun, 'ended_at' | 'exit_code' | 'error'> = NOT_ENDED;
  let startedAt = '';
  const now = (): string => formatTimestamp(new Date(deps.nowMs()));
  const toEntry = (result: ListingResult, state?: 'PENDING'): ManifestEntry =>
    toManifestEntry(result, { runId, out, ...(result.kind === 'ready' && state ? { state } : {}) });
  const write = async (isDurable: boolean): Promise<void> => {
    const run = { id: runId, process: systemProbe().self, started_at: startedAt, ...ended };
    const generator = `listing-video ${deps.version}`;
    await lockedIn(out, async () => {
      const merged = mergeManifest(await readManifest(file), { run, listings: entries }, (other) => {
        return livenessOf(other.process, systemProbe()) === 'alive';
      });
      const manifest = toManifest(merged, shard, { generator, updated_at: now() });
      await writeFileAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`, { durable: isDurable });
    });
  };
  const writer = createSlowWriter(() => write(false));
  const start = async ({ listings, isBatch }: Batch): Promise<void> => {
    if (!isBatch) return;
    await requireOwnManifest(file);
    startedAt = now();
    entries = listings.map((result) => toEntry(result, 'PENDING'));
    // A fault of the file shows when the run finishes.
    await writer.writeNow();
  };
  return {
    file,
    start,
    change(change) {
      const before = entries[change.index];
      if (before === undefined) return;
      if (change.kind === 'started') entries[change.index] = { ...before, state: 'RUNNING' };
      else if (change.kind === 'postponed') entries[change.index] = toEntry(change.listing, 'PENDING');
      else if (change.kind === 'ended') entries[change.index] = toEntry(change.result);
      else return;
      writer.schedule();
    },
    async finish(end) {
      // What ends a batch before its first listing is in the manifest too, instead of the last run's results.
      if (startedAt === '') await start(end);
      if (startedAt === '') return;
      await writer.stop();
      entries = end.listings.map((result) => toEntry(result));
      const { code = '', message = '' } = end.error ?? {};
      ended = { ended_at: now(), exit_code: end.exitCode, error: end.error && { code, message } };
      await write(true).catch((cause: unknown) => {
        throw unwritable(file, cause);
      });
      if (end.isComplete) deps.printer.info(`manifest: ${file}`);
    },
  };
}

const NOT_ENDED = { ended_at: null, exit_code: null, error: null };

/** Works while no other command changes a manifest of this folder. */
async function lockedIn(out: string, work: () => Promise<void>): Promise<void> {
  const lock = await openFolderWhenFree(path.join(out, LOCK_FOLDER), null, {
    signal: AbortSignal.timeout(MAX_WAIT_MS),
    onWait: () => {},
  });
  await work().finally(() => lock.close());
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

/** @throws ListingVideoError `usage` for a file that this program did not write: a web app has one of this name. */
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
