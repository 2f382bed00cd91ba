/** Recognizes errors of the file system (full, unwritable, absent) and converts them to the errors that users see. */
import { ListingVideoError } from '../errors.ts';

/** EFBIG: the file is too large for the file system or for the limit of the process. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

const FULL_HINT =
  'free some space, or use another disk with --out and --home, and run the same command again';

export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True when the file or folder, or one above it, does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** True if the disk or a quota is full, or the file is too large. */
export function isDiskFull(error: unknown): boolean {
  return FULL.has(errnoOf(error));
}

export interface FailedWrite {
  /** The action, which follows "cannot" in the message: `write /home/x`. */
  readonly what: string;
  readonly code: 'store_unwritable' | 'output_unwritable';
  readonly hint: string;
  readonly context?: Record<string, unknown>;
}

/** Converts any error to `disk_full` or `failed.code`. A {@link ListingVideoError} stays unchanged. */
export function toDiskError(error: unknown, failed: FailedWrite): ListingVideoError {
  if (error instanceof ListingVideoError) return error;
  const { what, code, hint, context } = failed;
  const facts = { cause: error, ...(context === undefined ? {} : { context }) };
  if (isDiskFull(error)) {
    return new ListingVideoError('disk_full', `cannot ${what}: the disk is full`, {
      ...facts,
      hint: FULL_HINT,
    });
  }
  const errno = errnoOf(error);
  const reason = errno === '' ? `: ${error instanceof Error ? error.message : error}` : ` (${errno})`;
  return new ListingVideoError(code, `cannot ${what}${reason}`, { ...facts, hint });
}

/** `disk_full` or `store_unwritable` for a failed write to `path` in the data folder. */
export function toStoreError(error: unknown, path: string): ListingVideoError {
  return toDiskError(error, {
    what: `write ${path}`,
    code: 'store_unwritable',
    hint: 'check that the folder exists, is yours and is not mounted read-only, or choose another with --home',
    context: { path, errno: errnoOf(error) },
  });
}

/**
 * `disk_full` or `output_unwritable` for a failed write to `path`. Errors that the disk did not cause stay unchanged.
 */
export function toOutputError(error: unknown, path: string): unknown {
  return isDiskFull(error) || UNWRITABLE.has(errnoOf(error)) ? outputUnwritable(error, path) : error;
}

export function outputUnwritable(
  error: unknown,
  path: string,
  hint = 'check that it is a folder that you can write to, or choose another with --out',
): ListingVideoError {
  const context = isDiskFull(error) ? { path } : { path, code: errnoOf(error) || 'unknown' };
  return toDiskError(error, { what: `write ${path}`, code: 'output_unwritable', hint, context });
}
