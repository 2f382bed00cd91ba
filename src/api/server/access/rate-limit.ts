/**
 * Limits how many requests a client makes, in memory only: a restart forgets them. The generic cell rate algorithm: one
 * number for each client says when its allowance is whole again, so that it needs no timers.
 */
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { networkOf } from '../sockets/client-address.ts';

export interface RateLimitOptions {
  /** Requests in a minute, and also at once. */
  readonly perMinute: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
  /** Clients that are remembered. The one that asked least recently is forgotten first. */
  readonly maxClients?: number;
}

/** About 10 MB when all are different addresses. */
const MAX_CLIENTS = 50_000;
const MINUTE_MS = 60_000;
/** The costs of a whole minute do not add up to exactly one. */
const ROUNDING_MS = 0.0005;

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #maxClients: number;
  /** By client: the time at which its allowance is whole again. Least recent first. */
  readonly #wholeAtMs = new Map<string, number>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
    this.#maxClients = options.maxClients ?? MAX_CLIENTS;
  }

  /**
   * Counts a request.
   *
   * @returns 0 if it is within the limit. Else the milliseconds until the next one is; a refused request is not
   *   counted.
   */
  take(client: string): number {
    const { perMinute, monotonicMs } = this.#options;
    const nowMs = monotonicMs();
    const costMs = MINUTE_MS / perMinute;
    const wholeAtMs = Math.max(nowMs, this.#wholeAtMs.get(client) ?? nowMs) + costMs;
    this.#wholeAtMs.delete(client);
    const waitMs = wholeAtMs - nowMs - MINUTE_MS;
    const isRefused = waitMs > ROUNDING_MS;
    this.#remember(client, isRefused ? wholeAtMs - costMs : wholeAtMs, nowMs);
    return isRefused ? waitMs : 0;
  }

  #remember(client: string, wholeAtMs: number, nowMs: number): void {
    this.#wholeAtMs.set(client, wholeAtMs);
    for (const [oldest, atMs] of this.#wholeAtMs) {
      // Whole allowances need no memory. Only the front is checked, so that each request costs the same.
      if (atMs > nowMs && this.#wholeAtMs.size <= this.#maxClients) break;
      this.#wholeAtMs.delete(oldest);
    }
  }
}

/** Requests without a valid key that one address can send in a minute: enough for a person who mistypes one. */
const FAILURES_PER_MINUTE = 60;

export interface RequestLimitsOptions {
  /** Of one key, or of one address without a key. 0: no limit. */
  readonly requestsPerMinute: number;
  readonly monotonicMs: () => number;
}

/** Each method counts a request, and returns the answer if it is one too many. */
export interface RequestLimits {
  countKey(keyId: string): ApiProblem | null;
  /** A request without a key. An unknown address has no limit: only a program with its own server gives none. */
  countAddress(address: string | undefined): ApiProblem | null;
  /**
   * A request without a valid key. A valid key from the same address is still served: otherwise a stranger behind the
   * same proxy could lock others out. Guessing a key is hopeless anyway; the limit slows programs that go on with a
   * wrong key.
   */
  countFailure(address: string | undefined): ApiProblem | null;
}

export function createRequestLimits({ requestsPerMinute, monotonicMs }: RequestLimitsOptions): RequestLimits {
  const isUnlimited = requestsPerMinute === 0;
  const ofKeys = new RateLimit({ perMinute: requestsPerMinute, monotonicMs });
  const ofAddresses = new RateLimit({ perMinute: requestsPerMinute, monotonicMs });
  const ofFailures = new RateLimit({ perMinute: FAILURES_PER_MINUTE, monotonicMs });
  return {
    countKey: (keyId) => {
      const waitMs = isUnlimited ? 0 : ofKeys.take(keyId);
      return waitMs === 0 ? null : tooMany(waitMs, requestsPerMinute, 'with one API key');
    },
    countAddress: (address) => {
      const waitMs = isUnlimited || address === undefined ? 0 : ofAddresses.take(networkOf(address));
      return waitMs === 0 ? null : tooMany(waitMs, requestsPerMinute, 'from one address');
    },
    countFailure: (address) => {
      const waitMs = address === undefined ? 0 : ofFailures.take(networkOf(address));
      return waitMs === 0 ? null : tooMany(waitMs, FAILURES_PER_MINUTE, 'without a valid API key');
    },
  };
}

function tooMany(waitMs: number, limit: number, which: string): ApiProblem {
  const message = `too many requests: at most ${limit} a minute ${which}`;
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  return problem('rate_limited', message, { requests_per_minute: limit }, headers);
}
