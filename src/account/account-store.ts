/**
 * Organizations, API keys, credits and idempotency keys, as the doors and the task engine see them. Types only;
 * `test/account/account-store-contract.ts` says what every store does. Knows no video and no HTTP.
 */

import type { StoreWarning } from '../task/task-store.ts';

/** Whom tasks, files and credits belong to. */
export interface Organization {
  /** Lower-case letters, digits and `_`: safe as a file name. */
  readonly id: string;
  readonly name: string;
  /** Credits left: the sum of the ledger's entries. One credit is one video. 0 while unmetered. */
  readonly balance: number;
  /** False until credits are granted for the first time: then nothing is charged and nothing refused. */
  readonly isMetered: boolean;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** An API key without its secret, which is nowhere kept. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  /** May look, may not create. */
  readonly readOnly: boolean;
  readonly createdAt: string;
  /** Null while it is good. A revoked key stays as a tombstone. */
  readonly revokedAt: string | null;
}

/** A key just made: the only time that it is seen. */
export interface NewApiKey extends ApiKey {
  /** `lv_live_<id>_<secret>`. */
  readonly key: string;
}

/** Who presents a good key. */
export interface Caller {
  readonly keyId: string;
  readonly organizationId: string;
  readonly readOnly: boolean;
}

/** Names one reservation: a retried task reserves again. */
export interface ReservationKey {
  readonly organizationId: string;
  readonly taskId: string;
  readonly retries: number;
}

/**
 * What a request with an `Idempotency-Key` is to do.
 *
 * `new`: make the task under exactly this `taskId`, then `commit`; `abort` when it was refused. One of the two must be
 * called, whatever happens (`abort` after `commit` does nothing, and `abort` of a task that exists commits it).
 * `replay`: answer with this task. `reused`: the key came with another body before.
 */
export type IdempotencyClaim =
  | {
      readonly kind: 'new';
      readonly taskId: string;
      commit(): Promise<void>;
      abort(): Promise<void>;
    }
  | { readonly kind: 'replay'; readonly taskId: string }
  | { readonly kind: 'reused' };

/** A list, and what of it could not be read: one damaged document hides no other. */
export interface AccountList<T> {
  readonly data: readonly T[];
  readonly warnings: readonly StoreWarning[];
}

/** What a look after abandoned reservations did. */
export interface ReconcileReport {
  /** Reservations of ended tasks that were settled only now, because the process that ended them died. */
  readonly settled: number;
  /** Reservations given back because their task never came to be. */
  readonly released: number;
}

/**
 * Every method may throw `store_unwritable` and `disk_full` (when it writes) and `store_corrupt`. What it has answered
 * is durable: it survives kill -9 and power loss. What another process changes is seen within a second.
 */
export interface AccountStore {
  /** A new unmetered organization. */
  createOrganization(options?: { readonly name?: string }): Promise<Organization>;
  /** All of them, the default one first, then by age. */
  listOrganizations(): Promise<AccountList<Organization>>;
  /** @throws {@link ListingVideoError} `organization_not_found`. */
  getOrganization(id: string): Promise<Organization>;
  /** The one that every store has. */
  readonly defaultOrganizationId: string;
  defaultOrganization(): Promise<Organization>;
  /**
   * Adds credits, which makes the organization metered.
   *
   * @param credits - A whole number, 0 to {@link MAX_GRANT}.
   * @throws {@link ListingVideoError} `organization_not_found`, `usage` for another number.
   */
  grant(id: string, credits: number, note?: string): Promise<Organization>;

  /** @throws {@link ListingVideoError} `organization_not_found`. */
  createKey(options: { readonly organizationId: string; readonly readOnly?: boolean }): Promise<NewApiKey>;
  /** Oldest first, revoked ones included. */
  listKeys(organizationId?: string): Promise<AccountList<ApiKey>>;
  /** Good for nothing from now on. Revoking again changes nothing. Takes a whole key, too. @throws `key_not_found`. */
  revokeKey(idOrKey: string): Promise<ApiKey>;
  /** True for ever once a key was made, also when all are revoked: such a store trusts no caller without a key. */
  hasEverHadKeys(): Promise<boolean>;
  /** Null for anything but a good key. Any text is harmless, of any length. */
  authenticate(presentedKey: string): Promise<Caller | null>;

  /**
   * Sets credits aside for a task that is about to be accepted. Does nothing for an unmetered organization, or when
   * this reservation was made before.
   *
   * @throws {@link ListingVideoError} `insufficient_balance` with context `{balance, required}`.
   */
  reserve(key: ReservationKey, credits: number): Promise<void>;
  /** Gives the reservation back because the task was not accepted, unless it was after all. */
  release(key: ReservationKey): Promise<void>;
  /** The task ended: SUCCEEDED keeps the credits (`spend`), FAILED gives them back. Nothing when that was done before. */
  settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void>;
  /**
   * Ends reservations that a crash left open: at the start of a server, and now and then. Looks at `limit` of them at
   * most (default 1,000) and goes on from there the next time.
   */
  reconcile(options?: { readonly limit?: number }): Promise<ReconcileReport>;

  /** Removes parts of ledgers that were closed before then; no balance changes. @returns how many. */
  prune(options: { readonly olderThanMs: number }): Promise<number>;

  /**
   * Claims an idempotency key for 24 hours. Of concurrent repeats, also in several processes, one gets `new`; the
   * others wait until it has committed or aborted.
   *
   * @param bodyHash - Equal for equal bodies; at most 100 characters.
   * @throws {@link ListingVideoError} `unavailable` when the one at work takes longer than 10 seconds.
   */
  beginIdempotent(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim>;

  /** Resolves when what goes on in the background (snapshots, sweeping) has ended. */
  close(): Promise<void>;
}

/** The most credits of one grant. */
export const MAX_GRANT = 1_000_000_000;
