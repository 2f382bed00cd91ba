/** Writes files atomically: to a temporary file, flushed, then renamed or linked to the final name. */
import fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './disk-error.ts';

const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

export interface AtomicWriteOptions {
  /** Flushes the file before the rename. The caller flushes the folder. */
  readonly durable: boolean;
  /** Runs after the new content is written, right before the rename. An error here cancels the write. */
  readonly beforeRename?: () => Promise<void>;
  /** Part of the name of the temporary file; see {@link asidePath}. */
  readonly tag?: string;
}

/** Replaces `path` with `content`. No temporary file remains unless the process dies. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { durable, beforeRename, tag }: AtomicWriteOptions,
): Promise<void> {
  await replaceFile(
    path,
    async (aside) => {
      await writeNewFile(aside, content, durable);
      await beforeRename?.();
    },
    tag,
  );
}

/**
 * Replaces `path` with the file that `write` makes at the path it receives. No temporary file remains if that fails.
 *
 * @returns The result of `write`.
 */
export async function replaceFile<T>(
  path: string,
  write: (aside: string) => Promise<T>,
  tag?: string,
): Promise<T> {
  const aside = asidePath(path, tag);
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
 * Creates a file unless the name is taken. Exactly one of several concurrent processes succeeds. The caller flushes the
 * folder.
 *
 * File systems without hard links (exFAT, some network shares) need two steps: a crash between them leaves an empty or
 * incomplete file.
 *
 * @param options - `mtimeMs` sets the time of the last change before the file appears, `mode` who can use it. `aside` is a
 *   folder of the same disk for the temporary file, by default that of the file.
 * @returns False if the name is taken.
 */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  options: {
    readonly durable: boolean;
    readonly mtimeMs?: number;
    readonly mode?: number;
    readonly aside?: string | null;
  },
): Promise<boolean> {
  const write = async (file: string) => {
    await writeNewFile(file, content, options.durable, options.mode);
    const { mtimeMs } = options;
    if (mtimeMs !== undefined) await fs.utimes(file, mtimeMs / 1000, mtimeMs / 1000);
  };
  const aside = asidePath(options.aside ? join(options.aside, basename(path)) : path);
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

/**
 * A temporary path beside `path`: `.<name>.<tag>.<random>.tmp`. It is random, because two containers can share a folder
 * and a pid.
 */
export function asidePath(path: string, tag?: string): string {
  const name = tag === undefined ? basename(path) : `${basename(path)}.${tag}`;
  return join(dirname(path), `.${name}.${Math.random().toString(36).slice(2)}.tmp`);
}

/** True for a name of {@link asidePath}, and for those of earlier versions. */
export function isAside(name: string): boolean {
  return name.endsWith('.tmp') || name.endsWith('.part');
}

/**
 * Creates a file in place, for a name that no reader knows yet. A failed write removes it; a crash leaves an incomplete
 * one. The caller flushes the folder.
 *
 * @throws EEXIST if the name is taken.
 */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  durable: boolean,
  mode?: number,
): Promise<void> {
  const file = await fs.open(path, 'wx', mode);
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

/** Renames, with retries on Windows, which refuses to replace a file that a reader or a virus scanner has open. */
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
