/** Refuses what only the machine that has the store can do, where a server is to do the work. */
import type { ListingVideoError } from '../errors.ts';
import { usageError } from './cli-error.ts';
import type { CommandRun } from './command-run.ts';

/**
 * @param what - The command in words: `tasks retry`.
 * @throws ListingVideoError `usage` when a server is set, by whatever setting.
 */
export async function requireLocal(run: CommandRun, what: string): Promise<void> {
  const { server } = await run.settings();
  if (server !== undefined) throw notAtServer(what, server);
}

/** See {@link requireLocal}. */
export function notAtServer(what: string, server: string): ListingVideoError {
  return usageError(
    `${what} is not offered by the API of ${server}: it needs the store itself`,
    'run it on the machine of the server; --no-server means the store of this machine',
  );
}
