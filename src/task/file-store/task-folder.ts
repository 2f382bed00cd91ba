/**
 * The folder of a task, `tasks/<shard>/<id>/`: reads the record and its claims, and changes them.
 *
 * A change has three steps: write and flush the next record to a temporary file, create claim k+1, rename the record into
 * place. The claim decides: of all processes that saw claim k as the highest, exactly one can create claim k+1. A process
 * that takes over an unfinished change ends it first, see `unfinished-change.ts`.
 */

import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, isAbsent, toStoreError } from '../../platform/disk/disk-error.ts';
import { exists, flushFolder, makeFolder, namesIn } from '../../platform/disk/folder.ts';
import { MAX_DOCUMENT_BYTES, writeDocument } from '../../platform/disk/json-document.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { JsonValue, TaskRecord } from '../task.ts';
import { isTaskId, shardOf, taskNotFound } from '../task-id.ts';
import { type Deciding, type Holder, holderOf, type TaskSnapshot } from '../task-moves.ts';
import { stateConflict } from '../task-transition.ts';
import { createClaim, readClaim, readFolderClaims, readProgress, retractClaim } from './claim-files.ts';
import { keepPayload, placePayload, readPayload } from './payload-file.ts';
import type { FoundRecord, RecordIdentity, RecordReader, TaskListCache } from './task-list-cache.ts';
import { readTaskRecord, type Summarize, storeCorrupt, toRecordDocument } from './task-record.ts';
import { endUnfinishedChanges, recordTag, removalPath } from './unfinished-change.ts';

/** Every removal has succeeded or failed long before this. */
const REMOVAL_MS = 3_600_000;

export interface TaskFoldersOptions {
  readonly home: string;
  /** Returns this process and the current time. */
  readonly deciding: () => Deciding;
  readonly durable: boolean;
  readonly summarize: Summarize;
}

/** The folders of all tasks. */
export class TaskFolders {
  readonly #options: TaskFoldersOptions;
  readonly #reader: RecordReader = {
    identify: (id) => identifyFile(join(this.path(id), 'task.json')),
    read: (id) => this.#readRecord(id),
  };

  constructor(options: TaskFoldersOptions) {
    this.#options = options;
  }

  /** Folder of a task. It can be missing. */
  path(id: string): string {
    return join(this.#options.home, 'tasks', shardOf(id), id);
  }

  /** The ids of all tasks. It reads every folder, so it is only for rebuilding markers. */
  async *ids(): AsyncGenerator<string, void> {
    const root = join(this.#options.home, 'tasks');
    for (const shard of await namesIn(root)) {
      for (const name of await namesIn(join(root, shard))) if (isTaskId(name)) yield name;
    }
  }

  /** Stores a new record and its payload durably. @throws `task_state_conflict` when the id is used. */
  async create(task: TaskRecord, payload: JsonValue): Promise<void> {
    const folder = this.path(task.id);
    try {
      await this.#makeNew(folder);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') throw stateConflict(task, 'a task with this id exists');
      throw toStoreError(error, folder);
    }
    const { durable } = this.#options;
    // In parallel, so that the disk commits all at once and concurrent creations share the flush of their shard.
    const place = placePayload(payload);
    const payloadWritten = place.write(folder, durable);
    const results = await Promise.allSettled([
      payloadWritten,
      writeDocument(join(folder, 'task.json'), toRecordDocument(task, place.inRecord), {
        durable,
        beforeRename: () => payloadWritten,
      }),
      durable ? flushFolder(dirname(folder)) : undefined,
    ]);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      const error = failed.reason;
      await fs.rm(folder, { recursive: true, force: true }).catch(() => {});
      throw toStoreError(error, folder);
    }
  }

  async #makeNew(folder: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await fs.mkdir(folder);
      } catch (error) {
        // A prune can remove the empty folder of the shard between the two steps.
        if (errnoOf(error) !== 'ENOENT' || tries === 100) throw error;
        await makeFolder(dirname(folder), this.#options.durable);
      }
    }
  }

  /** The task, without its holder. Null if it does not exist. @throws `store_corrupt` */
  async read(id: string): Promise<TaskRecord | null> {
    return this.withProgress(await this.#readRecord(id));
  }

  /** The payload of the task; null if it is damaged. @throws `task_not_found`, `store_corrupt` */
  async payload(id: string): Promise<JsonValue> {
    const folder = this.path(id);
    const payload = await readPayload(folder, id);
    if (payload === null && !(await exists(folder))) throw taskNotFound(id);
    return payload;
  }

  #readRecord(id: string): Promise<TaskRecord | null> {
    return readTaskRecord(join(this.path(id), 'task.json'), id, this.#options.summarize);
  }

  /** Finds the record of a task in the cache or on disk. It comes without progress. */
  find(id: string, cache: TaskListCache): Promise<FoundRecord> {
    return cache.find(id, this.#reader);
  }

  /** Adds progress and cancel request, which are in small files beside the record of a running task. */
  async withProgress(task: TaskRecord | null): Promise<TaskRecord | null> {
    if (task?.state !== 'RUNNING') return task;
    const folder = this.path(task.id);
    const [progress, claims] = await Promise.all([
      readProgress(folder, task.fence),
      readFolderClaims(folder),
    ]);
    return { ...task, progress, cancelRequested: claims?.cancelled.has(task.fence) ?? false };
  }

  /**
   * The task with its holder. @throws `task_not_found`, `store_corrupt`
   *
   * It reads the claims first, then the record. If the owner of the highest claim is dead or has finished its change, the
   * record cannot change after that without a higher claim.
   */
  async inspect(id: string): Promise<TaskSnapshot> {
    if (!isTaskId(id)) throw taskNotFound(id);
    const folder = this.path(id);
    const claims = await readFolderClaims(folder);
    if (claims === null) throw taskNotFound(id);
    const before = await this.#readExisting(id, claims.highestClaim);
    // A power loss can remove a claim although the record that names it is on disk.
    const fence = Math.max(claims.highestClaim, before.fence);
    const cancelRequested = claims.cancelled.has(fence);
    if (before.state !== 'RUNNING' && before.fence === fence) {
      return { task: before, fence, holder: 'none', cancelRequested };
    }
    const holder = await this.#holder(folder, fence);
    const after = await this.#readExisting(id, claims.highestClaim);
    const isSettled = after.state !== 'RUNNING' && after.fence === fence;
    const progress = after.state === 'RUNNING' ? await readProgress(folder, after.fence) : after.progress;
    return { task: { ...after, progress }, fence, holder: isSettled ? 'none' : holder, cancelRequested };
  }

  async #readExisting(id: string, highestClaim: number): Promise<TaskRecord> {
    const task = await this.#readRecord(id);
    if (task !== null) return task;
    // A folder without claims belongs to a task that is being created, or whose creation crashed.
    if (highestClaim === 0) throw taskNotFound(id);
    throw storeCorrupt(id, join(this.path(id), 'task.json'), 'the file is missing');
  }

  async #holder(folder: string, fence: number): Promise<Holder> {
    const claim = await readClaim(folder, fence);
    return claim === null ? 'dead' : holderOf(claim.owner, claim.heartbeatMs, this.#options.deciding());
  }

  /**
   * Makes `next` the record, under the claim after `snapshot.fence`.
   *
   * @param beforeRename - Runs with the record after the claim is won, when no other process can change the task.
   * @returns The written record, or null without any change if another process was first.
   */
  async change(
    snapshot: TaskSnapshot,
    next: TaskRecord,
    beforeRename: (task: TaskRecord) => Promise<void>,
  ): Promise<TaskRecord | null> {
    const folder = this.path(next.id);
    const fence = snapshot.fence + 1;
    const task = { ...next, fence };
    let isClaimed = false;
    let isLost = false;
    const claim = async () => {
      const { self, nowMs } = this.#options.deciding();
      isClaimed = await createClaim(folder, fence, self, nowMs);
      isLost = !isClaimed;
      if (isLost) throw new ListingVideoError('lease_lost', `task ${next.id} was taken by another process`);
      await this.#endUnfinished(snapshot);
      await beforeRename(task);
    };
    try {
      const payload = await keepPayload(folder, next.id, this.#options.durable);
      await writeDocument(join(folder, 'task.json'), toRecordDocument(task, payload), {
        durable: this.#options.durable,
        beforeRename: claim,
        tag: recordTag(fence),
      });
      return task;
    } catch (error) {
      // A later claim exists if this process was stopped for too long. Then its owner has ended this change.
      if (isLost || (isClaimed && (await this.highestClaim(next.id).catch(() => 0)) > fence)) return null;
      if (isClaimed && !(await this.#isWritten(next.id, fence)))
        await retractClaim(folder, fence).catch(() => {});
      if (isAbsent(error)) throw taskNotFound(next.id);
      throw toStoreError(error, folder);
    }
  }

  /** Ends changes that were begun under claims after the record's. Call it under the next claim. */
  async #endUnfinished({ task, fence }: TaskSnapshot): Promise<void> {
    if (fence === task.fence) return;
    const { id } = task;
    await endUnfinishedChanges({ id, folder: this.path(id), trash: this.#trash }, task.fence, fence + 1);
  }

  /** Number of the highest claim of a task, 0 if there is none or no task. */
  async highestClaim(id: string): Promise<number> {
    return (await readFolderClaims(this.path(id)))?.highestClaim ?? 0;
  }

  async #isWritten(id: string, fence: number): Promise<boolean> {
    const task = await this.read(id).catch(() => null);
    return task !== null && task.fence >= fence;
  }

  /**
   * Removes a task under the claim after `snapshot.fence`. One rename moves it to the trash, where it is deleted. False if
   * another process was first.
   */
  async remove(
    snapshot: TaskSnapshot,
    beforeRename: (task: TaskRecord) => Promise<void> = async () => {},
  ): Promise<boolean> {
    const { id } = snapshot.task;
    const folder = this.path(id);
    const fence = snapshot.fence + 1;
    const removal = removalPath(this.#trash, id, fence);
    const { self, nowMs } = this.#options.deciding();
    try {
      // Before the claim, so that the owner of the next claim can remove it and end this removal.
      await makeFolder(removal, false);
      if (!(await createClaim(folder, fence, self, nowMs))) return false;
      await this.#endUnfinished(snapshot);
      await beforeRename(snapshot.task).catch(async (error: unknown) => {
        await retractClaim(folder, fence).catch(() => {});
        throw error;
      });
      await fs.rename(folder, join(removal, id));
    } catch (error) {
      if (isAbsent(error)) return false;
      throw toStoreError(error, folder);
    }
    await removeTree(removal);
    await fs.rmdir(dirname(folder)).catch(() => {});
    return true;
  }

  /**
   * Moves the folder of a task without a record to the trash: its creation crashed. A process that was stopped during the
   * creation then fails, because its folder is gone.
   *
   * @returns False if there is a record after all.
   */
  async removeTorn(id: string): Promise<boolean> {
    const [folder, removal] = [this.path(id), removalPath(this.#trash, id, 0)];
    const moved = join(removal, id);
    try {
      await makeFolder(removal, false);
      await fs.rename(folder, moved);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    const isWhole = await exists(join(moved, 'task.json'));
    if (isWhole) await fs.rename(moved, folder);
    await removeTree(removal);
    return !isWhole;
  }

  /** Deletes the rest of earlier removals whose process died. */
  async emptyTrash(): Promise<void> {
    const { nowMs } = this.#options.deciding();
    for (const name of await namesIn(this.#trash)) {
      const removal = join(this.#trash, name);
      // A new empty folder can belong to a removal that goes on.
      const isEmpty = (await namesIn(removal)).length === 0;
      if (isEmpty && nowMs - (await fs.stat(removal)).mtimeMs < REMOVAL_MS) continue;
      await removeTree(removal);
    }
  }

  get #trash(): string {
    return join(this.#options.home, 'trash');
  }
}

async function identifyFile(path: string): Promise<RecordIdentity | null> {
  try {
    const { dev, ino, mtimeNs, size } = await fs.stat(path, { bigint: true });
    // A file that is too large is not read, so it takes nothing from its page.
    const sizeBytes = size > MAX_DOCUMENT_BYTES ? 0 : Number(size);
    return { text: `${dev}:${ino}:${mtimeNs}:${size}`, sizeBytes };
  } catch {
    // Reading the file reports any error.
    return null;
  }
}

async function removeTree(path: string): Promise<void> {
  // The next prune empties the trash.
  await fs.rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
