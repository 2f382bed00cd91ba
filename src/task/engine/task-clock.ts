/** The clock of the task engine. Tests replace it. */

export type Unschedule = () => void;

export interface TaskClock {
  /** Wall-clock milliseconds since 1970, because leases compare it with the times of files. */
  nowMs(): number;
  /** Runs `action` once, after `delayMs`, and keeps the process alive until then. */
  schedule(action: () => void, delayMs: number): Unschedule;
}

export const systemTaskClock: TaskClock = {
  nowMs: () => Date.now(),
  schedule: (action, delayMs) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
