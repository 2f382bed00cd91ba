/** File-system errors told as the store's own: full disk, unwritable folder. */
import { ListingVideoError } from '../errors.ts';

/** The errno code of a Node error, or an empty string. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True when the file or folder, or one above it, does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** `disk_full` or `store_unwritable` for a failed write to `path`; an error of our own passes unchanged. */
export function toStoreError(error: unknown, path: string): ListingVideoError {
  if (error instanceof ListingVideoError) return error;
  const errno = errnoOf(error);
  const context = { path, errno };
  if (errno === 'ENOSPC' || errno === 'EDQUOT') {
    return new ListingVideoError('disk_full', `no space left for the task store at ${path}`, {
      cause: error,
      hint: 'Free some space, or choose another folder with --home.',
      context,
    });
  }
  return new ListingVideoError(
    'store_unwritable',
    `the task store cannot be written at ${path}${detail(error)}`,
    {
      cause: error,
      hint: 'Check that the folder exists, is yours and is not mounted read-only, or choose another with --home.',
      context,
    },
  );
}

function detail(error: unknown): string {
  return error instanceof Error ? `: ${error.message}` : '';
}
