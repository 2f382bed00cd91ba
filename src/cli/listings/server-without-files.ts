/** Finds out whether files of this machine in listings are a fault. */
import { listLocalFiles } from '../../listing/rules/find-local-files.ts';
import type { CommandRun } from '../command-run.ts';
import type { InvalidListing, ValidListing } from './listing-result.ts';

/**
 * Asks the server only if a listing names such a file.
 *
 * @returns The server that renders and takes no uploads. Null when every file can be used: this machine renders, or it uploads
 *   them.
 * @throws ListingVideoError when the server cannot be asked.
 */
export async function serverWithoutFiles(
  run: CommandRun,
  results: readonly (InvalidListing | ValidListing)[],
): Promise<string | null> {
  const hasFiles = results.some(
    ({ kind, listing }) => kind === 'valid' && listLocalFiles(listing!).length > 0,
  );
  return hasFiles ? takesNoFiles(run) : null;
}

/** As {@link serverWithoutFiles}, for a file that is in no listing. */
export async function takesNoFiles(run: CommandRun): Promise<string | null> {
  const { server } = await run.backend();
  return server === null || (await server.takesFiles()) ? null : server.url;
}
