/** The database that a setting names. Its code is loaded only here, so that commands without a database never load it. */
import type { MigrationReport } from '../postgres/migrate-database.ts';

/** A migration, and where it ran. */
export interface DatabaseMigration extends MigrationReport {
  /** Host, port and name of the database, without user and password. */
  readonly place: string;
}

/** Brings the tables of the database at `url` to the version of this program. */
export async function migrateDatabaseAt(url: string): Promise<DatabaseMigration> {
  const [{ openDatabase }, { migrateDatabase }] = await Promise.all([
    import('../postgres/open-database.ts'),
    import('../postgres/migrate-database.ts'),
  ]);
  // A migration of a large table takes as long as it takes.
  const database = openDatabase({ url, connections: 1, hasTimeouts: false });
  try {
    return { place: database.place, ...(await migrateDatabase(database)) };
  } finally {
    await database.close();
  }
}
