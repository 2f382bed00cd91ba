/**
 * Decides who can change a task, and how. Every store uses these functions. Pure: a snapshot goes in, the next record
 * comes out. The store ensures that only one process at a time changes a task.
 */

import type { Liveness, ProcessIdentity } from '../platform/disk/process-identity.ts';
import type { ListingVideoError } from '../platform/errors.ts';
import type { TaskRecord, TaskState } from './task.ts';
import type { AttemptEnd } from './task-store.ts';
import {
  abandonment,
  awaitBatches,
  awaitsBatches,
  beginAttempt,
  cancellation,
  fail,
  giveBack,
  isTerminal,
  requeueAfterDeath,
  requeueAfterFault,
  requeueLost,
  retryTask,
  stateConflict,
  succeed,
  takeoversOf,
} from './task-transition.ts';

/**
 * The state of the process that holds a task. `none`: no process holds it. `live`: its heartbeat is recent. `late`:
 * it is alive, but its heartbeat is overdue. `stale`: its heartbeat is overdue, and it can be dead. `dead`: it is
 * dead.
 */
export type Holder = 'none' | 'live' | 'late' | 'stale' | 'dead';

export interface TaskSnapshot {
  readonly task: TaskRecord;
  /** Number of the highest claim. A change creates the next one. */
  readonly fence: number;
  readonly holder: Holder;
  /** True if the attempt under the highest claim has a cancel request. */
  readonly cancelRequested: boolean;
}

export interface Deciding {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly self: ProcessIdentity;
  readonly liveness: (owner: ProcessIdentity) => Liveness;
}

/** The state of the owner of a claim, from its process and its last heartbeat. */
export function holderOf(owner: ProcessIdentity | null, heartbeatMs: number, by: Deciding): Holder {
  const liveness = owner === null ? 'unknown' : by.liveness(owner);
  if (liveness === 'dead') return 'dead';
  // A heartbeat in the future is old, too: the clock was set back after it.
  if (Math.abs(by.nowMs - heartbeatMs) <= by.leaseMs) return 'live';
  return liveness === 'alive' ? 'late' : 'stale';
}

/** The record of a claimed task: RUNNING, or FAILED if it was cancelled. Null if it cannot be claimed. */
export function claimMove(at: TaskSnapshot, trustLeases: boolean, by: Deciding): TaskRecord | null {
  if (isTerminal(at.task.state) || at.holder === 'live') return null;
  if (!trustLeases && (at.holder === 'late' || at.holder === 'stale')) return null;
  if (at.cancelRequested) return fail(at.task, stamp(by), cancellation());
  return beginAttempt(at.task, stamp(by), by.self);
}

/**
 * As `claimMove`, for the next task of a worker. PENDING: the task lost its server for the second time, and goes back
 * into the queue.
 */
export function claimNextMove(at: TaskSnapshot, trustLeases: boolean, by: Deciding): TaskRecord | null {
  const next = claimMove(at, trustLeases, by);
  const isLostAgain = at.task.state === 'RUNNING' && takeoversOf(at.task) > 0;
  return next?.state === 'RUNNING' && isLostAgain ? requeueLost(at.task, stamp(by)) : next;
}

/** The record of an attempt that ended. */
export function endMove(at: TaskSnapshot, end: AttemptEnd, by: Deciding): TaskRecord {
  if (end.kind === 'succeeded') return succeed(at.task, stamp(by), end.outcome);
  if (end.kind === 'failed') return fail(at.task, stamp(by), end.failure);
  if (at.cancelRequested) return fail(at.task, stamp(by), cancellation());
  if (end.kind === 'machine-fault') return requeueAfterFault(at.task, stamp(by), end.failure, end.counts);
  if (end.kind === 'died') return requeueAfterDeath(at.task, stamp(by), end.detail);
  return giveBack(at.task, stamp(by));
}

/** The record of a divided task after an attempt at a batch that did not succeed: FAILED, or it waits again. */
export function batchEndMove(at: TaskSnapshot, end: UnfinishedEnd, by: Deciding): TaskRecord {
  // Faults count as those of an attempt at a task do. Only what follows from them differs.
  const moved = endMove(at, end, by);
  if (isTerminal(moved.state)) return moved;
  const attempts = at.task.attempts + (end.kind === 'died' ? 1 : 0);
  return awaitBatches({ ...at.task, setbacks: moved.setbacks, attempts }, stamp(by));
}

/** The end of an attempt at a batch: its success is that of the task's last batch. */
export type UnfinishedEnd = Exclude<AttemptEnd, { readonly kind: 'succeeded' }>;

/** The cancelled record, or null if its owner is alive and must stop it. @throws `task_state_conflict` */
export function cancelMove(at: TaskSnapshot, by: Deciding): TaskRecord | null {
  if (isTerminal(at.task.state)) {
    throw stateConflict(
      at.task,
      `it has already ended (${at.task.state})`,
      'only a PENDING or RUNNING task can be cancelled',
    );
  }
  const isHeld = at.holder === 'live' || at.holder === 'late';
  if (isHeld && !awaitsBatches(at.task)) return null;
  return fail(at.task, stamp(by), cancellation());
}

/** The record of retry `number` of a task. @throws `task_state_conflict` unless it is FAILED or abandoned. */
export function retryMove(at: TaskSnapshot, number: number | undefined, by: Deciding): TaskRecord {
  const failed = reclaimMove(at, by) ?? at.task;
  if (failed.state !== 'FAILED') throw notFailed(at.task, failed.state);
  if (number !== undefined && number !== failed.retries + 1) {
    throw stateConflict(at.task, 'another process has just retried it');
  }
  return retryTask(failed, stamp(by), by.self);
}

/** The error of a retry of a task that is not FAILED. */
export function notFailed(
  task: Pick<TaskRecord, 'id' | 'state'>,
  state: Exclude<TaskState, 'FAILED'>,
): ListingVideoError {
  const why = { PENDING: 'it is waiting to run', RUNNING: 'it is running', SUCCEEDED: 'it has succeeded' }[
    state
  ];
  return stateConflict(task, why, 'Only a FAILED task can be retried.');
}

/** The FAILED record of a `cli` task whose process is dead; null for any other task. */
export function reclaimMove(at: TaskSnapshot, by: Deciding): TaskRecord | null {
  if (!isAbandoned(at, by)) return null;
  return fail(at.task, stamp(by), at.cancelRequested ? cancellation() : abandonment(at.task));
}

function isAbandoned({ task, holder }: TaskSnapshot, by: Deciding): boolean {
  if (task.origin !== 'cli' || isTerminal(task.state)) return false;
  // A live process keeps its task even if its heartbeat is late, for example after the lid of a laptop was closed.
  if (holder === 'live' || holder === 'late') return false;
  if (task.state === 'RUNNING') return true;
  // A PENDING task has no heartbeat, so check the process that submitted it. A process of an earlier boot is dead.
  const maker = by.liveness(task.submitter);
  return maker === 'dead' || (maker === 'elsewhere' && by.nowMs - Date.parse(task.updatedAt) > by.leaseMs);
}

/** The time of a decision, in ISO 8601 and UTC. */
export function stamp(by: Pick<Deciding, 'nowMs'>): string {
  return new Date(by.nowMs).toISOString();
}
