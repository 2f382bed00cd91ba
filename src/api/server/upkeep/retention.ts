/**
 * Removes old tasks of the API with their files, and old entries of ledgers.
 *
 * A folder of files is removed only together with its task. Without the record nothing says whether the files are
 * old: the folder `tasks/` can be missing because a disk is not mounted.
 */

import { readJsonDocument, writeDocument } from '../../../platform/disk/json-document.ts';
import { ListingVideoError, nullOn } from '../../../platform/errors.ts';
import type { AccountStore } from '../../../task/accounts/account-store.ts';
import { taskIdTimeMs } from '../../../task/task-id.ts';
import type { StoreWarning, TaskStore } from '../../../task/task-store.ts';
import type { FileStorage } from '../../../video/publish/file-storage.ts';
import type { Uploads } from '../../../video/uploads/open-uploads.ts';
import { decideSweep, type SweepRecord } from './sweep-clock.ts';

export interface RetentionDeps {
  readonly store: Pick<TaskStore, 'list' | 'prune'>;
  readonly files: Pick<FileStorage, 'remove'>;
  readonly uploads: Pick<Uploads, 'release'> | null;
  readonly accounts: Pick<AccountStore, 'prune'>;
  /** Absolute path of `sweep.json` in the data folder. */
  readonly sweepFile: string;
}

export interface Sweep {
  readonly tasks: number;
  /** Settled entries of ledgers. */
  readonly ledgers: number;
  /** Tasks that cannot be read or removed. */
  readonly warnings: readonly StoreWarning[];
}

export interface SweepOptions {
  readonly keepMs: number;
  readonly nowMs: number;
  /** Checked between two tasks. */
  readonly isStopped: () => boolean;
}

/**
 * Removes what ended longer ago than `keepMs`. Tasks of the command line stay.
 *
 * @returns The reason if it removed nothing because the clock jumped.
 */
export async function sweepOld(
  { store, files, uploads, accounts, sweepFile }: RetentionDeps,
  { keepMs, nowMs, isStopped }: SweepOptions,
): Promise<Sweep | { readonly refusal: string }> {
  const refusal = await refuseSweep(sweepFile, { nowMs, keepMs, newestMs: () => newestTaskMs(store) });
  if (refusal !== null) return { refusal };
  const olderThanMs = nowMs - keepMs;
  let isStorageAway = false;
  const { removed, warnings } = await store.prune({
    olderThanMs,
    states: ['SUCCEEDED', 'FAILED'],
    origin: 'api',
    isStopped: () => isStopped() || isStorageAway,
    // The files go first: after a crash the record is left, and the next sweep removes it.
    beforeRemove: async ({ id, organizationId }) => {
      if (organizationId === null) return;
      await files.remove({ organizationId, taskId: id }).catch((error: unknown) => {
        // The next sweep goes on. Each task would wait for the bucket.
        isStorageAway = error instanceof ListingVideoError && error.code === 'storage_unavailable';
        throw error;
      });
      await uploads?.release(organizationId, id);
    },
  });
  return { tasks: removed.length, ledgers: await accounts.prune({ olderThanMs }), warnings };
}

export interface UploadRetentionDeps {
  readonly uploads: Pick<Uploads, 'hasAny' | 'sweep' | 'keepMs'>;
  readonly store: Pick<TaskStore, 'get' | 'list'>;
  /** Absolute path of the file that keeps the time of the last sweep of uploads. */
  readonly sweepFile: string;
}

/**
 * Removes uploads that are older than a day and that no task can still use. While no task at all is stored, the
 * uploads that tasks hold stay: the tasks can be lost for a while.
 *
 * @param nowMs - Milliseconds since 1970.
 * @returns Their number, or the reason if it removed nothing because the clock jumped.
 */
export async function sweepUploads(
  { uploads, store, sweepFile }: UploadRetentionDeps,
  nowMs: number,
): Promise<number | { readonly refusal: string }> {
  if (!(await uploads.hasAny())) return 0;
  const refusal = await refuseSweep(sweepFile, {
    nowMs,
    keepMs: uploads.keepMs,
    newestMs: async () => null,
  });
  if (refusal !== null) return { refusal };
  const hasTasks = (await newestTaskMs(store)) !== null;
  return uploads.sweep({
    nowMs,
    isOver: async (id) => {
      const task = await store.get(id).catch(nullOn('task_not_found'));
      if (task === null) return hasTasks ? null : false;
      return task.state === 'SUCCEEDED';
    },
  });
}

/** Why nothing can be removed now, because the clock jumped; null if it can. Keeps the time for the next sweep. */
async function refuseSweep(
  file: string,
  { nowMs, keepMs, newestMs }: { nowMs: number; keepMs: number; newestMs: () => Promise<number | null> },
): Promise<string | null> {
  const last = await readSweep(file);
  const { record, refusal } = decideSweep(last, last === null ? await newestMs() : null, nowMs, keepMs);
  await writeDocument(file, record, { durable: false });
  return refusal;
}

/** Null at the first sweep, or if the file is damaged. */
async function readSweep(path: string): Promise<SweepRecord | null> {
  const value = await readJsonDocument(path).catch(nullOn('store_corrupt'));
  const { seenMs, holdUntilMs }: { seenMs?: unknown; holdUntilMs?: unknown } = value ?? {};
  if (typeof seenMs !== 'number') return null;
  return { seenMs, holdUntilMs: typeof holdUntilMs === 'number' ? holdUntilMs : null };
}

async function newestTaskMs(store: Pick<TaskStore, 'list'>): Promise<number | null> {
  const [newest] = (await store.list({ limit: 1 })).data;
  return newest === undefined ? null : Math.max(taskIdTimeMs(newest.id), Date.parse(newest.updatedAt));
}
