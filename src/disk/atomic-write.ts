/** Files that appear whole or not at all, and folders flushed so that a power cut does not lose them. */
import fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from './store-error.ts';

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
  content: string,
  options: AtomicWriteOptions,
): Promise<void> {
  const temp = await writeAside(path, content, options.durable);
  try {
    await options.beforeRename?.();
    await renameOver(temp, path);
  } catch (error) {
    await fs.rm(temp, { force: true }).catch(() => {});
    throw error;
  }
}

/** What became of giving a file a name that nothing may have yet. */
export type Linked = 'linked' | 'taken' | 'unsupported';

/**
 * Gives the file written aside the name `path` besides, unless something has it: of several at once one succeeds.
 *
 * @returns `unsupported` on file systems without hard links (exFAT, some network shares).
 */
export async function linkNew(aside: string, path: string): Promise<Linked> {
  try {
    await fs.link(aside, path);
    return 'linked';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return 'taken';
    if (WITHOUT_LINKS.has(errno)) return 'unsupported';
    throw error;
  }
}

/** Writes `content` to a file of its own beside `path` and returns its name: for the caller to rename, link or remove. */
export async function writeAside(path: string, content: string, durable: boolean): Promise<string> {
  // Random, not the pid: two containers that share a home may share a pid. `wx` refuses a name that is taken.
  const temp = join(dirname(path), `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
  const file = await fs.open(temp, 'wx');
  try {
    await file.writeFile(content);
    if (durable) await file.datasync();
    await file.close();
    return temp;
  } catch (error) {
    await file.close().catch(() => {});
    await fs.rm(temp, { force: true }).catch(() => {});
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

interface Flushing {
  readonly running: Promise<void>;
  next: Promise<void> | null;
}

const flushing = new Map<string, Flushing>();

/**
 * Makes the names in a folder durable. Callers that arrive while a flush of the folder runs share the next one: what
 * they did may have come too late for the one that is running.
 */
export function flushFolder(path: string): Promise<void> {
  const current = flushing.get(path);
  if (current === undefined) return startFlush(path);
  current.next ??= current.running.catch(() => {}).then(() => startFlush(path));
  return current.next;
}

function startFlush(path: string): Promise<void> {
  const running = flushNow(path).finally(() => {
    // The next flush, if anybody waits for one, puts itself into the map in the same turn.
    flushing.delete(path);
  });
  flushing.set(path, { running, next: null });
  return running;
}

async function flushNow(path: string): Promise<void> {
  // Windows cannot open a folder for this, and NTFS journals names by itself.
  if (process.platform === 'win32') return;
  let folder: fs.FileHandle;
  try {
    folder = await fs.open(path, 'r');
  } catch (error) {
    // An emptied marker folder may be gone again: then there is nothing left to keep.
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems do not know fsync of a folder.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errnoOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

/** A folder that a neighbour prunes between two steps is made again; more often than this, something else is wrong. */
const MAX_FOLDER_TRIES = 5;

/**
 * Makes a folder and those above it, each durably. Existing ones are fine, and stay as they are.
 *
 * Node's `recursive` is not used: it reports a read-only file system as `ENOENT`, and where a parent exists but takes no
 * folders (`/proc`) it tries for ever.
 *
 * @param mode - Rights of new ones, less the process's umask. By default their owner's alone: what a home holds (listings,
 *   names of files that nobody is to guess) is no other user's business.
 */
export async function makeFolder(path: string, durable: boolean, mode = 0o700): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await fs.mkdir(path, { mode });
      break;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EEXIST') return;
      if (errno !== 'ENOENT' || dirname(path) === path || tries === MAX_FOLDER_TRIES) throw error;
      await makeFolder(dirname(path), durable, mode);
    }
  }
  if (durable) await flushFolder(dirname(path));
}
