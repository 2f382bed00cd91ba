/**
 * Decides whether a new task may enter the queue: the worker runs tasks, the queue has a place, and the organization
 * has one. Waiting tasks are counted now and then; those accepted since are added.
 */
import type { EngineHealth } from '../../../task/engine/work-pause.ts';

export interface QueueGateOptions {
  /** How many tasks of an organization, or of all (null), wait, up to `atMost`. */
  readonly countWaiting: (organizationId: string | null, atMost: number) => Promise<number>;
  readonly limit: number;
  /** Limit of one organization. Undefined: that of all. */
  readonly organizationLimit: number | undefined;
  readonly health: () => EngineHealth;
  readonly monotonicMs: () => number;
}

/** How long a count is cached. Other servers can fill the same queue. */
const COUNT_AGE_MS = 2_000;
/** New tasks are accepted during this first part of a pause: most faults of a machine are short. */
const PATIENCE_MS = 60_000;
/** Bounds the memory for organizations. A forgotten one is counted again. */
const MAX_REMEMBERED = 1_000;

export interface QueuePlace {
  /** Call it once, when it is known whether the task was stored. */
  settle(isStored: boolean): void;
}

export interface QueueRefusal {
  /** For clients. */
  readonly refused: string;
  readonly retryAfterSec: number;
}

const FULL_RETRY_SEC = 5;

export class QueueGate {
  readonly #options: QueueGateOptions;
  readonly #all: WaitingCount;
  readonly #organizations = new Map<string, WaitingCount>();

  constructor(options: QueueGateOptions) {
    this.#options = options;
    this.#all = this.#newCount(null, options.limit);
  }

  async enter(organizationId: string): Promise<QueuePlace | QueueRefusal> {
    const health = this.#options.health();
    if (health.state === 'paused' && health.forMs >= PATIENCE_MS) {
      const retryAfterSec = Math.max(FULL_RETRY_SEC, Math.ceil(health.retryInMs / 1000));
      return { refused: 'the server cannot make videos right now', retryAfterSec };
    }
    const own = await this.#countOf(organizationId)?.enter();
    if (own === null) {
      return { refused: 'too many tasks of this organization are waiting', retryAfterSec: FULL_RETRY_SEC };
    }
    let place: QueuePlace | null = null;
    try {
      place = await this.#all.enter();
    } finally {
      if (place === null) own?.settle(false);
    }
    if (place === null) {
      return { refused: 'the queue is full', retryAfterSec: FULL_RETRY_SEC };
    }
    return {
      settle: (isStored) => {
        own?.settle(isStored);
        place.settle(isStored);
      },
    };
  }

  #countOf(organizationId: string): WaitingCount | undefined {
    const { organizationLimit } = this.#options;
    if (organizationLimit === undefined) return undefined;
    let count = this.#organizations.get(organizationId);
    if (count === undefined) {
      this.#forgetOne();
      count = this.#newCount(organizationId, organizationLimit);
      this.#organizations.set(organizationId, count);
    }
    return count;
  }

  #forgetOne(): void {
    if (this.#organizations.size < MAX_REMEMBERED) return;
    for (const [id, { isIdle }] of this.#organizations)
      if (isIdle) {
        this.#organizations.delete(id);
        return;
      }
  }

  #newCount(organizationId: string | null, limit: number): WaitingCount {
    const { countWaiting, monotonicMs } = this.#options;
    return new WaitingCount({ count: () => countWaiting(organizationId, limit), limit, monotonicMs });
  }
}

interface WaitingCountOptions {
  readonly count: () => Promise<number>;
  readonly limit: number;
  readonly monotonicMs: () => number;
}

class WaitingCount {
  readonly #options: WaitingCountOptions;
  #counted = 0;
  #countedMs = Number.NEGATIVE_INFINITY;
  /** Stored since the last count began. Only the next count notices tasks that have left the queue. */
  #stored = 0;
  /** Accepted, not yet stored. A task stored during a count can count twice, so the limit is never exceeded. */
  #entering = 0;
  #counting: Promise<void> | null = null;

  constructor(options: WaitingCountOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#entering === 0 && this.#counting === null;
  }

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
    this.#counted = await this.#options.count();
    this.#countedMs = this.#options.monotonicMs();
    this.#stored -= before;
  }
}
