/**
 * The jobs of tasks, of batches and of deliveries. Each task of a server has one job from its acceptance to its end, and
 * each batch and each delivery while it waits or runs: they are added and removed in the transactions of their rows.
 * Whoever gets the job does this very work. Who may write is decided by the claim in the row.
 */
import type { TaskRecord } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import type { Queries } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';
import type { OnTaskChange } from '../tasks/task-change.ts';
import { atTurn, HERE, takeTurn } from './job-places.ts';

/** The schema of graphile-worker, which dispatches jobs. */
export const QUEUE_SCHEMA = 'listing_video_queue';
export const QUEUE = raw(QUEUE_SCHEMA);

export const TASK_JOB = 'render-task';
export const BATCH_JOB = 'render-batch';
export const DELIVERY_JOB = 'send-delivery';

/**
 * A flag of the jobs of an organization. A pool refuses it while the organization runs all the tasks there that it can.
 */
export function organizationFlag(organizationId: string): string {
  return `organization ${organizationId}`;
}

/** The flags of a job of a task or batch, from a row with the organization. */
export const FLAGS = sql`case when organization_id is not null then array['organization ' || organization_id] end`;

/** Its job is added when a task begins to wait, and removed when it ends. */
export const taskJobs: OnTaskChange = async ({ before, after }, transaction) => {
  if (after.origin !== 'api') return;
  // One that runs goes on under its old job, and comes again under this one.
  if (after.state === 'PENDING' && before?.state !== 'PENDING') {
    const hasTurn = before?.state === 'RUNNING' && before.setbacks?.queuedAt === after.setbacks?.queuedAt;
    await transaction.query(
      hasTurn
        ? sql`select ${addTaskJob(after)})`
        : sql`with taken as (${takeTurn(after.organizationId)})
          select ${addTaskJob(after)}, ${atTurn(sql`turn`)}) from taken`,
    );
  }
  if (isTerminal(after.state)) await transaction.query(sql`select ${QUEUE}.remove_job(${after.id})`);
};

/** Without its end, so that a place can follow. */
function addTaskJob({ id, organizationId }: Pick<TaskRecord, 'id' | 'organizationId'>): Sql {
  const flags = organizationId === null ? null : [organizationFlag(organizationId)];
  return sql`${QUEUE}.add_job(${TASK_JOB}, json_build_object('taskId', ${id}::text), job_key => ${id},
    flags => ${flags}::text[]`;
}

export const BATCH_KEY = sql`task_id || ':' || number`;
/** Without its end, so that a place can follow. */
export const ADD_BATCH_JOB = sql`${QUEUE}.add_job(${BATCH_JOB}, json_build_object('taskId', task_id, 'batch', number),
  job_key => ${BATCH_KEY}, flags => ${FLAGS}`;

/**
 * Adds jobs for batches of a task that wait. Their task has had its turn, so they come before what waits of its
 * organization, and one after the other between those of others.
 */
export async function addBatchJobs(tx: Queries, taskId: string): Promise<void> {
  await tx.query(
    sql`select ${ADD_BATCH_JOB}, ${atTurn(sql`${HERE} + number - 1`)})
     from listing_video.task_batches where task_id = ${taskId} and state = 'WAITING' order by number`,
  );
}

/** Adds the job of a batch whose work did not end. */
export async function putBatchJobBack(tx: Queries, taskId: string, number: number): Promise<void> {
  await tx.query(
    sql`select ${ADD_BATCH_JOB})
     from listing_video.task_batches where task_id = ${taskId} and number = ${number}`,
  );
}

/**
 * Adds the job again that a pool got and cannot do now, for itself or another one. Does nothing if it was removed or
 * replaced since.
 */
export async function postponeJob(
  queries: Queries,
  { id, payload }: { readonly id: string; readonly payload: unknown },
  delayMs: number,
): Promise<void> {
  await queries.query(
    sql`select ${QUEUE}.add_job(task_identifier, ${JSON.stringify(payload)}::json, job_key => key,
       flags => (select array_agg(flag) from jsonb_object_keys(flags) as flag),
       run_at => clock_timestamp() + ${delayMs}::float8 * interval '1 ms')
     from ${QUEUE}.jobs where id = ${id} and key is not null`,
  );
}
