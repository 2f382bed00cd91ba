/**
 * The store of tasks in PostgreSQL, for any number of machines. A change locks the row of its task, decides with the functions
 * of every store (`task-moves.ts`), and writes the next record. So one process at a time changes a task, and the fence in
 * the row says which claim is the latest.
 *
 * Leases are measured with the clock of the database, so the clocks of the machines need not agree.
 */
import { type Liveness, livenessOf, type ProcessIdentity, systemProbe } from '../platform/disk/process-identity.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { toTaskFailure } from '../task/engine/task-failure.ts';
import type { JsonValue, TaskProgress, TaskRecord, TaskSummary } from '../task/task.ts';
import { isTaskId, taskIdTimeMs, taskNotFound } from '../task/task-id.ts';
import {
  cancelMove,
  claimMove,
  claimNextMove,
  type Deciding,
  endMove,
  holderOf,
  reclaimMove,
  retryMove,
  type TaskSnapshot,
} from '../task/task-moves.ts';
import {
  type AttemptEnd,
  type BeforeEnd,
  type ClaimKey,
  type ClaimQuery,
  type ClaimResult,
  type ClaimStatus,
  type CountQuery,
  type Lease,
  leaseLost,
  type PruneQuery,
  type PruneReport,
  type TaskDivisions,
  type TaskPage,
  type TaskQuery,
  type TaskStore,
} from '../task/task-store.ts';
import {
  awaitsBatches,
  fail,
  isTerminal,
  type NewTask,
  newTaskRecord,
  stateConflict,
} from '../task/task-transition.ts';
import { type Database, QUICK_COMMIT, type Queries } from '../task/postgres/database.ts';
import { sqlStateOf } from '../task/postgres/database-error.ts';
import { insertTask } from './insert-task.ts';
import { listTasks } from '../task/postgres/tasks/list-tasks.ts';
import { PostgresDivisions } from './postgres-divisions.ts';
import { pruneTasks } from '../task/postgres/tasks/prune-tasks.ts';
import {
  beatBatch,
  type FoundBatch,
  forgetDivision,
  isBatch,
  isOfBatch,
  readHeldTask,
  removeBatches,
  saveBatchProgress,
} from './task-batches.ts';
import type { OnTaskChange } from '../task/postgres/tasks/task-change.ts';
import { NOTIFY_TASK } from '../task/postgres/tasks/task-notices.ts';
import {
  CHANGED_COLUMNS,
  heartbeatMsOf,
  TASK_COLUMNS,
  type TaskRow,
  toJsonText,
  toTaskRecord,
  toTaskValues,
  wrongFieldError,
} from './task-row.ts';
import { lostBatchesOf, lostCandidates, type Search, waitingCandidates } from '../task/postgres/tasks/waiting-tasks.ts';

export interface PostgresTaskStoreOptions {
  readonly database: Database;
  /** Makes the summary of a payload. By default tasks have none. */
  readonly summarize?: (payload: unknown) => TaskSummary | null;
  /**
   * Called within the transaction of every change, after the change itself: for credits and jobs, which are then stored
   * together with the task or not at all. If it rejects, nothing changes and the caller of the store gets the error.
   */
  readonly onChange?: OnTaskChange;
  /**
   * `claimNext` takes turns by what all machines run (`queue/task-turns.ts`), not by the ranks of its query: fewest running tasks
   * first, then least recently served. Default false.
   */
  readonly hasTurns?: boolean;
  /** For what is not in the database. `onChange` is better for what is. */
  readonly beforeEnd?: BeforeEnd;
  /** By default the clock of the database. */
  readonly nowMs?: () => number;
  /** The identity of this process, and the check of other processes. By default from the operating system. */
  readonly self?: ProcessIdentity;
  readonly liveness?: (owner: ProcessIdentity) => Liveness;
  /** By default {@link DATABASE_LEASE}. */
  readonly lease?: Lease;
}

/** Shorter than that of files: the processes of other machines show in no other way that they are dead. */
const DATABASE_LEASE: Lease = { durationMs: 6_000, heartbeatMs: 1_500 };
/**
 * A task of a command that is taken for dead becomes FAILED, so a database that was away or restarted must not look like its death.
 * A process of this machine that is dead is known at once.
 */
const COMMAND_LEASE_MS = 5 * 60_000;

/** The store in a database with the schema of this version; see `requireSchema`. */
export function createPostgresTaskStore(options: PostgresTaskStoreOptions): TaskStore {
  return new PostgresTaskStore(options);
}

/** Milliseconds since 1970 by the clock of the database. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** A decision about a task: the next record, or null to change nothing. */
type Move = (at: TaskSnapshot, by: Deciding) => TaskRecord | null;

class PostgresTaskStore implements TaskStore {
  readonly lease: Lease;
  readonly #database: Database;
  readonly #options: PostgresTaskStoreOptions;
  readonly #by: Omit<Deciding, 'nowMs'>;
  readonly #divisions: PostgresDivisions;

  constructor(options: PostgresTaskStoreOptions) {
    this.#database = options.database;
    this.#options = options;
    const probe = systemProbe();
    const {
      self = probe.self,
      liveness = (owner) => livenessOf(owner, probe),
      lease = DATABASE_LEASE,
    } = options;
    this.lease = lease;
    this.#by = { self, liveness, leaseMs: lease.durationMs };
    this.#divisions = new PostgresDivisions({
      database: this.#database,
      self,
      decide: (tx, id, move) => this.#decide(tx, id, move),
      readPayload,
    });
  }

  get divisions(): TaskDivisions {
    return this.#divisions;
  }

  async create(newTask: NewTask): Promise<TaskRecord> {
    const createdAt = new Date(taskIdTimeMs(newTask.id)).toISOString();
    const summary = this.summarize(newTask.payload);
    const task = newTaskRecord({ ...newTask, summary }, createdAt, this.#by.self);
    await this.#database.transaction(async (tx) => {
      const isCreated = await insertTask(tx, task, newTask.payload, null);
      if (!isCreated) throw stateConflict(task, 'a task with this id exists');
      await this.#options.onChange?.({ before: null, after: task }, tx);
    });
    return task;
  }

  async get(id: string): Promise<TaskRecord> {
    const [row] = isTaskId(id)
      ? await this.#database.query<TaskRow>(`select ${TASK_COLUMNS} from listing_video.tasks where id = $1`, [
          id,
        ])
      : [];
    if (row === undefined) throw taskNotFound(id);
    return toTaskRecord(row);
  }

  payload(id: string): Promise<JsonValue> {
    return readPayload(this.#database, id);
  }

  summarize(payload: unknown): TaskSummary | null {
    return this.#options.summarize?.(payload) ?? null;
  }

  list(query: TaskQuery): Promise<TaskPage> {
    return listTasks(this.#database, query);
  }

  async count({ state, organizationId, atMost }: CountQuery): Promise<number> {
    const isOwn = organizationId === undefined ? '' : 'and organization_id = $3';
    const [row] = await this.#database.query<{ count: number }>(
      `select count(*) as count from (
         select 1 from listing_video.tasks where state = $1 ${isOwn} limit $2
       ) found`,
      [state, atMost, ...(organizationId === undefined ? [] : [organizationId])],
    );
    return row?.count ?? 0;
  }

  claim(id: string): Promise<ClaimResult> {
    return this.#tryClaim(id, (at, by) => claimMove(at, true, by));
  }

  async claimNext(query: ClaimQuery): Promise<ClaimResult | null> {
    const by = { ...this.#by, nowMs: await this.#now() };
    const { hasTurns = false } = this.#options;
    const search: Search = { query, hasTurns, nowMs: by.nowMs, leaseMs: by.leaseMs, boot: by.self.boot };
    const move: Move = (at, by) => claimNextMove(at, query.trustLeases, by);
    const tryRow = async (row: TaskRow | FoundBatch): Promise<ClaimResult | null> => {
      if (isBatch(row)) return this.#divisions.claim(row, query, by);
      // Most running tasks are not lost: they need no transaction to find that out.
      if (move(toSnapshot(row, by), by) === null) return null;
      // A task that another process changes at this moment counts as absent, so that nobody waits for its row.
      return this.#tryClaim(row.id, move, 'skip locked');
    };
    for (const candidates of [lostCandidates, lostBatchesOf, waitingCandidates]) {
      for await (const row of candidates(this.#database, search)) {
        const result = await tryRow(row).catch(nullIfAboutOneTask);
        if (result !== null && result.kind !== 'refused') return result;
      }
    }
    return null;
  }

  async #tryClaim(id: string, move: Move, lock: Lock = ''): Promise<ClaimResult> {
    return this.#database.transaction(async (tx) => {
      const { at, changed } = await this.#decide(tx, id, move, lock);
      if (changed === null) return { kind: 'refused', task: at.task };
      if (isTerminal(changed.state)) return { kind: 'ended', task: changed };
      // It lost its server again and is back in the queue.
      if (changed.state === 'PENDING') return { kind: 'refused', task: changed };
      const payload = await readPayload(tx, id);
      return { kind: 'claimed', claim: { id, fence: changed.fence, task: { ...changed, payload } } };
    });
  }

  async heartbeat(claim: ClaimKey): Promise<ClaimStatus> {
    if (isOfBatch(claim)) return toStatus(await beatBatch(this.#database, claim, this.#ownTime()));
    return this.#touch(claim, `heartbeat_at = coalesce($3, clock_timestamp())`, this.#ownTime());
  }

  async check(claim: ClaimKey): Promise<ClaimStatus> {
    if (isOfBatch(claim)) return toStatus(await readHeldTask(this.#database, claim));
    const { id, fence } = claim;
    const rows = await this.#database.query<Pick<TaskRow, 'cancel_requested'>>(
      `select cancel_requested from listing_video.tasks where id = $1 and fence = $2 and state = 'RUNNING'`,
      [id, fence],
    );
    return toStatus(rows);
  }

  async saveProgress(claim: ClaimKey, progress: TaskProgress): Promise<void> {
    if (isOfBatch(claim)) await saveBatchProgress(this.#database, claim, progress);
    else await this.#touch(claim, 'progress = $3', toJsonText(progress), `, ${NOTIFY_TASK}`);
  }

  /** Changes a running task without waiting for the disk, if the claim still holds. */
  async #touch({ id, fence }: ClaimKey, change: string, value: unknown, effects = ''): Promise<ClaimStatus> {
    const rows = await this.#database.query<Pick<TaskRow, 'cancel_requested'>>(
      `with quick as (${QUICK_COMMIT})
       update listing_video.tasks set ${change} from quick
       where id = $1 and fence = $2 and state = 'RUNNING' returning cancel_requested${effects}`,
      [id, fence, value],
    );
    return toStatus(rows);
  }

  async settle(claim: ClaimKey, end: AttemptEnd, progress: TaskProgress | null): Promise<TaskRecord> {
    if (isOfBatch(claim)) return this.#divisions.settle(claim, end, progress);
    const { changed } = await this.#change(claim.id, (at, by) => {
      if (at.fence !== claim.fence) throw leaseLost(claim);
      return endMove({ ...at, task: { ...at.task, progress: progress ?? at.task.progress } }, end, by);
    });
    if (changed === null) throw leaseLost(claim);
    return changed;
  }

  requestCancel(id: string): Promise<TaskRecord> {
    return this.#database.transaction(async (tx) => {
      const { at, changed } = await this.#decide(tx, id, cancelMove);
      if (changed !== null) return changed;
      await tx.query('update listing_video.tasks set cancel_requested = true where id = $1', [id]);
      return { ...at.task, cancelRequested: true };
    });
  }

  async retry(id: string, number?: number): Promise<TaskRecord> {
    const { at, changed } = await this.#change(id, (at, by) => retryMove(at, number, by));
    return changed ?? at.task;
  }

  async reclaim(id: string): Promise<TaskRecord> {
    const { at, changed } = await this.#change(id, reclaimMove);
    return changed ?? at.task;
  }

  async reclaimAbandoned(): Promise<readonly TaskRecord[]> {
    const running = await this.#database.query<Pick<TaskRow, 'id'>>(
      `select id from listing_video.tasks where state = 'RUNNING' and origin = 'cli' order by id`,
    );
    const ended: TaskRecord[] = [];
    for (const { id } of running) {
      const result = await this.#change(id, reclaimMove).catch(nullIfAboutOneTask);
      if (result?.changed) ended.push(result.changed);
    }
    return ended;
  }

  prune(query: PruneQuery): Promise<PruneReport> {
    return pruneTasks(this.#database, query);
  }

  #change(id: string, move: Move): Promise<Decision> {
    return this.#database.transaction((tx) => this.#decide(tx, id, move));
  }

  /** Locks the task, decides and changes it. `changed` is null if the decision is null. */
  async #decide(tx: Queries, id: string, move: Move, lock: Lock = ''): Promise<Decision> {
    const [row] = isTaskId(id)
      ? await tx.query<TaskRow & { readonly now_ms: number }>(
          `select ${TASK_COLUMNS}, ${NOW_MS} as now_ms from listing_video.tasks where id = $1 for update ${lock}`,
          [id],
        )
      : [];
    if (row === undefined) throw taskNotFound(id);
    const leaseMs = row.origin === 'cli' ? Math.max(this.#by.leaseMs, COMMAND_LEASE_MS) : this.#by.leaseMs;
    const by = { ...this.#by, leaseMs, nowMs: this.#options.nowMs?.() ?? row.now_ms };
    const at = toSnapshot(row, by);
    const next = move(at, by);
    if (next === null) return { at, changed: null };
    const changed = withNextFence(at, next, by);
    await tx.query(
      `update listing_video.tasks set ${CHANGED_COLUMNS} where id = $1`,
      toTaskValues(changed, new Date(by.nowMs).toISOString()),
    );
    if (isTerminal(changed.state)) await forgetDivision(tx, id);
    // A server that takes no batches takes the whole task.
    else if (awaitsBatches(at.task) && !awaitsBatches(changed)) await removeBatches(tx, id);
    await this.#options.onChange?.({ before: at.task, after: changed }, tx);
    if (isTerminal(changed.state)) await this.#options.beforeEnd?.(changed);
    return { at, changed };
  }

  async #now(): Promise<number> {
    const own = this.#options.nowMs?.();
    if (own !== undefined) return own;
    const [row] = await this.#database.query<{ now_ms: number }>(`select ${NOW_MS} as now_ms`);
    return row?.now_ms ?? Date.now();
  }

  /** The time of this store's own clock; null if it uses the clock of the database. */
  #ownTime(): string | null {
    const own = this.#options.nowMs?.();
    return own === undefined ? null : new Date(own).toISOString();
  }
}

interface Decision {
  readonly at: TaskSnapshot;
  readonly changed: TaskRecord | null;
}

type Lock = '' | 'skip locked';

/** The task and its holder. @throws `store_corrupt`. */
function toSnapshot(row: TaskRow, by: Deciding): TaskSnapshot {
  const task = toTaskRecord(row);
  const holder = task.state === 'RUNNING' ? holderOf(task.worker, heartbeatMsOf(row), by) : 'none';
  return { task, fence: task.fence, holder, cancelRequested: task.cancelRequested };
}

/** The payload of a task; null if its row is lost, as a damaged payload is. @throws `task_not_found`. */
async function readPayload(queries: Queries, id: string): Promise<JsonValue> {
  const [row] = isTaskId(id)
    ? await queries.query<{ payload: JsonValue }>(
        `select payload from listing_video.tasks left join listing_video.task_payloads on task_id = id
         where id = $1`,
        [id],
      )
    : [];
  if (row === undefined) throw taskNotFound(id);
  return row.payload;
}

/** The largest number of the column. Only an edited row comes near it. */
const MAX_FENCE = 2_147_483_647;

/**
 * The next record with its fence. A row that has the last fence can only end: two claims with the same number could both write.
 *
 * @throws {@link ListingVideoError} `store_corrupt` for a task that has ended and has the last fence.
 */
function withNextFence({ task, fence }: TaskSnapshot, next: TaskRecord, by: Deciding): TaskRecord {
  if (fence < MAX_FENCE) return { ...next, fence: fence + 1 };
  if (isTerminal(next.state)) return { ...next, fence };
  const corrupt = wrongFieldError(task.id, '"fence" is the largest number that there can be');
  if (isTerminal(task.state)) throw corrupt;
  return { ...fail(task, new Date(by.nowMs).toISOString(), toTaskFailure(corrupt)), fence };
}

function toStatus([row]: readonly Pick<TaskRow, 'cancel_requested'>[]): ClaimStatus {
  if (row === undefined) return 'lost';
  return row.cancel_requested ? 'cancel-requested' : 'owned';
}

/** Classes of SQLSTATE for values that a column cannot hold, such as a time that is none. */
const ABOUT_VALUES = ['22', '23'];

/** One damaged or removed task must not block the others. */
function nullIfAboutOneTask(error: unknown): null {
  const codes = ['store_corrupt', 'task_not_found', 'task_state_conflict'];
  if (error instanceof ListingVideoError && codes.includes(error.code)) return null;
  if (ABOUT_VALUES.includes(sqlStateOf(error)?.slice(0, 2) ?? '')) return null;
  throw error;
}
