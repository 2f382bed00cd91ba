/**
 * Idempotency keys in a database: for 24 hours the same key means the same task.
 *
 * A key is stored in the transaction that makes its task. So of several requests at once, also to several servers, the
 * first to commit makes its task. The others make none, and find that task as soon as they give up. No server that dies
 * holds a key.
 */
import { createHash } from 'node:crypto';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { AccountDeps } from '../../accounts/account-deps.ts';
import type { AccountStore, EarlierRequest } from '../../accounts/account-store.ts';
import { KEPT_MS } from '../../accounts/claim-in-time.ts';
import type { Queries } from '../database.ts';
import { insertInto, sql } from '../sql.ts';
import type { ClaimedKey, PostgresAccountDeps } from './postgres-deps.ts';

export function postgresIdempotency({
  database,
  clock,
  claimedKeys,
  newTaskId,
}: PostgresAccountDeps): Pick<AccountStore, 'beginIdempotent'> {
  const findEarlier = async (key: ClaimedKey): Promise<EarlierRequest | null> => {
    const [row] = await database.query<{ taskId: string; bodyHash: string }>(
      sql`select task_id, body_hash from listing_video.idempotency_keys
       where organization_id = ${key.organizationId} and key_hash = ${key.keyHash} and claimed_at > ${oldest(clock)}`,
    );
    if (row === undefined) return null;
    return row.bodyHash === key.bodyHash ? { kind: 'replay', taskId: row.taskId } : { kind: 'reused' };
  };
  return {
    async beginIdempotent(organizationId, text, bodyHash) {
      const key = { organizationId, keyHash: createHash('sha256').update(text).digest('hex'), bodyHash };
      const earlier = await findEarlier(key);
      if (earlier !== null) return earlier;
      const taskId = await newTaskId();
      claimedKeys.set(taskId, key);
      const end = async () => void claimedKeys.delete(taskId);
      return { kind: 'new', taskId, commit: end, abort: () => end().then(() => findEarlier(key)) };
    },
  };
}

/** A key of this time, or an earlier one, means nothing any more. */
function oldest(clock: AccountDeps['clock']): Date {
  return new Date(clock.nowMs() - KEPT_MS);
}

/**
 * Stores the key of a task that is made in this transaction. Waits for others that store the same key.
 *
 * @throws {@link ListingVideoError} `unavailable` if the key has a task.
 */
export async function storeKey(
  tx: Queries,
  taskId: string,
  key: ClaimedKey,
  clock: AccountDeps['clock'],
): Promise<void> {
  const row = { ...key, taskId, claimedAt: new Date(clock.nowMs()) };
  const stored = await tx.query(
    sql`with old as (
       delete from listing_video.idempotency_keys where task_id in (
         select task_id from listing_video.idempotency_keys where claimed_at <= ${oldest(clock)}
           and (organization_id, key_hash) <> (${key.organizationId}, ${key.keyHash})
         -- Each new key takes two old ones away.
         order by claimed_at limit 2 for update skip locked
       )
     )
     ${insertInto('idempotency_keys', row)}
     on conflict (organization_id, key_hash) do update
       set task_id = excluded.task_id, body_hash = excluded.body_hash, claimed_at = excluded.claimed_at
       where idempotency_keys.claimed_at <= ${oldest(clock)}
     returning task_id`,
  );
  if (stored.length > 0) return;
  throw new ListingVideoError('unavailable', 'another request with the same idempotency key was first', {
    hint: 'send the same request again: it gets the task of the other one',
  });
}
