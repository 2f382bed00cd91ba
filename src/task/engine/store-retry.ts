/**
 * Repeats a call of the task store while the store is away: finished work waits for a database that restarts or a disk
 * that is full, instead of being done again.
 */
import { isMachineFault } from '../../platform/errors.ts';
import { passTime, type TaskClock } from './task-clock.ts';
import { toTaskFailure } from './task-failure.ts';

/** Short, because a try costs little and the end of a task should be seen soon after the store is back. */
const RETRY_MS = 1_000;

export interface StoreRetryOptions {
  readonly clock: TaskClock;
  readonly onFault: (error: unknown) => void;
  /** Once it is aborted, the next fault is passed on. */
  readonly until: AbortSignal;
}

/** True if the same call can succeed later. A lost claim stays lost. */
export function isStoreAway(error: unknown): boolean {
  const { code } = toTaskFailure(error);
  return code !== 'lease_lost' && isMachineFault(code);
}

/** @throws The last error of `call`, and every error that does not mean that the store is away. */
export async function retryWhileStoreAway<T>(
  call: () => Promise<T>,
  { clock, onFault, until }: StoreRetryOptions,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      onFault(error);
      if (!until.aborted) await passTime(clock, RETRY_MS, until);
      if (until.aborted) throw error;
    }
  }
}
