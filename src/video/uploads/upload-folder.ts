/**
 * Uploads in the data folder, and the tasks that use them:
 *
 *     <home>/uploads/<organization>/<upload id>     the bytes as they came; the time of the file is that of the upload
 *     <home>/uploads/<organization>/tasks/<task>    ids that a task uses, one per line
 *
 * Nothing else says who owns an upload: the folder decides. Names come from this program only.
 */
import { readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { exists, flushFolder, makeFolder, namesIn } from '../../platform/disk/folder.ts';
import { flushFile } from '../publish/output-folder.ts';
import { isUploadId } from './upload-id.ts';
import type {
  NewUpload,
  SweepLimits,
  UploadPlace,
  UploadQuota,
  UploadStore,
  UploadUsage,
} from './upload-store.ts';

/** Ids of organizations and tasks: such a name cannot leave its folder and is not hidden. */
const SEGMENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const TASKS = 'tasks';

/** The file of an upload. @throws TypeError for ids that are none. */
export function uploadPath(home: string, organizationId: string, id: string): string {
  if (!SEGMENT.test(organizationId) || !isUploadId(id)) throw new TypeError('not the id of an upload');
  return path.join(home, 'uploads', organizationId, id);
}

export class UploadFolder implements UploadStore {
  readonly #home: string;
  /** Uploads that are being checked, by organization: they count already. */
  readonly #pending = new Map<string, UploadUsage>();

  /** @param home - The data folder. Touches nothing until it is used. */
  constructor(home: string) {
    this.#home = home;
  }

  exists(): Promise<boolean> {
    return exists(path.join(this.#home, 'uploads'));
  }

  async reserve(
    { organizationId, id, sizeBytes }: NewUpload,
    quota: UploadQuota,
  ): Promise<UploadPlace | { readonly full: UploadUsage }> {
    const to = uploadPath(this.#home, organizationId, id);
    this.#countPending(organizationId, 1, sizeBytes);
    const close = async () => this.#countPending(organizationId, -1, -sizeBytes);
    try {
      const usage = await this.#usage(organizationId);
      const pending = this.#pending.get(organizationId)!;
      if (usage.files + pending.files <= quota.maxFiles && usage.bytes + pending.bytes <= quota.maxBytes)
        return { store: (file) => moveFile(file, to), close };
      await close();
      return { full: usage };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async findMissing(
    organizationId: string,
    ids: readonly string[],
    createdAfterMs: number,
  ): Promise<string[]> {
    const missing = await Promise.all(
      ids.map(async (id) => {
        const facts = await statOf(uploadPath(this.#home, organizationId, id));
        return facts === null || facts.mtimeMs < createdAfterMs;
      }),
    );
    return ids.filter((_, index) => missing[index]);
  }

  /** @throws {@link ListingVideoError} `disk_full`, `store_unwritable`. */
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

  async release(organizationId: string, taskId: string): Promise<void> {
    await rm(this.#holdPath(organizationId, taskId), { force: true });
  }

  async sweep(limits: SweepLimits): Promise<number> {
    let removed = 0;
    for (const organizationId of await namesIn(path.join(this.#home, 'uploads'))) {
      if (!SEGMENT.test(organizationId)) continue;
      // First, because a task that is held later can name none of these.
      const old = await this.#old(organizationId, limits);
      const held = await this.#sweepHolds(organizationId, limits);
      for (const file of old) {
        if (held.has(path.basename(file))) continue;
        await rm(file, { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  async #usage(organizationId: string): Promise<UploadUsage> {
    const sizes = await Promise.all(
      (await this.#uploads(organizationId)).map(async (file) => (await statOf(file))?.size ?? 0),
    );
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  #countPending(organizationId: string, files: number, bytes: number): void {
    const own = this.#pending.get(organizationId) ?? { files: 0, bytes: 0 };
    const counted = { files: own.files + files, bytes: own.bytes + bytes };
    if (counted.files === 0) this.#pending.delete(organizationId);
    else this.#pending.set(organizationId, counted);
  }

  async #old(organizationId: string, { createdBeforeMs }: SweepLimits): Promise<string[]> {
    const old: string[] = [];
    for (const file of await this.#uploads(organizationId)) {
      const facts = await statOf(file);
      if (facts !== null && facts.mtimeMs < createdBeforeMs) old.push(file);
    }
    return old;
  }

  /** Removes the holds of tasks that are over. @returns Ids that the others hold. */
  async #sweepHolds(
    organizationId: string,
    { lostBeforeMs, isOver }: SweepLimits,
  ): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    const folder = path.join(this.#home, 'uploads', organizationId, TASKS);
    for (const taskId of await namesIn(folder)) {
      const file = path.join(folder, taskId);
      const over = SEGMENT.test(taskId) ? await isOver(taskId).catch(() => false) : null;
      const facts = await statOf(file);
      const isLost = over === null && (facts === null || facts.mtimeMs < lostBeforeMs);
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

/** Of the same disk. @throws {@link ListingVideoError} `disk_full`, `store_unwritable`. */
async function moveFile(file: string, to: string): Promise<void> {
  try {
    await makeFolder(path.dirname(to), true);
    await flushFile(file);
    await rename(file, to);
    await flushFolder(path.dirname(to));
  } catch (error) {
    throw toStoreError(error, to);
  }
}

/** Null when the file is gone. */
async function statOf(file: string): Promise<{ readonly size: number; readonly mtimeMs: number } | null> {
  const facts = await stat(file).catch(() => null);
  return facts?.isFile() ? facts : null;
}
