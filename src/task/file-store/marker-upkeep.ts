/**
 * Rebuilds the markers from all records if they are missing: deleted by hand, or not in a backup. Without markers nobody
 * finds a task, and no server runs it.
 *
 *     <home>/rebuild-markers    exists during a rebuild; after a crash the next process does it again
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { exists, makeFolder } from '../../platform/disk/folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskFolders } from './task-folder.ts';
import type { TaskMarkers } from './task-markers.ts';

/** Checks the markers of one home. */
export class MarkerUpkeep {
  readonly #home: string;
  readonly #folders: TaskFolders;
  readonly #markers: TaskMarkers;
  #rebuilding: Promise<void> | null = null;

  constructor(home: string, folders: TaskFolders, markers: TaskMarkers) {
    this.#home = home;
    this.#folders = folders;
    this.#markers = markers;
  }

  /**
   * Call it before markers are read, and before a folder is made for a new one: that folder would hide the loss.
   *
   * @param areOwned - Also of the organizations. A home with tasks of the command line only has none of them.
   * @throws As `toStoreError`.
   */
  async ensureMarkers(areOwned: boolean): Promise<void> {
    if (this.#rebuilding === null) {
      const isThere = (name: string) => exists(join(this.#home, name));
      const [isWhole, isOwnedWhole, isBegun] = await Promise.all([
        isThere('state'),
        !areOwned || isThere('organization'),
        isThere('rebuild-markers'),
      ]);
      if (isWhole && isOwnedWhole && !isBegun) return;
      if (!(await isThere('tasks'))) return;
    }
    this.#rebuilding ??= this.#rebuild()
      .catch((error: unknown) => {
        throw toStoreError(error, this.#home);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
    await this.#rebuilding;
  }

  async #rebuild(): Promise<void> {
    const flag = join(this.#home, 'rebuild-markers');
    await (await fs.open(flag, 'a')).close();
    for (const name of ['state', 'organization']) await makeFolder(join(this.#home, name), false);
    for await (const id of this.#folders.ids()) await this.#restore(id);
    await fs.rm(flag, { force: true });
  }

  async #restore(id: string): Promise<void> {
    try {
      const task = await this.#folders.read(id);
      if (task !== null) await this.#markers.add(task.state, task);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
      // With a marker, lists show a warning for the unreadable task.
      await this.#markers.add('FAILED', { id, organizationId: null });
    }
  }
}
