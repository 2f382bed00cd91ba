/** The store of tasks in PostgreSQL: the contract of every store. */
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../src/task/postgres/database.ts';
import { migrateDatabase } from '../../src/postgres/migrate-database.ts';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { createPostgresTaskStore } from '../../src/postgres/postgres-task-store.ts';
import { FILE_LEASE } from '../../src/task/task-store.ts';
import { summarizePayload } from '../../src/video/video-task-summary.ts';
import { harness } from '../task/store-harness.ts';
import { describeTaskStore } from '../task/task-store-contract.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';

describeWithPostgres('with PostgreSQL', (server) => {
  let database: Database;
  beforeAll(async () => {
    database = openDatabase({ url: server.url });
    await migrateDatabase(database);
  });
  afterAll(() => database.close());

  describeTaskStore('the store in PostgreSQL', async () => {
    await database.query('delete from listing_video.tasks');
    return harness(
      (options) =>
        createPostgresTaskStore({ ...options, database, summarize: summarizePayload, lease: FILE_LEASE }),
      async () => {},
    );
  });
});
