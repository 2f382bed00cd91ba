/**
 * The record of a task: its states, its parts, and one description of each field. The type of the record, its first
 * values, the check of a stored record and its columns in a database follow from `TASK_FIELDS`. Independent of video.
 */
import type { JsonValue } from '../platform/disk/json-codec.ts';
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import { isTaskId } from './task-id.ts';

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
  /** What each result is called, in their order: the names of the agents. Absent in records of earlier versions. */
  readonly resultNames?: readonly string[];
  /** What the request said that the task leaves out, for people. Absent: nothing. */
  readonly warnings?: readonly string[];
}

interface TaskField<Value> {
  /** Whether a stored value is whole: a crash, a full disk or a person can have damaged it. */
  readonly check: Check;
  /** How a database keeps it. The name of the column is that of the field in snake case. */
  readonly column: 'plain' | 'time' | 'json';
  /** Of a new task. Absent: `newTaskRecord` gets the value from its caller. */
  readonly first?: Value;
}

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
/** The parts that a value has at least. */
const hasParts = (parts: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(parts);
  return (value) => isObject(value) && checks.every(([name, check]) => check(value[name]));
};
/** True for a `ProcessIdentity`. */
export const isProcess: Check = hasParts({ pid: isCount, boot: isText, space: isText });

const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const IS_SUMMARY = hasParts({
  label: isText,
  title: orAbsent(isText),
  resultCount: isCount,
  resultNames: orAbsent(isTexts),
  warnings: orAbsent(isTexts),
});
const IS_FAILURE = hasParts({ code: isText, message: isText, context: isObject });
const IS_PROGRESS = hasParts({ percent: (value) => typeof value === 'number' });
const IS_SETBACKS = hasParts({ takeovers: isCount, machineFaults: isCount, queuedAt: orNull(isTime) });

const field = <Value>(
  column: TaskField<Value>['column'],
  check: Check,
  ...first: [] | [Value]
): TaskField<Value> => ({ column, check, ...(first.length === 0 ? {} : { first: first[0] }) });

/** Timestamps are ISO 8601 in UTC. */
export const TASK_FIELDS = {
  /** UUIDv7, lower case: time-ordered and hard to guess. */
  id: field<string>('plain', (value) => typeof value === 'string' && isTaskId(value)),
  origin: field<TaskOrigin>('plain', isOneOf(['cli', 'api'])),
  /** Null for a task of the command line. */
  organizationId: field<string | null>('plain', orNull(isText)),
  state: field<TaskState>('plain', isOneOf(TASK_STATES), 'PENDING'),
  createdAt: field<string>('time', isTime),
  /** The last change of state (not of progress). */
  updatedAt: field<string>('time', isTime),
  /** Start of the latest attempt. */
  startedAt: field<string | null>('time', orNull(isTime), null),
  /** Null if it is unknown: the payload is damaged, or the task belongs to a remote server. */
  summary: field<TaskSummary | null>('json', orNull(IS_SUMMARY)),
  /** The result of the handler. Null unless SUCCEEDED. */
  outcome: field<JsonValue>('json', (value) => value !== undefined, null),
  /** Null unless FAILED. */
  failure: field<TaskFailure | null>('json', orNull(IS_FAILURE), null),
  progress: field<TaskProgress | null>('json', orNull(IS_PROGRESS), null),
  /**
   * Attempts since the task was created or last retried, with the running one. An attempt counts if its own process
   * died while its server lived, or if it ended the task. One that a server gives back, or takes over from a dead
   * server, does not.
   */
  attempts: field<number>('plain', isCount, 0),
  maxAttempts: field<number>('plain', isCount, MAX_ATTEMPTS),
  /** Absent if there was none. */
  setbacks: field<TaskSetbacks | undefined>('json', orAbsent(IS_SETBACKS)),
  /** How often a user retried the task. Id and retries identify a reservation of credits. */
  retries: field<number>('plain', isCount, 0),
  /** True if the running attempt has a cancel request. */
  cancelRequested: field<boolean>('plain', (value) => typeof value === 'boolean', false),
  /** Number of the claim that wrote this record: the fencing token. */
  fence: field<number>('plain', isCount, 0),
  /** The process of the latest attempt. */
  worker: field<ProcessIdentity | null>('json', orNull(isProcess), null),
  /** The process that created or last retried the task. */
  submitter: field<ProcessIdentity>('json', isProcess),
};

type TaskFields = {
  readonly [Name in keyof typeof TASK_FIELDS]: (typeof TASK_FIELDS)[Name] extends TaskField<infer Value>
    ? Value
    : never;
};

/**
 * A task, without its payload: `TaskStore.payload` reads that. The outcome is JSON in the store and by default;
 * `task-codec.ts` gives it a type.
 */
export interface TaskRecord<Outcome = JsonValue> extends Omit<TaskFields, 'outcome' | 'setbacks'> {
  readonly outcome: Outcome | null;
  readonly setbacks?: TaskSetbacks | undefined;
}

/** The fields of a new task that its caller chooses. */
export type NewTaskFields = Pick<TaskRecord, 'id' | 'origin' | 'organizationId'>;

export interface NewTask<Payload = JsonValue> extends NewTaskFields {
  readonly payload: Payload;
}

const CHECKS = Object.entries(TASK_FIELDS).map(([name, { check }]) => ({ name, check }));

/** The name of a field that is missing or of the wrong kind; undefined if all are right. */
export function findWrongField(record: Readonly<Record<string, unknown>>): string | undefined {
  return CHECKS.find(({ name, check }) => !check(record[name]))?.name;
}
