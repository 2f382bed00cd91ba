/**
 * `claim.<k>` in a task's folder: whoever creates number k alone may change the task, until somebody creates k+1.
 *
 * A claim appears with its content or not at all (a hard link of a finished file, which fails if the name is taken).
 * Its mtime is the heartbeat. None is ever removed while the task lives, so a number can be won only once: removing and
 * creating again is the race that unlink-and-retry locks lose.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { createFile } from '../../disk/atomic-write.ts';
import { isAbsent } from '../../disk/disk-error.ts';
import type { ProcessIdentity } from '../../disk/process-identity.ts';

/** What the names in a task's folder say. */
export interface FolderNotes {
  /** The highest claim, 0 when there is none. */
  readonly highestClaim: number;
  /** Claims whose owner somebody asked to stop. */
  readonly cancelled: ReadonlySet<number>;
}

/** Path of claim number `fence`. */
export function claimPath(folder: string, fence: number): string {
  return join(folder, `claim.${fence}`);
}

/** Path of the request to cancel what runs under claim `fence`. */
export function cancelPath(folder: string, fence: number): string {
  return join(folder, `cancel.${fence}`);
}

/** Reads the names in a task's folder; foreign ones are ignored. Null when there is no such folder. */
export async function readFolderNotes(folder: string): Promise<FolderNotes | null> {
  let names: string[];
  try {
    names = await fs.readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  let highestClaim = 0;
  const cancelled = new Set<number>();
  for (const name of names) {
    const match = /^(claim|cancel)\.([1-9][0-9]{0,8})$/.exec(name);
    if (match === null) continue;
    const fence = Number(match[2]);
    if (match[1] === 'cancel') cancelled.add(fence);
    else if (fence > highestClaim) highestClaim = fence;
  }
  return { highestClaim, cancelled };
}

/** Creates claim `fence`; false when another process has it. */
export function createClaim(
  folder: string,
  fence: number,
  owner: ProcessIdentity,
  nowMs: number,
): Promise<boolean> {
  // Without hard links a crash can leave a claim without content, which only costs waiting for the lease.
  const content = `${JSON.stringify(owner)}\n`;
  return createFile(claimPath(folder, fence), content, { durable: false, mtimeMs: nowMs });
}

export interface ClaimHolder {
  /** Null when the content is unreadable. */
  readonly owner: ProcessIdentity | null;
  readonly heartbeatMs: number;
}

/** Who holds claim `fence` and when they last said so; null when there is no such file. */
export async function readClaim(folder: string, fence: number): Promise<ClaimHolder | null> {
  const path = claimPath(folder, fence);
  try {
    const { mtimeMs } = await fs.stat(path);
    // Seconds as a double do not hold every millisecond exactly.
    return { owner: parseOwner(await fs.readFile(path, 'utf8')), heartbeatMs: Math.round(mtimeMs) };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

function parseOwner(text: string): ProcessIdentity | null {
  try {
    const value = JSON.parse(text);
    return typeof value?.pid === 'number' && typeof value.boot === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Renews the lease; false when the claim's file is gone (somebody removed the task). */
export async function touchClaim(folder: string, fence: number, nowMs: number): Promise<boolean> {
  try {
    await fs.utimes(claimPath(folder, fence), nowMs / 1000, nowMs / 1000);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Takes back a claim that this process created and could not use, so that the task does not wait for our end. */
export async function retractClaim(folder: string, fence: number): Promise<void> {
  await fs.rm(claimPath(folder, fence), { force: true });
}
