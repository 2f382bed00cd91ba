/**
 * Photos that clients have uploaded for their listings, and the tasks that use them:
 *
 *     <home>/uploads/<organization>/<upload id>     the bytes as they came; the time of the file is that of the upload
 *     <home>/uploads/<organization>/tasks/<task>    ids that a task uses, one per line
 *
 * Nothing else says who owns an upload: the folder decides. Names come from this program only.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../disk/atomic-write.ts';
import { toStoreError } from '../../disk/disk-error.ts';
import { exists, flushFolder, makeFolder, namesIn } from '../../disk/folder.ts';
import { flushFile } from '../publish/output-folder.ts';

/** Uploads are for listings that are sent soon after. */
export const KEEP_UPLOADS_MS = 24 * 3_600_000;
/** An upload stays this long after it can no longer be named, so that no task loses one that it has just named. */
const SWEEP_DELAY_MS = 600_000;
/**
 * A hold whose task nobody knows stays this long. A crash can leave one of a task that was never stored; but the records of
 * tasks can also be lost for a while, with a disk that is not mounted or a database that is not imported.
 */
const UNKNOWN_TASK_MS = 30 * 24 * 3_600_000;

const UPLOAD_ID = /^upload_[0-9a-f]{32}$/;
/** Ids of organizations and tasks: such a name cannot leave its folder and is not hidden. */
const SEGMENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const TASKS = 'tasks';

/** True for a text that can be the id of an upload: 128 random bits. */
export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}

/** The file of an upload. @throws TypeError for ids that are none. */
export function uploadPath(home: string, organizationId: string, id: string): string {
  if (!SEGMENT.test(organizationId) || !UPLOAD_ID.test(id)) throw new TypeError('not the id of an upload');
  return path.join(home, 'uploads', organizationId, id);
}

/** What an organization has stored. */
export interface UploadUsage {
  readonly files: number;
  readonly bytes: number;
}

export interface SweepUploadsOptions {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * True for a task that never runs again: one that failed can be retried. Null when no such task is stored. It rejects when
   * that is not known: then its uploads stay.
   */
  readonly isOver: (taskId: string) => Promise<boolean | null>;
}

export class UploadFolder {
  readonly #home: string;

  /** @param home - The data folder. Touches nothing until it is used. */
  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Moves a file of the same disk into the folder.
   *
   * @returns Its id, which nobody can guess. The upload survives a power loss.
   * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`.
   */
  async adopt(organizationId: string, file: string): Promise<string> {
    const id = `upload_${randomBytes(16).toString('hex')}`;
    const to = uploadPath(this.#home, organizationId, id);
    try {
      await makeFolder(path.dirname(to), true);
      await flushFile(file);
      await rename(file, to);
      await flushFolder(path.dirname(to));
    } catch (error) {
      throw toStoreError(error, to);
    }
    return id;
  }

  /** Whether there has ever been an upload. */
  exists(): Promise<boolean> {
    return exists(path.join(this.#home, 'uploads'));
  }

  async usage(organizationId: string): Promise<UploadUsage> {
    const sizes = await Promise.all(
      (await this.#uploads(organizationId)).map(async (file) => (await statOf(file))?.size ?? 0),
    );
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  /** Ids that name no upload of this organization, or one that is too old. */
  async findMissing(organizationId: string, ids: readonly string[], nowMs: number): Promise<string[]> {
    const missing = await Promise.all(
      ids.map(async (id) => {
        const facts = isUploadId(id) ? await statOf(uploadPath(this.#home, organizationId, id)) : null;
        return facts === null || nowMs - facts.mtimeMs > KEEP_UPLOADS_MS;
      }),
    );
    return ids.filter((_, index) => missing[index]);
  }

  /**
   * Keeps uploads until the task has succeeded or is removed. Call it before the task is stored, and `release` if it never is.
   *
   * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`.
   */
  async hold(organizationId: string, taskId: string, ids: readonly string[]): Promise<void> {
    const file = this.#holdPath(organizationId, taskId);
    try {
      await makeFolder(path.dirname(file), true);
      await writeFileAtomically(file, `${ids.join('\n')}\n`, { durable: true });
      await flushFolder(path.dirname(file));
    } catch (error) {
      throw toStoreError(error, file);
    }
  }

  /** Ends the hold of a task that is removed or was never stored. */
  async release(organizationId: string, taskId: string): Promise<void> {
    await rm(this.#holdPath(organizationId, taskId), { force: true });
  }

  /** Removes uploads that are older than a day and that no task can still use. @returns Their number. */
  async sweep(options: SweepUploadsOptions): Promise<number> {
    let removed = 0;
    for (const organizationId of await namesIn(path.join(this.#home, 'uploads'))) {
      if (!SEGMENT.test(organizationId)) continue;
      // First, because a task that is held later can name none of these.
      const old = await this.#old(organizationId, options.nowMs);
      const held = await this.#sweepHolds(organizationId, options);
      for (const file of old) {
        if (held.has(path.basename(file))) continue;
        await rm(file, { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  async #old(organizationId: string, nowMs: number): Promise<string[]> {
    const old: string[] = [];
    for (const file of await this.#uploads(organizationId)) {
      const facts = await statOf(file);
      if (facts !== null && nowMs - facts.mtimeMs > KEEP_UPLOADS_MS + SWEEP_DELAY_MS) old.push(file);
    }
    return old;
  }

  /** Removes the holds of tasks that are over. @returns Ids that the others hold. */
  async #sweepHolds(
    organizationId: string,
    { nowMs, isOver }: SweepUploadsOptions,
  ): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    const folder = path.join(this.#home, 'uploads', organizationId, TASKS);
    for (const taskId of await namesIn(folder)) {
      const file = path.join(folder, taskId);
      const over = SEGMENT.test(taskId) ? await isOver(taskId).catch(() => false) : null;
      const facts = await statOf(file);
      const isLost = over === null && (facts === null || nowMs - facts.mtimeMs > UNKNOWN_TASK_MS);
      if (over === true || isLost) await rm(file, { force: true });
      else for (const id of (await readFile(file, 'utf8').catch(() => '')).split('\n')) held.add(id);
    }
    return held;
  }

  async #uploads(organizationId: string): Promise<string[]> {
    const folder = path.join(this.#home, 'uploads', organizationId);
    return (await namesIn(folder)).filter(isUploadId).map((name) => path.join(folder, name));
  }

  #holdPath(organizationId: string, taskId: string): string {
    if (!SEGMENT.test(organizationId) || !SEGMENT.test(taskId)) throw new TypeError('not the id of a task');
    return path.join(this.#home, 'uploads', organizationId, TASKS, taskId);
  }
}

/** Null when the file is gone. */
async function statOf(file: string): Promise<{ readonly size: number; readonly mtimeMs: number } | null> {
  const facts = await stat(file).catch(() => null);
  return facts?.isFile() ? facts : null;
}
