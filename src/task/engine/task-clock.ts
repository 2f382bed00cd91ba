/** The clock of the task engine. Tests replace it. */

export type Unschedule = () => void;

export interface TaskClock {
  /** Wall-clock milliseconds since 1970, because leases compare it with the times of files. */
  nowMs(): number;
  /** Runs `action` once, after `delayMs`, and keeps the process alive until then. */
  schedule(action: () => void, delayMs: number): Unschedule;
}

/** Resolves after this time, or once `until` is aborted. */
export function passTime(
  clock: Pick<TaskClock, 'schedule'>,
  delayMs: number,
  until: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unschedule();
      until.removeEventListener('abort', end);
      resolve();
    };
    const unschedule = clock.schedule(end, until.aborted ? 0 : delayMs);
    until.addEventListener('abort', end, { once: true });
  });
}

/** Waits for `work`, but not longer than this time. */
export async function waitFor(
  work: Promise<unknown>,
  clock: Pick<TaskClock, 'schedule'>,
  atMostMs: number,
): Promise<void> {
  const done = new AbortController();
  await Promise.race([work.finally(() => done.abort()), passTime(clock, atMostMs, done.signal)]);
}

export const systemTaskClock: TaskClock = {
  nowMs: () => Date.now(),
  schedule: (action, delayMs) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
