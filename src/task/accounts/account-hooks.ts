/** Credits for tasks: the task engine's hooks over an account store. */
import type { Reservation, TaskHooks } from '../engine/task-handler.ts';
import type { TaskSummary } from '../task.ts';
import type { CreditReservations, ReservationKey } from './account-store.ts';

/**
 * Hooks for `createTaskEngine`. Tasks of the command line have no organization and cost nothing.
 *
 * @param priceOf - Returns the credits of a task; the summary is null if the stored payload is damaged.
 */
export function createAccountHooks(
  accounts: Pick<CreditReservations, 'reserve' | 'release' | 'settle'>,
  priceOf: (summary: TaskSummary | null) => number,
): TaskHooks<unknown> {
  return {
    reserve: async (task) => {
      const key = keyOf(task);
      if (key !== null) await accounts.reserve(key, priceOf(task.summary));
    },
    release: async (task) => {
      const key = keyOf(task);
      if (key !== null) await accounts.release(key);
    },
    settle: async (task) => {
      const key = keyOf(task);
      if (key !== null) await accounts.settle(key, task.state === 'SUCCEEDED' ? 'spend' : 'refund');
    },
  };
}

function keyOf(task: Pick<Reservation, 'id' | 'organizationId' | 'retries'>): ReservationKey | null {
  const { id: taskId, organizationId, retries } = task;
  return organizationId === null ? null : { organizationId, taskId, retries };
}
