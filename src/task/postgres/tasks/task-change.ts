/** What takes part in the transactions of a task store: credits, jobs, turns, deliveries. */
import type { TaskRecord } from '../../task.ts';
import type { Queries } from '../database.ts';

/** A change of a task's record, but not of its progress or heartbeat. */
export interface TaskChange {
  /** Null for a new task. */
  readonly before: TaskRecord | null;
  readonly after: TaskRecord;
}

export type OnTaskChange = (change: TaskChange, transaction: Queries) => Promise<void>;

/** All of them, one after the other. */
export function inOrder(...parts: readonly OnTaskChange[]): OnTaskChange {
  return async (change, transaction) => {
    for (const part of parts) await part(change, transaction);
  };
}
