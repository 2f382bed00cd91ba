/** Removes old tasks of the API with their files, old files without a task, and old volumes of ledgers. */
import type { AccountStore } from '../account/account-store.ts';
import { nullOn } from '../errors.ts';
import { isTaskId, taskIdTimeMs } from '../task/task-id.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { FileStorage } from '../video/publish/file-storage.ts';

export interface RetentionDeps {
  readonly store: Pick<TaskStore, 'get' | 'prune'>;
  readonly files: Pick<FileStorage, 'owners' | 'remove'>;
  readonly accounts: Pick<AccountStore, 'prune'>;
}

/** What one sweep removed. */
export interface Sweep {
  readonly tasks: number;
  readonly folders: number;
  /** Closed volumes of ledgers. */
  readonly ledgers: number;
}

/**
 * @param olderThanMs - Milliseconds since 1970. Tasks of the command line are never removed here.
 * @param isStopped - Checked between two folders.
 */
export async function sweepOld(
  { store, files, accounts }: RetentionDeps,
  olderThanMs: number,
  isStopped: () => boolean = () => false,
): Promise<Sweep> {
  const { removed } = await store.prune({ olderThanMs, states: ['SUCCEEDED', 'FAILED'], origin: 'api' });
  let folders = 0;
  // The record goes first. After a crash a folder without a task is left, which the next sweep removes.
  for await (const owner of files.owners()) {
    if (isStopped()) break;
    const isOld = isTaskId(owner.taskId) && taskIdTimeMs(owner.taskId) < olderThanMs;
    if (!isOld || (await exists(store, owner.taskId))) continue;
    await files.remove(owner);
    folders += 1;
  }
  return { tasks: removed.length, folders, ledgers: await accounts.prune({ olderThanMs }) };
}

/** A task that cannot be read counts as existing. */
async function exists(store: Pick<TaskStore, 'get'>, id: string): Promise<boolean> {
  const task = await store
    .get(id)
    .catch(nullOn('task_not_found'))
    .catch(() => undefined);
  return task !== null;
}
