/** Turns at work that several tasks of one process would slow each other down with. Pure but for the waiting. */

/** A bounded number of turns, given in the order in which they were asked for. */
export interface Turns {
  /**
   * Waits for a turn, does `work`, and passes the turn on, whatever became of it. `work` is told whether it had to wait.
   *
   * @throws The signal's reason when it is aborted while waiting; `work` is then never begun.
   */
  take<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** @param atOnce - Turns that may be taken at the same time, 1 or more. */
export function createTurns(atOnce: number): Turns {
  let free = atOnce;
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

  /** The turn goes straight to the next in the queue, so that nobody who comes later can slip in between. */
  const pass = (): void => {
    const [next] = queue;
    if (next === undefined) {
      free += 1;
      return;
    }
    queue.delete(next);
    next();
  };

  return {
    async take(work, signal) {
      signal.throwIfAborted();
      const hasWaited = free === 0;
      if (hasWaited) await wait(signal);
      else free -= 1;
      try {
        return await work(hasWaited);
      } finally {
        pass();
      }
    },
  };
}
