/** Tries a request to the bucket again, with growing waits, while the bucket is away or busy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { reportLiveness } from '../../platform/liveness.ts';
import { mayPass } from './bucket-fault.ts';

export interface RetryOptions {
  /** Total time of the waits. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** For tests. */
  readonly wait?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/**
 * @throws The last error when the next wait would exceed the patience, or when no wait helps; the reason of the signal.
 */
export async function retryStorage<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { patienceMs, signal, wait = pause } = options;
  let waitedMs = 0;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const wholeMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
      // Half of it by chance, so that many workers do not ask at the same moment.
      const waitMs = Math.round(wholeMs / 2 + (wholeMs / 2) * Math.random());
      waitedMs += waitMs;
      if (!mayPass(error) || waitedMs > patienceMs) throw error;
      reportLiveness();
      await wait(waitMs, signal);
    }
  }
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(delayMs, undefined, { signal });
}
