/**
 * Limits how many tasks of one process do the same heavy work at once. Written here because an aborted waiter must leave
 * at once: p-limit keeps it in its queue until a slot is free.
 */

export interface Semaphore {
  /**
   * Waits for a slot, does `work`, and frees the slot, also when `work` fails. Slots are given in the order of the calls.
   *
   * @param work - `hasWaited` is true when no slot was free at the call.
   * @throws The signal's reason when it is aborted while waiting; `work` then never begins.
   */
  run<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** @param slots - 1 or more. */
export function createSemaphore(slots: number): Semaphore {
  let free = slots;
  const queue = new Set<() => void>();

  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        queue.delete(begin);
        reject(signal.reason);
      };
      queue.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      const hasWaited = free === 0;
      if (hasWaited) await wait(signal);
      else free -= 1;
      try {
        return await work(hasWaited);
      } finally {
        // The slot goes straight to the next in the queue, so that no later caller can take it.
        const [next] = queue;
        if (next === undefined) free += 1;
        else queue.delete(next);
        next?.();
      }
    },
  };
}
