/** What a task is: its record, its states and what it carries. Types and constants only; knows nothing of video. */

import type { JsonValue } from '../disk/json-codec.ts';
import type { ProcessIdentity } from '../disk/process-identity.ts';

export type { JsonValue };

/** In the order in which messages name them. */
export const TASK_STATES = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Who may run it: a `cli` task only the command that made or retried it, an `api` task any server. */
export type TaskOrigin = 'cli' | 'api';

/** Attempts before a task whose process keeps dying is given up. */
export const MAX_ATTEMPTS = 3;

export interface TaskFailure {
  /** A code of `ERROR_TABLE`. */
  readonly code: string;
  /** Shown to users as `failure_message`. */
  readonly message: string;
  /** What to do about it, for the command line. */
  readonly hint?: string;
  /** Facts for machines; `dropped_assets`, when the handler knew them, is here. */
  readonly context: { readonly [key: string]: JsonValue | undefined };
}

export interface TaskProgress {
  /** 0 to 100, never falling within an attempt. */
  readonly percent: number;
  /** The handler's word for what it is doing; null when it never said. */
  readonly stage: string | null;
  /** Seconds left; null when unknown, 0 when done. */
  readonly etaSeconds: number | null;
}

/**
 * A task. Timestamps are ISO 8601 in UTC.
 *
 * The store keeps payload and outcome as JSON, which is what they are by default; `task-codec.ts` gives them their types.
 */
export interface TaskRecord<Payload = JsonValue, Outcome = JsonValue> {
  /** UUIDv7, lower case: time-ordered and hard to guess. */
  readonly id: string;
  readonly origin: TaskOrigin;
  /** Null: a task of the command line, which belongs to nobody. */
  readonly organizationId: string | null;
  readonly state: TaskState;
  readonly createdAt: string;
  /** The last change of state (not of progress). */
  readonly updatedAt: string;
  /** Start of the latest attempt. */
  readonly startedAt: string | null;
  /** What the handler has to do; null where that is unknown: damaged in the store, or a task of another server. */
  readonly payload: Payload | null;
  /** What the handler returned; null unless SUCCEEDED. */
  readonly outcome: Outcome | null;
  /** Null unless FAILED. */
  readonly failure: TaskFailure | null;
  readonly progress: TaskProgress | null;
  /** Attempts begun since the task was created or last retried. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** How often a user retried it: with the id, the name of one reservation of credits. */
  readonly retries: number;
  /** Somebody asked to cancel the attempt that is running. */
  readonly cancelRequested: boolean;
  /** Number of the claim under which this record was written: the fencing token. */
  readonly fence: number;
  /** The process of the latest attempt. */
  readonly worker: ProcessIdentity | null;
  /** The process that created or last retried the task. */
  readonly submitter: ProcessIdentity;
}
