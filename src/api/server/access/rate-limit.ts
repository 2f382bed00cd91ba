/** The limits of requests in a minute, and their answer: 429 with `Retry-After` (RFC 6585, 4). */
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { networkOf } from '../sockets/client-address.ts';
import { RateLimit } from '../../../server/rate-limit.ts';

/** Requests without a valid key that one address can send in a minute: enough for a person who mistypes one. */
const FAILURES_PER_MINUTE = 60;

export interface RequestLimitsOptions {
  /** Of one key, or of one address without a key. 0: no limit. */
  readonly requestsPerMinute: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
}

/** Each method counts a request, and returns the answer if it is one too many. */
export interface RequestLimits {
  /** A request with this key. */
  countKey(keyId: string): ApiProblem | null;
  /** A request that needs no key. An unknown address has no limit: only a program that has its own server gives none. */
  countAddress(address: string | undefined): ApiProblem | null;
  /**
   * A request without a valid key. A valid key from the same address is still served: otherwise a stranger behind the same
   * proxy could lock others out. Guessing a key is hopeless anyway; the limit slows programs that go on with a wrong key.
   */
  countFailure(address: string | undefined): ApiProblem | null;
}

/** Limits that remember clients in memory only: a restart forgets them. */
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
