/** A PostgreSQL server for one test file: own folder, own port, gone in the end. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Database } from '../../../src/task/postgres/database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { findPrograms, LocalServer } from './local-server.ts';

export interface TestServer {
  /** Address of the database `postgres`. Set once the tests of the file run. */
  readonly url: string;
  /** Starts again after `stop`, on the same port with the same data. */
  start(): Promise<void>;
  /** Ends all connections at once, as a crash does. */
  stop(): Promise<void>;
}

export interface TestDatabase extends TestServer {
  /** Has our tables, which each test finds empty. */
  readonly database: Database;
}

/** Describes tests with a server. Without PostgreSQL they are skipped, and the run says so; in CI they fail. */
export function describeWithPostgres(name: string, define: (server: TestServer) => void): void {
  if (findPrograms() === null && process.env.CI !== 'true') {
    process.stderr.write(`skipped: ${name} (needs PostgreSQL: \`apt-get install postgresql\` on Debian)\n`);
    describe.skip(name, () => define({ url: '', start: async () => {}, stop: async () => {} }));
    return;
  }
  describe(name, () => {
    let server: LocalServer;
    beforeAll(async () => {
      server = new LocalServer(temporaryFolder());
      await server.make();
    });
    afterAll(() => server.stop());
    define({
      get url() {
        return server.url;
      },
      start: () => server.start(),
      stop: () => server.stop(),
    });
  });
}

/** As {@link describeWithPostgres}, with our tables. */
export function describeWithDatabase(name: string, define: (server: TestDatabase) => void): void {
  describeWithPostgres(name, (server) => {
    let opened: Database;
    beforeAll(async () => {
      await migrateDatabaseAt(server.url);
      opened = openDatabase({ url: server.url });
    });
    beforeEach(() => emptyDatabase(opened));
    afterAll(() => opened.close());
    const database: Database = {
      get place() {
        return opened.place;
      },
      query: (statement, values) => opened.query(statement, values),
      transaction: (work) => opened.transaction(work),
      close: () => opened.close(),
    };
    define(Object.defineProperties({ database }, Object.getOwnPropertyDescriptors(server)) as TestDatabase);
  });
}

/** Removes every row. Takes a few milliseconds, where a new database takes a second. */
export async function emptyDatabase(database: Database): Promise<void> {
  const tables = [
    ...['webhook_deliveries', 'webhooks', 'uploads', 'task_payloads', 'tasks', 'ledger_entries', 'api_keys'],
    ...[
      'organizations',
      'keys_required',
      'idempotency_keys',
      'audit_log',
      'worker_pools',
      'organization_turns',
    ],
  ];
  const deletions = tables.map((table) => `delete from listing_video.${table}`);
  await database.query(
    [
      ...deletions,
      'delete from listing_video_queue._private_jobs',
      `select setval('listing_video.turns', 1)`,
    ].join('; '),
  );
}
