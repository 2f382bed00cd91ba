/**
 * Markers: empty files `<root>/<STATE>/<shard>/<id>`, which find the tasks of a state without reading all records.
 *
 * A task always has a marker for its true state: the new one is created before the record changes, the old one is removed
 * after that. Extra markers are possible; readers remove them. A folder that gets too full (100,000 tasks in one burst)
 * grows subfolders, named by a longer prefix of the ids, so that the newest 20 never cost a listing of 100,000 names.
 */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, isAbsent } from '../../platform/disk/disk-error.ts';
import { flushFolder, makeFolder } from '../../platform/disk/folder.ts';
import type { TaskState } from '../task.ts';
import { shardOf } from '../task-id.ts';

/** Number of markers that one process puts into a folder before it uses a subfolder. */
const FOLDER_FULL = 256;
/** Prefix lengths of the subfolders: 17.5 min, 65 s, 4 s, 0.26 s. No prefix can end in a dash. */
const DEEPER = [7, 8, 10, 11] as const;

/** The marker tree of the whole store or of one organization. */
export class StateMarkers {
  readonly #root: string;
  readonly #durable: boolean;
  readonly #folderFull: number;
  readonly #beforeFolder: () => Promise<void>;
  readonly #placed = new Map<string, number>();

  /** @param beforeFolder - Runs before a folder is made for a marker: the folders above it can be lost. */
  constructor(
    root: string,
    durable: boolean,
    folderFull = FOLDER_FULL,
    beforeFolder: () => Promise<void> = async () => {},
  ) {
    this.#root = root;
    this.#durable = durable;
    this.#folderFull = folderFull;
    this.#beforeFolder = beforeFolder;
  }

  /** Folder of a state's markers. It can be missing. */
  folder(state: TaskState): string {
    return join(this.#root, state);
  }

  /** Creates a marker, or the one at `path` if it is missing. @returns Its path. */
  async add(state: TaskState, id: string, path = this.#place(state, id)): Promise<string> {
    // Another process can remove the empty folder between our mkdir and our open.
    for (let tries = 1; ; tries++) {
      try {
        await (await fs.open(path, 'a')).close();
        return path;
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT' || tries === 100) throw error;
        await this.#beforeFolder();
        await makeFolder(dirname(path), this.#durable);
      }
    }
  }

  /** Makes the marker at `path` durable. */
  async flush(path: string): Promise<void> {
    if (this.#durable) await flushFolder(dirname(path));
  }

  /** Removes a marker from its folder or subfolder, and the empty folders. Does nothing if there is no marker. */
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
    // A process that runs for years must not keep a count for every shard.
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
