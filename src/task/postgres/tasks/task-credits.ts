/**
 * Credits and idempotency keys as part of the transactions of a task store: a task is stored together with its
 * reservation and its idempotency key, and it ends together with its reservation.
 */
import { stamp } from '../../accounts/account-deps.ts';
import type { TaskClock } from '../../engine/task-clock.ts';
import type { TaskSummary } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import { reserveCredits, settleCredits } from '../accounts/credit-entries.ts';
import type { ClaimedKeys } from '../accounts/postgres-deps.ts';
import { storeKey } from '../accounts/postgres-idempotency.ts';
import type { OnTaskChange } from './task-change.ts';

export interface TaskCreditOptions {
  /** Returns the credits of a task; the summary is null if the stored payload is damaged. */
  readonly priceOf: (summary: TaskSummary | null) => number;
  readonly clock: TaskClock;
  /** Those of `createPostgresAccountStore`. */
  readonly claimedKeys?: ClaimedKeys;
}

/** For `onChange` of a task store in the same database. Tasks without an organization cost nothing. */
export function taskCredits({ priceOf, clock, claimedKeys }: TaskCreditOptions): OnTaskChange {
  return async ({ before, after }, tx) => {
    const { organizationId, id: taskId, retries } = after;
    if (organizationId === null) return;
    const key = { organizationId, taskId, retries };
    const claimed = before === null ? claimedKeys?.get(taskId) : undefined;
    if (claimed !== undefined) await storeKey(tx, taskId, claimed, clock);
    if (before === null || retries > before.retries)
      await reserveCredits(tx, key, priceOf(after.summary), stamp(clock));
    if (isTerminal(after.state))
      await settleCredits(tx, key, after.state === 'SUCCEEDED' ? 'spent' : 'refunded', stamp(clock));
  };
}
