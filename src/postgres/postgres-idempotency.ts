/**
 * Idempotency keys in a database: for 24 hours the same key means the same task.
 *
 * A claim is stored before its task, without waiting for the disk: the task's own commit makes both durable. If the owner of a
 * claim is gone or late, the next request makes the claim void and takes its place. `confirmClaim` is part of the transaction
 * that creates a task, so a late owner of a void claim creates nothing, and neither does one whose claim is lost.
 */
import { createHash } from 'node:crypto';
import { isGone } from '../account/accepted-task.ts';
import type { AccountDeps } from '../account/account-options.ts';
import { stillBusy } from '../task/accounts/account-rules.ts';
import type { IdempotencyClaim } from '../task/accounts/account-store.ts';
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { type Database, QUICK_COMMIT, type Queries } from '../task/postgres/database.ts';

const DAY_MS = 24 * 3_600_000;
/** Longest wait for the owner of a claim. */
const PATIENCE_MS = 10_000;
const POLL_MS = 50;
/** An owner counts as gone after this time, also if it lives: it may have lost the database. A claim is held for milliseconds. */
const CLAIM_LEASE_MS = 30_000;
const SWEEP_INTERVAL_MS = 3_600_000;

type IdempotencyDeps = Pick<AccountDeps, 'clock' | 'self' | 'liveness' | 'newTaskId'> & {
  readonly database: Database;
  /** Ids of the tasks that this process is about to create under a claim. Share it with `taskCredits`. */
  readonly claimedIds: Set<string>;
};

interface ClaimRow {
  readonly task_id: string;
  readonly body_hash: string;
  readonly state: 'claimed' | 'done';
  readonly has_task: boolean;
  readonly owner: ProcessIdentity;
  readonly claimed_at: Date;
}

/** The key of a request. */
interface KeyPlace {
  readonly organizationId: string;
  /** The database has the hash, never the key. */
  readonly hash: string;
}

export class PostgresIdempotency {
  readonly #deps: IdempotencyDeps;
  /** Claims of this process that must end, but the database was away. */
  readonly #unended = new Set<string>();
  #sweptMs = Number.NEGATIVE_INFINITY;
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  /** See `AccountStore.beginIdempotent`. */
  async begin(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim> {
    const { clock } = this.#deps;
    const place = { organizationId, hash: createHash('sha256').update(key).digest('hex') };
    this.#sweep();
    if (this.#unended.size > 0) await this.#end([...this.#unended]);
    const untilMs = clock.nowMs() + PATIENCE_MS;
    for (;;) {
      const result = await this.#attempt(place, bodyHash);
      if (typeof result === 'object') return result;
      if (clock.nowMs() >= untilMs) throw stillBusy();
      if (result === 'wait') await new Promise<void>((resolve) => clock.schedule(resolve, POLL_MS));
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#sweeping;
  }

  /** `again`: another request was first, and the next attempt finds its claim. */
  async #attempt(place: KeyPlace, bodyHash: string): Promise<IdempotencyClaim | 'wait' | 'again'> {
    const [found] = await this.#deps.database.query<ClaimRow>(
      `select task_id, body_hash, owner, claimed_at, state,
         exists (select from listing_video.tasks where tasks.id = idempotency_keys.task_id) as has_task
       from listing_video.idempotency_keys
       where organization_id = $1 and key_hash = $2 and state <> 'void'`,
      [place.organizationId, place.hash],
    );
    const result = found === undefined ? 'void' : this.#check(found, bodyHash);
    if (result !== 'void') return result;
    const taskId = await this.#deps.newTaskId();
    return (await this.#claim(place, bodyHash, taskId, found)) ? this.#newClaim(taskId) : 'again';
  }

  #check({ task_id: taskId, ...row }: ClaimRow, bodyHash: string): IdempotencyClaim | 'wait' | 'void' {
    const { clock } = this.#deps;
    const claimedMs = row.claimed_at.getTime();
    const ageMs = clock.nowMs() - claimedMs;
    if (ageMs >= DAY_MS) return 'void';
    const isSame = row.body_hash === bodyHash;
    if (row.state === 'done' || row.has_task) return isSame ? { kind: 'replay', taskId } : { kind: 'reused' };
    if (Math.abs(ageMs) > CLAIM_LEASE_MS || isGone(row.owner, claimedMs, this.#deps)) return 'void';
    return isSame ? 'wait' : { kind: 'reused' };
  }

  /** Stores a claim in place of `old`, which becomes void. False if another request was first. */
  #claim(
    { organizationId, hash }: KeyPlace,
    bodyHash: string,
    taskId: string,
    old: ClaimRow | undefined,
  ): Promise<boolean> {
    const { database, clock, self } = this.#deps;
    return database.transaction(async (tx) => {
      await tx.query(QUICK_COMMIT);
      if (old !== undefined) {
        const voided = await tx.query(
          `update listing_video.idempotency_keys set state = 'void'
           where task_id = $1 and state = $2 returning task_id`,
          [old.task_id, old.state],
        );
        if (voided.length === 0) return false;
      }
      const claimed = await tx.query(
        `insert into listing_video.idempotency_keys
           (organization_id, key_hash, body_hash, task_id, state, owner, claimed_at)
         values ($1, $2, $3, $4, 'claimed', $5, $6)
         on conflict (organization_id, key_hash) where state <> 'void' do nothing returning task_id`,
        [organizationId, hash, bodyHash, taskId, JSON.stringify(self), new Date(clock.nowMs())],
      );
      return claimed.length > 0;
    });
  }

  #newClaim(taskId: string): IdempotencyClaim {
    const { database, claimedIds } = this.#deps;
    claimedIds.add(taskId);
    const commit = async (): Promise<void> => {
      claimedIds.delete(taskId);
      // Without the mark, later requests find the task itself.
      await markDone(database, taskId).catch(() => {});
    };
    const abort = async (): Promise<void> => {
      claimedIds.delete(taskId);
      this.#unended.add(taskId);
      await this.#end([taskId]);
    };
    return { kind: 'new', taskId, commit, abort };
  }

  /** Removes claims. The store can fail after it has created the task; then the key stays with it. */
  async #end(taskIds: readonly string[]): Promise<void> {
    await this.#deps.database.query(
      `delete from listing_video.idempotency_keys
       where task_id = any($1::uuid[]) and state = 'claimed'
         and not exists (select from listing_video.tasks where id = task_id)`,
      [taskIds],
    );
    for (const id of taskIds) this.#unended.delete(id);
  }

  /** Removes old claims in the background. */
  #sweep(): void {
    const { clock, database } = this.#deps;
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - this.#sweptMs) < SWEEP_INTERVAL_MS) return;
    this.#sweptMs = nowMs;
    // The next sweep removes what this one leaves.
    this.#sweeping = database
      .query('delete from listing_video.idempotency_keys where claimed_at < $1', [
        new Date(nowMs - 2 * DAY_MS),
      ])
      .catch(() => {});
  }
}

/**
 * Marks the claim of a task that is created in this transaction. Does nothing if its request has no idempotency key.
 *
 * @param isClaimed - The task must have a claim. A crash of the database, or a change to its standby, can lose the claim.
 * @throws {@link ListingVideoError} `unavailable` if the claim is void or lost: another request can have its key now.
 */
export async function confirmClaim(transaction: Queries, taskId: string, isClaimed: boolean): Promise<void> {
  // Waits for a request that takes the key over, and reads its result.
  const [claim] = await transaction.query<{ state: string }>(
    'select state from listing_video.idempotency_keys where task_id = $1 for update',
    [taskId],
  );
  if (claim === undefined) {
    if (!isClaimed) return;
    throw new ListingVideoError('unavailable', 'the database lost the idempotency key of this request', {
      hint: 'send the same request again',
    });
  }
  if (claim.state === 'void') {
    throw new ListingVideoError('unavailable', 'this request took too long, and a later one took its key', {
      hint: 'send the same request again: it gets the task of the later one',
    });
  }
  await markDone(transaction, taskId);
}

async function markDone(queries: Queries, taskId: string): Promise<void> {
  await queries.query(
    `update listing_video.idempotency_keys set state = 'done' where task_id = $1 and state = 'claimed'`,
    [taskId],
  );
}
