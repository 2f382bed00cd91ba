/** The database that a setting names. Its code is loaded only here, so that commands without a database never load it. */
import type { HomeImport } from '../task/postgres/import/import-home.ts';
import type { MigrationReport } from '../postgres/migrate-database.ts';
import type { WorkerPool } from '../task/postgres/queue/worker-pools.ts';

export type { WorkerPool };

/** A migration, and where it ran. */
export interface DatabaseMigration extends MigrationReport {
  /** Host, port and name of the database, without user and password. */
  readonly place: string;
}

/** Takes the data folder `home` over into the database at `url`, whose tables must be up to date. */
export async function importHomeInto(url: string, home: string): Promise<HomeImport> {
  const [{ openDatabase }, { requireSchema }, { importHome }, { summarizePayload }] = await Promise.all([
    import('../task/postgres/open-database.ts'),
    import('../postgres/migrate-database.ts'),
    import('../task/postgres/import/import-home.ts'),
    import('../video/video-task-summary.ts'),
  ]);
  const database = openDatabase({ url, connections: 1 });
  try {
    await requireSchema(database);
    return await importHome(database, home, summarizePayload);
  } finally {
    await database.close();
  }
}

/** Brings the tables of the database at `url` to the version of this program. */
export async function migrateDatabaseAt(url: string): Promise<DatabaseMigration> {
  const [{ openDatabase }, { migrateDatabase }, { migrateQueue }] = await Promise.all([
    import('../task/postgres/open-database.ts'),
    import('../postgres/migrate-database.ts'),
    import('../postgres/queue/queue-schema.ts'),
  ]);
  // A migration of a large table takes as long as it takes.
  const database = openDatabase({ url, connections: 1, hasTimeouts: false });
  try {
    const report = await migrateDatabase(database);
    const applied = [...report.applied, ...(await migrateQueue(database, url))];
    return { ...report, place: database.place, applied };
  } finally {
    await database.close();
  }
}

/** The workers of the database at `url`, the oldest first. */
export async function listWorkersAt(url: string): Promise<WorkerPool[]> {
  const [{ openDatabase }, { requireSchema }, { listPools }] = await Promise.all([
    import('../task/postgres/open-database.ts'),
    import('../postgres/migrate-database.ts'),
    import('../task/postgres/queue/worker-pools.ts'),
  ]);
  const database = openDatabase({ url, connections: 1 });
  try {
    await requireSchema(database);
    return await listPools(database);
  } finally {
    await database.close();
  }
}

/** For `doctor`: what the database at `url` is. @throws ListingVideoError `database_unavailable`, `database_version`. */
export async function checkDatabaseAt(url: string): Promise<string> {
  const [{ openDatabase }, { checkDatabase }] = await Promise.all([
    import('../task/postgres/open-database.ts'),
    import('../task/postgres/check-database.ts'),
  ]);
  const database = openDatabase({ url, connections: 1 });
  try {
    return await checkDatabase(database);
  } finally {
    await database.close();
  }
}
