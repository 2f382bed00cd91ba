/** Tells a disk that cannot take more from other failures of writing. */
import { ListingVideoError } from '../errors.ts';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * The error to raise for `error`, met while writing `what`: `disk_full` when there is no room, `error` itself otherwise.
 */
export function toWriteError(error: unknown, what: string): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === undefined || !FULL_CODES.has(code)) return error;
  return new ListingVideoError('disk_full', `No room to write ${what}: the disk is full`, {
    cause: error,
    hint: 'Free some space, or use another disk with --out and --home, and run the same command again.',
    context: { path: what },
  });
}
