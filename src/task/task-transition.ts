/** The table of legal transitions of a task, and the pure functions that make the next record. */

import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import { ListingVideoError } from '../platform/errors.ts';
import {
  type JsonValue,
  type NewTaskFields,
  TASK_FIELDS,
  type TaskFailure,
  type TaskProgress,
  type TaskRecord,
  type TaskSetbacks,
  type TaskState,
} from './task.ts';

/** The legal next states of each state. RUNNING to RUNNING is a takeover from a dead process. */
export const LEGAL_TRANSITIONS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  PENDING: ['RUNNING', 'FAILED'],
  RUNNING: ['RUNNING', 'SUCCEEDED', 'FAILED', 'PENDING'],
  SUCCEEDED: [],
  FAILED: ['PENDING'],
};

/** True for SUCCEEDED and FAILED. A task leaves these states only if a user retries it after FAILED. */
export function isTerminal(state: TaskState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED';
}

/** The record of a new task. What `task` does not have gets the first value of its field. */
export function newTaskRecord(
  task: NewTaskFields & Pick<TaskRecord, 'summary'>,
  createdAt: string,
  submitter: ProcessIdentity,
): TaskRecord {
  const given: Readonly<Record<string, unknown>> = { ...task, createdAt, updatedAt: createdAt, submitter };
  const record: Record<string, unknown> = {};
  for (const [name, { first }] of Object.entries(TASK_FIELDS)) {
    const value = given[name] === undefined ? first : given[name];
    if (value !== undefined) record[name] = value;
  }
  return record as unknown as TaskRecord;
}

/** Begins the next attempt. A takeover from a dead process repeats the attempt. */
export function beginAttempt(task: TaskRecord, at: string, worker: ProcessIdentity): TaskRecord {
  const isTakeover = task.state === 'RUNNING';
  return move(task, 'RUNNING', at, {
    attempts: isTakeover ? Math.max(1, task.attempts) : task.attempts + 1,
    startedAt: at,
    progress: null,
    worker,
    cancelRequested: false,
    ...(isTakeover ? addSetback(task, { takeovers: takeoversOf(task) + 1 }) : {}),
  });
}

/** The record of a divided task while no process holds it: its batches are done one by one. */
export function awaitBatches(task: TaskRecord, at: string): TaskRecord {
  return move(task, 'RUNNING', at, { worker: null });
}

/** True for a running task whose batches are done by any process. */
export function awaitsBatches(task: Pick<TaskRecord, 'state' | 'worker'>): boolean {
  return task.state === 'RUNNING' && task.worker === null;
}

/** The record of a divided task whose batches are done, held by the process that finishes it. */
export function resumeDivided(task: TaskRecord, at: string, worker: ProcessIdentity): TaskRecord {
  return move(task, 'RUNNING', at, { worker });
}

/** Counts a server that died at a batch. After a second one the task goes behind the others, as in `requeueLost`. */
export function countLostBatch(task: TaskRecord, at: string): TaskRecord {
  const takeovers = takeoversOf(task) + 1;
  return { ...task, ...addSetback(task, takeovers > 1 ? { takeovers, queuedAt: at } : { takeovers }) };
}

/** How often a server died while it ran the task. */
export function takeoversOf(task: TaskRecord): number {
  return task.setbacks?.takeovers ?? 0;
}

/** Puts a task whose server died back behind the others. The attempt does not count. */
export function requeueLost(task: TaskRecord, at: string): TaskRecord {
  const setback = addSetback(task, { takeovers: takeoversOf(task) + 1, queuedAt: at });
  return { ...giveBack(task, at), ...setback };
}

/** Number of machine faults, met while other tasks succeeded, after which the task is to blame. */
export const MAX_MACHINE_FAULTS = 10;

/** Puts a task that met a fault of the machine back behind the others; FAILED if it has met too many that count. */
export function requeueAfterFault(
  task: TaskRecord,
  at: string,
  failure: TaskFailure,
  counts: boolean,
): TaskRecord {
  const machineFaults = (task.setbacks?.machineFaults ?? 0) + (counts ? 1 : 0);
  const setback = addSetback(task, { machineFaults, queuedAt: at });
  if (machineFaults >= MAX_MACHINE_FAULTS) return { ...fail(task, at, failure), ...setback };
  return { ...giveBack(task, at), ...setback };
}

/** Puts a task whose own process died back behind the others. The attempt counts: FAILED if it was the last one. */
export function requeueAfterDeath(task: TaskRecord, at: string, detail: TaskFailure['context']): TaskRecord {
  if (task.attempts >= task.maxAttempts) {
    const message = `given up after ${task.attempts} attempts: each time the process that ran the task ended before the task did`;
    const context = { ...detail, attempts: task.attempts };
    return fail(task, at, { code: 'task_failed', message, context });
  }
  return move(task, 'PENDING', at, { progress: null, ...addSetback(task, { queuedAt: at }) });
}

function addSetback(task: TaskRecord, change: Partial<TaskSetbacks>): { readonly setbacks: TaskSetbacks } {
  const before = task.setbacks ?? { takeovers: 0, machineFaults: 0, queuedAt: null };
  return { setbacks: { ...before, ...change } };
}

/** The record after the handler returned `outcome`. Progress becomes 100 % with 0 seconds left. */
export function succeed(task: TaskRecord, at: string, outcome: JsonValue): TaskRecord {
  const progress: TaskProgress = { percent: 100, stage: task.progress?.stage ?? null, etaSeconds: 0 };
  return move(task, 'SUCCEEDED', at, { outcome, progress, cancelRequested: false });
}

/** The record of a failed task. It keeps the last percent of progress. */
export function fail(task: TaskRecord, at: string, failure: TaskFailure): TaskRecord {
  const progress = task.progress === null ? null : { ...task.progress, etaSeconds: null };
  return move(task, 'FAILED', at, { failure, progress, cancelRequested: false });
}

/** The failure of a cancelled task. Its `message` is exactly `cancelled`, which API clients rely on. */
export function cancellation(context: TaskFailure['context'] = {}): TaskFailure {
  return { code: 'cancelled', message: 'cancelled', context };
}

/** The failure of a `cli` task whose process is dead. No server runs such a task, so it would wait for ever. */
export function abandonment(task: TaskRecord): TaskFailure {
  const message =
    task.state === 'PENDING'
      ? 'the command that made this task ended before it began; retry it to run it again'
      : 'the command that ran this task ended before the task did; retry it to run it again';
  return { code: 'task_failed', message, context: { abandoned: true } };
}

/** The record of a task that a draining worker gives back. The attempt does not count. */
export function giveBack(task: TaskRecord, at: string): TaskRecord {
  return move(task, 'PENDING', at, { attempts: Math.max(0, task.attempts - 1), progress: null });
}

/** The record of a failed task that a user retries. Its attempts start again at one. */
export function retryTask(task: TaskRecord, at: string, submitter: ProcessIdentity): TaskRecord {
  return move(task, 'PENDING', at, {
    attempts: 0,
    retries: task.retries + 1,
    outcome: null,
    failure: null,
    progress: null,
    startedAt: null,
    worker: null,
    setbacks: undefined,
    submitter,
  });
}

/** Merges a progress report with the previous one, so that percent stays within 0 to 100 and never falls. */
export function advance(before: TaskProgress | null, now: TaskProgress): TaskProgress {
  const percent = Number.isFinite(now.percent) ? Math.min(100, Math.max(0, now.percent)) : 0;
  return { ...now, percent: Math.max(percent, before?.percent ?? 0) };
}

/** @throws {@link ListingVideoError} `task_state_conflict` when the table does not allow the move. */
function move(task: TaskRecord, state: TaskState, at: string, change: Partial<TaskRecord>): TaskRecord {
  if (!LEGAL_TRANSITIONS[task.state].includes(state)) {
    throw stateConflict(task, `a ${task.state} task cannot become ${state}`);
  }
  return { ...task, ...change, state, updatedAt: at };
}

/** The error of an operation that the task's state does not allow. */
export function stateConflict(
  task: Pick<TaskRecord, 'id' | 'state'>,
  why: string,
  hint?: string,
): ListingVideoError {
  return new ListingVideoError('task_state_conflict', `task ${task.id}: ${why}`, {
    context: { id: task.id, state: task.state },
    hint,
  });
}
