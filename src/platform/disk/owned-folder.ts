/**
 * Temporary folders that name their owner, so that any process can remove those of dead owners, also in another
 * container:
 *
 *     <folder>/owner.json    the process identity of the owner; its mtime is the heartbeat
 *
 * A folder is taken from its owner by one rename. Each folder has a name of its own, so an owner that was only
 * suspended finds nothing under its name when it continues, and fails instead of writing into the folder of a later
 * process.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './disk-error.ts';
import { namesIn } from './folder.ts';
import { livenessOf, type ProcessIdentity, systemProbe } from './process-identity.ts';

const OWNER_NAME = 'owner.json';
const HEARTBEAT_MS = 5_000;
/** An identity has less than 300 bytes. */
const MAX_IDENTITY_BYTES = 4_096;
/**
 * After this time without a heartbeat the owner counts as dead, where its process cannot be checked. Nobody waits for
 * these folders, so it is long enough for a process that was suspended for a minute.
 */
export const ABANDONED_AFTER_MS = 300_000;
/** Ending of a folder that was taken from its owner and is being removed. */
const TAKEN = '.taken';
/**
 * Names of {@link newFolderName}. A folder without an owner is removed only if it has one, because it can be a user's.
 */
const OWN_NAME = /^(?:[0-9a-f-]{36}-[0-9]+-)?[0-9a-f]{16}(?:\.taken)?$/;

/** True for a name of {@link newFolderName}, also of a folder that was taken. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name);
}

export interface AttemptId {
  /** A UUID. */
  readonly taskId: string;
  readonly fence: number;
}

/** A folder name that no other process uses: task and fence, if there are any, and 64 random bits. */
export function newFolderName(attempt: AttemptId | null): string {
  const random = randomBytes(8).toString('hex');
  return attempt === null ? random : `${attempt.taskId}-${attempt.fence}-${random}`;
}

/**
 * Makes the folder `path` with this process as its owner. Its parent must exist.
 *
 * @param options - `mode` has the rights of the folder, less the umask of the process, by default only those of the
 *   owner. `place` is where a rename will put the folder.
 * @throws The file system's error.
 */
export async function makeOwnedFolder(
  path: string,
  { mode = 0o700, place = path }: { readonly mode?: number; readonly place?: string } = {},
): Promise<void> {
  await fs.mkdir(path, { mode });
  const file = await fs.open(join(path, OWNER_NAME), 'wx');
  try {
    const { ino } = await file.stat();
    await file.writeFile(JSON.stringify({ ...systemProbe().self, place, ino } satisfies OwnerFile));
  } finally {
    await file.close();
  }
}

/** Place and inode tell the folder of a process from a copy of it. */
interface OwnerFile extends ProcessIdentity {
  readonly place: string;
  readonly ino: number;
}

export interface FolderHeartbeat {
  /** Aborted, with the error of {@link startHeartbeat}, when another process has taken the folder. */
  readonly lost: AbortSignal;
  /** Finds out now whether the folder is lost. @throws The error of {@link startHeartbeat}. */
  assertHeld(): Promise<void>;
  stop(): void;
}

/**
 * Renews the heartbeat of a folder of this process until it is stopped. It does not keep the process alive.
 *
 * @param lostError - Makes the error for a folder that another process has taken.
 */
export function startHeartbeat(path: string, lostError: () => Error): FolderHeartbeat {
  const controller = new AbortController();
  const renew = async (): Promise<void> => {
    const now = Date.now() / 1000;
    try {
      await fs.utimes(join(path, OWNER_NAME), now, now);
    } catch (error) {
      // Any other error can pass.
      if (errnoOf(error) === 'ENOENT') controller.abort(lostError());
    }
  };
  const timer = setInterval(() => void renew(), HEARTBEAT_MS).unref();
  controller.signal.addEventListener('abort', () => clearInterval(timer));
  return {
    lost: controller.signal,
    async assertHeld() {
      if (!controller.signal.aborted) await renew();
      controller.signal.throwIfAborted();
    },
    stop: () => clearInterval(timer),
  };
}

export interface FolderOwner {
  /** Null while the owner has not written it yet, or if it is damaged. */
  readonly process: ProcessIdentity | null;
  /** Milliseconds since 1970. */
  readonly heartbeatMs: number;
  /** The folder was copied from that of the owner, such as with the folder around it. */
  readonly isCopy?: boolean;
}

/** The owner of the folder `path`; null if the folder does not exist. */
export async function readOwner(path: string): Promise<FolderOwner | null> {
  const file = join(path, OWNER_NAME);
  const stat = (await fs.stat(file).catch(() => null)) ?? (await fs.stat(path).catch(() => null));
  if (stat === null) return null;
  const process = await readIdentity(file);
  const { place = path, ino = stat.ino } = (process ?? {}) as Partial<OwnerFile>;
  // A moved folder and a second mount of it keep the inode. A file system with unstable inodes keeps the place.
  return { process, heartbeatMs: stat.mtimeMs, isCopy: place !== path && ino !== stat.ino };
}

/** The process identity in a file; null if there is none. */
export async function readIdentity(file: string): Promise<ProcessIdentity | null> {
  try {
    // Output folders can come from a stranger's repository, where a link to a device would never end.
    const found = await fs.stat(file);
    if (!found.isFile() || found.size > MAX_IDENTITY_BYTES) return null;
    const value = JSON.parse(await fs.readFile(file, 'utf8')) as ProcessIdentity | null;
    return typeof value?.pid === 'number' && typeof value.boot === 'string' ? value : null;
  } catch {
    return null;
  }
}

/**
 * True if the owner is dead. The operating system decides for a process that this one can see. For any other (of
 * another pid namespace, machine or boot) the age of the heartbeat decides.
 *
 * @param leaseMs - A heartbeat older than this is that of a dead owner. One in the future comes from a wrong clock, and
 *   counts in the same way.
 */
export function isOwnerGone({ process, heartbeatMs, isCopy }: FolderOwner, leaseMs: number): boolean {
  const liveness = process === null ? 'unknown' : livenessOf(process, systemProbe());
  if (liveness === 'alive' || liveness === 'dead') return liveness === 'dead' || isCopy === true;
  return Math.abs(Date.now() - heartbeatMs) > leaseMs;
}

/** Takes the folder from its owner and removes it. Does nothing if it is gone. */
export async function takeAndRemove(path: string): Promise<void> {
  const taken = path.endsWith(TAKEN) ? path : `${path}${TAKEN}`;
  // Taken by a rename first: a removal takes time, and an owner that continues must not find half of its files. Windows
  // refuses the rename while a file is open.
  const isTaken = await fs.rename(path, taken).then(
    () => true,
    () => false,
  );
  await fs.rm(isTaken ? taken : path, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the folders of dead owners in `root`. One that cannot be removed stays for the next call. */
export async function removeAbandoned(root: string): Promise<void> {
  for (const name of await namesIn(root).catch(() => [])) {
    const folder = join(root, name);
    const owner = await readOwner(folder);
    const isOwn = isOwnName(name);
    if (owner === null || (owner.process === null && !isOwn)) continue;
    // A taken folder has no owner. The process that took it may have died while it removed the files.
    const isTaken = isOwn && name.endsWith(TAKEN);
    if (isTaken || isOwnerGone(owner, ABANDONED_AFTER_MS)) await takeAndRemove(folder).catch(() => {});
  }
}

/** Removes the folders in `root` of attempts at a task that began before `fence`, whoever owns them. */
export async function removeEarlierAttempts(root: string, { taskId, fence }: AttemptId): Promise<void> {
  for (const name of await namesIn(root).catch(() => [])) {
    const [, number] = (name.startsWith(taskId) && /^-([0-9]+)-/.exec(name.slice(taskId.length))) || [];
    if (number === undefined || Number(number) >= fence || !OWN_NAME.test(name)) continue;
    await takeAndRemove(join(root, name)).catch(() => {});
  }
}
