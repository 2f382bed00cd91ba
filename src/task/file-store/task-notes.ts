/**
 * Notes in a running task's folder that need no claim: the owner's progress, and the request to cancel. Each names the
 * claim it is about, so that a late writer harms nobody.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../disk/atomic-write.ts';
import { toStoreError } from '../../disk/disk-error.ts';
import type { TaskProgress } from '../task.ts';
import { cancelPath } from './claim-files.ts';

/** Leaves a request for the owner of claim `fence`. */
export async function writeCancelRequest(folder: string, fence: number): Promise<void> {
  const path = cancelPath(folder, fence);
  try {
    await fs.writeFile(path, '', { flag: 'a' });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Replaces the progress of the attempt under claim `fence`. Not durable: after a power cut nothing runs. */
export async function writeProgress(folder: string, fence: number, progress: TaskProgress): Promise<void> {
  const path = progressPath(folder, fence);
  try {
    await writeFileAtomically(path, JSON.stringify(progress), { durable: false });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Progress of the attempt under claim `fence`; null when there is none to be read. */
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
