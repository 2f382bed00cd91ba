/**
 * Divided tasks in PostgreSQL. Every change of a batch locks the row of its task first, so that exactly one process does the last
 * batch, and no batch outlives the end of its task.
 */
import { type ProcessIdentity, systemProbe } from '../platform/disk/process-identity.ts';
import { isClaimable } from '../task/queue-order.ts';
import type { JsonValue, TaskProgress, TaskRecord } from '../task/task.ts';
import { batchEndMove, type Deciding, holderOf, type TaskSnapshot } from '../task/task-moves.ts';
import { isProcess } from '../task/task-shape.ts';
import {
  type AttemptEnd,
  type ClaimKey,
  type ClaimQuery,
  type ClaimResult,
  leaseLost,
  type TaskDivisions,
} from '../task/task-store.ts';
import {
  awaitBatches,
  awaitsBatches,
  cancellation,
  countLostBatch,
  fail,
  isTerminal,
  resumeDivided,
  takeoversOf,
} from '../task/task-transition.ts';
import type { Database, Queries } from '../task/postgres/database.ts';
import { addBatchJobs } from './queue/batch-jobs.ts';
import { noteTurn } from './queue/task-turns.ts';
import { countIdleWorkers } from '../task/postgres/queue/worker-pools.ts';
import {
  type BatchKey,
  type FoundBatch,
  holdBatch,
  insertBatches,
  isBatchHeld,
  putBatchBack,
  readBatch,
  removeBatch,
  removeBatches,
  wasDivided,
} from './task-batches.ts';
import { heartbeatMsOf } from './task-row.ts';

type Move = (at: TaskSnapshot, by: Deciding) => TaskRecord | null;

export interface DivisionDeps {
  readonly database: Database;
  readonly self: ProcessIdentity;
  /** Locks the task, decides and changes it, as the task store does. */
  readonly decide: (
    tx: Queries,
    id: string,
    move: Move,
  ) => Promise<{ readonly at: TaskSnapshot; readonly changed: TaskRecord | null }>;
  readonly readPayload: (tx: Queries, id: string) => Promise<JsonValue>;
}

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
    return database.transaction(async (tx) => {
      await lockTask(tx, claim.id);
      const wasBefore = await wasDivided(tx, claim.id);
      const { changed } = await decide(tx, claim.id, (at, by) => {
        if (at.fence !== claim.fence) throw leaseLost(claim);
        return wasBefore || at.cancelRequested ? null : awaitBatches(at.task, stamp(by));
      });
      if (changed === null) return null;
      await insertBatches(tx, changed, batches, changed.updatedAt);
      const first = { id: claim.id, fence: changed.fence, batch: 1 };
      await holdBatch(tx, first, self, changed.updatedAt);
      await addBatchJobs(tx, claim.id);
      return first;
    });
  }

  /** As `TaskStore.claimNext`, for a batch. Null if it cannot be claimed. */
  async claim(found: FoundBatch, query: ClaimQuery, at: Deciding): Promise<ClaimResult | null> {
    const { database, decide, self, readPayload } = this.#deps;
    const { task_id: id, number } = found;
    // Most running batches are not lost: they need no transaction to find that out.
    if (!isFree(found, query, at)) return null;
    return database.transaction(async (tx) => {
      if (!(await lockTask(tx, id, 'skip locked'))) return null;
      const batch = await readBatch(tx, id, number);
      if (batch === null) return null;
      let [isLost, now] = [false, ''];
      const { at, changed } = await decide(tx, id, (at, by) => {
        now = stamp(by);
        if (!awaitsBatches(at.task) || !isBatchClaimable(batch, at.task, query, by)) return null;
        if (at.cancelRequested) return fail(at.task, now, cancellation());
        isLost = batch.state === 'RUNNING';
        return isLost ? countLostBatch(at.task, now) : at.task;
      });
      // A server of an earlier version took the task as a whole.
      if (!awaitsBatches(at.task)) await removeBatches(tx, id);
      if (changed === null) return null;
      if (isTerminal(changed.state)) return { kind: 'ended', task: changed };
      if (isLost && takeoversOf(changed) > 1) {
        await putBatchBack(tx, id, number, now);
        await addBatchJobs(tx, id);
        return { kind: 'refused', task: changed };
      }
      const key = { id, fence: changed.fence, batch: number };
      await holdBatch(tx, key, self, now);
      if (changed.organizationId !== null) await noteTurn(tx, changed.organizationId);
      const task = { ...changed, payload: await readPayload(tx, id) };
      return { kind: 'claimed', claim: { ...key, task, work: batch.work } };
    });
  }

  endBatch(claim: ClaimKey): Promise<ClaimKey | null> {
    const { database, decide, self } = this.#deps;
    return database.transaction(async (tx) => {
      await this.#requireHeld(tx, claim);
      if ((await removeBatch(tx, claim.id, claim.batch ?? 0)) > 0) return null;
      const { changed } = await decide(tx, claim.id, (at, by) => {
        if (!awaitsBatches(at.task)) throw leaseLost(claim);
        return resumeDivided(at.task, stamp(by), self);
      });
      return changed === null ? null : { id: claim.id, fence: changed.fence };
    });
  }

  /** As `TaskStore.settle`, for a batch that did not succeed. */
  settle(claim: BatchKey, end: AttemptEnd, progress: TaskProgress | null): Promise<TaskRecord> {
    const { database, decide } = this.#deps;
    return database.transaction(async (tx) => {
      await this.#requireHeld(tx, claim);
      const { changed } = await decide(tx, claim.id, (at, by) => {
        // The work of a batch ends with `endBatch`.
        if (!awaitsBatches(at.task) || end.kind === 'succeeded') throw leaseLost(claim);
        const task = { ...at.task, progress: at.task.progress ?? progress };
        return batchEndMove({ ...at, task }, end, by);
      });
      if (changed === null) throw leaseLost(claim);
      if (isTerminal(changed.state)) return changed;
      await putBatchBack(tx, claim.id, claim.batch, end.kind === 'given-back' ? null : changed.updatedAt);
      await addBatchJobs(tx, claim.id);
      return changed;
    });
  }

  async #requireHeld(tx: Queries, claim: ClaimKey): Promise<void> {
    const { batch } = claim;
    await lockTask(tx, claim.id);
    if (batch === undefined || !(await isBatchHeld(tx, { ...claim, batch }))) throw leaseLost(claim);
  }
}

/** @returns False if the task is absent, or locked and skipped. */
async function lockTask(tx: Queries, id: string, lock: '' | 'skip locked' = ''): Promise<boolean> {
  const rows = await tx.query(`select 1 from listing_video.tasks where id = $1 for update ${lock}`, [id]);
  return rows.length > 0;
}

function isBatchClaimable(batch: FoundBatch, task: TaskRecord, query: ClaimQuery, by: Deciding): boolean {
  return (
    isClaimable({ ...task, state: 'PENDING' }, { ...query, minAgeMs: 0 }, by.nowMs) &&
    isFree(batch, query, by)
  );
}

/** True for a batch that waits, or whose process is dead. */
function isFree(batch: FoundBatch, query: Pick<ClaimQuery, 'trustLeases'>, by: Deciding): boolean {
  if (batch.state === 'WAITING') return true;
  const worker = isProcess(batch.worker) ? batch.worker : null;
  const holder = holderOf(worker, heartbeatMsOf(batch), by);
  return holder === 'dead' || (query.trustLeases && holder !== 'live');
}

function stamp(by: Deciding): string {
  return new Date(by.nowMs).toISOString();
}
