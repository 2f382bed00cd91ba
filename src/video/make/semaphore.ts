/**
 * Limits how many tasks of one process do the same heavy work at once: p-limit, with a queue that an aborted task
 * leaves.
 */
import pLimit from 'p-limit';

export interface Semaphore {
  /**
   * Waits for a slot, does `work`, and frees the slot, also when `work` fails. Slots are given in the order of the
   * calls.
   *
   * @param work - `hasWaited` is true when no slot was free at the call.
   * @throws The signal's reason when it is aborted while waiting; `work` then never begins.
   */
  run<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** @param slots - 1 or more. */
export function createSemaphore(slots: number): Semaphore {
  const limit = pLimit(slots);
  return {
    run: (work, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        // p-limit keeps an aborted waiter in its queue until a slot is free, so it is rejected here.
        const leave = () => reject(signal.reason);
        signal.addEventListener('abort', leave, { once: true });
        const hasWaited = limit.activeCount + limit.pendingCount >= slots;
        const begin = () => {
          signal.throwIfAborted();
          signal.removeEventListener('abort', leave);
          return work(hasWaited);
        };
        limit(begin).then(resolve, reject);
      }),
  };
}
