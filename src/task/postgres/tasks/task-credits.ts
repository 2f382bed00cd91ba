/**
 * Credits and idempotency keys as part of the transactions of a task store: a task is stored together with its
 * reservation and its idempotency key, and it ends together with its reservation.
 */

import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { stamp } from '../../accounts/account-deps.ts';
import type { TaskClock } from '../../engine/task-clock.ts';
import type { TaskSummary } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import { reserveCredits, settleCredits } from '../accounts/credit-entries.ts';
import { confirmClaim } from '../accounts/postgres-idempotency.ts';
import type { OnTaskChange } from './task-change.ts';

export interface TaskCreditOptions {
  /** Returns the credits of a task; the summary is null if the stored payload is damaged. */
  readonly priceOf: (summary: TaskSummary | null) => number;
  readonly clock: TaskClock;
  readonly self: ProcessIdentity;
  /** That of `createPostgresAccountStore`. */
  readonly claimedIds?: ReadonlySet<string>;
}

/** For `onChange` of a task store in the same database. Tasks without an organization cost nothing. */
export function taskCredits({ priceOf, clock, self, claimedIds }: TaskCreditOptions): OnTaskChange {
  return async ({ before, after }, transaction) => {
    const { organizationId, id: taskId, retries } = after;
    if (organizationId === null) return;
    const key = { organizationId, taskId, retries };
    if (before === null) await confirmClaim(transaction, taskId, claimedIds?.has(taskId) ?? false);
    if (before === null || retries > before.retries) {
      const reserving = { by: self, at: stamp(clock), isAccepting: true } as const;
      await reserveCredits(transaction, key, priceOf(after.summary), reserving);
    }
    if (isTerminal(after.state)) {
      await settleCredits(transaction, key, after.state === 'SUCCEEDED' ? 'spend' : 'refund', stamp(clock));
    }
  };
}
