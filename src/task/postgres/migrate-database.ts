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

type ReadOnly = Pick<Database, 'query' | 'place'>;

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
      const before = await readVersion(tx, database.place, schemaUpTo(migrations.length));
      from ??= before;
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
 * Checks that a program that knows the schema up to `known` can work with it. A newer one can say that it does.
 *
 * @returns The version of the schema.
 * @throws {@link ListingVideoError} `database_version`.
 */
export function requireSchema(database: ReadOnly, known: number = SCHEMA_VERSION): Promise<number> {
  return requireVersion(database, schemaUpTo(known));
}

/** @throws {@link ListingVideoError} `database_version` unless this program can work with the tables of the queue. */
export function requireQueue(database: ReadOnly): Promise<number> {
  return requireVersion(database, QUEUE);
}

/**
 * Brings the tables of the queue in the database at `url` to the version of this program.
 *
 * @returns The name of the migration if there was anything to do.
 * @throws {@link ListingVideoError} `database_version` if they are too new for this program.
 */
export async function migrateQueue(database: Database, url: string): Promise<readonly string[]> {
  if ((await readVersion(database, database.place, QUEUE)) >= QUEUE_VERSION) return [];
  const { makeQueueTables } = await import('./queue/graphile.ts');
  await makeQueueTables(url, QUEUE_SCHEMA).catch((error: unknown) => {
    throw toDatabaseError(error, database.place);
  });
  return [`queue ${QUEUE_VERSION}`];
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

/** Tables whose version programs must know. */
interface Versioned {
  readonly has: string;
  /** The version up to which a program knows them. */
  readonly known: number;
  /** Selects `version`, `oldest`: the lowest version that a program must know, and `isRetired`: no program uses them any more. */
  readonly found: Sql;
}

/** As JSON: tables of 0.2.0 and of unpublished versions lack the column. Nothing brings them to those of today. */
function schemaUpTo(known: number): Versioned {
  const found = sql`max(version) as version,
    max(coalesce((to_jsonb(migrations)->>'oldest_version')::integer, version)) filter (where version > ${known}) as oldest,
    bool_or(to_jsonb(migrations)->'oldest_version' is null) as is_retired
    from listing_video.migrations`;
  return { has: 'has schema version', known, found };
}

/** graphile-worker notes which of its migrations older programs cannot work with. As JSON: its first tables did not. */
const QUEUE: Versioned = {
  has: 'has a queue of version',
  known: QUEUE_VERSION,
  found: sql`max(id) as version, max(id) filter (where to_jsonb(migrations)->>'breaking' = 'true') as oldest,
    false as is_retired
    from ${raw(QUEUE_SCHEMA)}.migrations`,
};

/** The version; 0 for a database without these tables. @throws `database_version` if it is too new. */
async function readVersion(queries: Queries, place: string, of: Versioned): Promise<number> {
  const [row] = await queries
    .query<{ version: number | null; oldest: number | null; isRetired: boolean | null }>(
      sql`select ${of.found}`,
    )
    .catch((error: unknown) => {
      if (ABSENT.has(sqlStateOf(error))) return [];
      throw error;
    });
  if (row?.isRetired) throw retiredTables(place);
  if ((row?.oldest ?? 0) > of.known) throw wrongVersion(place, row?.version ?? 0, of);
  return row?.version ?? 0;
}

function retiredTables(place: string): ListingVideoError {
  return new ListingVideoError('database_version', `the database ${place} has the tables of 0.2.0 or older`, {
    hint: 'make a new, empty database, set its address, and run `listing-video database migrate`',
    context: { database: place },
  });
}

async function requireVersion(database: ReadOnly, of: Versioned): Promise<number> {
  const found = await readVersion(database, database.place, of);
  if (found < of.known) throw wrongVersion(database.place, found, of);
  return found;
}

function wrongVersion(place: string, found: number, { has, known }: Versioned): ListingVideoError {
  const isNewer = found > known;
  const needs = isNewer ? 'knows versions up to' : 'needs';
  const what =
    found === 0 ? 'has no tables of listing-video yet' : `${has} ${found}, this program ${needs} ${known}`;
  return new ListingVideoError('database_version', `the database ${place} ${what}`, {
    hint: isNewer
      ? 'update listing-video on this machine; the version that migrated the database can use it'
      : 'make a backup, then run `listing-video database migrate`',
    context: { database: place, found, needed: known },
  });
}
