/** The accounts in PostgreSQL: the contract of every store. */
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../src/task/postgres/database.ts';
import { migrateDatabase } from '../../src/postgres/migrate-database.ts';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { createPostgresAccountStore } from '../../src/postgres/postgres-account-store.ts';
import { createPostgresTaskStore } from '../../src/postgres/postgres-task-store.ts';
import { harness } from '../task/accounts/account-harness.ts';
import { describeAccountStore } from '../task/accounts/account-store-contract.ts';
import { emptyDatabase } from './empty-database.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';

describeWithPostgres('with PostgreSQL', (server) => {
  let database: Database;
  beforeAll(async () => {
    database = openDatabase({ url: server.url });
    await migrateDatabase(database);
  });
  afterAll(() => database.close());

  describeAccountStore('the account store in PostgreSQL', async () => {
    await emptyDatabase(database);
    return harness(
      (options) => createPostgresAccountStore({ ...options, database }),
      (options) => createPostgresTaskStore({ ...options, database }),
      async () => {},
    );
  });
});
