/** What every account store checks, and the errors with which it refuses. Pure. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskRecord } from '../task.ts';
import { MAX_GRANT, MAX_KEY_LIFE_MS } from './account-store.ts';

/** Id of the organization that every store has, also an empty one. */
export const DEFAULT_ORGANIZATION_ID = 'org_default';

const MAX_NAME_CHARS = 200;
const MAX_NOTE_CHARS = 200;

/** True for text in the format of our ids. Nothing else becomes part of a path. */
export function isOrganizationId(text: string): boolean {
  return text === DEFAULT_ORGANIZATION_ID || /^org_[0-9a-f]{16}$/.test(text);
}

export function organizationNotFound(id: string): ListingVideoError {
  return new ListingVideoError('organization_not_found', `no such organization: ${id.slice(0, 80)}`, {
    hint: '`listing-video organization list` shows the ids',
    context: { id: id.slice(0, 80) },
  });
}

/** @throws `usage` for a name longer than 200 characters. */
export function checkOrganizationName(name: string | undefined): void {
  if (name === undefined || name.length <= MAX_NAME_CHARS) return;
  throw new ListingVideoError(
    'usage',
    `a name has at most ${MAX_NAME_CHARS} characters, this one ${name.length}`,
  );
}

/** A grant as it is stored. @throws `usage` for a number of credits that cannot be granted. */
export function toGrant(
  credits: number,
  note: string | undefined,
): { readonly credits: number; readonly note?: string } {
  if (!Number.isSafeInteger(credits) || credits < 0 || credits > MAX_GRANT) {
    throw new ListingVideoError(
      'usage',
      `credits: expected a whole number from 0 to ${MAX_GRANT}, found ${credits}`,
    );
  }
  return { credits, ...(note === undefined ? {} : { note: note.slice(0, MAX_NOTE_CHARS) }) };
}

export function insufficientBalance(balance: number, required: number): ListingVideoError {
  return new ListingVideoError(
    'insufficient_balance',
    `the task costs ${required} ${required === 1 ? 'credit' : 'credits'}, the balance is ${balance}`,
    {
      hint: '`listing-video organization grant <credits>` adds some',
      context: { balance, required },
    },
  );
}

/** `release` (not accepted) and `refund` (FAILED) return the credits, `spend` (SUCCEEDED) does not. */
export type ReservationEnd = 'release' | 'refund' | 'spend';

/**
 * How to end an open reservation; null if it must stay open for now.
 *
 * @param isAbandoned - The process that reserved is dead. Find that out before the task: then a missing task can no
 *   longer appear.
 */
export function reservationEnd(
  retries: number,
  task: Pick<TaskRecord, 'state' | 'retries'> | null,
  isAbandoned: boolean,
): ReservationEnd | null {
  if (task === null || task.retries < retries) return isAbandoned ? 'release' : null;
  // Only a FAILED task is retried, so an earlier retry has failed.
  if (task.retries > retries || task.state === 'FAILED') return 'refund';
  return task.state === 'SUCCEEDED' ? 'spend' : null;
}

/** ISO 8601 time at which a key of this life expires; null for one that never does. @throws `usage`. */
export function keyExpiry(nowMs: number, lifeMs: number | undefined): string | null {
  if (lifeMs === undefined) return null;
  if (!(lifeMs >= 1 && lifeMs <= MAX_KEY_LIFE_MS)) {
    throw new ListingVideoError('usage', 'a key must expire later than now, and within 36500 days');
  }
  return new Date(nowMs + lifeMs).toISOString();
}

export function keyNotFound(id: string): ListingVideoError {
  // The argument can be a mistyped whole key: its secret must not get into a message or a log.
  const shown = id.slice(0, id.startsWith('lv_') ? 24 : 80);
  return new ListingVideoError('key_not_found', `no such key: ${shown}`, {
    hint: '`listing-video keys list` shows the ids',
    context: { id: shown },
  });
}

/** The error after a wait for an earlier request with the same idempotency key. */
export function stillBusy(): ListingVideoError {
  return new ListingVideoError(
    'unavailable',
    'an earlier request with this idempotency key is still at work',
    { hint: 'send the same request again in a few seconds' },
  );
}
