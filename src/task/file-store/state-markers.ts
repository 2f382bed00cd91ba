/**
 * The markers: empty files `<root>/<STATE>/<shard>/<id>` by which tasks of a state are found without reading all.
 *
 * They are hints. A task always has a marker in its true state, for the new one is made before the record changes and
 * the old one removed after; it may have one too many, which readers drop. A folder that fills up within its hours
 * (100,000 tasks in one burst) grows folders below it, each named by a longer prefix of the ids in it, so that the
 * newest 20 never cost a listing of 100,000 names.
 */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, isAbsent } from '../../disk/disk-error.ts';
import { flushFolder, makeFolder } from '../../disk/folder.ts';
import type { TaskState } from '../task.ts';
import { isTaskId, shardOf } from '../task-id.ts';

/** Markers that one process puts into a folder before it goes one level deeper. */
const FOLDER_FULL = 256;
/** Lengths of the prefixes that name deeper folders: 17.5 min, 65 s, 4 s, 0.26 s. Never one that ends in a dash. */
const DEEPER = [7, 8, 10, 11] as const;

/** The tree of markers of one root: the whole store's, or one organization's. */
export class StateMarkers {
  readonly #root: string;
  readonly #durable: boolean;
  readonly #folderFull: number;
  readonly #placed = new Map<string, number>();

  constructor(root: string, durable: boolean, folderFull = FOLDER_FULL) {
    this.#root = root;
    this.#durable = durable;
    this.#folderFull = folderFull;
  }

  /** Folder of the markers of a state; it need not exist. */
  folder(state: TaskState): string {
    return join(this.#root, state);
  }

  /** Makes a marker and returns its path, or makes the one at `path` again if it is gone. */
  async add(state: TaskState, id: string, path = this.#place(state, id)): Promise<string> {
    // Another process may remove the emptied folder between our mkdir and our open.
    for (let tries = 1; ; tries++) {
      try {
        await (await fs.open(path, 'a')).close();
        return path;
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT' || tries === 100) throw error;
        await makeFolder(dirname(path), this.#durable);
      }
    }
  }

  /** Makes the name of the marker at `path` durable. */
  async flush(path: string): Promise<void> {
    if (this.#durable) await flushFolder(dirname(path));
  }

  /** Removes a marker wherever it lies, and the folders it leaves empty. Silent when there is none. */
  async remove(state: TaskState, id: string): Promise<void> {
    for (const folder of this.#folders(state, id)) {
      try {
        await fs.unlink(join(folder, id));
      } catch (error) {
        if (isAbsent(error)) continue;
        throw error;
      }
      const placed = this.#placed.get(folder);
      if (placed !== undefined && placed > 1) this.#placed.set(folder, placed - 1);
      else this.#placed.delete(folder);
      return this.#removeEmpty(folder, this.folder(state));
    }
  }

  async #removeEmpty(folder: string, stop: string): Promise<void> {
    for (let path = folder; path !== stop; path = dirname(path)) {
      try {
        await fs.rmdir(path);
      } catch {
        return;
      }
    }
  }

  #place(state: TaskState, id: string): string {
    // A process that lives for years must not keep a count for every shard it ever saw.
    if (this.#placed.size > 20_000) this.#placed.clear();
    const folders = this.#folders(state, id);
    const folder =
      folders.find((path) => (this.#placed.get(path) ?? 0) < this.#folderFull) ?? folders.at(-1)!;
    this.#placed.set(folder, (this.#placed.get(folder) ?? 0) + 1);
    return join(folder, id);
  }

  #folders(state: TaskState, id: string): string[] {
    let folder = join(this.folder(state), shardOf(id));
    return [folder, ...DEEPER.map((length) => (folder = join(folder, id.slice(0, length))))];
  }
}

/** True for the name of a folder of markers: a prefix of ids. */
export function isMarkerFolder(name: string): boolean {
  return name.length < 36 && /^[0-9a-f]{6,8}(-[0-9a-f]{1,2})?$/.test(name);
}

/** True for the name of a marker. */
export function isMarker(name: string): boolean {
  return isTaskId(name);
}
