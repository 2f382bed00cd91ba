/** What takes part in the transactions of a task store: credits, jobs, turns, deliveries. Types only. */
import type { TaskRecord } from '../../task.ts';
import type { Queries } from '../database.ts';

/** A change of a task's record, but not of its progress or heartbeat. */
export interface TaskChange {
  /** Null for a new task. */
  readonly before: TaskRecord | null;
  readonly after: TaskRecord;
}

/** Takes part in the transaction of a change. */
export type OnTaskChange = (change: TaskChange, transaction: Queries) => Promise<void>;
