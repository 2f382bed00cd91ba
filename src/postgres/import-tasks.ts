/** Takes the tasks of a store over into a database. Tasks that the database has stay as they are, so it can be run again. */
import type { JsonValue, TaskRecord } from '../task/task.ts';
import type { StoreWarning, TaskStore } from '../task/task-store.ts';
import type { Database } from './database.ts';
import type { ImportCount } from './import-accounts.ts';
import { insertTask } from './insert-task.ts';

/** Tasks of one transaction. */
const PAGE = 100;

export interface TaskImport extends ImportCount {
  /** Tasks that cannot be read. They stay in the data folder. */
  readonly warnings: readonly StoreWarning[];
}

/** @param from - No process may change its tasks meanwhile. */
export async function importTasks(
  database: Database,
  from: Pick<TaskStore, 'list' | 'payload'>,
): Promise<TaskImport> {
  let [found, imported, present] = [0, 0, 0];
  const warnings: StoreWarning[] = [];
  let startingAfter: string | undefined;
  for (;;) {
    const page = await from.list({ limit: PAGE, ...(startingAfter === undefined ? {} : { startingAfter }) });
    warnings.push(...page.warnings);
    found += page.data.length;
    const tasks: [TaskRecord, JsonValue][] = [];
    for (const task of page.data) tasks.push([task, await from.payload(task.id)]);
    imported += await addTasks(database, tasks);
    const [row] = await database.query<{ count: number }>(
      'select count(*) as count from listing_video.tasks where id = any($1::uuid[])',
      [page.data.map(({ id }) => id)],
    );
    present += row?.count ?? 0;
    startingAfter = page.data.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) return { found, imported, present, warnings };
  }
}

/** @returns The number of those that are new. */
function addTasks(database: Database, tasks: readonly (readonly [TaskRecord, JsonValue])[]): Promise<number> {
  return database.transaction(async (tx) => {
    let added = 0;
    for (const [task, payload] of tasks) {
      // A running task has lost its process: its heartbeat is as old as its last change.
      const heartbeatAt = task.state === 'RUNNING' ? task.updatedAt : null;
      if (await insertTask(tx, task, payload, heartbeatAt)) added += 1;
    }
    return added;
  });
}
