/** Time as the task engine sees it, so that tests can own it. */

/** Cancels what was scheduled; harmless when it already ran. */
export type Unschedule = () => void;

export interface TaskClock {
  /** Wall-clock milliseconds since 1970: leases compare it with the times of files. */
  nowMs(): number;
  /** Runs `action` once, after `delayMs`, and keeps the process alive until then. */
  schedule(action: () => void, delayMs: number): Unschedule;
}

/** The real clock. */
export const systemTaskClock: TaskClock = {
  nowMs: () => Date.now(),
  schedule: (action, delayMs) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
