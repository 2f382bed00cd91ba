/** How a task may change: the table of legal transitions and the pure functions that make the next record. */

import type { ProcessIdentity } from '../disk/process-identity.ts';
import { ListingVideoError } from '../errors.ts';
import {
  type JsonValue,
  MAX_ATTEMPTS,
  type TaskFailure,
  type TaskOrigin,
  type TaskProgress,
  type TaskRecord,
  type TaskState,
} from './task.ts';

/** From each state, the states a task may go to. RUNNING to RUNNING is a takeover from a process that died. */
export const LEGAL_TRANSITIONS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  PENDING: ['RUNNING', 'FAILED'],
  RUNNING: ['RUNNING', 'SUCCEEDED', 'FAILED', 'PENDING'],
  SUCCEEDED: [],
  FAILED: ['PENDING'],
};

/** True for SUCCEEDED and FAILED: only a user's retry moves a task on from there. */
export function isTerminal(state: TaskState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED';
}

/** What a new task is made of; everything else of its record follows. */
export interface NewTask<Payload = JsonValue> {
  readonly id: string;
  readonly origin: TaskOrigin;
  readonly organizationId: string | null;
  readonly payload: Payload;
}

/** The record of a task that was just accepted. */
export function newTaskRecord(task: NewTask, createdAt: string, submitter: ProcessIdentity): TaskRecord {
  return {
    id: task.id,
    origin: task.origin,
    organizationId: task.organizationId,
    state: 'PENDING',
    createdAt,
    updatedAt: createdAt,
    startedAt: null,
    payload: task.payload,
    outcome: null,
    failure: null,
    progress: null,
    attempts: 0,
    maxAttempts: MAX_ATTEMPTS,
    retries: 0,
    cancelRequested: false,
    fence: 0,
    worker: null,
    submitter,
  };
}

/**
 * The next attempt begins, or the task is given up because no attempt is left: the result is RUNNING or FAILED.
 * An earlier attempt that never ended (its process died) has counted.
 */
export function beginAttempt(task: TaskRecord, at: string, worker: ProcessIdentity): TaskRecord {
  if (task.attempts >= task.maxAttempts) {
    const message = `given up after ${task.attempts} attempts: each time the process that ran the task ended before the task did`;
    return fail(task, at, { code: 'task_failed', message, context: { attempts: task.attempts } });
  }
  return move(task, 'RUNNING', at, {
    attempts: task.attempts + 1,
    startedAt: at,
    progress: null,
    worker,
    cancelRequested: false,
  });
}

/** The handler returned `outcome`. Progress becomes 100 with nothing left. */
export function succeed(task: TaskRecord, at: string, outcome: JsonValue): TaskRecord {
  const progress: TaskProgress = { percent: 100, stage: task.progress?.stage ?? null, etaSeconds: 0 };
  return move(task, 'SUCCEEDED', at, { outcome, progress, cancelRequested: false });
}

/** The task failed. Progress keeps its last percent. */
export function fail(task: TaskRecord, at: string, failure: TaskFailure): TaskRecord {
  const progress = task.progress === null ? null : { ...task.progress, etaSeconds: null };
  return move(task, 'FAILED', at, { failure, progress, cancelRequested: false });
}

/** The failure of a cancelled task; `message` is the contract's word. */
export function cancellation(context: TaskFailure['context'] = {}): TaskFailure {
  return { code: 'cancelled', message: 'cancelled', context };
}

/** The failure of a command line's task whose process is gone: no server runs it, so it would hang for ever. */
export function abandonment(task: TaskRecord): TaskFailure {
  const message =
    task.state === 'PENDING'
      ? 'the command that made this task ended before it began; retry it to run it again'
      : 'the command that ran this task ended before the task did; retry it to run it again';
  return { code: 'task_failed', message, context: { abandoned: true } };
}

/** A draining worker gives its task back; the attempt does not count. */
export function giveBack(task: TaskRecord, at: string): TaskRecord {
  return move(task, 'PENDING', at, { attempts: Math.max(0, task.attempts - 1), progress: null });
}

/** A user starts a failed task again, at attempt one. */
export function retryTask(task: TaskRecord, at: string, submitter: ProcessIdentity): TaskRecord {
  return move(task, 'PENDING', at, {
    attempts: 0,
    retries: task.retries + 1,
    outcome: null,
    failure: null,
    progress: null,
    startedAt: null,
    worker: null,
    submitter,
  });
}

/** A progress report joined to what was reported before: within 0 to 100 and never falling. */
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
