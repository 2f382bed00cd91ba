/** The database that a command needs. */
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';

/** Its address. @throws ListingVideoError `usage` without a database. */
export async function requireDatabase(run: CommandRun): Promise<string> {
  const { database } = await run.settings();
  if (database !== undefined) return database;
  throw usageError(
    'no database is set',
    'set LISTING_VIDEO_DATABASE to its address, such as postgres://user:password@host:5432/name',
  );
}
