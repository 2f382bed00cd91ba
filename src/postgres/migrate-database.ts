/**
 * Brings the schema of a database to the version of this program, and checks it. All tables are in the schema
 * `listing_video`, so that the database can have others.
 */
import { ListingVideoError } from '../platform/errors.ts';
import type { Database, Queries } from '../task/postgres/database.ts';
import { sqlStateOf } from '../task/postgres/database-error.ts';
import { MIGRATIONS, type Migration } from './migrations/migrations.ts';

/** Key of the advisory lock under which migrations run: any number that no other program uses. */
const LOCK_KEY = 5_120_411_870;
/** SQLSTATE of a table or schema that does not exist. */
const ABSENT: ReadonlySet<string | null> = new Set(['42P01', '3F000']);

export interface MigrationReport {
  /** Version of the schema before, 0 for an empty database. */
  readonly from: number;
  /** Version of the schema now. */
  readonly to: number;
  /** Names of the migrations that ran. */
  readonly applied: readonly string[];
}

/** The version of the schema that this program needs. */
export const SCHEMA_VERSION = lastVersion(MIGRATIONS);

/**
 * Runs the missing migrations, each in a transaction of its own. Several processes can call it at the same time: each
 * migration runs once.
 *
 * @throws {@link ListingVideoError} `database_version` if the schema is newer than this program, and if the database cannot keep
 * every text.
 */
export async function migrateDatabase(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationReport> {
  const applied: string[] = [];
  let from: number | null = null;
  for (;;) {
    const version = await database.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
      await requireUtf8(transaction, database.place);
      await prepare(transaction);
      const before = await readVersion(transaction);
      from ??= before;
      if (before > lastVersion(migrations)) throw tooNew(database.place, before, lastVersion(migrations));
      const next = migrations.find((migration) => migration.version === before + 1);
      if (next === undefined) return before;
      await transaction.query(next.sql);
      await transaction.query('insert into listing_video.migrations (version, name) values ($1, $2)', [
        next.version,
        next.name,
      ]);
      applied.push(next.name);
      return next.version;
    });
    if (version === lastVersion(migrations)) return { from: from ?? version, to: version, applied };
  }
}

/**
 * Checks that the schema of the database has the version of this program.
 *
 * @throws {@link ListingVideoError} `database_version` if it is older or newer.
 */
export async function requireSchema(database: Database, version: number = SCHEMA_VERSION): Promise<void> {
  const found = await readVersion(database).catch((error: unknown) => {
    if (ABSENT.has(sqlStateOf(error))) return 0;
    throw error;
  });
  if (found > version) throw tooNew(database.place, found, version);
  if (found === version) return;
  const problem =
    found === 0
      ? `the database ${database.place} has no tables of listing-video yet`
      : `the database ${database.place} has schema version ${found}, this program needs ${version}`;
  throw new ListingVideoError('database_version', problem, {
    hint: 'make a backup, then run `listing-video database migrate`',
    context: { database: database.place, found, needed: version },
  });
}

/** Other encodings lack letters, and SQL_ASCII checks none. */
async function requireUtf8(transaction: Queries, place: string): Promise<void> {
  const [row] = await transaction.query<{ server_encoding: string }>('show server_encoding');
  if (row?.server_encoding === 'UTF8') return;
  throw new ListingVideoError(
    'database_version',
    `the database ${place} has the encoding ${row?.server_encoding}, but must have UTF8`,
    {
      hint: 'create a database with `createdb --encoding=UTF8 --template=template0 NAME`, and set its address',
      context: { database: place, found: row?.server_encoding, needed: 'UTF8' },
    },
  );
}

/** Makes the schema and the table of migrations. A schema that an administrator made needs no right to make one. */
async function prepare(transaction: Queries): Promise<void> {
  const [schema] = await transaction.query(`select 1 from pg_namespace where nspname = 'listing_video'`);
  if (schema === undefined) await transaction.query('create schema listing_video');
  await transaction.query(`
    create table if not exists listing_video.migrations (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    )`);
}

async function readVersion(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ version: number | null }>(
    'select max(version) as version from listing_video.migrations',
  );
  return row?.version ?? 0;
}

function lastVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

function tooNew(place: string, found: number, known: number): ListingVideoError {
  return new ListingVideoError(
    'database_version',
    `the database ${place} has schema version ${found}, this program knows versions up to ${known}`,
    {
      hint: 'update listing-video on this machine; the version that migrated the database can use it',
      context: { database: place, found, needed: known },
    },
  );
}
