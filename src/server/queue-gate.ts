/** Limits the length of the queue: counts the waiting tasks now and then, and adds those accepted since. */

export interface QueueGateOptions {
  /** How many tasks wait, up to `atMost`. */
  readonly countWaiting: (atMost: number) => Promise<number>;
  readonly limit: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
}

/** How long a count is cached. Other servers can fill the same queue. */
const COUNT_AGE_MS = 2_000;

/** A place in the queue. */
export interface QueuePlace {
  /** Call it once, when it is known whether the task was stored. */
  settle(isStored: boolean): void;
}

/** One gate per server. */
export class QueueGate {
  readonly #options: QueueGateOptions;
  #counted = 0;
  #countedMs = Number.NEGATIVE_INFINITY;
  /** Stored since the last count began. Only the next count notices tasks that have left the queue. */
  #stored = 0;
  /** Accepted, not yet stored. A task stored during a count can count twice, so the limit is never exceeded. */
  #entering = 0;
  #counting: Promise<void> | null = null;

  constructor(options: QueueGateOptions) {
    this.#options = options;
  }

  /** Takes a place, or returns null when there is none left. */
  async enter(): Promise<QueuePlace | null> {
    const isOld = this.#options.monotonicMs() - this.#countedMs > COUNT_AGE_MS;
    if (isOld || this.#isFull()) await this.#count();
    if (this.#isFull()) return null;
    this.#entering += 1;
    return {
      settle: (isStored) => {
        this.#entering -= 1;
        if (isStored) this.#stored += 1;
      },
    };
  }

  #isFull(): boolean {
    return this.#counted + this.#stored + this.#entering >= this.#options.limit;
  }

  /** Parallel callers share one count. */
  #count(): Promise<void> {
    this.#counting ??= this.#countNow().finally(() => {
      this.#counting = null;
    });
    return this.#counting;
  }

  async #countNow(): Promise<void> {
    const before = this.#stored;
    this.#counted = await this.#options.countWaiting(this.#options.limit);
    this.#countedMs = this.#options.monotonicMs();
    this.#stored -= before;
  }
}
