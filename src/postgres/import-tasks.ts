/** Takes the tasks of a store over into a database that has none of them. */
import type { StoreWarning, TaskStore } from '../task/task-store.ts';
import type { Queries } from '../task/postgres/database.ts';
import { alreadyImported, type ImportCount } from './import-accounts.ts';
import { insertTask } from './insert-task.ts';

/** Tasks that are read at once. */
const PAGE = 100;

export interface TaskImport extends ImportCount {
  /** Tasks that cannot be read. They stay in the data folder. */
  readonly warnings: readonly StoreWarning[];
}

/**
 * @param from - No process may change its tasks meanwhile.
 * @throws {@link ListingVideoError} `task_state_conflict` if the database has one of them.
 */
export async function importTasks(
  tx: Queries,
  from: Pick<TaskStore, 'list' | 'payload'>,
): Promise<TaskImport> {
  let [found, imported, present] = [0, 0, 0];
  const warnings: StoreWarning[] = [];
  let startingAfter: string | undefined;
  for (;;) {
    const page = await from.list({ limit: PAGE, ...(startingAfter === undefined ? {} : { startingAfter }) });
    warnings.push(...page.warnings);
    found += page.data.length;
    for (const task of page.data) {
      // A running task has lost its process: its heartbeat is as old as its last change.
      const heartbeatAt = task.state === 'RUNNING' ? task.updatedAt : null;
      if (!(await insertTask(tx, task, await from.payload(task.id), heartbeatAt)))
        throw alreadyImported(`task ${task.id}`);
      imported += 1;
    }
    const [row] = await tx.query<{ count: number }>(
      'select count(*) as count from listing_video.tasks where id = any($1::uuid[])',
      [page.data.map(({ id }) => id)],
    );
    present += row?.count ?? 0;
    startingAfter = page.data.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return { found, imported, present, warnings };
  }
}
