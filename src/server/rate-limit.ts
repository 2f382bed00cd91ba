/**
 * Limits how many requests a client makes. The generic cell rate algorithm: one number for each client says when its
 * allowance is whole again, so that it needs no timers, and a clock that the caller passes is enough for tests.
 */

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
   * @returns 0 if it is within the limit. Else the milliseconds until the next one is; a refused request is not counted.
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
