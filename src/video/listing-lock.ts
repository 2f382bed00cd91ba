/**
 * Who has a listing open to write it: one process, from the opening of its studio to its end. Programs that do not know
 * the lock are noticed by the bytes of the file.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from '../platform/disk/disk-error.ts';
import { freeIfGone, holdLock, type LockHolder, writePort } from '../platform/disk/held-lock.ts';
import type { TemporaryFolder } from '../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { nameHolder } from './publish/output-locked.ts';

/** Errors of a folder in which nothing can be made. Its files cannot be replaced either. */
const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENAMETOOLONG']);

/** @param file - Absolute, without symbolic links. */
export function listingLockOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.studio-lock`);
}

export class ListingLock {
  readonly #file: string;
  #held: TemporaryFolder | null = null;
  #port: number | null = null;

  private constructor(file: string) {
    this.#file = file;
  }

  /** @param file - Absolute, without symbolic links. @returns The process that has the listing open, if one has. */
  static async take(
    file: string,
  ): Promise<{ readonly lock: ListingLock } | { readonly holder: LockHolder | null }> {
    const lock = new ListingLock(file);
    const holder = await lock.#take();
    return holder === undefined ? { lock } : { holder };
  }

  /**
   * Folder of the files that are about to be renamed into place: they are gone with their process. A lock that was lost,
   * as by a suspended process, is taken again.
   *
   * @returns Null in a folder in which nothing can be made.
   * @throws {@link ListingVideoError} `output_locked` when another process has the listing open by now.
   */
  async staging(): Promise<string | null> {
    await this.#held?.assertHeld().catch(() => {});
    if (this.#held?.lost.aborted !== false) {
      await this.#held?.close();
      this.#held = null;
      const holder = await this.#take();
      if (holder !== undefined) throw listingLockedBy(holder, this.#file);
    }
    return this.#held?.path ?? null;
  }

  /** Says to a second studio where this one answers. */
  async sayPort(port: number): Promise<void> {
    this.#port = port;
    if (this.#held !== null) await writePort(this.#held, port);
  }

  async close(): Promise<void> {
    await this.#held?.close();
  }

  async #take(): Promise<LockHolder | null | undefined> {
    try {
      const hold = await holdLock(listingLockOf(this.#file), {
        attempt: null,
        makeParent: async () => {},
        lostError: () => listingLockedBy(null, this.#file),
      });
      if (!('held' in hold)) return hold.holder;
      this.#held = hold.held;
      if (this.#port !== null) await this.sayPort(this.#port);
      return undefined;
    } catch (error) {
      if (!CLOSED.has(errnoOf(error))) throw error;
      return undefined;
    }
  }
}

/** @throws {@link ListingVideoError} `output_locked` while a studio has the listing open. @param file - Absolute. */
export async function requireNotOpen(file: string): Promise<void> {
  const real = await realpath(file).catch(() => file);
  const holder = await freeIfGone(listingLockOf(real)).catch(() => null);
  if (holder !== null) throw listingLockedBy(holder, file);
}

export function listingLockedBy(holder: LockHolder | null, file: string): ListingVideoError {
  return new ListingVideoError(
    'output_locked',
    `${path.basename(file)} is open in a studio, by ${nameHolder(holder)}`,
    {
      hint: 'edit it there, or close that studio first',
      context: { path: file, pid: holder?.process?.pid ?? null },
    },
  );
}
