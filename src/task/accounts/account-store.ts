/**
 * The account store: organizations, API keys, credits and idempotency keys. Types only, independent of video and HTTP.
 * The suite `test/task/accounts/account-store-contract.ts` tests each implementation.
 */

import type { StoreWarning } from '../task-store.ts';

/** The owner of tasks, files and credits. */
export interface Organization {
  /** Lower-case letters, digits and `_`: safe as a file name. */
  readonly id: string;
  readonly name: string;
  /** Credits left: the sum of the ledger's entries. One credit is one video. 0 while unmetered. */
  readonly balance: number;
  /** False until the first grant of credits. An unmetered organization is never charged and never refused. */
  readonly isMetered: boolean;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** An API key without its secret. The secret is never stored. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  /** True if the key may only read. */
  readonly readOnly: boolean;
  /** True if the key may read the metrics of the whole service. */
  readonly isOperator: boolean;
  readonly createdAt: string;
  /** From this time on the key is refused. Null: it never expires. */
  readonly expiresAt: string | null;
  /** At most a minute before the last valid request with the key. Null: it was never used. */
  readonly lastUsedAt: string | null;
  /** Null while the key is valid. A revoked key is never removed. */
  readonly revokedAt: string | null;
}

/** Its secret is shown only once, here. */
export interface NewApiKey extends ApiKey {
  /** `lv_live_<id>_<secret>`. */
  readonly key: string;
}

export interface Caller {
  readonly keyId: string;
  readonly organizationId: string;
  readonly readOnly: boolean;
  /** True if the caller may read the metrics of the whole service. */
  readonly isOperator: boolean;
}

/** A key that was right until it expired. Only a caller with the whole key learns that. */
export interface ExpiredKey {
  /** ISO 8601 in UTC. */
  readonly expiredAt: string;
}

export interface NewKeyOptions {
  readonly organizationId: string;
  readonly readOnly?: boolean;
  readonly isOperator?: boolean;
  /** Time from now until the key expires, 1 to {@link MAX_KEY_LIFE_MS}. By default the key never expires. */
  readonly expiresInMs?: number;
}

/** Identifies one reservation. A retried task makes a new one. */
export interface ReservationKey {
  readonly organizationId: string;
  readonly taskId: string;
  readonly retries: number;
}

/** `replay`: answer with this task. `reused`: the earlier request had the same key and a different body. */
export type EarlierRequest =
  | { readonly kind: 'replay'; readonly taskId: string }
  | { readonly kind: 'reused' };

/**
 * What a request with an `Idempotency-Key` must do.
 *
 * `new`: create the task with exactly this `taskId`, then call `commit`, or `abort` if it was not created. The caller
 * must call one of the two. `abort` resolves with the request whose task the key means now: another one that was first,
 * or this one, whose store failed after it had created the task. Null if there is none.
 */
export type IdempotencyClaim =
  | {
      readonly kind: 'new';
      readonly taskId: string;
      commit(): Promise<void>;
      abort(): Promise<EarlierRequest | null>;
    }
  | EarlierRequest;

/** The readable entries of a list, and a warning for each damaged one. */
export interface AccountList<T> {
  readonly data: readonly T[];
  readonly warnings: readonly StoreWarning[];
}

export interface ReconcileReport {
  /** Reservations of ended tasks that had not been settled because the process died. */
  readonly settled: number;
  /** Reservations that were released because their task was never created. */
  readonly released: number;
}

/**
 * Every method can throw `store_corrupt`, `database_unavailable` and, if it writes, `store_unwritable` and `disk_full`.
 * A change is durable when its promise resolves: it survives kill -9 and power loss. Changes by other processes show
 * within a second.
 */
export interface AccountStore extends Partial<Pick<CreditReservations, 'reconcile'>> {
  /** A new unmetered organization. */
  createOrganization(options?: { readonly name?: string }): Promise<Organization>;
  /** All organizations: the default one first, then the oldest first. */
  listOrganizations(): Promise<AccountList<Organization>>;
  /** @throws {@link ListingVideoError} `organization_not_found`. */
  getOrganization(id: string): Promise<Organization>;
  readonly defaultOrganizationId: string;
  defaultOrganization(): Promise<Organization>;
  /**
   * Adds credits, which makes the organization metered.
   *
   * @param credits - A whole number, 0 to {@link MAX_GRANT}.
   * @throws {@link ListingVideoError} `organization_not_found`, `usage` for another number.
   */
  grant(id: string, credits: number, note?: string): Promise<Organization>;

  /** @throws {@link ListingVideoError} `organization_not_found`, `usage` for a life that is too short or too long. */
  createKey(options: NewKeyOptions): Promise<NewApiKey>;
  /** All keys, also revoked ones, oldest first. */
  listKeys(organizationId?: string): Promise<AccountList<ApiKey>>;
  /** Revokes a key by its id or the whole key. Does nothing if it is revoked already. @throws `key_not_found`. */
  revokeKey(idOrKey: string): Promise<ApiKey>;
  /** True once a key was made, even if all keys are revoked or lost now. From then on every request needs a key. */
  hasEverHadKeys(): Promise<boolean>;
  /** True if every request needs a key and there is none, because the accounts were lost. */
  areKeysLost(): Promise<boolean>;
  /** The caller; null for a key that is unknown or revoked. Safe for text of any content and length. */
  authenticate(presentedKey: string): Promise<Caller | ExpiredKey | null>;

  /** Removes records of credits that were settled before `olderThanMs`. No balance changes. @returns Their number. */
  prune(options: { readonly olderThanMs: number }): Promise<number>;

  /**
   * Claims an idempotency key for 24 hours. Of several concurrent requests, also across processes, one makes its task:
   * the others wait here until it commits or aborts, or their task is refused.
   *
   * @param bodyHash - Hash of the request body, at most 100 characters.
   * @throws {@link ListingVideoError} `unavailable` if the other request takes longer than 10 seconds.
   */
  beginIdempotent(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim>;

  /** Resolves when the background work (last uses of keys, sweeping) has ended. */
  close(): Promise<void>;
}

/** The credits of tasks, where a crash can part the stores of accounts and tasks. */
export interface CreditReservations {
  /**
   * Reserves credits for a task before it is accepted. Does nothing if the organization is unmetered or the reservation
   * exists.
   *
   * @throws {@link ListingVideoError} `insufficient_balance` with context `{balance, required}`.
   */
  reserve(key: ReservationKey, credits: number): Promise<void>;
  /** Releases a reservation whose task was not accepted. Does nothing if the task exists. */
  release(key: ReservationKey): Promise<void>;
  /** Ends the reservation of an ended task: `spend` if it SUCCEEDED, `refund` if it FAILED. Can be repeated. */
  settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void>;
  /**
   * Ends reservations that a crash left open. A server calls it at its start and at intervals. Each call checks at most
   * `limit` reservations (default 1,000); the next call continues after them.
   */
  reconcile(options?: { readonly limit?: number }): Promise<ReconcileReport>;
}

export const MAX_GRANT = 1_000_000_000;

/** A hundred years. */
export const MAX_KEY_LIFE_MS = 36_500 * 24 * 3_600_000;
