/** The record of a task and its states. Types and constants only, independent of video. */

import type { JsonValue } from '../platform/disk/json-codec.ts';
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';

export type { JsonValue };

/** The states, in the order in which messages list them. */
export const TASK_STATES = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Only the command that made or retried a `cli` task runs it. Any server can run an `api` task. */
export type TaskOrigin = 'cli' | 'api';

/** Number of attempts before a task fails because its process died each time while its server lived. */
export const MAX_ATTEMPTS = 3;

/** What stopped a task through no fault of its listing, since it was created or last retried. */
export interface TaskSetbacks {
  /** How often a server died while it ran the task. */
  readonly takeovers: number;
  /** How often the task met a fault of the machine while others succeeded. */
  readonly machineFaults: number;
  /** The task waits behind those created before this time. Null: its place is that of its creation. */
  readonly queuedAt: string | null;
}

export interface TaskFailure {
  /** A code of `ERROR_TABLE`. */
  readonly code: string;
  /** Shown to users as `failure_message`. */
  readonly message: string;
  /** Tells users of the command line what to do. */
  readonly hint?: string;
  /** Facts for programs. Contains `dropped_assets` if the handler knew them. */
  readonly context: { readonly [key: string]: JsonValue | undefined };
}

export interface TaskProgress {
  /** 0 to 100. It never falls within an attempt. */
  readonly percent: number;
  /** The current step, as the handler reports it; null if it reported none. */
  readonly stage: string | null;
  /** Seconds left; null when unknown, 0 when done. */
  readonly etaSeconds: number | null;
}

/** The part of a payload that lists show and credits need. A payload can be megabytes long. */
export interface TaskSummary {
  /** Short name of the task for people: the id of its listing. */
  readonly label: string;
  /** A longer name: the address of its listing. Absent if there is none, and in records of earlier versions. */
  readonly title?: string;
  /** Number of results that the task makes: one for each agent. */
  readonly resultCount: number;
}

/**
 * A task, without its payload: `TaskStore.payload` reads that. Timestamps are ISO 8601 in UTC.
 *
 * The outcome is JSON in the store and by default; `task-codec.ts` gives it a type.
 */
export interface TaskRecord<Outcome = JsonValue> {
  /** UUIDv7, lower case: time-ordered and hard to guess. */
  readonly id: string;
  readonly origin: TaskOrigin;
  /** Null for a task of the command line. */
  readonly organizationId: string | null;
  readonly state: TaskState;
  readonly createdAt: string;
  /** The last change of state (not of progress). */
  readonly updatedAt: string;
  /** Start of the latest attempt. */
  readonly startedAt: string | null;
  /** Null if it is unknown: the payload is damaged, or the task belongs to a remote server. */
  readonly summary: TaskSummary | null;
  /** The result of the handler. Null unless SUCCEEDED. */
  readonly outcome: Outcome | null;
  /** Null unless FAILED. */
  readonly failure: TaskFailure | null;
  readonly progress: TaskProgress | null;
  /**
   * Attempts since the task was created or last retried, with the running one. An attempt counts if its own process died
   * while its server lived, or if it ended the task. One that a server gives back, or takes over from a dead server, does
   * not.
   */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Absent if there was none. */
  readonly setbacks?: TaskSetbacks | undefined;
  /** How often a user retried the task. Id and retries identify a reservation of credits. */
  readonly retries: number;
  /** True if the running attempt has a cancel request. */
  readonly cancelRequested: boolean;
  /** Number of the claim that wrote this record: the fencing token. */
  readonly fence: number;
  /** The process of the latest attempt. */
  readonly worker: ProcessIdentity | null;
  /** The process that created or last retried the task. */
  readonly submitter: ProcessIdentity;
}
