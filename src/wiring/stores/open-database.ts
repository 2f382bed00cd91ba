/** What commands do with the database of a setting. Its code is loaded only here: other commands do without it. */
import type { Database } from '../../task/postgres/database.ts';
import type { HomeImport } from '../../task/postgres/import/import-home.ts';
import type { MigrationReport } from '../../task/postgres/migrate-database.ts';
import type { DatabaseOptions } from '../../task/postgres/open-database.ts';
import type { WorkerPool } from '../../task/postgres/queue/worker-pools.ts';

export type { WorkerPool };

export interface DatabaseMigration extends MigrationReport {
  /** Host, port and name of the database, without user and password. */
  readonly place: string;
}

/** Takes the data folder `home` over into the database at `url`, whose tables must be up to date. */
export async function importHomeInto(url: string, home: string): Promise<HomeImport> {
  const { importHome } = await import('../../task/postgres/import/import-home.ts');
  const { summarizePayload } = await import('../../video/video-task-summary.ts');
  return withTables(url, (database) => importHome(database, home, summarizePayload));
}

/** Brings the tables of the database at `url` to the version of this program. */
export async function migrateDatabaseAt(url: string): Promise<DatabaseMigration> {
  const { migrateDatabase, migrateQueue } = await import('../../task/postgres/migrate-database.ts');
  // A migration of a large table takes as long as it takes.
  return withDatabase({ url, hasTimeouts: false }, async (database) => {
    const report = await migrateDatabase(database);
    const applied = [...report.applied, ...(await migrateQueue(database, url))];
    return { ...report, place: database.place, applied };
  });
}

/** The workers of the database at `url`, the oldest first. */
export async function listWorkersAt(url: string): Promise<WorkerPool[]> {
  const { listPools } = await import('../../task/postgres/queue/worker-pools.ts');
  return withTables(url, listPools);
}

/** What the database at `url` is. @throws ListingVideoError `database_unavailable`, `database_version`. */
export async function checkDatabaseAt(url: string): Promise<string> {
  const { checkDatabase } = await import('../../task/postgres/check-database.ts');
  return withDatabase({ url }, (database) => checkDatabase(database));
}

async function withTables<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { requireSchema } = await import('../../task/postgres/migrate-database.ts');
  return withDatabase({ url }, async (database) => {
    await requireSchema(database);
    return work(database);
  });
}

async function withDatabase<T>(
  options: DatabaseOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { openDatabase } = await import('../../task/postgres/open-database.ts');
  const database = openDatabase({ ...options, connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
