/** A queue that tells a worker of its work, so that the worker does not look for it. `src/postgres/queue/` has one. Types only. */
import type { TaskRecord } from '../task.ts';

export interface WorkQueue {
  /** Begins to tell `worker` of tasks. */
  start(worker: DispatchedWorker): void;
  /** Takes no more work. Called when the worker runs nothing any more. */
  stop(): Promise<void>;
}

/** A worker as the queue sees it. */
export interface DispatchedWorker {
  /** Number of tasks that run now. */
  readonly runningCount: number;
  /** The tasks of which the queue need not tell now: `all`, or those of the organizations that run as many as they can. */
  refused(): 'all' | readonly string[];
  /** Call it whenever the queue is away: with the same store, no process can then renew its lease. */
  distrustLeases(): void;
  /**
   * Claims what can be claimed now. The turns of the organizations decide what that is: the id only says that there is work. If
   * this very task then runs here, waits until it does not.
   *
   * @returns The task if it has not ended, else null.
   */
  dispatch(id: string): Promise<TaskRecord<unknown> | null>;
}
