/** The tables of graphile-worker, which dispatches jobs. They have a schema of their own, with versions of their own. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { Database } from '../../task/postgres/database.ts';
import { sqlStateOf, toDatabaseError } from '../../task/postgres/database-error.ts';

export const QUEUE_SCHEMA = 'listing_video_queue';
/** The version of the tables that the graphile-worker of this program makes. */
export const QUEUE_VERSION = 19;
/** SQLSTATE of a table or schema that does not exist. */
const ABSENT: ReadonlySet<string | null> = new Set(['42P01', '3F000']);

/**
 * Brings the tables of the queue in the database at `url` to the version of this program.
 *
 * @returns The name of the migration if there was anything to do.
 * @throws {@link ListingVideoError} `database_version` if they are newer than this program.
 */
export async function migrateQueue(database: Database, url: string): Promise<readonly string[]> {
  const version = await readVersion(database);
  if (version > QUEUE_VERSION) throw wrongVersion(database.place, version);
  if (version === QUEUE_VERSION) return [];
  const { makeQueueTables } = await import('./make-queue-tables.ts');
  await makeQueueTables(url, QUEUE_SCHEMA).catch((error: unknown) => {
    throw toDatabaseError(error, database.place);
  });
  return [`queue ${QUEUE_VERSION}`];
}

/** @throws {@link ListingVideoError} `database_version` if the tables of the queue are not of this program's version. */
export async function requireQueue(database: Database): Promise<void> {
  const version = await readVersion(database);
  if (version !== QUEUE_VERSION) throw wrongVersion(database.place, version);
}

async function readVersion(database: Database): Promise<number> {
  try {
    const [row] = await database.query<{ version: number | null }>(
      `select max(id) as version from ${QUEUE_SCHEMA}.migrations`,
    );
    return row?.version ?? 0;
  } catch (error) {
    if (ABSENT.has(sqlStateOf(error))) return 0;
    throw error;
  }
}

function wrongVersion(place: string, found: number): ListingVideoError {
  const isNewer = found > QUEUE_VERSION;
  return new ListingVideoError(
    'database_version',
    `the queue in the database ${place} has version ${found}, this program ${isNewer ? 'knows versions up to' : 'needs'} ${QUEUE_VERSION}`,
    {
      hint: isNewer
        ? 'update listing-video on this machine; the version that migrated the database can use it'
        : 'make a backup, then run `listing-video database migrate`',
      context: { database: place, found, needed: QUEUE_VERSION },
    },
  );
}
