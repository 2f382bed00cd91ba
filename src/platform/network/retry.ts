/** The one retry policy of requests to a server or a feed: again when it says, else with growing waits, until the patience ends. */
import type { ListingVideoError } from '../errors.ts';
import type { ClientDeps } from './transport.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/** Total waiting time in milliseconds before giving up, without the time of the requests. */
export interface Patience {
  /** While the server does not answer. */
  readonly unreachable: number;
  /** While the server answers that it is busy. */
  readonly busy: number;
  /** While a file does not have the digest that the server names. */
  readonly damaged: number;
}

/** For a request that a person waits for. */
const SHORT_PATIENCE: Patience = { unreachable: 10_000, busy: 120_000, damaged: 0 };
/** For a running task: it continues meanwhile, and a restarting server comes back. */
export const LONG_PATIENCE: Patience = { unreachable: 600_000, busy: 600_000, damaged: 0 };
/** For a file: three more tries if its bytes are wrong. */
export const DOWNLOAD_PATIENCE: Patience = { unreachable: 60_000, busy: 600_000, damaged: 3_500 };

/** A failure after which a retry can succeed. */
export class TemporaryFailure extends Error {
  /** Thrown when there is no further retry. */
  readonly final: ListingVideoError;
  readonly kind: keyof Patience;
  /** Wait that the server requests; null for none. */
  readonly retryAfterMs: number | null;

  constructor(final: ListingVideoError, kind: keyof Patience, retryAfterMs: number | null = null) {
    super(final.message, { cause: final });
    this.final = final;
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error as a {@link TemporaryFailure} when its code says that a retry can succeed. */
export function orTemporary(
  final: ListingVideoError,
  retryAfterMs: number | null,
): ListingVideoError | TemporaryFailure {
  const { code } = final;
  const kind = code === 'unavailable' ? 'busy' : code === 'server_unreachable' ? 'unreachable' : null;
  return kind === null ? final : new TemporaryFailure(final, kind, retryAfterMs);
}

export interface RetryOptions {
  readonly network: Pick<ClientDeps, 'delay' | 'random'>;
  readonly signal: AbortSignal;
  readonly patience?: Patience | undefined;
  /** A try costs much, such as an upload: the waits grow also when the server asks for short ones. */
  readonly isHeavy?: boolean;
  /** Called once, before the first wait. */
  readonly warn: (message: string) => void;
}

/**
 * @param attempt - Throws {@link TemporaryFailure} to be retried; any other error ends the retries.
 * @throws The failure's `final` when the next wait would exceed the patience.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { network, signal, patience = SHORT_PATIENCE, isHeavy = false, warn } = options;
  const waitedMs = { unreachable: 0, busy: 0, damaged: 0 };
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TemporaryFailure)) throw error;
      const { kind, retryAfterMs, final } = error;
      const ownMs = growingWaitMs(tries, network.random());
      const waitMs =
        retryAfterMs === null ? ownMs : Math.max(retryAfterMs, isHeavy ? ownMs : Math.min(ownMs, 1_000));
      waitedMs[kind] += waitMs;
      if (waitedMs[kind] > patience[kind]) throw final;
      if (tries === 0) warn(`${error.message}; trying again`);
      await network.delay(waitMs, signal);
    }
  }
}

/** Doubles from half a second to 15 s, with the upper half of each wait random. */
function growingWaitMs(tries: number, random: number): number {
  const whole = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
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
