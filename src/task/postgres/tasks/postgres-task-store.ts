/**
 * The store of tasks in PostgreSQL, for any number of machines. A change locks the row of its task, decides with the
 * functions of every store (`task-moves.ts`), and writes the next record. So one process at a time changes a task,
 * and the fence in the row says which claim is the latest.
 *
 * Leases are measured with the clock of the database, so the clocks of the machines need not agree.
 */
import { livenessOf, systemProbe } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { isClaimable } from '../../queue-order.ts';
import type { JsonValue, TaskRecord, TaskSummary } from '../../task.ts';
import { isTaskId, taskIdTimeMs, taskNotFound } from '../../task-id.ts';
import {
  cancelMove,
  claimMove,
  claimNextMove,
  type Deciding,
  endMove,
  holderOf,
  reclaimMove,
  retryMove,
  stamp,
  type TaskSnapshot,
} from '../../task-moves.ts';
import type { BeforeEnd, ClaimKey, ClaimResult, ClaimStatus, Lease, TaskStore } from '../../task-store.ts';
import { leaseLost } from '../../task-store.ts';
import { awaitsBatches, isTerminal, newTaskRecord, stateConflict } from '../../task-transition.ts';
import type { Database, Queries } from '../database.ts';
import { sqlStateOf } from '../database-error.ts';
import { QUICK_COMMIT, type Sql, sql, toJsonText } from '../sql.ts';
import { listTasks } from './list-tasks.ts';
import {
  type Decision,
  forgetDivision,
  type HeldTask,
  isOfBatch,
  type Move,
  PostgresDivisions,
  removeBatches,
} from './postgres-divisions.ts';
import { pruneTasks } from './prune-tasks.ts';
import type { OnTaskChange } from './task-change.ts';
import { NOTIFY_TASK } from './task-notices.ts';
import {
  heartbeatMsOf,
  insertTask,
  TASK_COLUMNS,
  type TaskRow,
  toTaskRecord,
  updateTask,
} from './task-row.ts';

export interface PostgresTaskStoreOptions extends Partial<Pick<Deciding, 'self' | 'liveness'>> {
  /** With the schema of this version; see `requireSchema`. */
  readonly database: Database;
  /** Makes the summary of a payload. By default tasks have none. */
  readonly summarize?: (payload: unknown) => TaskSummary | null;
  /**
   * Called within the transaction of every change, after the change itself: for credits and jobs, which are then stored
   * together with the task or not at all. If it rejects, nothing changes and the caller of the store gets the error.
   */
  readonly onChange?: OnTaskChange;
  /** For what is not in the database. `onChange` is better for what is. */
  readonly beforeEnd?: BeforeEnd;
  /** By default the clock of the database. */
  readonly nowMs?: () => number;
  readonly lease?: Lease;
}

/** Shorter than that of files: the processes of other machines show in no other way that they are dead. */
const DATABASE_LEASE: Lease = { durationMs: 6_000, heartbeatMs: 1_500 };
/**
 * A task of a command that is taken for dead becomes FAILED, so a database that was away or restarted must not look
 * like its death. A process of this machine that is dead is known at once.
 */
const COMMAND_LEASE_MS = 5 * 60_000;

/** Milliseconds since 1970 by the clock of the database. */
const NOW_MS = sql`(extract(epoch from clock_timestamp()) * 1000)::float8`;

export function createPostgresTaskStore(options: PostgresTaskStoreOptions): TaskStore {
  const { database, summarize = () => null, lease = DATABASE_LEASE } = options;
  const probe = systemProbe();
  const { self = probe.self, liveness = (owner) => livenessOf(owner, probe) } = options;

  /** Locks the task, decides and changes it. `changed` is null if the decision is null. */
  const decide = async (tx: Queries, id: string, move: Move): Promise<Decision> => {
    const row = await findTask<TaskRow & { readonly nowMs: number }>(
      tx,
      id,
      sql`${TASK_COLUMNS}, ${NOW_MS} as now_ms from listing_video.tasks`,
      sql`for update`,
    );
    const leaseMs = row.origin === 'cli' ? Math.max(lease.durationMs, COMMAND_LEASE_MS) : lease.durationMs;
    const by = { self, liveness, leaseMs, nowMs: options.nowMs?.() ?? row.nowMs };
    const at = toSnapshot(row, by);
    const next = move(at, by);
    if (next === null) return { at, changed: null };
    const changed = { ...next, fence: at.fence + 1 };
    await updateTask(tx, changed, stamp(by));
    if (isTerminal(changed.state)) await forgetDivision(tx, id);
    // A server that takes no batches takes the whole task.
    else if (awaitsBatches(at.task) && !awaitsBatches(changed)) await removeBatches(tx, id);
    await options.onChange?.({ before: at.task, after: changed }, tx);
    if (isTerminal(changed.state)) await options.beforeEnd?.(changed);
    return { at, changed };
  };

  const change = (id: string, move: Move) => database.transaction((tx) => decide(tx, id, move));
  const divisions = new PostgresDivisions({ database, self, decide, readPayload });

  const tryClaim = (id: string, move: Move): Promise<ClaimResult> =>
    database.transaction(async (tx) => {
      const { at, changed } = await decide(tx, id, move);
      if (changed === null) return { kind: 'refused', task: at.task };
      if (isTerminal(changed.state)) return { kind: 'ended', task: changed };
      // It lost its server again and is back in the queue.
      if (changed.state === 'PENDING') return { kind: 'refused', task: changed };
      const payload = await readPayload(tx, id);
      return { kind: 'claimed', claim: { id, fence: changed.fence, task: { ...changed, payload } } };
    });

  /** Changes a running task without waiting for the disk, if the claim still holds. */
  const touch = (claim: ClaimKey, what: Sql, effects = sql``): Promise<HeldTask> =>
    database.query(
      sql`with quick as (${QUICK_COMMIT})
       update listing_video.tasks set ${what} from quick where ${isHeld(claim)} returning cancel_requested${effects}`,
    );

  return {
    lease,
    divisions,
    async create(newTask) {
      const createdAt = stamp({ nowMs: taskIdTimeMs(newTask.id) });
      const task = newTaskRecord({ ...newTask, summary: summarize(newTask.payload) }, createdAt, self);
      await database.transaction(async (tx) => {
        const isCreated = await insertTask(tx, task, newTask.payload, null);
        if (!isCreated) throw stateConflict(task, 'a task with this id exists');
        await options.onChange?.({ before: null, after: task }, tx);
      });
      return task;
    },
    async get(id) {
      return toTaskRecord(
        await findTask<TaskRow>(database, id, sql`${TASK_COLUMNS} from listing_video.tasks`),
      );
    },
    payload: (id) => readPayload(database, id),
    summarize,
    list: (query) => listTasks(database, query),
    async count({ state, organizationId, atMost }) {
      const isOwn = organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`;
      const [row] = await database.query<{ count: number }>(
        sql`select count(*) as count from (
           select 1 from listing_video.tasks where state = ${state} ${isOwn} limit ${atMost}
         ) found`,
      );
      return row?.count ?? 0;
    },
    claim: (id) => tryClaim(id, (at, by) => claimMove(at, true, by)),
    async claimNext(query) {
      // What waits is given out by the queue, in its order.
      if (query.only === undefined) return null;
      const { id, batch } = query.only;
      const ofBatch = batch === undefined ? null : await divisions.claim(id, batch, query);
      if (ofBatch !== null) return ofBatch;
      const move: Move = (at, by) =>
        isClaimable(at.task, query, by.nowMs) ? claimNextMove(at, query.trustLeases, by) : null;
      const whole: Move = (at, by) => (awaitsBatches(at.task) ? null : move(at, by));
      const result = await tryClaim(id, whole).catch(nullIfAboutOneTask);
      if (result?.kind !== 'refused' || !awaitsBatches(result.task)) return result;
      return (await divisions.isLeftToBatches(id, query)) ? null : tryClaim(id, move);
    },
    async heartbeat(claim) {
      const own = options.nowMs?.();
      const at = own === undefined ? null : stamp({ nowMs: own });
      if (isOfBatch(claim)) return toStatus(await divisions.heartbeat(claim, at));
      return toStatus(await touch(claim, sql`heartbeat_at = coalesce(${at}, clock_timestamp())`));
    },
    async check(claim) {
      if (isOfBatch(claim)) return toStatus(await divisions.check(claim));
      return toStatus(
        await database.query(sql`select cancel_requested from listing_video.tasks where ${isHeld(claim)}`),
      );
    },
    async saveProgress(claim, progress) {
      if (isOfBatch(claim)) await divisions.saveProgress(claim, progress);
      else await touch(claim, sql`progress = ${toJsonText(progress)}`, sql`, ${NOTIFY_TASK}`);
    },
    async settle(claim, end, progress) {
      if (isOfBatch(claim)) return divisions.settle(claim, end, progress);
      const { changed } = await change(claim.id, (at, by) => {
        if (at.fence !== claim.fence) throw leaseLost(claim);
        return endMove({ ...at, task: { ...at.task, progress: progress ?? at.task.progress } }, end, by);
      });
      if (changed === null) throw leaseLost(claim);
      return changed;
    },
    requestCancel: (id) =>
      database.transaction(async (tx) => {
        const { at, changed } = await decide(tx, id, cancelMove);
        if (changed !== null) return changed;
        await tx.query(sql`update listing_video.tasks set cancel_requested = true where id = ${id}`);
        return { ...at.task, cancelRequested: true };
      }),
    async retry(id, number) {
      const { at, changed } = await change(id, (at, by) => retryMove(at, number, by));
      return changed ?? at.task;
    },
    async reclaim(id) {
      const { at, changed } = await change(id, reclaimMove);
      return changed ?? at.task;
    },
    async reclaimAbandoned() {
      const running = await database.query<{ id: string }>(
        sql`select id from listing_video.tasks where state = 'RUNNING' and origin = 'cli' order by id`,
      );
      const ended: TaskRecord[] = [];
      for (const { id } of running) {
        const result = await change(id, reclaimMove).catch(nullIfAboutOneTask);
        if (result?.changed) ended.push(result.changed);
      }
      return ended;
    },
    prune: (query) => pruneTasks(database, query),
  };
}

/** The task and its holder. @throws `store_corrupt`. */
function toSnapshot(row: TaskRow, by: Deciding): TaskSnapshot {
  const task = toTaskRecord(row);
  const holder = task.state === 'RUNNING' ? holderOf(task.worker, heartbeatMsOf(row), by) : 'none';
  return { task, fence: task.fence, holder, cancelRequested: task.cancelRequested };
}

/** The payload of a task; null if its row is lost, as a damaged payload is. @throws `task_not_found`. */
async function readPayload(queries: Queries, id: string): Promise<JsonValue> {
  const from = sql`payload from listing_video.tasks left join listing_video.task_payloads on task_id = id`;
  return (await findTask<{ payload: JsonValue }>(queries, id, from)).payload;
}

/** @param from - Columns and tables. @throws `task_not_found`. */
async function findTask<Row extends object>(
  queries: Queries,
  id: string,
  from: Sql,
  lock = sql``,
): Promise<Row> {
  const [row] = isTaskId(id) ? await queries.query<Row>(sql`select ${from} where id = ${id} ${lock}`) : [];
  if (row === undefined) throw taskNotFound(id);
  return row;
}

/** A condition: the claim still holds. */
function isHeld({ id, fence }: ClaimKey): Sql {
  return sql`id = ${id} and fence = ${fence} and state = 'RUNNING'`;
}

function toStatus([row]: HeldTask): ClaimStatus {
  if (row === undefined) return 'lost';
  return row.cancelRequested ? 'cancel-requested' : 'owned';
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
