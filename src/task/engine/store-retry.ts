/**
 * Repeats a call of the task store while the store is away: finished work waits for a database that restarts or a disk that is
 * full, instead of being done again. Errors of any other kind are passed on.
 */
import { isMachineFault } from '../../platform/errors.ts';
import type { TaskClock } from './task-clock.ts';
import { toTaskFailure } from './task-failure.ts';

/** Short, because a try costs little and the end of a task should be seen soon after the store is back. */
const RETRY_MS = 1_000;

export interface StorePatience {
  readonly clock: TaskClock;
  /** Called for each try that fails. */
  readonly onFault: (error: unknown) => void;
  /** Once it is aborted, the next fault is passed on. */
  readonly until: AbortSignal;
}

/** True if the same call can succeed later. A lost claim stays lost. */
export function isStoreAway(error: unknown): boolean {
  const { code } = toTaskFailure(error);
  return code !== 'lease_lost' && isMachineFault(code);
}

/** The result of `call`, which is repeated while the store is away. @throws The last error of `call`. */
export async function untilStored<T>(
  call: () => Promise<T>,
  { clock, onFault, until }: StorePatience,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      onFault(error);
      if (!until.aborted) await waitFor(RETRY_MS, clock, until);
      if (until.aborted) throw error;
    }
  }
}

function waitFor(delayMs: number, clock: TaskClock, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unschedule();
      until.removeEventListener('abort', end);
      resolve();
    };
    const unschedule = clock.schedule(end, delayMs);
    until.addEventListener('abort', end, { once: true });
  });
}
