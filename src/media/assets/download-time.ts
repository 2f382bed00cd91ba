/** How long a listing can wait for the network: all of its photos together, and each host. */
import pLimit, { type LimitFunction } from 'p-limit';
import type { NetworkDeps } from '../../platform/network/guarded-connector.ts';
import { type AssetLimits, formatSeconds } from './asset-limits.ts';
import { UnusableAsset } from './unusable-asset.ts';

type Clock = Pick<NetworkDeps, 'now' | 'setTimer' | 'clearTimer'>;

/**
 * The time that all photos of one listing have together. Only time in which at least one of them is on the network
 * counts, because decoding can wait for the CPUs of a busy machine.
 */
export class ListingTime {
  /** Aborted with an {@link UnusableAsset} `timeout` when the time is over. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #totalMs: number;
  #leftMs: number;
  #running = 0;
  #startedMs = 0;
  #timer: unknown;

  /** @param photoCount - Photos, portraits and logos of the listing that come from the network. */
  constructor(limits: AssetLimits, photoCount: number, clock: Clock) {
    this.signal = this.#controller.signal;
    this.#clock = clock;
    this.#totalMs = limits.listingTimeoutMs + photoCount * limits.listingTimeoutPerPhotoMs;
    this.#leftMs = this.#totalMs;
  }

  /** Does `work` on the network. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    if (this.#running === 1) this.#start();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#pause();
    }
  }

  #start(): void {
    const { now, setTimer } = this.#clock;
    this.#startedMs = now();
    if (this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimer(() => {
      const detail = `the time for all photos of the listing (${formatSeconds(this.#totalMs)}) is over`;
      this.#controller.abort(new UnusableAsset('timeout', detail));
    }, this.#leftMs);
  }

  #pause(): void {
    this.#clock.clearTimer(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (this.#clock.now() - this.#startedMs));
  }
}

/** One host of a listing's photos. It is given up when too many of them time out. */
export class PhotoHost {
  /** Limits the connections to this host. Waiting for one does not count as a time-out. */
  readonly limit: LimitFunction;
  /** Aborted with an {@link UnusableAsset} `timeout` when the host is given up. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #limits: AssetLimits;
  #timeoutCount = 0;

  constructor(limits: AssetLimits) {
    this.limit = pLimit(limits.connectionsPerHost);
    this.signal = this.#controller.signal;
    this.#limits = limits;
  }

  /** True once a photo of the host has timed out in all of its tries. */
  get isSlow(): boolean {
    return this.#timeoutCount > 0;
  }

  /** Tries for each photo. A host that is slow gets one: its other photos should not wait as long as the first. */
  get maxTries(): number {
    return this.isSlow ? 1 : this.#limits.maxTries;
  }

  /** Counts a photo that timed out in all of its tries. Counting each try would give up a host for one slow photo. */
  countTimeout(): void {
    this.#timeoutCount += 1;
    const { maxTimeoutsPerHost } = this.#limits;
    if (this.#timeoutCount < maxTimeoutsPerHost) return;
    const detail = `the host is given up, because ${maxTimeoutsPerHost} of its photos timed out`;
    this.#controller.abort(new UnusableAsset('timeout', detail));
  }
}
