/**
 * The small files beside a task's record: claims, cancel requests and progress.
 *
 * The process that created `claim.<k>` alone can change the task, until another process creates `claim.<k+1>`. A claim
 * appears with its full content (a hard link of a finished file, which fails if the name is taken). Its mtime is the
 * heartbeat. No claim is removed while the task exists, so each number can be won only once: locks that are removed and
 * created again have a race here. `cancel.<k>` and `progress.<k>.json` need no claim: they name the claim that they are
 * about, so a late writer does no harm.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { isAbsent, toStoreError } from '../../platform/disk/disk-error.ts';
import type { ProcessIdentity } from '../../platform/disk/process-identity.ts';
import type { TaskProgress } from '../task.ts';

/** The claims and cancel requests in a task's folder. */
export interface FolderClaims {
  /** The number of the highest claim, 0 if there is none. */
  readonly highestClaim: number;
  /** Numbers of the claims with a cancel request. */
  readonly cancelled: ReadonlySet<number>;
}

/** Path of claim number `fence`. */
function claimPath(folder: string, fence: number): string {
  return join(folder, `claim.${fence}`);
}

/** Path of the request to cancel the attempt under claim `fence`. */
function cancelPath(folder: string, fence: number): string {
  return join(folder, `cancel.${fence}`);
}

/** Reads the names in a task's folder and ignores foreign ones. Null if the folder does not exist. */
export async function readFolderClaims(folder: string): Promise<FolderClaims | null> {
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

/** Creates claim `fence`. False if another process has created it. */
export function createClaim(
  folder: string,
  fence: number,
  owner: ProcessIdentity,
  nowMs: number,
): Promise<boolean> {
  // Without hard links a crash can leave a claim without content. The task then waits until the lease ends.
  const content = `${JSON.stringify(owner)}\n`;
  return createFile(claimPath(folder, fence), content, { durable: false, mtimeMs: nowMs });
}

/** The owner of a claim. */
export interface ClaimHolder {
  /** Null if the content is unreadable. */
  readonly owner: ProcessIdentity | null;
  /** Milliseconds since 1970. */
  readonly heartbeatMs: number;
}

/** The owner of claim `fence` and its last heartbeat; null if the claim does not exist. */
export async function readClaim(folder: string, fence: number): Promise<ClaimHolder | null> {
  const path = claimPath(folder, fence);
  try {
    const { mtimeMs } = await fs.stat(path);
    // The file system stores seconds as a double, which does not hold every millisecond exactly.
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

/** Renews the lease. False if the claim's file is gone because the task was removed. */
export async function touchClaim(folder: string, fence: number, nowMs: number): Promise<boolean> {
  try {
    await fs.utimes(claimPath(folder, fence), nowMs / 1000, nowMs / 1000);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Removes a claim that this process created and could not use. Without this the task would wait until we exit. */
export async function retractClaim(folder: string, fence: number): Promise<void> {
  await fs.rm(claimPath(folder, fence), { force: true });
}

/** Leaves a cancel request for the owner of claim `fence`. */
export async function writeCancelRequest(folder: string, fence: number): Promise<void> {
  const path = cancelPath(folder, fence);
  try {
    await fs.writeFile(path, '', { flag: 'a' });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Replaces the progress of the attempt under claim `fence`. Not durable, because a power loss ends the attempt. */
export async function writeProgress(folder: string, fence: number, progress: TaskProgress): Promise<void> {
  const path = progressPath(folder, fence);
  try {
    await writeFileAtomically(path, JSON.stringify(progress), { durable: false });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Progress of the attempt under claim `fence`; null if there is none or it is unreadable. */
export async function readProgress(folder: string, fence: number): Promise<TaskProgress | null> {
  try {
    const value = JSON.parse(await fs.readFile(progressPath(folder, fence), 'utf8'));
    return typeof value?.percent === 'number' ? value : null;
  } catch {
    return null;
  }
}

function progressPath(folder: string, fence: number): string {
  return join(folder, `progress.${fence}.json`);
}
