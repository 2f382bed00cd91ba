/** The listing file on disk: its bytes, read and replaced. What they mean is decided elsewhere. */
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { asidePath, createFile, writeNewFile } from '../../platform/disk/atomic-write.ts';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import { exists, flushFolder } from '../../platform/disk/folder.ts';
import type { ListingLock } from '../../video/listing-lock.ts';

export interface ListingFile {
  /** Absolute, without symbolic links: a link to the listing stays a link. */
  readonly path: string;
  /** Null when there is no file. @throws an error of the file system. */
  read(): Promise<Uint8Array | null>;
  /**
   * Replaces the file at once, or not at all. Right before, it must hold `known`; null means that there is none.
   *
   * @returns Its new {@link signature}; null when another program changed the file since it was read.
   * @throws an error of the file system; {@link ListingVideoError} `output_locked`.
   */
  write(text: string, known: Uint8Array | null): Promise<string | null>;
  /**
   * Keeps another version beside the file, over no other file: `listing.json.kept-1`. Commands take none of these.
   *
   * @returns The name of the file. @throws an error of the file system; {@link ListingVideoError} `output_locked`.
   */
  keep(text: string): Promise<string>;
  /** Differs when the file was changed, at little cost. */
  signature(): Promise<string>;
}

/** @param lock - Absent: no other studio has the listing. */
export function listingFileAt(file: string, lock?: Pick<ListingLock, 'staging'>): ListingFile {
  const staging = async (): Promise<string | null> => (await lock?.staging()) ?? null;
  return {
    path: file,
    read: () => orNull(readFile(file)),
    async write(text, known) {
      const found = await orNull(stat(file));
      const aside = asidePath(path.join((await staging()) ?? path.dirname(file), path.basename(file)));
      try {
        await writeNewFile(aside, text, true);
        // The rights of the file that it replaces: it can be shared with a group.
        if (found !== null) await chmod(aside, found.mode & 0o777);
        // Before the rename: afterwards another program can have changed the file already.
        const signature = await signatureOf(aside);
        if (!replaceKnown(file, aside, known)) return null;
        await flushFolder(path.dirname(file));
        return signature;
      } finally {
        await rm(aside, { force: true });
      }
    },
    async keep(text) {
      for (let number = 1; ; number += 1) {
        const kept = `${file}.kept-${number}`;
        if (await exists(kept)) continue;
        if (!(await createFile(kept, text, { durable: true, aside: await staging() }))) continue;
        await flushFolder(path.dirname(file));
        return path.basename(kept);
      }
    },
    signature: () => signatureOf(file),
  };
}

/**
 * Renames `aside` to `file` if that holds `known`. Nothing of this process comes between the steps, and a program that
 * writes into the old file meanwhile gets it back. One that renames its own file into place within these microseconds
 * can be missed: no system call of Node compares and renames at once.
 */
function replaceKnown(file: string, aside: string, known: Uint8Array | null): boolean {
  const before = `${aside}.before`;
  try {
    if (known === null && tryLink(aside, file)) return true;
    const hasLink = known !== null && tryLink(file, before);
    const isSameFile = () => inodeOf(file) === inodeOf(before);
    // A folder that sshfs mounts gives each name an inode number of its own: there, only the bytes tell.
    const hasInodes = hasLink && isSameFile();
    if (!isHeld(file, known) || (hasInodes && !isSameFile())) return false;
    const own = inodeOf(aside);
    renameSync(aside, file);
    if (!hasLink || isHeld(before, known)) return true;
    if (inodeOf(file) === own) renameSync(before, file);
    return false;
  } finally {
    rmSync(before, { force: true });
  }
}

/** False where the name is taken, the file is gone, or the file system has no links. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function isHeld(file: string, known: Uint8Array | null): boolean {
  try {
    return known !== null && Buffer.compare(readFileSync(file), known) === 0;
  } catch (error) {
    if (isAbsent(error)) return known === null;
    throw error;
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

async function signatureOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? 'absent' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
