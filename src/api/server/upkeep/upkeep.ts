/** Repeated work of a server besides requests and tasks, one run at a time. */
import type { TaskClock, Unschedule } from '../../../task/engine/task-clock.ts';

/** Between two removals of what is old or abandoned. */
export const SWEEP_INTERVAL_MS = 3_600_000;

/** Two runs never overlap, whatever they do. */
export class Upkeep {
  readonly #clock: Pick<TaskClock, 'schedule'>;
  readonly #scheduled = new Map<() => Promise<void>, Unschedule>();
  #working: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(clock: Pick<TaskClock, 'schedule'>) {
    this.#clock = clock;
  }

  /** Runs `work` once, after what runs now. It must not reject. */
  run(work: () => Promise<void>): void {
    this.#working = this.#working.then(work);
  }

  /** Repeats `work` until {@link stop}, at first after `intervalMs`. It must not reject. */
  every(intervalMs: number, work: () => Promise<void>): void {
    const turn = (): void => {
      this.run(work);
      this.#working = this.#working.then(() => {
        if (!this.#isStopped) this.#scheduled.set(work, this.#clock.schedule(turn, intervalMs));
      });
    };
    this.#scheduled.set(work, this.#clock.schedule(turn, intervalMs));
  }

  stop(): void {
    this.#isStopped = true;
    for (const unschedule of this.#scheduled.values()) unschedule();
  }

  ended(): Promise<void> {
    return this.#working;
  }
}
