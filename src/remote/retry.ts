/** Tries a request again when that may help: after the server's own word when to come again, else ever more slowly. */
import type { ListingVideoError } from '../errors.ts';
import type { NetworkDeps } from './network-deps.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** How long to go on; waits are counted, not the requests between them. */
export interface Patience {
  /** For a server that does not answer. */
  readonly unreachableMs: number;
  /** For one that answers that it is busy. */
  readonly busyMs: number;
}

/** Somebody sits before it. */
export const SHORT_PATIENCE: Patience = { unreachableMs: 10_000, busyMs: 120_000 };
/** A task goes on meanwhile, and a server that is being replaced comes back. */
export const LONG_PATIENCE: Patience = { unreachableMs: 600_000, busyMs: 600_000 };

/** A try that failed although the next may not. */
export class PassingFailure extends Error {
  /** What it is when nobody waits any longer. */
  readonly final: ListingVideoError;
  readonly kind: 'unreachable' | 'busy';
  /** The server's own word; null when it gave none. */
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
  /** Called before the first wait, not before each. */
  readonly onTrouble: (failure: PassingFailure) => void;
}

/**
 * @param attempt - Throws {@link PassingFailure} when it may be tried again, and anything else when not.
 * @throws The failure's `final` when patience is used up or the server wants more than is left of it.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { network, patience, signal, onTrouble } = options;
  const waitedMs = { unreachable: 0, busy: 0 };
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw error;
      const { kind, retryAfterMs, final } = error;
      const waitMs = nextWaitMs(tries, retryAfterMs, network.random());
      waitedMs[kind] += waitMs;
      if (waitedMs[kind] > (kind === 'busy' ? patience.busyMs : patience.unreachableMs)) throw final;
      if (tries === 0) onTrouble(error);
      await network.delay(waitMs, signal);
    }
  }
}

/**
 * Doubling from half a second to 15 s, the upper half of each wait by chance; never sooner than the server asked for.
 *
 * @param random - 0 to 1.
 */
export function nextWaitMs(tries: number, retryAfterMs: number | null, random: number): number {
  const whole = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  const ownMs = Math.round(whole / 2 + (whole / 2) * random);
  return retryAfterMs === null ? ownMs : Math.max(retryAfterMs, Math.min(ownMs, 1_000));
}

/**
 * RFC 9110, 10.2.3: seconds, or a date.
 *
 * @returns Milliseconds from now, not negative; null when there is none that can be read.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
