/** The interface between the engine and the work that it runs. */
import type { JsonValue, TaskProgress, TaskRecord } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';
import type { WorkSlot } from './work-slots.ts';

export interface TaskContext {
  /** Aborted if the task is cancelled, given back by a drain, or lost to another process. Stop and throw. */
  readonly signal: AbortSignal;
  /** 1, 2 or 3. */
  readonly attempt: number;
  /** Fencing token of the claim: two attempts at a task never have the same, so files named by it never meet. */
  readonly fence: number;
  /** Reports progress. It is stored once a second at most, so a call per frame is cheap. */
  reportProgress(progress: TaskProgress): void;
  /** Shows that the work goes on where `reportProgress` has nothing new. Cheap. */
  reportLiveness(): void;
  /**
   * Waits for a slot for the heavy part of the work: preparations run beside the heavy part of other tasks. The time of
   * the wait does not count for any limit.
   *
   * @throws The signal's reason if it is aborted while waiting.
   */
  takeSlot(): Promise<WorkSlot>;
  /** Absent: the task cannot be divided among workers. */
  readonly division?: WorkDivision | undefined;
  /**
   * Calls `listener` about once a second while this process holds the claim, or cannot ask because the store is away.
   * There is one listener.
   */
  onHeld(listener: () => void): void;
  /**
   * Checks the claim. Await it right before publishing under a final name. On a server it waits for a store that is
   * away.
   *
   * @throws {@link ListingVideoError} `lease_lost` if another process has taken the task.
   */
  assertOwned(): Promise<void>;
}

/**
 * Does the work and returns the task's outcome, or that of a batch and `BATCH_DONE`. An error becomes the failure, with
 * the dropped assets in its `context.dropped_assets`. Another process can run the handler again from the start.
 */
export type TaskHandler<Payload = JsonValue, Outcome = JsonValue> = (
  task: RunnableTask<Payload, Outcome>,
  context: TaskContext,
) => Promise<Outcome | typeof BATCH_DONE>;

/** What a handler can do about the batches of its task. Absent from a context: the task cannot be divided. */
export interface WorkDivision {
  /** The batch that the attempt is for, as it was passed to `divide`; null if the attempt is for the whole task. */
  readonly batch: JsonValue | null;
  /** Number of other workers that could begin a batch now. It never rejects. */
  countIdle(): Promise<number>;
  /**
   * Divides the task. From then on this attempt is for the first batch, and other workers take the others.
   *
   * @param batches - Two or more.
   * @returns False if the task was not divided: this attempt is for all of it.
   */
  divide(batches: readonly JsonValue[]): Promise<boolean>;
  /**
   * Ends the batch, whose results others can read now.
   *
   * @returns True if it was the last one of the task: this attempt then is for the whole task again, to finish it. If
   *   false, the handler returns `BATCH_DONE`.
   */
  endBatch(): Promise<boolean>;
}

/** What a handler returns instead of an outcome if others finish the task. */
export const BATCH_DONE = Symbol('batch done');

export interface TaskLogger {
  debug(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

/**
 * Called when tasks are accepted and when they end, to reserve and settle credits. The task's id and `retries` identify
 * a reservation. Every call can come twice; the second call must change nothing.
 */
export interface TaskHooks<Outcome = JsonValue> {
  /** Called before a new or retried task becomes PENDING. An error refuses the task and changes nothing. */
  reserve(task: Reservation): Promise<void>;
  /** Called if the task was not accepted after `reserve`. */
  release(task: Reservation): Promise<void>;
  /** Called after the task became SUCCEEDED or FAILED. */
  settle(task: TaskRecord<Outcome>): Promise<void>;
}

export type Reservation = Pick<TaskRecord, 'id' | 'origin' | 'organizationId' | 'summary' | 'retries'>;
