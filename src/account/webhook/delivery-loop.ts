/**
 * The loop of a worker that sends deliveries: one look at a time, at every nudge and every second, and the results that could not be
 * stored yet. What a look does is the worker's.
 */
import type { TaskClock, Unschedule } from '../../task/engine/task-clock.ts';
import type { TaskLogger } from '../../task/engine/task-handler.ts';

/** Interval of the looks for deliveries that other processes added or that became due. */
const POLL_MS = 1_000;

export interface DeliveryLoopOptions<Result> {
  readonly clock: Pick<TaskClock, 'schedule'>;
  readonly logger: TaskLogger;
  /** Looks once. If it rejects, the next look still comes. */
  readonly look: () => Promise<void>;
  /** Stores a result. It rejects while the store is away. */
  readonly save: (result: Result) => Promise<unknown>;
}

export class DeliveryLoop<Result> {
  readonly #options: DeliveryLoopOptions<Result>;
  #state: 'idle' | 'working' | 'stopped' = 'idle';
  #looking: Promise<void> | null = null;
  #isNudged = false;
  #isReported = false;
  #unschedule: Unschedule = () => {};
  #unsaved: Result[] = [];

  constructor(options: DeliveryLoopOptions<Result>) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  /** False while results could not be stored: nothing is sent then, or it would be sent again and again. */
  get canSend(): boolean {
    return this.#state === 'working' && !this.hasUnsaved;
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.length > 0;
  }

  /** Looks for the first time. Does nothing after the first call. */
  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'working';
    this.nudge();
  }

  /** Looks now instead of at the next poll. */
  nudge(): void {
    if (this.#state !== 'working') return;
    this.#isNudged = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#isNudged) this.nudge();
    });
  }

  /** Looks no more. Resolves when the current look is over. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#isNudged = false;
    this.#unschedule();
    await this.#looking;
  }

  /** Keeps a result for the next {@link saveAll}. */
  keep(result: Result): void {
    this.#unsaved.push(result);
  }

  /** Stores what was kept, in its order. */
  async saveAll(): Promise<void> {
    for (let result = this.#unsaved[0]; result !== undefined; result = this.#unsaved[0]) {
      await this.#options.save(result);
      this.#unsaved.shift();
    }
  }

  /** As {@link saveAll}, for the last time. */
  async saveLast(): Promise<void> {
    await this.saveAll().catch((error) =>
      this.#options.logger.warn('the result of a delivery is lost', { error }),
    );
  }

  async #look(): Promise<void> {
    const { clock, logger, look } = this.#options;
    this.#unschedule();
    while (this.#isNudged) {
      this.#isNudged = false;
      try {
        await look();
        this.#isReported = false;
      } catch (error) {
        // Once per fault: the poll goes on every second.
        if (!this.#isReported) logger.warn('webhooks cannot be delivered now', { error });
        this.#isReported = true;
      }
    }
    if (this.#state === 'working') this.#unschedule = clock.schedule(() => this.nudge(), POLL_MS);
  }
}
