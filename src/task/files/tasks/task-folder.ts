/**
 * The folder of a task, `tasks/<shard>/<id>/`:
 *
 *     task.<k>.json      version k of its record; the highest one counts
 *     payload.json       the payload, which lists and polls do not read
 *     cancel.<k>         the request to cancel the attempt that began with version k
 *     progress.<k>.json  the progress of that attempt
 *
 * A change creates the next version: a hard link of a finished file, which fails if the name is taken. So of all
 * processes that saw version k, exactly one changes the task, and a process that was stopped for long cannot put its
 * record over a newer one. No version goes while the task exists, because its number could then be won twice. A version
 * can name the process that holds the task; the mtime of the file is its heartbeat.
 */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  asidePath,
  createFile,
  writeFileAtomically,
  writeNewFile,
} from '../../../platform/disk/atomic-write.ts';
import { isAbsent, toStoreError } from '../../../platform/disk/disk-error.ts';
import { exists, flushFolder, inFolder, makeFolder, namesIn } from '../../../platform/disk/folder.ts';
import { formatJsonDocument, readJsonDocument } from '../../../platform/disk/json-document.ts';
import type { JsonValue, TaskProgress, TaskRecord } from '../../task.ts';
import { isTaskId, shardOf, taskNotFound } from '../../task-id.ts';
import { type Deciding, holderOf, type TaskSnapshot } from '../../task-moves.ts';
import type { ClaimKey, ClaimStatus } from '../../task-store.ts';
import { stateConflict } from '../../task-transition.ts';
import { earlierLayout } from '../earlier-layout.ts';
import { formatTaskVersion, readTaskVersion, storeCorrupt, type TaskVersion } from './task-record.ts';

/** Every creation and removal has succeeded or failed long before this. */
export const UNFINISHED_MS = 3_600_000;
/**
 * Only a change that is given up, or a removal, takes a version away between the listing and the reading of its name.
 */
const MAX_READS = 5;

export interface TaskFoldersOptions {
  readonly home: string;
  readonly deciding: () => Deciding;
  readonly durable: boolean;
}

interface FolderNames {
  /** The highest version; null if there is none. */
  readonly fence: number | null;
  /** The versions whose attempts have a cancel request. */
  readonly cancelled: ReadonlySet<number>;
}

type Latest = TaskVersion & FolderNames & { readonly fence: number };

export interface ListedTask {
  readonly task: TaskRecord;
  /** Of its document, in characters. */
  readonly length: number;
}

/** Tasks that lists keep in memory, and the longest of them in characters: 4 MB together. */
const MAX_LISTED = 500;
const MAX_LISTED_LENGTH = 8_000;

/** Called while this process holds a task, with the record that follows. */
type UnderHold = (task: TaskRecord) => Promise<void>;

export class TaskFolders {
  readonly #options: TaskFoldersOptions;
  readonly #trash: string;
  readonly #listed = new Map<string, Latest>();

  constructor(options: TaskFoldersOptions) {
    this.#options = options;
    this.#trash = join(options.home, 'trash');
  }

  /** Folder of a task. It can be missing. */
  path(id: string): string {
    return join(this.#options.home, 'tasks', shardOf(id), id);
  }

  /** The ids of all tasks. It lists every folder, so it is only for rebuilding the index. */
  async *ids(): AsyncGenerator<string, void> {
    const root = join(this.#options.home, 'tasks');
    for (const shard of await namesIn(root)) {
      for (const name of await namesIn(join(root, shard))) if (isTaskId(name)) yield name;
    }
  }

  /** @throws `store_corrupt` if an earlier release wrote the task: then it wrote the whole data folder. */
  async refuseEarlierLayout(id: string): Promise<void> {
    if (!(await exists(join(this.path(id), 'task.json')))) return;
    throw earlierLayout(this.#options.home);
  }

  /** Stores a new record and its payload durably. @throws `task_state_conflict` when the id is used. */
  async create(task: TaskRecord, payload: JsonValue): Promise<void> {
    const { durable } = this.#options;
    const folder = this.path(task.id);
    const staged = asidePath(join(this.#trash, task.id));
    try {
      await makeFolder(staged, false);
      await Promise.all([
        writeNewFile(join(staged, 'payload.json'), formatJsonDocument({ payload }), durable),
        writeNewFile(join(staged, versionName(0)), formatTaskVersion(task, null), durable),
      ]);
      await inFolder(dirname(folder), durable, () => fs.rename(staged, folder));
      if (durable) await Promise.all([flushFolder(folder), flushFolder(dirname(folder))]);
    } catch (error) {
      const isUsed = !isAbsent(error) && (await exists(staged)) && (await exists(folder));
      await removeTree(staged);
      throw isUsed ? stateConflict(task, 'a task with this id exists') : toStoreError(error, folder);
    }
  }

  /** The task; null if it does not exist. @throws `store_corrupt` */
  async read(id: string): Promise<TaskRecord | null> {
    const latest = await this.#latest(id);
    return latest === null ? null : this.#withProgress(latest);
  }

  /** As {@link read}, for one of many tasks: of a version that was read lately, only the name is looked up again. */
  async readListed(id: string): Promise<ListedTask | null> {
    const latest = await this.#latest(id, this.#listed);
    if (latest === null) return null;
    this.#listed.delete(id);
    if (latest.length <= MAX_LISTED_LENGTH) this.#listed.set(id, latest);
    if (this.#listed.size > MAX_LISTED) this.#listed.delete(this.#listed.keys().next().value!);
    return { task: await this.#withProgress(latest), length: latest.length };
  }

  /**
   * The payload of the task; null if it is missing or damaged. @throws `task_not_found`; `store_corrupt` if it cannot
   * be read.
   */
  async payload(id: string): Promise<JsonValue> {
    if ((await this.#names(id)) === null) throw taskNotFound(id);
    const path = join(this.path(id), 'payload.json');
    const document: { payload?: JsonValue } | null = await readJsonDocument(path, (problem, cause) =>
      storeCorrupt(id, path, problem, cause),
    ).catch((error: Error) => {
      // An error of the file system has a cause. It can be gone at the next try, so it must not fail the task.
      if (error.cause === undefined) return null;
      throw error;
    });
    return document?.payload ?? null;
  }

  /** The task with its holder. @throws `task_not_found`, `store_corrupt` */
  async inspect(id: string): Promise<TaskSnapshot> {
    const latest = await this.#latest(id);
    if (latest === null) throw taskNotFound(id);
    const { fence, cancelled, isHeld, owner } = latest;
    // Without the file the task was just removed or changed, so any change that follows from this fails.
    const { mtimeMs } = await fs.stat(this.#version(id, fence)).catch(() => ({ mtimeMs: 0 }));
    // The file system stores seconds as a double, which does not hold every millisecond exactly.
    const holder = isHeld ? holderOf(owner, Math.round(mtimeMs), this.#options.deciding()) : 'none';
    const cancelRequested = cancelled.has(fence) || cancelled.has(latest.task.fence);
    return { task: await this.#withProgress(latest), fence, holder, cancelRequested };
  }

  async #latest(id: string, known?: ReadonlyMap<string, Latest>): Promise<Latest | null> {
    for (let reads = 1; ; reads++) {
      const names = await this.#names(id);
      if (names === null) return null;
      const { fence } = names;
      const listed = known?.get(id);
      if (listed !== undefined && listed.fence === fence) return { ...listed, ...names, fence };
      const version = fence === null ? null : await readTaskVersion(this.#version(id, fence), id);
      if (version === 'removed') return null;
      if (version !== null && fence !== null) return { ...version, ...names, fence };
      if (reads === MAX_READS) throw storeCorrupt(id, this.#version(id, fence ?? 0), 'the file is missing');
    }
  }

  /** Null if the folder does not exist. Foreign names are ignored. */
  async #names(id: string): Promise<FolderNames | null> {
    if (!isTaskId(id)) return null;
    let fence: number | null = null;
    const cancelled = new Set<number>();
    try {
      for (const name of await fs.readdir(this.path(id))) {
        const match = /^(?:task\.(0|[1-9]\d{0,8})\.json|cancel\.(0|[1-9]\d{0,8}))$/.exec(name);
        if (match === null) continue;
        if (match[1] === undefined) cancelled.add(Number(match[2]));
        else fence = Math.max(fence ?? 0, Number(match[1]));
      }
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
    return { fence, cancelled };
  }

  /** Adds progress and cancel request, which are in small files beside the record of a running task. */
  async #withProgress({ task, cancelled }: Latest): Promise<TaskRecord> {
    if (task.state !== 'RUNNING') return task;
    const path = join(this.path(task.id), progressName(task.fence));
    const progress = await fs.readFile(path, 'utf8').then(parseProgress, () => null);
    return { ...task, progress, cancelRequested: cancelled.has(task.fence) };
  }

  /**
   * Makes `next` the record.
   *
   * @param underHold - Called while no other process can change the task, before any reader sees the record. If it
   *   rejects, the task stays as it is.
   * @returns The written record, or null without any change if another process was first.
   */
  async change(at: TaskSnapshot, next: TaskRecord, underHold?: UnderHold): Promise<TaskRecord | null> {
    const task = { ...next, fence: at.fence + 1 };
    return (await this.#commit(at, task, underHold && (() => underHold(task)))) ? task : null;
  }

  /** Removes a task. False if another process was first. */
  async remove(at: TaskSnapshot, beforeRemove: UnderHold = async () => {}): Promise<boolean> {
    if (!(await this.#commit(at, 'removed', () => beforeRemove(at.task)))) return false;
    await this.finishRemoval(at.task.id);
    return true;
  }

  /** Deletes the files of a removed task. Does nothing for any other. */
  async finishRemoval(id: string): Promise<void> {
    const { fence = null } = (await this.#names(id)) ?? {};
    if (fence === null || (await readTaskVersion(this.#version(id, fence), id)) !== 'removed') return;
    const folder = this.path(id);
    const trashed = asidePath(join(this.#trash, id));
    try {
      await makeFolder(this.#trash, false);
      await fs.rename(folder, trashed);
    } catch (error) {
      if (!isAbsent(error)) throw toStoreError(error, folder);
    }
    await removeTree(trashed);
    await fs.rmdir(dirname(folder)).catch(() => {});
  }

  /** Deletes what creations and removals left whose process died. */
  async emptyTrash(): Promise<void> {
    const { nowMs } = this.#options.deciding();
    for (const name of await namesIn(this.#trash)) {
      const path = join(this.#trash, name);
      const { mtimeMs } = await fs.stat(path).catch(() => ({ mtimeMs: nowMs }));
      if (nowMs - mtimeMs >= UNFINISHED_MS) await removeTree(path);
    }
  }

  /** Creates the version after `at`. With `underHold` first one that only holds the task. */
  async #commit(
    at: TaskSnapshot,
    next: TaskRecord | 'removed',
    underHold?: () => Promise<void>,
  ): Promise<boolean> {
    const { id } = at.task;
    const { self } = this.#options.deciding();
    const { durable } = this.#options;
    const owner = next !== 'removed' && next.state === 'RUNNING' ? self : null;
    const held = at.fence + 1;
    let isHolding = false;
    try {
      if (underHold === undefined)
        return await this.#write(id, held, formatTaskVersion(next, owner), durable);
      isHolding = await this.#write(id, held, formatTaskVersion(at.task, self), false);
      if (!isHolding) return false;
      await underHold();
      return await this.#write(id, held + 1, formatTaskVersion(next, owner), durable);
    } catch (error) {
      // Otherwise the task would wait until this process ends. Another one that has taken it meanwhile keeps the
      // number.
      const isLatest = isHolding && (await this.#names(id).catch(() => null))?.fence === held;
      if (isLatest) await fs.rm(this.#version(id, held), { force: true }).catch(() => {});
      if (isAbsent(error)) throw taskNotFound(id);
      throw toStoreError(error, this.path(id));
    }
  }

  async #write(id: string, fence: number, content: string, durable: boolean): Promise<boolean> {
    const path = this.#version(id, fence);
    const isFirst = await createFile(path, content, { durable, mtimeMs: this.#options.deciding().nowMs });
    if (isFirst && durable) await flushFolder(dirname(path));
    return isFirst;
  }

  /** Whether the claim is that of the highest version. */
  async check({ id, fence }: ClaimKey): Promise<ClaimStatus> {
    const names = await this.#names(id);
    if (names?.fence !== fence) return 'lost';
    return names.cancelled.has(fence) ? 'cancel-requested' : 'owned';
  }

  async heartbeat({ id, fence }: ClaimKey): Promise<void> {
    const nowSec = this.#options.deciding().nowMs / 1000;
    await fs.utimes(this.#version(id, fence), nowSec, nowSec).catch((error: unknown) => {
      // The task was removed.
      if (!isAbsent(error)) throw error;
    });
  }

  /** Replaces the progress of an attempt. Not durable, because a power loss ends the attempt. */
  saveProgress({ id, fence }: ClaimKey, progress: TaskProgress): Promise<void> {
    const path = join(this.path(id), progressName(fence));
    return writing(path, () => writeFileAtomically(path, JSON.stringify(progress), { durable: false }));
  }

  /** Leaves a cancel request for the process that holds version `fence`. */
  requestCancel(id: string, fence: number): Promise<void> {
    const path = join(this.path(id), `cancel.${fence}`);
    return writing(path, () => fs.writeFile(path, '', { flag: 'a' }));
  }

  #version(id: string, fence: number): string {
    return join(this.path(id), versionName(fence));
  }
}

function versionName(fence: number): string {
  return `task.${fence}.json`;
}

function progressName(fence: number): string {
  return `progress.${fence}.json`;
}

function parseProgress(text: string): TaskProgress | null {
  try {
    const value = JSON.parse(text);
    return typeof value?.percent === 'number' ? value : null;
  } catch {
    return null;
  }
}

async function writing(path: string, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => {
    throw toStoreError(error, path);
  });
}

async function removeTree(path: string): Promise<void> {
  // What stays is for the next prune, which empties the trash.
  await fs.rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
