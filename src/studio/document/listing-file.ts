/** The listing file on disk: its bytes, read and replaced. What they mean is decided elsewhere. */
import { chmod, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, writeNewFile } from '../../platform/disk/atomic-write.ts';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import { flushFolder } from '../../platform/disk/folder.ts';

export interface ListingFile {
  /** Absolute, without symbolic links: a link to the listing stays a link. */
  readonly path: string;
  /** Null when there is no file. @throws an error of the file system. */
  read(): Promise<Uint8Array | null>;
  /**
   * Replaces the file at once, or not at all. Right before, it must hold `known`; null means that there is none.
   *
   * @returns Its new {@link signature}; null when another program changed the file since it was read.
   * @throws an error of the file system.
   */
  write(text: string, known: Uint8Array | null): Promise<string | null>;
  /** Differs when the file was changed, at little cost. */
  signature(): Promise<string>;
}

export function listingFileAt(file: string): ListingFile {
  return {
    path: file,
    read: () => orNull(readFile(file)),
    async write(text, known) {
      const changed = new Error('another program changed the file');
      const found = await orNull(stat(file));
      const replacing = replaceFile(file, async (aside) => {
        await writeNewFile(aside, text, true);
        // The rights of the file that it replaces: it can be shared with a group.
        if (found !== null) await chmod(aside, found.mode & 0o777);
        // Before the rename: afterwards another program can have changed the file already.
        const signature = await signatureOf(aside);
        if (!isSameBytes(await orNull(readFile(file)), known)) throw changed;
        return signature;
      });
      const written = await replacing.catch((error: unknown) => {
        if (error === changed) return null;
        throw error;
      });
      if (written === null) return null;
      await flushFolder(path.dirname(file));
      return written;
    },
    signature: () => signatureOf(file),
  };
}

function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
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
