/** What the engine runs: the contract between it and the work, which it knows nothing of. Types only. */
import type { JsonValue, TaskProgress, TaskRecord } from '../task.ts';
import type { RunnableTask } from '../task-store.ts';

/** What a handler is given besides the task. */
export interface TaskContext {
  /** Aborted when the task is cancelled, given back by a drain, or lost to another process. Stop and throw. */
  readonly signal: AbortSignal;
  /** 1, 2 or 3. */
  readonly attempt: number;
  /** Cheap to call for every frame: written about once a second, never falling. */
  reportProgress(progress: TaskProgress): void;
  /**
   * To be awaited right before anything is published under a final name.
   *
   * @throws {@link ListingVideoError} `lease_lost` when another process has taken the task.
   */
  assertOwned(): Promise<void>;
}

/**
 * Does the work and returns what is stored as the task's outcome. What it throws becomes the failure; dropped assets it
 * knows of travel in the error's `context.dropped_assets`. May be run again from the start by another process.
 */
export type TaskHandler<Payload = JsonValue, Outcome = JsonValue> = (
  task: RunnableTask<Payload, Outcome>,
  context: TaskContext,
) => Promise<Outcome>;

/** Where the engine tells what users of one task cannot see. */
export interface TaskLogger {
  debug(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

/**
 * What is to happen when tasks are accepted and when they end: the place for reserving and settling credits. A
 * reservation is named by the task's id and its `retries`; every call may come twice, and must then change nothing.
 */
export interface TaskHooks<Payload = JsonValue, Outcome = JsonValue> {
  /** Before a new or retried task becomes PENDING; throwing refuses it and leaves everything as it was. */
  reserve(task: Reservation<Payload>): Promise<void>;
  /** The task was not accepted after all. */
  release(task: Reservation<Payload>): Promise<void>;
  /** The task became SUCCEEDED or FAILED. */
  settle(task: TaskRecord<Payload, Outcome>): Promise<void>;
}

/** What a reservation is made for. */
export type Reservation<Payload = JsonValue> = Pick<
  TaskRecord<Payload>,
  'id' | 'origin' | 'organizationId' | 'payload' | 'retries'
>;
