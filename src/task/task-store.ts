/**
 * The interface of a task store: durable records, and claims that let one process at a time change a task. The suite
 * `test/task/task-store-contract.ts` tests each implementation.
 */
import { ListingVideoError } from '../platform/errors.ts';
import type {
  JsonValue,
  NewTask,
  TaskFailure,
  TaskOrigin,
  TaskProgress,
  TaskRecord,
  TaskState,
  TaskSummary,
} from './task.ts';

export interface Lease {
  /** After this time another process can claim the task. */
  readonly durationMs: number;
  /** The owner of a claim renews it at least this often. */
  readonly heartbeatMs: number;
}

/** The lease of a task in files: processes of the same machine need none, because they see at once who is dead. */
export const FILE_LEASE: Lease = { durationMs: 30_000, heartbeatMs: 5_000 };

/** A task with its payload, so that it can run. */
export type RunnableTask<Payload = JsonValue, Outcome = JsonValue> = TaskRecord<Outcome> & {
  readonly payload: Payload;
};

export interface ClaimKey {
  readonly id: string;
  /** Fencing token. It grows with every change of state, so a later owner always has a larger one. */
  readonly fence: number;
  /** Number of the batch of a divided task that the claim is for. Absent: it is for the task. */
  readonly batch?: number | undefined;
}

/** The right to run one attempt. It ends when a later claim exists. */
export interface TaskClaim<Payload = JsonValue, Outcome = JsonValue> extends ClaimKey {
  /** The RUNNING record of this claim. */
  readonly task: RunnableTask<Payload, Outcome>;
  /** What is to be done for the batch. Absent for a claim of a task. */
  readonly work?: JsonValue | undefined;
}

export type ClaimResult<Payload = JsonValue, Outcome = JsonValue> =
  | { readonly kind: 'claimed'; readonly claim: TaskClaim<Payload, Outcome> }
  /** The task ended without running: it was cancelled, had no attempt left, or has a damaged payload. */
  | { readonly kind: 'ended'; readonly task: TaskRecord<Outcome> }
  /** Another process holds the task, or it has ended. Nothing changed. */
  | { readonly kind: 'refused'; readonly task: TaskRecord<Outcome> };

/** `lost` means that a later claim exists, or that the task was removed. */
export type ClaimStatus = 'owned' | 'cancel-requested' | 'lost';

export type AttemptEnd<Outcome = JsonValue> =
  | { readonly kind: 'succeeded'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly failure: TaskFailure }
  /** A drain: back to PENDING at its old place, without using up an attempt. */
  | { readonly kind: 'given-back' }
  /**
   * A fault of the machine: back to PENDING behind the others, without using up an attempt. If `counts`, it is one of
   * the `MAX_MACHINE_FAULTS` after which the task fails.
   */
  | { readonly kind: 'machine-fault'; readonly failure: TaskFailure; readonly counts: boolean }
  /** The process of the work died, its server lived: back to PENDING behind the others, or FAILED without attempts. */
  | { readonly kind: 'died'; readonly detail: TaskFailure['context'] };

export interface ClaimQuery {
  readonly origin: TaskOrigin;
  /** False: an overdue heartbeat alone does not cost a process its task; the process must be dead. */
  readonly trustLeases: boolean;
  /** Default: all organizations are equal, and none has too many running tasks. */
  readonly turns?: ClaimTurns;
  /** A waiting task must have waited this long. Default 0. */
  readonly minAgeMs?: number;
  /** Tasks that wait although it is their turn. */
  readonly heldBack?: ReadonlySet<string>;
  /** True if the caller also takes batches of divided tasks. Default false. */
  readonly takesBatches?: boolean;
  /**
   * The work that a queue gave the caller: a task, or a batch of one. A task that the query cannot claim now is refused;
   * null if there is nothing to do for it. Default: what the turns say. Stores without a queue do not know it.
   */
  readonly only?: { readonly id: string; readonly batch?: number | undefined };
  /** True if the caller runs another task. It then leaves tasks alone that lost several servers. Default false. */
  readonly isBusy?: boolean;
}

/** The order of organizations in `claimNext`. An organization is named by its id. */
export interface ClaimTurns {
  /** The lowest rank comes first. Organizations that are absent come before all others. */
  readonly rank: ReadonlyMap<string, number>;
  /** Organizations that run as many tasks as they can. */
  readonly full: ReadonlySet<string>;
}

export interface TaskQuery {
  readonly state?: TaskState;
  readonly organizationId?: string;
  /** Id of a task: the page begins with the next older one. */
  readonly startingAfter?: string;
  /** 1 or more. */
  readonly limit: number;
}

export interface CountQuery {
  readonly state: TaskState;
  readonly organizationId?: string;
  readonly atMost: number;
}

/** A task that could not be read. The others are not affected. */
export interface StoreWarning {
  readonly id: string;
  readonly path: string;
  readonly message: string;
}

export interface TaskPage<Outcome = JsonValue> {
  /** Newest first, ties broken by id. */
  readonly data: readonly TaskRecord<Outcome>[];
  /** True if the next page can have tasks. A page of large tasks ends before its limit. */
  readonly hasMore: boolean;
  /** Tasks that belong on this page and cannot be read. */
  readonly warnings: readonly StoreWarning[];
}

export interface PruneQuery {
  /** Only tasks whose last change of state is earlier, in milliseconds since 1970. */
  readonly olderThanMs: number;
  readonly states: readonly ('SUCCEEDED' | 'FAILED')[];
  readonly origin?: TaskOrigin;
  /**
   * Called before a removal, while no other process can change the task. If it rejects, the task stays and is a
   * warning.
   */
  readonly beforeRemove?: (task: TaskRecord) => Promise<void>;
  /** Checked between two tasks: true ends the prune. */
  readonly isStopped?: () => boolean;
  /** Finds the tasks and removes nothing. */
  readonly isDryRun?: boolean;
}

export interface PruneReport {
  /** Ids of the tasks that are removed, or would be in a dry run; oldest first. */
  readonly removed: readonly string[];
  readonly warnings: readonly StoreWarning[];
}

/**
 * Stores what follows from the end of a task, durably. A store calls it with every record that becomes SUCCEEDED or
 * FAILED, before any reader sees that record and while no other process can change the task.
 *
 * If it rejects, the task does not end, and the call that ends it rejects with this error. If the process dies after
 * it, the end can still be lost. The next end of the task then has the same number of retries and a larger fence.
 */
export type BeforeEnd = (task: TaskRecord) => Promise<void>;

/**
 * Divides the work of a task into batches, which are claimed one by one with `claimNext`. Until the last one ends, no
 * process holds the task: it stays RUNNING.
 */
export interface TaskDivisions {
  /** Number of tasks that other processes could begin now, beyond those that wait. */
  countIdle(): Promise<number>;
  /**
   * Divides a claimed task, once until it ends.
   *
   * @param batches - Two or more; what each is, as JSON.
   * @returns The claim of the first batch, which replaces `claim`. Null if the task was divided before; nothing
   * changes then.
   * @throws {@link ListingVideoError} `lease_lost`.
   */
  divide(claim: ClaimKey, batches: readonly JsonValue[]): Promise<ClaimKey | null>;
  /**
   * Ends a batch whose work is done.
   *
   * @returns A claim of the task if this was its last batch: exactly one caller gets it, and finishes the task. Else
   * null.
   * @throws {@link ListingVideoError} `lease_lost`.
   */
  endBatch(claim: ClaimKey): Promise<ClaimKey | null>;
}

/**
 * Every method can also throw `database_unavailable`, and `store_unwritable` and `disk_full` if it writes. Methods
 * that take an id can also throw `task_not_found`, and `store_corrupt` if that task cannot be read.
 */
export interface TaskStore<Payload = JsonValue, Outcome = JsonValue> {
  readonly lease: Lease;
  /** Absent: tasks of this store cannot be divided. */
  readonly divisions?: TaskDivisions | undefined;
  /** Resolves once the task survives kill -9 and power loss. @throws `task_state_conflict` for a used id. */
  create(task: NewTask<Payload>): Promise<TaskRecord<Outcome>>;
  get(id: string): Promise<TaskRecord<Outcome>>;
  /** The payload of a task; null if it is damaged. */
  payload(id: string): Promise<Payload | null>;
  /** The summary that `create` stores for this payload; null if the payload has none. Pure. */
  summarize(payload: unknown): TaskSummary | null;
  /**
   * A page of tasks. Each matching task is on exactly one page, also if tasks are created in between. A page has at
   * least one task if there is one, and fewer than `limit` if their records together are too large.
   *
   * @throws {@link ListingVideoError} `task_not_found` for an unknown `startingAfter`, or one of another organization.
   */
  list(query: TaskQuery): Promise<TaskPage<Outcome>>;
  /**
   * Number of tasks in `state`, of one organization or of all, up to `atMost`. It is an estimate for the length of a
   * queue: a task that changes its state during the call can count or not.
   */
  count(query: CountQuery): Promise<number>;
  /** Claims this task if it is PENDING, or if it is RUNNING and its process is dead or its lease is over. */
  claim(id: string): Promise<ClaimResult<Payload, Outcome>>;
  /**
   * Claims the next task of `query.origin`: first one whose process is dead, then the first in the queue of the
   * organization whose turn it is. Tasks without an organization come last. Null if there is none.
   *
   * A task that lost its server for the second time goes back into the queue, behind the others, so that a listing that
   * ends every server does not keep them from their turn.
   */
  claimNext(query: ClaimQuery): Promise<ClaimResult<Payload, Outcome> | null>;
  /** Renews the lease. @returns Whether the claim still holds. */
  heartbeat(claim: ClaimKey): Promise<ClaimStatus>;
  /** Whether the claim still holds. It does not renew the lease. */
  check(claim: ClaimKey): Promise<ClaimStatus>;
  /** Stores progress, without a flush. Does nothing if the claim is lost. */
  saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void>;
  /**
   * Ends the attempt. A given-back task with a cancel request becomes FAILED with `cancelled`.
   *
   * @throws {@link ListingVideoError} `lease_lost` if a later claim exists; the record does not change.
   */
  settle(
    claim: ClaimKey,
    end: AttemptEnd<Outcome>,
    progress: TaskProgress | null,
  ): Promise<TaskRecord<Outcome>>;
  /**
   * Ends a waiting task at once and returns it FAILED. Requests the owner of a running task to stop.
   *
   * @throws {@link ListingVideoError} `task_state_conflict` for a task that has ended.
   */
  requestCancel(id: string): Promise<TaskRecord<Outcome>>;
  /**
   * Moves a FAILED task to PENDING, with all attempts. A `cli` task whose process is dead counts as FAILED.
   *
   * @param number - Expected number of this retry, 1 for the first. Not checked if absent.
   * @throws {@link ListingVideoError} `task_state_conflict` for a task in another state, or another number.
   */
  retry(id: string, number?: number): Promise<TaskRecord<Outcome>>;
  /** Ends the `cli` task `id` as FAILED if its process is dead. @returns The current task. */
  reclaim(id: string): Promise<TaskRecord<Outcome>>;
  /** Calls `reclaim` for every RUNNING task of the command line. @returns The tasks that it ended. */
  reclaimAbandoned(): Promise<readonly TaskRecord<Outcome>[]>;
  /** Removes ended tasks. */
  prune(query: PruneQuery): Promise<PruneReport>;
}

/** The error for a process that uses a lost claim. */
export function leaseLost(claim: ClaimKey): ListingVideoError {
  return new ListingVideoError('lease_lost', `task ${claim.id} was taken over by another process`, {
    hint: 'this process was unresponsive for too long; the other one finishes the task',
    context: { id: claim.id, fence: claim.fence },
  });
}
