/** Time, chance and names of hosts as the client of a server sees them, so that tests can own them. */
import { lookup } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

export interface NetworkDeps {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Waits between two requests; rejects when aborted. */
  delay(durationMs: number, signal: AbortSignal): Promise<void>;
  /** Runs `action` once, after `delayMs` of silence. Returns what cancels it. */
  setTimer(action: () => void, delayMs: number): () => void;
  /** 0 to 1, 1 excluded: keeps many clients from coming back at the same moment. */
  random(): number;
  readonly lookup: typeof lookup;
}

/** The real context. */
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
