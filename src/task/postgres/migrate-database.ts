/**
 * Brings a database to the version of this program, and checks it: the tables of `listing_video`, which has a schema
 * of its own so that the database can have others, and those of the queue, which have a schema and versions of
 * graphile-worker.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import type { Database, Queries } from './database.ts';
import { sqlStateOf, toDatabaseError } from './database-error.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { QUEUE_SCHEMA } from './queue/jobs.ts';
import { insertInto, raw, type Sql, sql } from './sql.ts';

/** Key of the advisory lock under which migrations run: any number that no other program uses. */
const LOCK_KEY = 5_120_411_870;
/** SQLSTATE of a table or schema that does not exist. */
const ABSENT: ReadonlySet<string | null> = new Set(['42P01', '3F000']);

export interface MigrationReport {
  /** Version of the schema before, 0 for an empty database. */
  readonly from: number;
  /** Version of the schema now. */
  readonly to: number;
  readonly applied: readonly string[];
}

export const SCHEMA_VERSION = MIGRATIONS.length;
/** The version of the tables that the graphile-worker of this program makes. */
export const QUEUE_VERSION = 19;

/**
 * Runs the missing migrations, each in a transaction of its own. Several processes can call it at the same time: each
 * migration runs once. A database that a newer program migrated stays as it is.
 *
 * @throws {@link ListingVideoError} `database_version` if the schema is too new for this program, and if the database
 * cannot keep every text.
 */
export async function migrateDatabase(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationReport> {
  const applied: string[] = [];
  let from: number | null = null;
  for (;;) {
    const version = await database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
      await requireUtf8(tx, database.place);
      await prepare(tx);
      const found = await readVersion(tx, schemaFor(migrations.length));
      const before = found.version;
      from ??= before;
      if (found.oldest > migrations.length) throw wrongSchema(database.place, before, migrations.length);
      const next = migrations[before];
      if (next === undefined) return before;
      const { name, oldest = before + 1 } = next;
      await tx.query(next.sql);
      await tx.query(insertInto('migrations', { version: before + 1, name, oldestVersion: oldest }));
      applied.push(name);
      return before + 1;
    });
    if (version >= migrations.length) return { from: from ?? version, to: version, applied };
  }
}

/**
 * Checks that a program that knows the schema up to `version` can work with it. A newer one can say that it does.
 *
 * @returns The version of the schema.
 * @throws {@link ListingVideoError} `database_version`.
 */
export async function requireSchema(
  database: Pick<Database, 'query' | 'place'>,
  version: number = SCHEMA_VERSION,
): Promise<number> {
  const found = await readVersion(database, schemaFor(version));
  if (found.version < version || found.oldest > version)
    throw wrongSchema(database.place, found.version, version);
  return found.version;
}

/**
 * Brings the tables of the queue in the database at `url` to the version of this program.
 *
 * @returns The name of the migration if there was anything to do.
 * @throws {@link ListingVideoError} `database_version` if they are too new for this program.
 */
export async function migrateQueue(database: Database, url: string): Promise<readonly string[]> {
  const { version, oldest } = await readVersion(database, QUEUE);
  if (oldest > QUEUE_VERSION) throw wrongQueue(database.place, version);
  if (version >= QUEUE_VERSION) return [];
  const { makeQueueTables } = await import('./queue/graphile.ts');
  await makeQueueTables(url, QUEUE_SCHEMA).catch((error: unknown) => {
    throw toDatabaseError(error, database.place);
  });
  return [`queue ${QUEUE_VERSION}`];
}

/** @throws {@link ListingVideoError} `database_version` unless this program can work with the tables of the queue. */
export async function requireQueue(database: Database): Promise<void> {
  const { version, oldest } = await readVersion(database, QUEUE);
  if (version < QUEUE_VERSION || oldest > QUEUE_VERSION) throw wrongQueue(database.place, version);
}

/** Other encodings lack letters, and SQL_ASCII checks none. */
async function requireUtf8(tx: Queries, place: string): Promise<void> {
  const [{ found } = {}] = await tx.query<{ found: string }>(
    `select current_setting('server_encoding') as found`,
  );
  if (found === 'UTF8') return;
  throw new ListingVideoError(
    'database_version',
    `the database ${place} has the encoding ${found}, but must have UTF8`,
    {
      hint: 'create a database with `createdb --encoding=UTF8 --template=template0 NAME`, and set its address',
      context: { database: place, found, needed: 'UTF8' },
    },
  );
}

/** Makes the schema and the table of migrations. A schema that an administrator made needs no right to make one. */
async function prepare(tx: Queries): Promise<void> {
  const schemas = await tx.query(`select 1 from pg_namespace where nspname = 'listing_video'`);
  if (schemas.length === 0) await tx.query('create schema listing_video');
  await tx.query(`
    create table if not exists listing_video.migrations (
      version integer primary key,
      name text not null,
      oldest_version integer not null,
      applied_at timestamptz not null default now()
    )`);
}

interface FoundVersion {
  readonly version: number;
  /** The lowest version that a program must know. */
  readonly oldest: number;
}

/** For a program that knows the versions up to `known`. As JSON: tables of unpublished versions lack the column. */
function schemaFor(known: number): Sql {
  return sql`max(version) as version,
    max(coalesce((to_jsonb(migrations)->>'oldest_version')::integer, version)) filter (where version > ${known}) as oldest
    from listing_video.migrations`;
}

/** graphile-worker notes which of its migrations older programs cannot work with. As JSON: its first tables did not. */
const QUEUE = sql`max(id) as version, max(id) filter (where to_jsonb(migrations)->>'breaking' = 'true') as oldest
  from ${raw(QUEUE_SCHEMA)}.migrations`;

/** 0 for a database without these tables. */
async function readVersion(queries: Queries, which: Sql): Promise<FoundVersion> {
  try {
    const [row] = await queries.query<Record<keyof FoundVersion, number | null>>(sql`select ${which}`);
    return { version: row?.version ?? 0, oldest: row?.oldest ?? 0 };
  } catch (error) {
    if (ABSENT.has(sqlStateOf(error))) return { version: 0, oldest: 0 };
    throw error;
  }
}

function wrongSchema(place: string, found: number, needed: number): ListingVideoError {
  const of = `the database ${place} has schema version ${found}`;
  const empty = `the database ${place} has no tables of listing-video yet`;
  return wrongVersion(place, found, needed, of, found === 0 ? empty : undefined);
}

function wrongQueue(place: string, found: number): ListingVideoError {
  return wrongVersion(place, found, QUEUE_VERSION, `the queue in the database ${place} has version ${found}`);
}

function wrongVersion(place: string, found: number, needed: number, of: string, problem?: string) {
  const isNewer = found > needed;
  const what = `${of}, this program ${isNewer ? 'knows versions up to' : 'needs'} ${needed}`;
  return new ListingVideoError('database_version', problem ?? what, {
    hint: isNewer
      ? 'update listing-video on this machine; the version that migrated the database can use it'
      : 'make a backup, then run `listing-video database migrate`',
    context: { database: place, found, needed },
  });
}
