/** The clock of the task engine. Tests replace it. */

/** Cancels a scheduled action. Does nothing if it has run. */
export type Unschedule = () => void;

/** Time and timers. */
export interface TaskClock {
  /** Wall-clock milliseconds since 1970, because leases compare it with the times of files. */
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
