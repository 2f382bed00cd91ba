/**
 * One task on disk, `tasks/<shard>/<id>/`: reads it with everything that decides who may change it, and changes it.
 *
 * A change of state is: the next record written aside and flushed, claim k+1 created, the record renamed into place.
 * Creating the claim is the moment of decision: of all who saw claim k as the highest, one wins.
 */

import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, isAbsent, toStoreError } from '../../disk/disk-error.ts';
import { flushFolder, makeFolder, namesIn } from '../../disk/folder.ts';
import { writeDocument } from '../../disk/json-document.ts';
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { isTaskId, shardOf, taskNotFound } from '../task-id.ts';
import { type Deciding, type Holder, holderOf, type TaskSnapshot } from '../task-moves.ts';
import { stateConflict } from '../task-transition.ts';
import { createClaim, readClaim, readFolderNotes, retractClaim } from './claim-files.ts';
import { readTaskDocument, storeCorrupt } from './task-document.ts';
import type { RecordIdentity, RecordReader, TaskListCache } from './task-list-cache.ts';
import { readProgress } from './task-notes.ts';

export interface TaskFoldersOptions {
  readonly home: string;
  /** This process and this moment. */
  readonly deciding: () => Deciding;
  readonly durable: boolean;
}

/** The folders of all tasks. */
export class TaskFolders {
  readonly #options: TaskFoldersOptions;
  readonly #reader: RecordReader = {
    identify: (id) => identifyFile(join(this.path(id), 'task.json')),
    read: (id) => readTaskDocument(join(this.path(id), 'task.json'), id),
  };

  constructor(options: TaskFoldersOptions) {
    this.#options = options;
  }

  /** Folder of a task; it need not exist. */
  path(id: string): string {
    return join(this.#options.home, 'tasks', shardOf(id), id);
  }

  /** The ids of all tasks, by reading every folder: only for mending. */
  async *ids(): AsyncGenerator<string, void> {
    const root = join(this.#options.home, 'tasks');
    for (const shard of await namesIn(root)) {
      for (const name of await namesIn(join(root, shard))) if (isTaskId(name)) yield name;
    }
  }

  /** Stores a new record durably. @throws `task_state_conflict` when the id is used. */
  async create(task: TaskRecord): Promise<void> {
    const folder = this.path(task.id);
    try {
      await this.#makeNew(folder);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') throw stateConflict(task, 'a task with this id exists');
      throw toStoreError(error, folder);
    }
    const { durable } = this.#options;
    // Together: the disk then commits them as one, and many creations share the flush of their shard.
    const [written, kept] = await Promise.allSettled([
      writeDocument(join(folder, 'task.json'), task, { durable }),
      durable ? flushFolder(dirname(folder)) : undefined,
    ]);
    const failed = [written, kept].find(({ status }) => status === 'rejected');
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
        // A prune may remove the emptied folder of the shard between the two steps.
        if (errnoOf(error) !== 'ENOENT' || tries === 100) throw error;
        await makeFolder(dirname(folder), this.#options.durable);
      }
    }
  }

  /** The record alone, as cheaply as possible; null when there is no such task. @throws `store_corrupt` */
  async read(id: string): Promise<TaskRecord | null> {
    const task = await readTaskDocument(join(this.path(id), 'task.json'), id);
    return task?.state === 'RUNNING' ? this.#withNotes(task) : task;
  }

  /** As `read`, of what is cached. */
  async readCached(id: string, cache: TaskListCache): Promise<TaskRecord | null> {
    const task = await cache.record(id, this.#reader);
    return task?.state === 'RUNNING' ? this.#withNotes(task) : task;
  }

  /** A running task's progress and cancel request live in small files beside it, written without a claim. */
  async #withNotes(task: TaskRecord): Promise<TaskRecord> {
    const folder = this.path(task.id);
    const [progress, notes] = await Promise.all([readProgress(folder, task.fence), readFolderNotes(folder)]);
    return { ...task, progress, cancelRequested: notes?.cancelled.has(task.fence) ?? false };
  }

  /**
   * The task and who holds it. @throws `task_not_found`, `store_corrupt`
   *
   * The order of reading matters: once the highest claim is known and its owner is known to be gone, or to have
   * finished its change, the record read after that cannot change any more without a claim higher than the highest.
   */
  async inspect(id: string): Promise<TaskSnapshot> {
    const folder = this.path(id);
    const notes = await readFolderNotes(folder);
    if (notes === null) throw taskNotFound(id);
    const before = await this.#readExisting(id, notes.highestClaim);
    // A claim may be lost with the power while the record that names it was flushed.
    const fence = Math.max(notes.highestClaim, before.fence);
    const cancelRequested = notes.cancelled.has(fence);
    if (before.state !== 'RUNNING' && before.fence === fence) {
      return { task: before, fence, holder: 'none', cancelRequested };
    }
    const holder = await this.#judge(folder, fence);
    const after = await this.#readExisting(id, notes.highestClaim);
    const isSettled = after.state !== 'RUNNING' && after.fence === fence;
    const progress = after.state === 'RUNNING' ? await readProgress(folder, after.fence) : after.progress;
    return { task: { ...after, progress }, fence, holder: isSettled ? 'none' : holder, cancelRequested };
  }

  async #readExisting(id: string, highestClaim: number): Promise<TaskRecord> {
    const path = join(this.path(id), 'task.json');
    const task = await readTaskDocument(path, id);
    if (task !== null) return task;
    // A folder without claims is a creation under way, or one that a crash cut short before it was accepted.
    if (highestClaim === 0) throw taskNotFound(id);
    throw storeCorrupt(id, path, 'the file is missing');
  }

  async #judge(folder: string, fence: number): Promise<Holder> {
    const claim = await readClaim(folder, fence);
    return claim === null ? 'dead' : holderOf(claim.owner, claim.heartbeatMs, this.#options.deciding());
  }

  /**
   * Makes `next` the record, under the claim after `snapshot.fence`.
   *
   * @param beforeRename - Runs when the claim is won and nobody else can change the task.
   * @returns the record as written, or null when somebody else was first: then nothing changed.
   */
  async change(
    snapshot: TaskSnapshot,
    next: TaskRecord,
    beforeRename: () => Promise<void>,
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
      await beforeRename();
    };
    try {
      await writeDocument(join(folder, 'task.json'), task, {
        durable: this.#options.durable,
        beforeRename: claim,
      });
      return task;
    } catch (error) {
      if (isLost) return null;
      if (isClaimed && !(await this.#isWritten(next.id, fence)))
        await retractClaim(folder, fence).catch(() => {});
      if (isAbsent(error)) throw taskNotFound(next.id);
      throw toStoreError(error, folder);
    }
  }

  async #isWritten(id: string, fence: number): Promise<boolean> {
    const task = await this.read(id).catch(() => null);
    return task !== null && task.fence >= fence;
  }

  /**
   * Removes a task under the claim after `snapshot.fence`; false when somebody else was first. It vanishes in one
   * rename and is deleted after that.
   */
  async remove(snapshot: TaskSnapshot): Promise<boolean> {
    const { id } = snapshot.task;
    const folder = this.path(id);
    const { self, nowMs } = this.#options.deciding();
    try {
      if (!(await createClaim(folder, snapshot.fence + 1, self, nowMs))) return false;
      await makeFolder(this.#trash, false);
      await fs.rename(folder, join(this.#trash, id));
    } catch (error) {
      if (isAbsent(error)) return false;
      throw toStoreError(error, folder);
    }
    await removeTree(join(this.#trash, id));
    await fs.rmdir(dirname(folder)).catch(() => {});
    return true;
  }

  /** Deletes what removals left behind whose process died at it. */
  async emptyTrash(): Promise<void> {
    for (const name of await namesIn(this.#trash)) await removeTree(join(this.#trash, name));
  }

  get #trash(): string {
    return join(this.#options.home, 'trash');
  }
}

async function identifyFile(path: string): Promise<RecordIdentity | null> {
  try {
    const { dev, ino, mtimeNs, size } = await fs.stat(path, { bigint: true });
    return { text: `${dev}:${ino}:${mtimeNs}:${size}`, sizeBytes: Number(size) };
  } catch {
    // Whatever else is wrong with it, reading says.
    return null;
  }
}

async function removeTree(path: string): Promise<void> {
  // What is left now is found again by the next prune.
  await fs.rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
