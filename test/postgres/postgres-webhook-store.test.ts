/** The webhooks in PostgreSQL: the contract of every store, with deliveries in the transaction of the task. */
import { afterAll, beforeAll } from 'vitest';
import { LostEvents } from '../../src/task/webhooks/lost-events.ts';
import type { Database } from '../../src/task/postgres/database.ts';
import { migrateDatabase } from '../../src/postgres/migrate-database.ts';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { createPostgresAccountStore } from '../../src/postgres/postgres-account-store.ts';
import { taskDeliveries } from '../../src/task/postgres/webhooks/postgres-deliveries.ts';
import { createPostgresTaskStore } from '../../src/postgres/postgres-task-store.ts';
import { openPostgresWebhooks } from '../../src/task/postgres/webhooks/postgres-webhook-store.ts';
import { harness } from '../task/accounts/webhook/webhook-harness.ts';
import { describeWebhookStore } from '../task/accounts/webhook/webhook-store-contract.ts';
import { emptyDatabase } from './empty-database.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';

describeWithPostgres('with PostgreSQL', (server) => {
  let database: Database;
  beforeAll(async () => {
    database = openDatabase({ url: server.url });
    await migrateDatabase(database);
  });
  afterAll(() => database.close());

  describeWebhookStore('the webhook store in PostgreSQL', async () => {
    await emptyDatabase(database);
    return harness(
      (options) =>
        createPostgresTaskStore({
          ...options,
          database,
          onChange: taskDeliveries(new LostEvents()),
          beforeEnd: async () => {},
        }),
      (options) => ({
        ...openPostgresWebhooks({ ...options, database }),
        accounts: createPostgresAccountStore({ ...options, database }),
      }),
      async () => {},
    );
  });
});
