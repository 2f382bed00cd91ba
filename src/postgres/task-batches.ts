/**
 * The batches of divided tasks as rows: they wait, are claimed with a lease, and are removed when they are done. Statements only:
 * `postgres-divisions.ts` decides, with the row of the task locked.
 */
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import type { JsonValue } from '../task/task.ts';
import type { ClaimKey } from '../task/task-store.ts';
import { QUICK_COMMIT, type Queries } from '../task/postgres/database.ts';
import { NOTIFY_TASK } from '../task/postgres/tasks/task-notices.ts';
import { toJsonText } from './task-row.ts';

/** The number of the row that says that a task was divided. */
const DIVIDED = 0;

/** A condition: the task with this id has batches that are not done. */
export function hasBatches(id: string): string {
  return `exists (select 1 from listing_video.task_batches where task_id = ${id} and state <> 'DIVIDED')`;
}

/** A batch as `pg` reads it, without its work, which has 60 kB. */
export interface FoundBatch {
  readonly task_id: string;
  readonly number: number;
  readonly state: string;
  readonly heartbeat_at: Date | null;
  readonly worker: ProcessIdentity | null;
}

/** A batch that is to be claimed. */
export interface BatchRow extends FoundBatch {
  readonly work: JsonValue;
}

const FOUND_COLUMNS = 'task_id, number, state, heartbeat_at, worker';

/** Whether a row that can be claimed is that of a batch, or of a task. */
export function isBatch(row: { readonly id: string } | FoundBatch): row is FoundBatch {
  return 'task_id' in row;
}

/** The claim of a batch. */
export type BatchKey = ClaimKey & { readonly batch: number };

export function isOfBatch(claim: ClaimKey): claim is BatchKey {
  return claim.batch !== undefined;
}

export async function wasDivided(tx: Queries, taskId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from listing_video.task_batches where task_id = $1 limit 1', [
    taskId,
  ]);
  return rows.length > 0;
}

/** Adds batches 1, 2, 3, …, all of them waiting. */
export async function insertBatches(
  tx: Queries,
  { id, organizationId }: { readonly id: string; readonly organizationId: string | null },
  batches: readonly JsonValue[],
  at: string,
): Promise<void> {
  const add = (number: number, state: string, work: JsonValue) =>
    tx.query(
      `insert into listing_video.task_batches (task_id, number, organization_id, state, queued_at, fence, work)
       values ($1, $2, $3, $4, $5, 0, $6)`,
      [id, number, organizationId, state, at, JSON.stringify(work)],
    );
  await add(DIVIDED, 'DIVIDED', null);
  for (const [index, work] of batches.entries()) await add(index + 1, 'WAITING', work);
}

export async function readBatch(tx: Queries, taskId: string, number: number): Promise<BatchRow | null> {
  const [row] = await tx.query<BatchRow>(
    `select ${FOUND_COLUMNS}, work from listing_video.task_batches
     where task_id = $1 and number = $2 and state <> 'DIVIDED'`,
    [taskId, number],
  );
  return row ?? null;
}

/** True if nobody has claimed the batch since. */
export async function isBatchHeld(tx: Queries, { id, batch, fence }: BatchKey): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from listing_video.task_batches where task_id = $1 and number = $2 and fence = $3 and state = 'RUNNING'`,
    [id, batch, fence],
  );
  return rows.length > 0;
}

export async function holdBatch(
  tx: Queries,
  { id, batch, fence }: BatchKey,
  worker: ProcessIdentity,
  at: string,
): Promise<void> {
  await tx.query(
    `update listing_video.task_batches set state = 'RUNNING', fence = $3, worker = $4, heartbeat_at = $5
     where task_id = $1 and number = $2`,
    [id, batch, fence, toJsonText(worker), at],
  );
}

/** @param at - Its new place in the queue; null keeps the old one. */
export async function putBatchBack(
  tx: Queries,
  taskId: string,
  number: number,
  at: string | null,
): Promise<void> {
  await tx.query(
    `update listing_video.task_batches set state = 'WAITING', queued_at = coalesce($3, queued_at) where task_id = $1 and number = $2`,
    [taskId, number, at],
  );
}

/** @returns Number of batches that are left. */
export async function removeBatch(tx: Queries, taskId: string, number: number): Promise<number> {
  await tx.query('delete from listing_video.task_batches where task_id = $1 and number = $2', [
    taskId,
    number,
  ]);
  const [row] = await tx.query<{ left: number }>(
    'select count(*) as left from listing_video.task_batches where task_id = $1 and number <> $2',
    [taskId, DIVIDED],
  );
  return row?.left ?? 0;
}

/** Removes the batches of a task that another process works on as a whole, but not that it was divided. */
export async function removeBatches(tx: Queries, taskId: string): Promise<void> {
  await tx.query('delete from listing_video.task_batches where task_id = $1 and number <> $2', [
    taskId,
    DIVIDED,
  ]);
}

/** Forgets that a task was divided. */
export async function forgetDivision(tx: Queries, taskId: string): Promise<void> {
  await tx.query('delete from listing_video.task_batches where task_id = $1', [taskId]);
}

/** A batch that is held, and whose task waits for it. For `update … from` and `select … from`. */
const HELD = `batch.task_id = $1 and batch.number = $2 and batch.fence = $3 and batch.state = 'RUNNING'
  and task.id = batch.task_id and task.state = 'RUNNING' and task.worker is null`;

export interface HeldTask {
  readonly cancel_requested: boolean;
}

export function readHeldTask(queries: Queries, { id, batch, fence }: BatchKey): Promise<HeldTask[]> {
  return queries.query<HeldTask>(
    `select cancel_requested from listing_video.task_batches batch, listing_video.tasks task where ${HELD}`,
    [id, batch, fence],
  );
}

/** @param at - Null: now, by the clock of the database. */
export function beatBatch(
  queries: Queries,
  { id, batch, fence }: BatchKey,
  at: string | null,
): Promise<HeldTask[]> {
  return queries.query<HeldTask>(
    `with quick as (${QUICK_COMMIT})
     update listing_video.task_batches batch set heartbeat_at = coalesce($4, clock_timestamp())
     from listing_video.tasks task, quick where ${HELD} returning cancel_requested`,
    [id, batch, fence, at],
  );
}

/** The progress of a divided task is that of its most advanced batch, because batches run beside each other. */
export async function saveBatchProgress(
  queries: Queries,
  { id, batch, fence }: BatchKey,
  progress: { readonly percent: number },
): Promise<void> {
  await queries.query(
    `with quick as (${QUICK_COMMIT})
     update listing_video.tasks task set progress = $4 from listing_video.task_batches batch, quick
     where ${HELD} and (progress is null or (progress->>'percent')::float8 < $5) returning ${NOTIFY_TASK}`,
    [id, batch, fence, JSON.stringify(progress), progress.percent],
  );
}

/** Batches of a queue that wait, first come first; of no organization for null. */
export function waitingBatches(queries: Queries, organizationId: string | null): Promise<FoundBatch[]> {
  const [isOwn, values] =
    organizationId === null ? ['organization_id is null', []] : ['organization_id = $1', [organizationId]];
  return queries.query<FoundBatch>(
    `select ${FOUND_COLUMNS} from listing_video.task_batches
     where state = 'WAITING' and ${isOwn} order by queued_at, task_id, number limit 20`,
    values,
  );
}

/** Batches whose process can be dead. Most heartbeats are recent, and few batches run at once. */
export function lostBatches(queries: Queries, boot: string, leaseMs: number): Promise<FoundBatch[]> {
  return queries.query<FoundBatch>(
    `select ${FOUND_COLUMNS} from listing_video.task_batches
     where state = 'RUNNING' and (worker->>'boot' = $1 or worker->>'boot' like '~%'
       or heartbeat_at not between clock_timestamp() - $2::float8 * interval '1 ms' and clock_timestamp() + $2::float8 * interval '1 ms')
     order by queued_at, task_id, number`,
    [boot, leaseMs],
  );
}
