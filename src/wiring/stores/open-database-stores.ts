/** The stores in a database. Loaded only when a setting names one. */
import { systemTaskClock } from '../../task/engine/task-clock.ts';
import type { TaskHooks } from '../../task/engine/task-handler.ts';
import { createPostgresAccountStore } from '../../task/postgres/accounts/postgres-account-store.ts';
import type { ClaimedKeys } from '../../task/postgres/accounts/postgres-deps.ts';
import { createWritableCheck } from '../../task/postgres/check-database.ts';
import { requireQueue, requireSchema } from '../../task/postgres/migrate-database.ts';
import { openDatabase } from '../../task/postgres/open-database.ts';
import { createPostgresUploads } from '../../task/postgres/postgres-uploads.ts';
import { taskJobs } from '../../task/postgres/queue/jobs.ts';
import { readQueue } from '../../task/postgres/queue/read-queue.ts';
import { createPostgresTaskStore } from '../../task/postgres/tasks/postgres-task-store.ts';
import { inOrder } from '../../task/postgres/tasks/task-change.ts';
import { taskCredits } from '../../task/postgres/tasks/task-credits.ts';
import { TaskNotices, taskNotices } from '../../task/postgres/tasks/task-notices.ts';
import { taskDeliveries } from '../../task/postgres/webhooks/postgres-deliveries.ts';
import { openPostgresWebhooks } from '../../task/postgres/webhooks/postgres-webhook-store.ts';
import { summarizePayload } from '../../video/video-task-summary.ts';
import { generatorName } from '../open-render-deps.ts';
import { priceOfTask } from './open-accounts.ts';
import type { Stores } from './stores.ts';

/** The transactions of the task store move the credits. */
const NO_HOOKS: TaskHooks<unknown> = {
  reserve: async () => {},
  release: async () => {},
  settle: async () => {},
};

/** @throws ListingVideoError `database_unavailable`, `database_version`. */
export async function openDatabaseStores(url: string): Promise<Stores> {
  const database = openDatabase({ url });
  try {
    await requireSchema(database);
    await requireQueue(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const claimedKeys: ClaimedKeys = new Map();
  const credits = taskCredits({ priceOf: priceOfTask, clock: systemTaskClock, claimedKeys });
  const webhooks = openPostgresWebhooks({ database, url, program: generatorName() });
  const accounts = createPostgresAccountStore({ database, program: generatorName(), claimedKeys });
  return {
    store: createPostgresTaskStore({
      database,
      summarize: summarizePayload,
      onChange: inOrder(credits, taskJobs, taskDeliveries(webhooks.lost), taskNotices),
    }),
    accounts: async () => accounts,
    hooks: NO_HOOKS,
    webhooks: async () => webhooks,
    checkDatabase: createWritableCheck(database),
    readQueue: () => readQueue(database),
    openQueue: async (options) => {
      const { TaskQueue } = await import('../../task/postgres/queue/task-queue.ts');
      return new TaskQueue({ database, url, clock: systemTaskClock, ...options });
    },
    openChanges: (logger) => new TaskNotices({ url, clock: systemTaskClock, logger }),
    uploads: createPostgresUploads(database),
    close: async () => {
      await accounts.close();
      await database.close();
    },
  };
}
