/**
 * Divided tasks in PostgreSQL. Every change of a batch locks the row of its task first, so that exactly one process
 * does the last batch, and no batch outlives the end of its task.
 *
 * The job of a batch says who does it. Its lease and its fence stay in its row: the lock of a job has no number that a
 * late owner could be refused by, and whoever gets a job again after six seconds of silence must know whether the owner
 * lives, as after a break of its connection.
 */
import { type ProcessIdentity, systemProbe } from '../../../platform/disk/process-identity.ts';
import { isClaimable } from '../../queue-order.ts';
import { isProcess, type JsonValue, type TaskProgress, type TaskRecord } from '../../task.ts';
import { batchEndMove, type Deciding, holderOf, stamp, type TaskSnapshot } from '../../task-moves.ts';
import {
  type AttemptEnd,
  type ClaimKey,
  type ClaimQuery,
  type ClaimResult,
  leaseLost,
  type TaskDivisions,
} from '../../task-store.ts';
import {
  awaitBatches,
  awaitsBatches,
  cancellation,
  countLostBatch,
  fail,
  isTerminal,
  resumeDivided,
  takeoversOf,
} from '../../task-transition.ts';
import type { Database, Queries } from '../database.ts';
import { addBatchJobs, putBatchJobBack } from '../queue/jobs.ts';
import { addJobsOfBatches, TAKES_BATCHES } from '../queue/repair-queue.ts';
import { countIdleWorkers } from '../queue/worker-pools.ts';
import { insertInto, QUICK_COMMIT, type Sql, sql, toJsonText } from '../sql.ts';
import { BATCH_COLUMNS, type FoundBatch, hasBatches } from './task-batches.ts';
import { NOTIFY_TASK } from './task-notices.ts';
import { heartbeatMsOf } from './task-row.ts';

/** A decision about a task: the next record, or null to change nothing. */
export type Move = (at: TaskSnapshot, by: Deciding) => TaskRecord | null;

/** A task before the decision, and the record that was written; null if nothing changed. */
export interface Decision {
  readonly at: TaskSnapshot;
  readonly changed: TaskRecord | null;
}

export interface DivisionDeps {
  readonly database: Database;
  readonly self: ProcessIdentity;
  /** Locks the task, decides and changes it, as the task store does. */
  readonly decide: (tx: Queries, id: string, move: Move) => Promise<Decision>;
  readonly readPayload: (tx: Queries, id: string) => Promise<JsonValue>;
}

type BatchKey = ClaimKey & { readonly batch: number };

export function isOfBatch(claim: ClaimKey): claim is BatchKey {
  return claim.batch !== undefined;
}

/** What a claim says of its task; no row if it is lost. */
export type HeldTask = readonly { readonly cancelRequested: boolean }[];

/** The number of the row that says that a task was divided. */
const DIVIDED = 0;

export class PostgresDivisions implements TaskDivisions {
  readonly #deps: DivisionDeps;

  constructor(deps: DivisionDeps) {
    this.#deps = deps;
  }

  countIdle(): Promise<number> {
    return countIdleWorkers(this.#deps.database, systemProbe().self);
  }

  divide(claim: ClaimKey, batches: readonly JsonValue[]): Promise<ClaimKey | null> {
    const { database, decide, self } = this.#deps;
    const { id } = claim;
    return database.transaction(async (tx) => {
      await lockTask(tx, id);
      const earlier = await tx.query(
        sql`select 1 from listing_video.task_batches where task_id = ${id} limit 1`,
      );
      const { changed } = await decide(tx, id, (at, by) => {
        if (at.fence !== claim.fence) throw leaseLost(claim);
        return earlier.length > 0 || at.cancelRequested ? null : awaitBatches(at.task, stamp(by));
      });
      if (changed === null) return null;
      const { organizationId, updatedAt: queuedAt } = changed;
      for (const [number, work] of [null, ...batches].entries()) {
        const state = number === DIVIDED ? 'DIVIDED' : 'WAITING';
        const row = { taskId: id, number, organizationId, state, queuedAt, fence: 0 };
        await tx.query(insertInto('task_batches', { ...row, work: JSON.stringify(work) }));
      }
      const first = { id, fence: changed.fence, batch: 1 };
      await holdBatch(tx, first, self, changed.updatedAt);
      await addBatchJobs(tx, id);
      return first;
    });
  }

  /** As `TaskStore.claimNext` for a batch that a queue dispatched. Null if there is no such batch. */
  claim(id: string, number: number, query: ClaimQuery): Promise<ClaimResult | null> {
    const { database, decide, self, readPayload } = this.#deps;
    return database.transaction(async (tx) => {
      if (!(await lockTask(tx, id))) return null;
      const [batch] = await tx.query<FoundBatch & { readonly work: JsonValue }>(
        sql`select ${BATCH_COLUMNS}, work from listing_video.task_batches
         where task_id = ${id} and number = ${number} and state <> 'DIVIDED'`,
      );
      if (batch === undefined) return null;
      let [isLost, now] = [false, ''];
      const { at, changed } = await decide(tx, id, (at, by) => {
        now = stamp(by);
        if (!awaitsBatches(at.task) || !isBatchClaimable(batch, at.task, query, by)) return null;
        if (at.cancelRequested) return fail(at.task, now, cancellation());
        isLost = batch.state === 'RUNNING';
        return isLost ? countLostBatch(at.task, now) : at.task;
      });
      // A server that takes no batches took the task as a whole.
      if (!awaitsBatches(at.task)) {
        await removeBatches(tx, id);
        return null;
      }
      if (changed === null) return { kind: 'refused', task: at.task };
      if (isTerminal(changed.state)) return { kind: 'ended', task: changed };
      if (isLost && takeoversOf(changed) > 1) {
        await putBack(tx, id, number, now);
        return null;
      }
      const key = { id, fence: changed.fence, batch: number };
      await holdBatch(tx, key, self, now);
      const task = { ...changed, payload: await readPayload(tx, id) };
      return { kind: 'claimed', claim: { ...key, task, work: batch.work } };
    });
  }

  /**
   * True for a task whose batches are done one by one: they have jobs of their own, which are added for those whose
   * worker died under the job of the task.
   */
  async isLeftToBatches(id: string, query: ClaimQuery): Promise<boolean> {
    const [row] = await this.#deps.database.query<{ canTake: boolean }>(
      sql`select ${TAKES_BATCHES} as can_take from listing_video.tasks
       where id = ${id} and state = 'RUNNING' and worker is null and ${hasBatches('id')}`,
    );
    if (row === undefined || !(query.takesBatches === true || row.canTake)) return false;
    await addJobsOfBatches(this.#deps.database, id);
    return true;
  }

  endBatch(claim: ClaimKey): Promise<ClaimKey | null> {
    const { database, decide, self } = this.#deps;
    const { id } = claim;
    return database.transaction(async (tx) => {
      await requireHeld(tx, claim);
      await tx.query(
        sql`delete from listing_video.task_batches where task_id = ${id} and number = ${claim.batch}`,
      );
      const left = await tx.query(
        sql`select 1 from listing_video.task_batches where task_id = ${id} and number <> ${DIVIDED} limit 1`,
      );
      if (left.length > 0) return null;
      const { changed } = await decide(tx, id, (at, by) => {
        if (!awaitsBatches(at.task)) throw leaseLost(claim);
        return resumeDivided(at.task, stamp(by), self);
      });
      return changed === null ? null : { id, fence: changed.fence };
    });
  }

  /** As `TaskStore.settle`, for a batch that did not succeed. */
  settle(claim: BatchKey, end: AttemptEnd, progress: TaskProgress | null): Promise<TaskRecord> {
    const { database, decide } = this.#deps;
    return database.transaction(async (tx) => {
      await requireHeld(tx, claim);
      const { changed } = await decide(tx, claim.id, (at, by) => {
        // The work of a batch ends with `endBatch`.
        if (!awaitsBatches(at.task) || end.kind === 'succeeded') throw leaseLost(claim);
        const task = { ...at.task, progress: at.task.progress ?? progress };
        return batchEndMove({ ...at, task }, end, by);
      });
      if (changed === null) throw leaseLost(claim);
      if (isTerminal(changed.state)) return changed;
      await putBack(tx, claim.id, claim.batch, end.kind === 'given-back' ? null : changed.updatedAt);
      return changed;
    });
  }

  check(claim: BatchKey): Promise<HeldTask> {
    return this.#deps.database.query(
      sql`select cancel_requested from listing_video.task_batches batch, listing_video.tasks task where ${isHeld(claim)}`,
    );
  }

  /** @param at - Null: now, by the clock of the database. */
  heartbeat(claim: BatchKey, at: string | null): Promise<HeldTask> {
    return this.#deps.database.query(
      sql`with quick as (${QUICK_COMMIT})
       update listing_video.task_batches batch set heartbeat_at = coalesce(${at}, clock_timestamp())
       from listing_video.tasks task, quick where ${isHeld(claim)} returning cancel_requested`,
    );
  }

  /** The progress of a divided task is that of its most advanced batch, because batches run beside each other. */
  async saveProgress(claim: BatchKey, progress: TaskProgress): Promise<void> {
    await this.#deps.database.query(
      sql`with quick as (${QUICK_COMMIT})
       update listing_video.tasks task set progress = ${JSON.stringify(progress)}
       from listing_video.task_batches batch, quick
       where ${isHeld(claim)} and (progress is null or (progress->>'percent')::float8 < ${progress.percent})
       returning ${NOTIFY_TASK}`,
    );
  }
}

/** Removes the batches of a task that another process works on as a whole, but not that it was divided. */
export async function removeBatches(tx: Queries, taskId: string): Promise<void> {
  await tx.query(
    sql`delete from listing_video.task_batches where task_id = ${taskId} and number <> ${DIVIDED}`,
  );
}

export async function forgetDivision(tx: Queries, taskId: string): Promise<void> {
  await tx.query(sql`delete from listing_video.task_batches where task_id = ${taskId}`);
}

/** A condition: the batch is held, and its task waits for it. */
function isHeld({ id, batch, fence }: BatchKey): Sql {
  return sql`batch.task_id = ${id} and batch.number = ${batch} and batch.fence = ${fence}
    and batch.state = 'RUNNING' and task.id = batch.task_id and task.state = 'RUNNING' and task.worker is null`;
}

/** @throws `lease_lost` if another process has claimed the batch since. */
async function requireHeld(tx: Queries, claim: ClaimKey): Promise<void> {
  await lockTask(tx, claim.id);
  const held = await tx.query(
    sql`select 1 from listing_video.task_batches
     where task_id = ${claim.id} and number = ${claim.batch} and fence = ${claim.fence} and state = 'RUNNING'`,
  );
  if (held.length === 0) throw leaseLost(claim);
}

async function holdBatch(tx: Queries, key: BatchKey, worker: ProcessIdentity, at: string): Promise<void> {
  await tx.query(
    sql`update listing_video.task_batches
     set state = 'RUNNING', fence = ${key.fence}, worker = ${toJsonText(worker)}, heartbeat_at = ${at}
     where task_id = ${key.id} and number = ${key.batch}`,
  );
}

/** @param at - The new place of the batch in the queue; null keeps the old one. */
async function putBack(tx: Queries, taskId: string, number: number, at: string | null): Promise<void> {
  await tx.query(
    sql`update listing_video.task_batches set state = 'WAITING', queued_at = coalesce(${at}, queued_at)
     where task_id = ${taskId} and number = ${number}`,
  );
  await putBatchJobBack(tx, taskId, number);
}

/** @returns False if the task is absent. */
async function lockTask(tx: Queries, id: string): Promise<boolean> {
  return (await tx.query(sql`select 1 from listing_video.tasks where id = ${id} for update`)).length > 0;
}

function isBatchClaimable(batch: FoundBatch, task: TaskRecord, query: ClaimQuery, by: Deciding): boolean {
  const waiting: TaskRecord = { ...task, state: 'PENDING' };
  return isClaimable(waiting, { ...query, minAgeMs: 0 }, by.nowMs) && isFree(batch, query, by);
}

/** True for a batch that waits, or whose process is dead. */
function isFree(batch: FoundBatch, query: Pick<ClaimQuery, 'trustLeases'>, by: Deciding): boolean {
  if (batch.state === 'WAITING') return true;
  const worker = isProcess(batch.worker) ? batch.worker : null;
  const holder = holderOf(worker, heartbeatMsOf(batch), by);
  return holder === 'dead' || (query.trustLeases && holder !== 'live');
}
