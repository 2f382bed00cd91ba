/** How the work of a task is divided among several workers. Types only. */
import type { JsonValue } from '../task.ts';

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
   * @returns True if it was the last one of the task: this attempt then is for the whole task again, to finish it. If false, the
   * handler returns `BATCH_DONE`.
   */
  endBatch(): Promise<boolean>;
}

/** What a handler returns instead of an outcome if others finish the task. */
export const BATCH_DONE = Symbol('batch done');
