/** What to say when our own disk, not the asset, is at fault. */
import { ListingVideoError } from '../errors.ts';

/** Wraps an error of the file system met while doing `what` ("download an asset"). */
export function toDiskError(cause: unknown, what: string): ListingVideoError {
  if (cause instanceof ListingVideoError) return cause;
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ListingVideoError('disk_full', `The disk is full: cannot ${what}.`, {
      cause,
      hint: 'Free some space, or choose another --home and temporary folder.',
    });
  }
  return new ListingVideoError('store_unwritable', `Cannot ${what}: ${code ?? 'unknown error'}.`, {
    cause,
    hint: 'Check that the home and temporary folders exist and are writable.',
  });
}
