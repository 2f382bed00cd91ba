/** Retries a request after a temporary failure: when the server says, else with growing waits. */
import type { ListingVideoError } from '../../platform/errors.ts';
import type { NetworkDeps } from '../../remote/network-deps.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/** Total waiting time before giving up, without the time of the requests. */
export interface Patience {
  /** While the server does not answer. */
  readonly unreachableMs: number;
  /** While the server answers that it is busy. */
  readonly busyMs: number;
}

/** For a request that a person waits for. */
export const SHORT_PATIENCE: Patience = { unreachableMs: 10_000, busyMs: 120_000 };
/** For a running task: it continues meanwhile, and a restarting server comes back. */
export const LONG_PATIENCE: Patience = { unreachableMs: 600_000, busyMs: 600_000 };

/** A failure after which a retry can succeed. */
export class TemporaryFailure extends Error {
  /** Thrown when there is no further retry. */
  readonly final: ListingVideoError;
  readonly kind: 'unreachable' | 'busy';
  /** Wait that the server requests; null for none. */
  readonly retryAfterMs: number | null;

  constructor(final: ListingVideoError, kind: 'unreachable' | 'busy', retryAfterMs: number | null = null) {
    super(final.message, { cause: final });
    this.final = final;
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RetryOptions {
  readonly network: Pick<NetworkDeps, 'delay' | 'random'>;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** A try costs much, such as an upload: the waits grow also when the server asks for short ones. */
  readonly isHeavy?: boolean;
  /** Called before the first wait only. */
  readonly onFirstRetry: (failure: TemporaryFailure) => void;
}

/**
 * @param attempt - Throws {@link TemporaryFailure} to be retried; any other error ends the retries.
 * @throws The failure's `final` when the next wait would exceed the patience.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { network, patience, signal, isHeavy = false, onFirstRetry } = options;
  const waitedMs = { unreachable: 0, busy: 0 };
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TemporaryFailure)) throw error;
      const { kind, retryAfterMs, final } = error;
      const waitMs = nextWaitMs(tries, retryAfterMs, network.random(), isHeavy ? MAX_WAIT_MS : 1_000);
      waitedMs[kind] += waitMs;
      if (waitedMs[kind] > (kind === 'busy' ? patience.busyMs : patience.unreachableMs)) throw final;
      if (tries === 0) onFirstRetry(error);
      await network.delay(waitMs, signal);
    }
  }
}

/**
 * Doubles from half a second to 15 s, with the upper half of each wait random; never less than the server requests.
 *
 * @param random - 0 to 1.
 * @param maxOwnMs - Limit of the own wait where the server requests one.
 */
export function nextWaitMs(
  tries: number,
  retryAfterMs: number | null,
  random: number,
  maxOwnMs = 1_000,
): number {
  const whole = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  const ownMs = Math.round(whole / 2 + (whole / 2) * random);
  return retryAfterMs === null ? ownMs : Math.max(retryAfterMs, Math.min(ownMs, maxOwnMs));
}

/**
 * RFC 9110, 10.2.3: seconds, or a date.
 *
 * @returns Milliseconds from now, not negative; null for an absent or unreadable header.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
