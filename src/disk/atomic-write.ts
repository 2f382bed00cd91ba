/** Files that appear whole or not at all: written aside, flushed, then renamed or linked to their name. */
import fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './disk-error.ts';

const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

export interface AtomicWriteOptions {
  /** Flush the file before it gets its name. The caller flushes the folder. */
  readonly durable: boolean;
  /** Runs when the new content is safe and has only to be renamed: the last moment to refuse, by throwing. */
  readonly beforeRename?: () => Promise<void>;
}

/** Replaces `path` with `content`. Leaves no temporary file behind unless the process dies. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { durable, beforeRename }: AtomicWriteOptions,
): Promise<void> {
  await replaceFile(path, async (aside) => {
    await writeNew(aside, content, durable);
    await beforeRename?.();
  });
}

/**
 * Replaces `path` with the file that `write` makes under the name it is given. Leaves none behind when that fails.
 *
 * @returns What `write` returns.
 */
export async function replaceFile<T>(path: string, write: (aside: string) => Promise<T>): Promise<T> {
  const aside = asidePath(path);
  try {
    const result = await write(aside);
    await renameOver(aside, path);
    return result;
  } catch (error) {
    await fs.rm(aside, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Makes a file unless something has its name: of several processes at once one succeeds. The caller flushes the folder.
 *
 * File systems without hard links (exFAT, some network shares) take it in two steps, where a crash in between leaves it
 * empty or cut short.
 *
 * @param options - `mtimeMs` sets the time of the last change before the file appears.
 * @returns False when the name is taken.
 */
export async function createFile(
  path: string,
  content: string,
  options: { readonly durable: boolean; readonly mtimeMs?: number },
): Promise<boolean> {
  const write = async (file: string) => {
    await writeNew(file, content, options.durable);
    const { mtimeMs } = options;
    if (mtimeMs !== undefined) await fs.utimes(file, mtimeMs / 1000, mtimeMs / 1000);
  };
  const aside = asidePath(path);
  try {
    await write(aside);
    try {
      await fs.link(aside, path);
    } catch (error) {
      if (!WITHOUT_LINKS.has(errnoOf(error))) throw error;
      await write(path);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await fs.rm(aside, { force: true });
  }
}

/** A name beside `path` for a file that is not finished. Random, not the pid: two containers can share a folder and a pid. */
export function asidePath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
}

/** True for a name of {@link asidePath}, and for those of earlier versions. */
export function isAside(name: string): boolean {
  return name.endsWith('.tmp') || name.endsWith('.part');
}

/** Removes what it made when it fails. @throws EEXIST when the name is taken. */
async function writeNew(path: string, content: string | Uint8Array, durable: boolean): Promise<void> {
  const file = await fs.open(path, 'wx');
  try {
    await file.writeFile(content);
    if (durable) await file.datasync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await fs.rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/** Windows refuses to replace a file that a reader or a virus scanner has open; it lets go within moments. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await fs.rename(from, to);
    } catch (error) {
      const busy = ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error));
      if (process.platform !== 'win32' || !busy || tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * tries));
    }
  }
}
