/** Keeps the queue from growing without end: counts the waiting tasks now and then, and those let in meanwhile. */

export interface QueueGateOptions {
  /** How many tasks wait, up to `atMost`. */
  readonly countWaiting: (atMost: number) => Promise<number>;
  readonly limit: number;
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
}

/** Other servers may fill the same queue: no count is believed for longer. */
const COUNT_AGE_MS = 2_000;

/** A place in the queue. */
export interface QueuePlace {
  /** To be called once, when it is known whether the task was stored. */
  settle(isStored: boolean): void;
}

/** One gate per server. */
export class QueueGate {
  readonly #options: QueueGateOptions;
  #counted = 0;
  #countedMs = Number.NEGATIVE_INFINITY;
  /** Stored since the last count began; tasks that left the queue since are noticed only by the next. */
  #stored = 0;
  /** Let in, and not known to be stored. One that is stored while a count runs may count twice: never too many get in. */
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

  /** Callers that find the queue full at the same time share one count. */
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
