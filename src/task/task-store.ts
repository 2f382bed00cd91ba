/**
 * The store of tasks, as the engine sees it: durable records, and claims that make sure one process at a time moves a
 * task. `test/task/task-store-contract.ts` says what every store does; how one does it is its own affair.
 */
import { ListingVideoError } from '../errors.ts';
import type { JsonValue, TaskFailure, TaskOrigin, TaskProgress, TaskRecord, TaskState } from './task.ts';
import type { NewTask } from './task-transition.ts';

/** A claim without a heartbeat for this long is open to other processes: six heartbeats missed. */
export const LEASE_MS = 30_000;

/** A task whose payload is known, so that it can run. */
export type RunnableTask<Payload = JsonValue, Outcome = JsonValue> = TaskRecord<Payload, Outcome> & {
  readonly payload: Payload;
};

/** Names a claim. */
export interface ClaimKey {
  readonly id: string;
  /** Fencing token: grows with every change of state, so a later owner always has the larger one. */
  readonly fence: number;
}

/** The right to run one attempt, good until a later claim exists. */
export interface TaskClaim<Payload = JsonValue, Outcome = JsonValue> extends ClaimKey {
  /** The record as this claim wrote it: RUNNING. */
  readonly task: RunnableTask<Payload, Outcome>;
}

/** What came of trying to claim a task. */
export type ClaimResult<Payload = JsonValue, Outcome = JsonValue> =
  | { readonly kind: 'claimed'; readonly claim: TaskClaim<Payload, Outcome> }
  /** It ended without running: cancelled while nobody held it, no attempt left, or a damaged payload. */
  | { readonly kind: 'ended'; readonly task: TaskRecord<Payload, Outcome> }
  /** Another process holds it, or it is terminal. Nothing changed. */
  | { readonly kind: 'refused'; readonly task: TaskRecord<Payload, Outcome> };

export type ClaimStatus = 'owned' | 'cancel-requested' | 'lost';

/** How an attempt ended. */
export type AttemptEnd<Outcome = JsonValue> =
  | { readonly kind: 'succeeded'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly failure: TaskFailure }
  /** A drain: back to PENDING without using up an attempt. */
  | { readonly kind: 'given-back' };

/** Selects the tasks that `claimNext` can claim. */
export interface ClaimQuery {
  readonly origin: TaskOrigin;
  /** False: an overdue heartbeat alone does not cost a process its task; the process must be dead. */
  readonly trustLeases: boolean;
}

/** Selects the tasks of a page. */
export interface TaskQuery {
  readonly state?: TaskState;
  readonly organizationId?: string;
  /** The page begins with the task created before this one. */
  readonly startingAfter?: string;
  /** 1 or more. */
  readonly limit: number;
}

/** A task that could not be read. The others are not affected. */
export interface StoreWarning {
  readonly id: string;
  readonly path: string;
  readonly message: string;
}

export interface TaskPage<Payload = JsonValue, Outcome = JsonValue> {
  /** Newest first, ties broken by id. */
  readonly data: readonly TaskRecord<Payload, Outcome>[];
  readonly hasMore: boolean;
  /** Tasks that belong on this page and cannot be read. */
  readonly warnings: readonly StoreWarning[];
}

export interface PruneQuery {
  /** Tasks whose last change of state is earlier, in milliseconds since 1970. */
  readonly olderThanMs: number;
  readonly states: readonly ('SUCCEEDED' | 'FAILED')[];
  /** Only tasks of this origin. */
  readonly origin?: TaskOrigin;
}

export interface PruneReport {
  /** Ids of the removed tasks, oldest first. */
  readonly removed: readonly string[];
  readonly warnings: readonly StoreWarning[];
}

/**
 * Every method may also throw `store_unwritable`, `disk_full` (when it writes) and `store_corrupt` (when the one task
 * it was asked for cannot be read); those that take an id throw `task_not_found`.
 */
export interface TaskStore<Payload = JsonValue, Outcome = JsonValue> {
  /** Resolves once the task is durable: it survives kill -9 and power loss. `task_state_conflict` for a used id. */
  create(task: NewTask<Payload>): Promise<TaskRecord<Payload, Outcome>>;
  get(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /**
   * Every matching task is on exactly one page, whatever is created meanwhile.
   *
   * @throws {@link ListingVideoError} `task_not_found` for an unknown `startingAfter`, or one of another organization.
   */
  list(query: TaskQuery): Promise<TaskPage<Payload, Outcome>>;
  /**
   * How many tasks are in `state`, whoever they belong to; counting stops at `atMost`. Made for the length of a queue: a
   * task that changes its state meanwhile may count or not.
   */
  count(query: { readonly state: TaskState; readonly atMost: number }): Promise<number>;
  /** Claims exactly this task if it is PENDING, or RUNNING with its process dead or its lease over. */
  claim(id: string): Promise<ClaimResult<Payload, Outcome>>;
  /**
   * Claims the next task of `query.origin`: abandoned ones first, then the oldest. Null if there is none.
   */
  claimNext(query: ClaimQuery): Promise<ClaimResult<Payload, Outcome> | null>;
  /** Renews the lease and says whether the claim still holds. */
  heartbeat(claim: ClaimKey): Promise<ClaimStatus>;
  /** Says whether the claim still holds, without renewing it. */
  check(claim: ClaimKey): Promise<ClaimStatus>;
  /** Best effort and not durable; silent when the claim is lost. */
  saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void>;
  /**
   * Ends the attempt. A given-back or failed task that somebody asked to cancel becomes FAILED, `cancelled`.
   *
   * @throws {@link ListingVideoError} `lease_lost` when a later claim exists; the record is then untouched.
   */
  settle(
    claim: ClaimKey,
    end: AttemptEnd<Outcome>,
    progress: TaskProgress | null,
  ): Promise<TaskRecord<Payload, Outcome>>;
  /**
   * Ends a task nobody runs at once (the record returned is FAILED); asks the owner of a running one to stop.
   *
   * @throws {@link ListingVideoError} `task_state_conflict` for a task that has ended.
   */
  requestCancel(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /**
   * FAILED to PENDING, at attempt one. A `cli` task whose process is gone counts as FAILED.
   *
   * @param number - Which retry this is to be: 1 for the first. Any if absent.
   * @throws {@link ListingVideoError} `task_state_conflict` for any other task, or number.
   */
  retry(id: string, number?: number): Promise<TaskRecord<Payload, Outcome>>;
  /** Ends the `cli` task `id` as FAILED if its process is gone, since nobody else will. Returns it as it is now. */
  reclaim(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /** `reclaim` for every RUNNING task of the command line. Returns those it ended. */
  reclaimAbandoned(): Promise<readonly TaskRecord<Payload, Outcome>[]>;
  /** Removes ended tasks. */
  prune(query: PruneQuery): Promise<PruneReport>;
}

/** The error of a process that acts under a claim it has no longer. */
export function leaseLost(claim: ClaimKey): ListingVideoError {
  return new ListingVideoError('lease_lost', `task ${claim.id} was taken over by another process`, {
    hint: 'This process was unresponsive for too long; the other one finishes the task.',
    context: { id: claim.id, fence: claim.fence },
  });
}
