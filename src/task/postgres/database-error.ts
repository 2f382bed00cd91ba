/**
 * Maps errors of `pg` to ours. A database that is away, refuses the connection or has no room is a fault of the
 * machine: the same work succeeds later. An error that our own statement caused stays as it is, because it is a fault
 * of the program.
 */
import pg from 'pg';
import { errnoOf } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';

/**
 * Classes of SQLSTATE whose cause is the statement or its values: 21 cardinality, 22 data, 23 constraint, 42 syntax,
 * missing table or permission, P0 raised by PL/pgSQL.
 */
const CLASSES_OF_STATEMENTS: ReadonlySet<string> = new Set(['21', '22', '23', '42', 'P0']);

/** What to do about an SQLSTATE, or a class of them. */
const HINTS: Readonly<Record<string, string>> = {
  '28': 'check user and password in LISTING_VIDEO_DATABASE, and pg_hba.conf of the server',
  '3D': 'check the name of the database in LISTING_VIDEO_DATABASE, or create the database',
  '42501':
    'give the user of LISTING_VIDEO_DATABASE its rights with roles.sql (`listing-video help many-machines`), or name the owner of the tables',
  '53': 'make room on the server, or allow more connections there',
  '25006':
    'name a server that can be written in LISTING_VIDEO_DATABASE: this one is a standby or set to read-only',
  '57014': 'the server is busy, or a person stopped the statement: do it again later',
  '55P03':
    'wait until the other program releases its lock, such as a migration or an import, and do it again',
  '40P01': 'two programs waited for each other: do it again',
};

/** In place of messages that name the user. */
const REASONS: Readonly<Record<string, string>> = {
  '28': 'it refuses the user or the password',
  '3D': 'it has no database of this name',
  '53': 'it has no room for more connections or data',
};

/** Errors of the system about a file: those that the address names for TLS. */
const ABOUT_FILES: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EPERM']);

/** Codes of Node for a certificate of another host or authority, or out of date. */
const ABOUT_CERTIFICATES = /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** SQLSTATE of an error that the server reported; null for an error of the connection. */
export function sqlStateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/**
 * True if the connection can no longer be used: it broke, a statement got no answer in time, or the server became a
 * standby that cannot be written (25006).
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === null || /^(08|57P|25006)/.test(state);
}

/** `database_unavailable`, or the error itself if our statement caused it. */
export function toDatabaseError(error: unknown, place: string): unknown {
  if (error instanceof ListingVideoError) return error;
  const state = sqlStateOf(error);
  // It shows values of the row.
  if (error instanceof pg.DatabaseError) error.detail = undefined;
  const group = state?.slice(0, 2) ?? '';
  if (state !== '42501' && CLASSES_OF_STATEMENTS.has(group)) return error;
  // `pg` keeps the SQLSTATE in the same field.
  const errno = state === null ? errnoOf(error) : '';
  const reason = REASONS[group] ?? (errno || (error instanceof Error ? error.message : String(error)));
  const tlsHint = ABOUT_CERTIFICATES.test(errno)
    ? 'check that sslrootcert in LISTING_VIDEO_DATABASE is the authority of the server, and that its certificate names this host'
    : undefined;
  const fileHint =
    ABOUT_FILES.has(errno) && isAboutFile(error)
      ? 'check the files of sslrootcert, sslcert and sslkey in LISTING_VIDEO_DATABASE'
      : tlsHint;
  return new ListingVideoError('database_unavailable', `the database ${place} is not available: ${reason}`, {
    cause: error,
    hint:
      HINTS[state ?? ''] ??
      HINTS[group] ??
      fileHint ??
      'check that PostgreSQL runs there and can be reached from here',
    context: { database: place, ...(state === null ? {} : { sqlstate: state }) },
  });
}

/** False for a socket, whose absence has the same codes. */
function isAboutFile(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'connect';
}
