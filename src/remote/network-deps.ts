/** Clock, timers, randomness and name look-up of the client, which tests replace. */
import { lookup } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

/** The outside world of the remote engine. */
export interface NetworkDeps {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Waits between two requests; rejects when aborted. */
  delay(durationMs: number, signal: AbortSignal): Promise<void>;
  /** Runs `action` once after `delayMs`. Returns a function that cancels it. */
  setTimer(action: () => void, delayMs: number): () => void;
  /** 0 to 1, 1 excluded: spreads the retries of many clients. */
  random(): number;
  readonly lookup: typeof lookup;
}

/** Of the operating system. */
export const systemNetworkDeps: NetworkDeps = {
  nowMs: () => Date.now(),
  delay: (durationMs, signal) => sleep(durationMs, undefined, { signal }),
  setTimer: (action, delayMs) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  lookup,
};
