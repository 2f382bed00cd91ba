/** A queue that gives a worker its work. `src/task/postgres/queue/` has one. Types only. */

export interface WorkQueue {
  start(worker: DispatchedWorker): void;
  /** Takes no more work. Called when the worker runs nothing any more. */
  stop(): Promise<void>;
}

/** `paused`: it starts nothing because of a fault of its machine. */
export type WorkerState = 'working' | 'paused' | 'draining';

/** A task, or a batch of a divided one. */
export interface DispatchedWork {
  readonly id: string;
  readonly batch?: number | undefined;
}

/** A worker as the queue sees it. */
export interface DispatchedWorker {
  readonly state: WorkerState;
  readonly runningCount: number;
  /** What it can take. `prepare`: only work for which no other worker has had a slot. */
  room(): 'slot' | 'prepare' | 'none';
  /** Organizations that run as many tasks here as they can. */
  fullOrganizations(): readonly string[];
  /** Call it whenever the queue is away: with the same store, no process can then renew its lease. */
  distrustLeases(): void;
  /**
   * Does this work.
   *
   * @returns `over`: the work is done, or there is none. `later`: it cannot be done here now, or its end could not be
   * stored: give it out again after a while. `elsewhere`: give it out again now, for a worker with a slot.
   */
  dispatch(work: DispatchedWork): Promise<'over' | 'later' | 'elsewhere'>;
}

/** The work of all machines, for metrics. */
export interface QueueFacts {
  readonly work: readonly {
    readonly kind: string;
    readonly waiting: number;
    readonly running: number;
    /** How long the oldest one has waited, in seconds; 0 if none waits. */
    readonly oldestWaitingSec: number;
  }[];
  /** Workers that live. */
  readonly workers: number;
}
