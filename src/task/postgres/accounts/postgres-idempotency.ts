/**
 * Idempotency keys in a database: for 24 hours the same key means the same task.
 *
 * A claim is stored before its task, without waiting for the disk: the task's own commit makes both durable. If the
 * owner of a claim is gone or late, the next request makes the claim void and takes its place. `confirmClaim` is part
 * of the transaction that creates a task, so a late owner of a void claim creates nothing, and neither does one whose
 * claim is lost.
 *
 * A claim is of a request, not of work: it begins before there is a task, others wait for it, and it ends with the
 * request. So it is no job, and has a lease of its own.
 */
import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { isGone } from '../../accounts/account-deps.ts';
import type { AccountStore, IdempotencyClaim } from '../../accounts/account-store.ts';
import { claimInTime, KEPT_MS as DAY_MS } from '../../accounts/claim-in-time.ts';
import type { Queries } from '../database.ts';
import { insertInto, QUICK_COMMIT, sql } from '../sql.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

const POLL_MS = 50;
/** A live owner counts as gone after this time: it can have lost the database. A claim is held for milliseconds. */
const CLAIM_LEASE_MS = 30_000;
const SWEEP_INTERVAL_MS = 3_600_000;

interface ClaimRow {
  readonly taskId: string;
  readonly bodyHash: string;
  readonly state: 'claimed' | 'done';
  readonly hasTask: boolean;
  readonly owner: ProcessIdentity;
  readonly claimedAt: string;
}

interface KeyPlace {
  readonly organizationId: string;
  /** The database has the hash, never the key. */
  readonly keyHash: string;
}

/** `idle` resolves when nothing is under way. */
export function postgresIdempotency(
  deps: PostgresAccountDeps,
): Pick<AccountStore, 'beginIdempotent'> & { idle(): Promise<unknown> } {
  const { database, clock, self, claimedIds, now } = deps;
  /** Claims of this process that must end, but the database was away. */
  const unended = new Set<string>();
  let sweptMs = Number.NEGATIVE_INFINITY;
  let sweeping: Promise<unknown> = Promise.resolve();

  const check = ({ taskId, ...row }: ClaimRow, bodyHash: string): IdempotencyClaim | 'wait' | 'void' => {
    const claimedMs = Date.parse(row.claimedAt);
    const ageMs = clock.nowMs() - claimedMs;
    if (ageMs >= DAY_MS) return 'void';
    const isSame = row.bodyHash === bodyHash;
    if (row.state === 'done' || row.hasTask) return isSame ? { kind: 'replay', taskId } : { kind: 'reused' };
    if (Math.abs(ageMs) > CLAIM_LEASE_MS || isGone(row.owner, claimedMs, deps)) return 'void';
    return isSame ? 'wait' : { kind: 'reused' };
  };

  /** Stores a claim in place of `old`, which becomes void. False if another request was first. */
  const claim = (place: KeyPlace, bodyHash: string, taskId: string, old: ClaimRow | undefined) =>
    database.transaction(async (tx) => {
      await tx.query(QUICK_COMMIT);
      if (old !== undefined) {
        const voided = await tx.query(
          sql`update listing_video.idempotency_keys set state = 'void'
           where task_id = ${old.taskId} and state = ${old.state} returning task_id`,
        );
        if (voided.length === 0) return false;
      }
      const key = { ...place, bodyHash, taskId, state: 'claimed', owner: self, claimedAt: now() };
      const claimed = await tx.query(
        sql`${insertInto('idempotency_keys', key)}
         on conflict (organization_id, key_hash) where state <> 'void' do nothing returning task_id`,
      );
      return claimed.length > 0;
    });

  /** Removes claims. The store can fail after it has created the task; then the key stays with it. */
  const end = async (taskIds: readonly string[]): Promise<void> => {
    await database.query(
      sql`delete from listing_video.idempotency_keys
       where task_id = any(${taskIds}::uuid[]) and state = 'claimed'
         and not exists (select from listing_video.tasks where id = task_id)`,
    );
    for (const id of taskIds) unended.delete(id);
  };

  const newClaim = (taskId: string): IdempotencyClaim => {
    claimedIds.add(taskId);
    return {
      kind: 'new',
      taskId,
      async commit() {
        claimedIds.delete(taskId);
        // Without the mark, later requests find the task itself.
        await markDone(database, taskId).catch(() => {});
      },
      async abort() {
        claimedIds.delete(taskId);
        unended.add(taskId);
        await end([taskId]);
      },
    };
  };

  /** `again`: another request was first, and the next attempt finds its claim. */
  const attempt = async (place: KeyPlace, bodyHash: string) => {
    const [found] = await database.query<ClaimRow>(
      sql`select task_id, body_hash, owner, claimed_at, state,
         exists (select from listing_video.tasks where tasks.id = idempotency_keys.task_id) as has_task
       from listing_video.idempotency_keys
       where organization_id = ${place.organizationId} and key_hash = ${place.keyHash} and state <> 'void'`,
    );
    const result = found === undefined ? 'void' : check(found, bodyHash);
    if (result !== 'void') return result;
    const taskId = await deps.newTaskId();
    return (await claim(place, bodyHash, taskId, found)) ? newClaim(taskId) : 'again';
  };

  /** Removes old claims in the background. The next sweep removes what this one leaves. */
  const sweep = (): void => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - sweptMs) < SWEEP_INTERVAL_MS) return;
    sweptMs = nowMs;
    const before = new Date(nowMs - 2 * DAY_MS);
    sweeping = database
      .query(sql`delete from listing_video.idempotency_keys where claimed_at < ${before}`)
      .catch(() => {});
  };

  return {
    async beginIdempotent(organizationId, key, bodyHash) {
      const place = { organizationId, keyHash: createHash('sha256').update(key).digest('hex') };
      sweep();
      if (unended.size > 0) await end([...unended]);
      return claimInTime(clock, POLL_MS, () => attempt(place, bodyHash));
    },
    idle: () => sweeping,
  };
}

/**
 * Marks the claim of a task that is created in this transaction. Does nothing if its request has no idempotency key.
 *
 * @param isClaimed - The task must have a claim. A crash of the database, or a change to its standby, can lose the
 * claim.
 * @throws {@link ListingVideoError} `unavailable` if the claim is void or lost: another request can have its key now.
 */
export async function confirmClaim(transaction: Queries, taskId: string, isClaimed: boolean): Promise<void> {
  // Waits for a request that takes the key over, and reads its result.
  const [claim] = await transaction.query<{ state: string }>(
    sql`select state from listing_video.idempotency_keys where task_id = ${taskId} for update`,
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
    sql`update listing_video.idempotency_keys set state = 'done' where task_id = ${taskId} and state = 'claimed'`,
  );
}
