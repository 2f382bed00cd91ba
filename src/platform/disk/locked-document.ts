/**
 * Changes a JSON document while no other process can, under a lock that a dead process cannot keep:
 *
 *     <folder>/lock/owner.json     the process that holds the lock, and the token of this hold
 *     <folder>/lock/<token>.json   the next version of the document, which a rename makes the current one
 *
 * The lock is taken by renaming a whole folder into place, and anybody can end a hold by moving that folder away: the
 * rename that commits the change then finds no file, nothing has changed, and the process tries again. So a wrong guess
 * about a silent process costs time, never a change.
 */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Adapter, Low } from 'lowdb';
import { errnoOf } from './disk-error.ts';
import { flushFolder, makeFolder } from './folder.ts';
import { documentCorrupt, formatJsonDocument, parseObject, readText } from './json-document.ts';
import { newFolderName, readIdentity } from './owned-folder.ts';
import type { Liveness, ProcessIdentity } from './process-identity.ts';

/** A hold takes milliseconds. A live process is evicted after this time, for example if it was suspended. */
const ALIVE_MS = 10_000;
/** As {@link ALIVE_MS}, for a process that cannot be checked: of another container, or before a power loss. */
const UNKNOWN_MS = 2_000;
const POLL_MS = 4;

/** The last version of a document that this process read or wrote: an unchanged file is not parsed again. */
export interface LastVersion {
  text: string | null;
  document: object | null;
}

export interface DocumentLockOptions {
  readonly last: LastVersion;
  /** False skips every flush, for tests and benchmarks. */
  readonly durable: boolean;
  readonly self: ProcessIdentity;
  readonly liveness: (owner: ProcessIdentity) => Liveness;
}

/**
 * Replaces the document at `path` with what `edit` returns, durably. One that is the same is not written.
 *
 * @param edit - Gets the current document, null if there is none, which it can change in place. It is called again if
 *   another process ended the hold meanwhile.
 * @throws What `edit` throws, `store_corrupt`, and errors of the file system.
 */
export async function changeLocked(
  path: string,
  edit: (document: object | null) => Promise<object>,
  options: DocumentLockOptions,
): Promise<void> {
  const lock = join(dirname(path), 'lock');
  for (;;) {
    const next = await acquire(lock, options);
    try {
      if (await change(path, next, edit, options)) return;
    } finally {
      await release(lock, next).catch(() => {});
    }
  }
}

/** False if another process ended the hold. */
async function change(
  path: string,
  next: string,
  edit: (document: object | null) => Promise<object>,
  { durable, last }: DocumentLockOptions,
): Promise<boolean> {
  let isHeld = true;
  let before: string | null = null;
  const adapter: Adapter<object | null> = {
    async read() {
      const corrupt = (problem: string, cause?: unknown) => documentCorrupt(path, problem, cause);
      before = await readText(path, corrupt);
      const { text, document } = last;
      // Forgotten until the change is made, because a failed change can leave it half changed.
      last.text = null;
      if (before === null) return null;
      return before === text ? document : parseObject(before, corrupt);
    },
    async write(document) {
      const text = formatJsonDocument(document as object);
      try {
        if (text !== before) await replace(next, path, text, durable);
        Object.assign(last, { text, document });
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error;
        isHeld = false;
      }
    },
  };
  const database = new Low(adapter, null);
  await database.read();
  database.data = await edit(database.data);
  await database.write();
  return isHeld;
}

/** @throws ENOENT if `next` is in a lock that was lost. */
async function replace(next: string, path: string, text: string, durable: boolean): Promise<void> {
  const file = await fs.open(next, 'r+');
  try {
    await file.writeFile(text);
    if (durable) await file.datasync();
  } finally {
    await file.close();
  }
  await fs.rename(next, path);
  if (durable) await flushFolder(dirname(path));
}

/** Waits for the lock. @returns The path of the empty file for the next version. */
async function acquire(lock: string, { self, liveness, durable }: DocumentLockOptions): Promise<string> {
  const token = newFolderName(null);
  const aside = join(dirname(lock), token);
  const next = `${token}.json`;
  await makeAside(aside, durable);
  try {
    await Promise.all([
      fs.writeFile(join(aside, 'owner.json'), JSON.stringify({ ...self, token })),
      fs.writeFile(join(aside, next), ''),
    ]);
    let seen = { token: '', sinceMs: 0 };
    while (!(await moveInto(aside, lock))) {
      const owner = await readIdentity(join(lock, 'owner.json'));
      const holder = (owner as { token?: string } | null)?.token ?? '';
      if (holder !== seen.token || seen.sinceMs === 0) seen = { token: holder, sinceMs: performance.now() };
      const state = owner === null ? 'unknown' : liveness(owner);
      const limitMs = state === 'dead' ? 0 : state === 'alive' ? ALIVE_MS : UNKNOWN_MS;
      if (performance.now() - seen.sinceMs >= limitMs) await evict(lock);
      else await sleep(POLL_MS * (1 + Math.random()));
    }
  } catch (error) {
    await fs.rm(aside, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  return join(lock, next);
}

async function makeAside(path: string, durable: boolean): Promise<void> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path), durable);
    await fs.mkdir(path, { mode: 0o700 });
  }
}

/** Ends the hold of this process. If it was evicted, the process that has the lock now is at worst evicted, too. */
async function release(lock: string, next: string): Promise<void> {
  // After a commit there is no `next`.
  await Promise.all([fs.unlink(next).catch(() => {}), fs.unlink(join(lock, 'owner.json')).catch(() => {})]);
  await fs.rmdir(lock);
}

/** Ends the hold of another process. `removeAbandoned` removes what is left if this process dies meanwhile. */
async function evict(lock: string): Promise<void> {
  const taken = join(dirname(lock), `${newFolderName(null)}.taken`);
  try {
    await fs.rename(lock, taken);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  await fs.rm(taken, { recursive: true, force: true, maxRetries: 3 });
}

/** False if another process holds the lock. */
async function moveInto(aside: string, lock: string): Promise<boolean> {
  try {
    await fs.rename(aside, lock);
    return true;
  } catch (error) {
    const taken = process.platform === 'win32' ? ['EPERM', 'EACCES', 'EEXIST'] : ['EEXIST', 'ENOTEMPTY'];
    if (taken.includes(errnoOf(error))) return false;
    throw error;
  }
}
