/** Timers of the network that only a test moves. */

/** A clock that only the test moves: `fire(ms)` runs the timers that were set for that delay. */
export function manualTimers() {
  const timers = new Set<{ run: () => void; delayMs: number }>();
  const waiters: { delayMs: number; resolve: () => void }[] = [];
  return {
    setTimer: (run: () => void, delayMs: number) => {
      const timer = { run, delayMs };
      timers.add(timer);
      for (const waiter of waiters.filter((each) => each.delayMs === delayMs)) waiter.resolve();
      return timer;
    },
    clearTimer: (timer: unknown) => void timers.delete(timer as never),
    fire(delayMs: number) {
      for (const timer of [...timers].filter((each) => each.delayMs === delayMs)) {
        timers.delete(timer);
        timer.run();
      }
    },
    whenSet: (delayMs: number) =>
      new Promise<void>((resolve) => {
        if ([...timers].some((timer) => timer.delayMs === delayMs)) resolve();
        else waiters.push({ delayMs, resolve });
      }),
    get pending() {
      return timers.size;
    },
  };
}
