/**
 * Maps errors of `pg` to ours. A database that is away, refuses the connection or has no room is a fault of the machine:
 * the same work succeeds later. An error that our own statement caused stays as it is, because it is a fault of the program.
 */
import pg from 'pg';
import { errnoOf } from '../disk/disk-error.ts';
import { ListingVideoError } from '../errors.ts';

/**
 * Classes of SQLSTATE whose cause is the statement or its values: 21 cardinality, 22 data, 23 constraint, 42 syntax, missing
 * table or permission, P0 raised by PL/pgSQL.
 */
const CLASSES_OF_STATEMENTS: ReadonlySet<string> = new Set(['21', '22', '23', '42', 'P0']);

/** Class 28: wrong user or password. 3D: no such database. Waiting does not help, a person must change something. */
const CLASSES_OF_ACCESS: ReadonlySet<string> = new Set(['28', '3D']);

/** SQLSTATE of an error that the server reported; null for an error of the connection. */
export function sqlStateOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/**
 * True if the connection can no longer be used: it broke, a statement got no answer in time, or the server became a standby
 * that cannot be written (25006).
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === null || /^(08|57P|25006)/.test(state);
}

/** `database_unavailable`, or the error itself if our statement caused it. */
export function toDatabaseError(error: unknown, place: string): unknown {
  if (error instanceof ListingVideoError) return error;
  const state = sqlStateOf(error);
  if (state !== null && CLASSES_OF_STATEMENTS.has(state.slice(0, 2))) return error;
  const reason = errnoOf(error) || (error instanceof Error ? error.message : String(error));
  const isRefused = state !== null && CLASSES_OF_ACCESS.has(state.slice(0, 2));
  return new ListingVideoError('database_unavailable', `the database ${place} is not available: ${reason}`, {
    cause: error,
    hint: isRefused
      ? 'check user, password and name of the database in LISTING_VIDEO_DATABASE'
      : 'check that PostgreSQL runs there and can be reached from here',
    context: { database: place, ...(state === null ? {} : { sqlstate: state }) },
  });
}
