/** The webhooks in PostgreSQL: the contract of every store, with deliveries in the transaction of the task. */
import { afterAll, beforeAll } from 'vitest';
import { LostEvents } from '../../src/account/webhook/lost-events.ts';
import type { Database } from '../../src/postgres/database.ts';
import { migrateDatabase } from '../../src/postgres/migrate-database.ts';
import { openDatabase } from '../../src/postgres/open-database.ts';
import { createPostgresAccountStore } from '../../src/postgres/postgres-account-store.ts';
import { taskDeliveries } from '../../src/postgres/postgres-deliveries.ts';
import { createPostgresTaskStore } from '../../src/postgres/postgres-task-store.ts';
import { openPostgresWebhooks } from '../../src/postgres/postgres-webhook-store.ts';
import { harness } from '../account/webhook/webhook-harness.ts';
import { describeWebhookStore } from '../account/webhook/webhook-store-contract.ts';
import { emptyDatabase } from './empty-database.ts';
import { describeWithPostgres } from './test-server.ts';

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
