/** A queue that tells a worker of its work. `src/task/postgres/queue/` has one. Types only. */
import type { TaskRecord } from '../task.ts';

export interface WorkQueue {
  start(worker: DispatchedWorker): void;
  /** Takes no more work. Called when the worker runs nothing any more. */
  stop(): Promise<void>;
}

/** `paused`: it starts nothing because of a fault of its machine. */
export type WorkerState = 'working' | 'paused' | 'draining';

/** A worker as the queue sees it. */
export interface DispatchedWorker {
  readonly state: WorkerState;
  readonly runningCount: number;
  /**
   * The tasks of which the queue need not tell now: `all`, or those of the organizations that run as many as they can.
   */
  refused(): 'all' | readonly string[];
  /** Call it whenever the queue is away: with the same store, no process can then renew its lease. */
  distrustLeases(): void;
  /** Claims what can be claimed now. */
  look(): Promise<void>;
  /**
   * Claims what can be claimed now. The turns of the organizations decide what that is: the id only says that there is
   * work. If this very task then runs here, waits until it does not.
   *
   * @returns The task if it has not ended, else null.
   */
  dispatch(id: string): Promise<TaskRecord<unknown> | null>;
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
