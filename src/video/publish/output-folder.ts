/**
 * The output folder of one listing. Files are written into a staging folder and renamed when the whole set is complete, so
 * that a reader never sees half a file or half a set. A lock prevents two runs of one listing at once.
 */
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent, outputUnwritable, toOutputError } from '../../disk/disk-error.ts';
import { flushFolder, makeFolder } from '../../disk/folder.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { livenessOf, type ProcessIdentity, systemProbe } from '../../disk/process-identity.ts';
import { removeAtExit } from '../../disk/remove-at-exit.ts';
import { ListingVideoError } from '../../errors.ts';
import type { ReportFile } from './report.ts';

const LOCK_NAME = '.listing-video.lock';
const STAGING_PREFIX = '.listing-video-';
/** Higher than any real pid. */
const UNKNOWN_PID = 2 ** 31 - 1;

export interface OutputFolder {
  readonly path: string;
  /** Path to write the file that will be published as `name`. */
  stagedPath(name: string): string;
  /** Describes a staged file: size and digest. */
  describe(name: string): Promise<ReportFile>;
  /** Renames staged files to their final names, in this order: the last one marks the set as complete. */
  publish(names: readonly string[]): Promise<void>;
  /** Removes staged files and the lock. Always call it, also after a failure. */
  close(): Promise<void>;
}

/**
 * @param folder - Absolute; made when missing.
 * @throws {@link ListingVideoError} `output_unwritable` when the folder cannot be made or written, `output_locked` when
 *   another living process is writing this listing.
 */
export async function openOutputFolder(folder: string): Promise<OutputFolder> {
  await makeOutputFolder(folder);
  const lockPath = path.join(folder, LOCK_NAME);
  await takeLock(lockPath);
  const staging = path.join(folder, `${STAGING_PREFIX}${process.pid}-${Date.now().toString(36)}`);
  const forgetStaging = removeAtExit(staging);
  const forgetLock = removeAtExit(lockPath, folder);
  const forget = (): void => {
    forgetStaging();
    forgetLock();
  };
  try {
    await removeLeftovers(folder);
    await mkdir(staging);
  } catch (error) {
    await rm(lockPath, { force: true });
    forget();
    throw toOutputError(error, folder);
  }
  return {
    path: folder,
    stagedPath: (name) => path.join(staging, name),
    describe: (name) => describeFile(path.join(staging, name)),
    async publish(names) {
      try {
        for (const name of names) await flushFile(path.join(staging, name));
        for (const name of names) await rename(path.join(staging, name), path.join(folder, name));
        await flushFolder(folder);
      } catch (error) {
        throw toOutputError(error, folder);
      }
    },
    async close() {
      await rm(staging, { recursive: true, force: true });
      await rm(lockPath, { force: true });
      forget();
      // A run that failed or was stopped leaves no empty folder; one with anything in it stays.
      await rmdir(folder).catch(() => undefined);
    },
  };
}

/** Size and SHA-256 of a file; `file` is its base name. */
export async function describeFile(filePath: string): Promise<ReportFile> {
  return { file: path.basename(filePath), ...(await hashFile(filePath)) };
}

async function makeOutputFolder(folder: string): Promise<void> {
  try {
    // On the command line it is the user's own place, with the rights that the user gives to new folders.
    await makeFolder(folder, false, 0o777);
  } catch (error) {
    // That a parent cannot be made, such as a drive that is not there, is no bug but a place that takes no files.
    throw isAbsent(error) ? outputUnwritable(error, folder) : toOutputError(error, folder);
  }
}

/** The lock file names its owner; the lock of a dead process is replaced. */
async function takeLock(lockPath: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const file = await open(lockPath, 'wx');
      await file.writeFile(JSON.stringify(systemProbe().self));
      await file.close();
      return;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw toOutputError(error, path.dirname(lockPath));
    }
    const owner = await readOwner(lockPath);
    if (owner === 'gone') continue;
    if (owner === 'starting' || canBeAlive(owner)) {
      const who = owner === 'starting' ? 'another process' : `process ${owner.pid}`;
      throw new ListingVideoError(
        'output_locked',
        `${who} is writing this listing's videos right now: ${path.dirname(lockPath)}`,
        {
          hint: 'Wait until it is done (`listing-video tasks list --state RUNNING`), or choose another folder with --out.',
          context: { path: path.dirname(lockPath), pid: owner === 'starting' ? null : owner.pid },
        },
      );
    }
    await removeStaleLock(lockPath, owner);
  }
  throw new ListingVideoError('output_locked', `cannot take the lock ${lockPath}`, {
    hint: 'If no listing-video is running, remove that file.',
    context: { path: path.dirname(lockPath), pid: null },
  });
}

/**
 * Another process can replace the stale lock between check and removal. So the file is renamed first and read again: a
 * fresh lock is put back (`link` never overwrites).
 */
async function removeStaleLock(lockPath: string, stale: ProcessIdentity): Promise<void> {
  const aside = `${lockPath}.${process.pid}`;
  try {
    await rename(lockPath, aside);
  } catch {
    return;
  }
  const moved = await readOwner(aside);
  const isFresh =
    moved === 'starting' || (moved !== 'gone' && moved.pid !== stale.pid && moved.pid !== UNKNOWN_PID);
  if (isFresh) await link(aside, lockPath).catch(() => undefined);
  await rm(aside, { force: true });
}

/** A process from before a restart is dead; one on another machine that shares the folder can be alive. */
function canBeAlive(owner: ProcessIdentity): boolean {
  const probe = systemProbe();
  const liveness = livenessOf(owner, probe);
  return liveness === 'elsewhere' ? owner.host !== probe.self.host : liveness !== 'dead';
}

async function readOwner(lockPath: string): Promise<ProcessIdentity | 'gone' | 'starting'> {
  try {
    return JSON.parse(await readFile(lockPath, 'utf8')) as ProcessIdentity;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'gone';
    // Empty: its owner is about to write it. After ten seconds that owner counts as dead.
    const { mtimeMs } = await stat(lockPath).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs <= 10_000) return 'starting';
    return { ...systemProbe().self, pid: UNKNOWN_PID, started: '' };
  }
}

/** Removes staging folders of killed runs; the lock guarantees that no process uses them. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(STAGING_PREFIX) && name !== LOCK_NAME) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

async function flushFile(filePath: string): Promise<void> {
  const file = await open(filePath, 'r+');
  await file.sync().finally(() => file.close());
}
