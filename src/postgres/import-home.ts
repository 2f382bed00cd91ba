/** Takes a data folder over into a database: accounts first, so that tasks find their organizations. */
import { exportAccounts } from '../account/export-accounts.ts';
import { livenessOf, systemProbe } from '../disk/process-identity.ts';
import { ListingVideoError } from '../errors.ts';
import { createFileTaskStore } from '../task/file-store/file-task-store.ts';
import type { TaskSummary } from '../task/task.ts';
import type { StoreWarning, TaskStore } from '../task/task-store.ts';
import type { Database } from './database.ts';
import { type AccountImport, type ImportCount, importAccounts } from './import-accounts.ts';
import { importTasks } from './import-tasks.ts';

export interface HomeImport extends AccountImport {
  readonly tasks: ImportCount;
  /** Tasks, organizations and keys that cannot be read. They stay in the data folder. */
  readonly warnings: readonly StoreWarning[];
}

/**
 * The data folder stays as it is. Run again, it adds what is new there.
 *
 * @throws {@link ListingVideoError} `task_state_conflict` while a process of this machine runs a task of the data folder.
 */
export async function importHome(
  database: Database,
  home: string,
  summarize: (payload: unknown) => TaskSummary | null,
): Promise<HomeImport> {
  const tasks = createFileTaskStore({ home, summarize });
  await requireIdle(tasks, home);
  const exported = await exportAccounts({ home, tasks });
  const accounts = await importAccounts(database, exported);
  const { warnings, ...count } = await importTasks(database, tasks);
  return { ...accounts, tasks: count, warnings: [...exported.warnings, ...warnings] };
}

async function requireIdle(tasks: TaskStore, home: string): Promise<void> {
  const probe = systemProbe();
  let startingAfter: string | undefined;
  do {
    const page = await tasks.list({
      state: 'RUNNING',
      limit: 100,
      ...(startingAfter === undefined ? {} : { startingAfter }),
    });
    const running = page.data.find(({ worker }) => worker !== null && livenessOf(worker, probe) === 'alive');
    if (running !== undefined) {
      throw new ListingVideoError('task_state_conflict', `task ${running.id} in ${home} is running`, {
        hint: 'stop the server, or wait for the command that runs it',
        context: { id: running.id, state: running.state },
      });
    }
    startingAfter = page.hasMore ? page.data.at(-1)?.id : undefined;
  } while (startingAfter !== undefined);
}
