/** Takes a data folder over into a database: all of it in one transaction, or nothing. */

import { livenessOf, systemProbe } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { exportAccounts } from '../../files/accounts/export-accounts.ts';
import { createFileTaskStore } from '../../files/tasks/file-task-store.ts';
import { exportWebhooks } from '../../files/webhooks/export-webhooks.ts';
import type { TaskSummary } from '../../task.ts';
import type { StoreWarning, TaskPage, TaskQuery, TaskStore } from '../../task-store.ts';
import type { Database, Queries } from '../database.ts';
import { sql } from '../sql.ts';
import { insertTask } from '../tasks/task-row.ts';
import { alreadyImported, importAccounts, importWebhooks } from './import-rows.ts';

/** How many of each there were. */
export type HomeImport = Awaited<ReturnType<typeof importHome>>;

/** Key of the advisory lock of an import: any number that no other program uses. */
const LOCK_KEY = 5_120_411_871;
const PAGE = 100;

/**
 * The data folder stays as it is. Servers of the database see its tasks together with their reservations.
 *
 * @throws {@link ListingVideoError} `task_state_conflict` while a process of this machine runs a task of the data
 * folder, if the folder was imported before, and if the database has one of its idempotency keys; `store_corrupt` if
 * a part of it cannot be read. Then nothing is imported.
 */
export async function importHome(
  database: Database,
  home: string,
  summarize: (payload: unknown) => TaskSummary | null,
) {
  const store = createFileTaskStore({ home, summarize });
  await requireIdle(store, home);
  return database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
    const exported = await exportAccounts({ home, tasks: store });
    const { warnings, tasks } = await importTasks(tx, store);
    const { webhooks, ...found } = await exportWebhooks({ home, tasks: store });
    requireReadable([...exported.warnings, ...warnings, ...found.warnings]);
    // Last, because the row of an organization that has tasks at the moment is locked until the end.
    const accounts = await importAccounts(tx, exported);
    return { tasks, ...accounts, ...(await importWebhooks(tx, webhooks)) };
  });
}

function requireReadable(warnings: readonly StoreWarning[]): void {
  // The document of an organization has its accounts and its webhooks.
  const [first, ...others] = new Map(warnings.map((each) => [each.id + each.message, each])).values();
  if (first === undefined) return;
  const more = others.length === 0 ? '' : `; ${others.length} further parts cannot be read either`;
  throw new ListingVideoError('store_corrupt', `nothing was imported: ${first.message}${more}`, {
    hint: 'restore what cannot be read, or move it out of the data folder, and run the command again',
    context: { unreadable: [first, ...others].slice(0, 100).map(({ id, path }) => ({ id, path })) },
  });
}

async function requireIdle(tasks: TaskStore, home: string): Promise<void> {
  const probe = systemProbe();
  for await (const { data } of pagesOf(tasks, { state: 'RUNNING' })) {
    const running = data.find(({ worker }) => worker !== null && livenessOf(worker, probe) === 'alive');
    if (running === undefined) continue;
    throw new ListingVideoError('task_state_conflict', `task ${running.id} in ${home} is running`, {
      hint: 'stop the server, or wait for the command that runs it',
      context: { id: running.id, state: running.state },
    });
  }
}

/**
 * Adds the tasks of a store in which nothing changes meanwhile.
 *
 * @returns Also those that cannot be read, as warnings.
 * @throws {@link ListingVideoError} `task_state_conflict` if the database has one of them.
 */
async function importTasks(tx: Queries, from: TaskStore) {
  const warnings: StoreWarning[] = [];
  let tasks = 0;
  for await (const page of pagesOf(from, {})) {
    warnings.push(...page.warnings);
    for (const task of page.data) {
      // A running task has lost its process: its heartbeat is as old as its last change.
      const heartbeatAt = task.state === 'RUNNING' ? task.updatedAt : null;
      const isAdded = await insertTask(tx, task, await from.payload(task.id), heartbeatAt);
      if (!isAdded) throw alreadyImported(`task ${task.id}`);
    }
    tasks += page.data.length;
  }
  return { tasks, warnings };
}

async function* pagesOf(store: TaskStore, query: Pick<TaskQuery, 'state'>): AsyncGenerator<TaskPage, void> {
  let after: Pick<TaskQuery, 'startingAfter'> = {};
  for (;;) {
    const page = await store.list({ ...query, ...after, limit: PAGE });
    yield page;
    const last = page.data.at(-1);
    if (!page.hasMore || last === undefined) return;
    after = { startingAfter: last.id };
  }
}
