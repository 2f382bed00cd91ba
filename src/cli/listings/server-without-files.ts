/** Whether files of this machine in listings are a fault. */
import { listLocalFiles } from '../../listing/rules/find-local-files.ts';
import type { Backend } from '../../wiring/backend.ts';
import type { InvalidListing, ValidListing } from './listing-result.ts';

type OpenBackend = () => Promise<Backend>;

/**
 * Asks the server only if a listing names such a file.
 *
 * @returns The server that renders and takes no uploads. Null when every file can be used.
 * @throws ListingVideoError when the server cannot be asked.
 */
export async function serverWithoutFiles(
  backend: OpenBackend,
  results: readonly (InvalidListing | ValidListing)[],
): Promise<string | null> {
  const hasFiles = results.some(
    ({ kind, listing }) => kind === 'valid' && listLocalFiles(listing!).length > 0,
  );
  return hasFiles ? takesNoFiles(backend) : null;
}

/** As {@link serverWithoutFiles}, for a file that is in no listing. */
export async function takesNoFiles(backend: OpenBackend): Promise<string | null> {
  const { server } = await backend();
  return server === null || (await server.takesFiles()) ? null : server.url;
}
