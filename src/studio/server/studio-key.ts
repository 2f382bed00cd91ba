/**
 * The key with which an open page shows a later studio of the same listing that it was let in before. It is kept beside
 * what the studio remembers, for this user only.
 */
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { createFile } from '../../platform/disk/atomic-write.ts';
import { errnoOf } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';

const KEY_BYTES = 32;
const LAST_TRY = 2;
/** Rights of others than the owner. */
const RIGHTS_OF_OTHERS = 0o077;

/** @param onError - Called when no file can keep the key: it then holds for this run only. */
export async function loadStudioKey(file: string, onError: (error: unknown) => void): Promise<Uint8Array> {
  const own = randomBytes(KEY_BYTES);
  try {
    await makeFolder(path.dirname(file), false);
    for (let tries = 0; tries <= LAST_TRY; tries += 1) {
      const isMade = await createFile(file, own, { durable: false, mode: 0o600 }).catch((error: unknown) => {
        // The studio that has the listing removed the temporary file as one of a killed program.
        if (errnoOf(error) === 'ENOENT' && tries < LAST_TRY) return null;
        throw error;
      });
      if (isMade) return own;
      if (isMade === null) continue;
      const kept = await readKey(file);
      if (kept !== null) return kept;
      await rm(file, { force: true });
    }
  } catch (error) {
    onError(error);
  }
  return own;
}

/** Null: others could read it, or it is damaged. */
async function readKey(file: string): Promise<Uint8Array | null> {
  const handle = await open(file);
  try {
    const { mode } = await handle.stat();
    const isSecret = process.platform === 'win32' || (mode & RIGHTS_OF_OTHERS) === 0;
    const bytes = await handle.readFile();
    return isSecret && bytes.length === KEY_BYTES ? bytes : null;
  } finally {
    await handle.close();
  }
}
