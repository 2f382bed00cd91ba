/**
 * The jobs of batches. Each says that a batch waits; which one is next is decided by the turns of organizations. Pools of earlier
 * versions do not know this kind of job, so they take none.
 */
import type { Queries } from '../../task/postgres/database.ts';
import { hasBatches } from '../task-batches.ts';
import { QUEUE_SCHEMA } from './queue-schema.ts';
import { ANY_TASK } from './task-jobs.ts';

/** The name of the jobs. */
export const BATCH_JOB = 'render-batch';
/** Time after which a job comes again whose batch nobody could begin. */
const LATER_MS = 1_000;

const ADD = `${QUEUE_SCHEMA}.add_job('${BATCH_JOB}', json_build_object('taskId', task_id, 'batch', number),
  job_key => task_id || ':' || number,
  flags => array_remove(array['${ANY_TASK}', 'organization ' || organization_id], null)`;

/** Adds a job for each batch of the task that waits. */
export async function addBatchJobs(tx: Queries, taskId: string): Promise<void> {
  await tx.query(
    `select ${ADD}) from listing_video.task_batches where task_id = $1 and state = 'WAITING' order by number`,
    [taskId],
  );
}

/** Adds the job of a batch again, for later, if the batch still waits. */
export async function postponeBatchJob(queries: Queries, taskId: string, batch: number): Promise<void> {
  await queries.query(
    `select ${ADD}, run_at => now() + interval '${LATER_MS} ms')
     from listing_video.task_batches where task_id = $1 and number = $2 and state = 'WAITING'`,
    [taskId, batch],
  );
}

/** The batch of a job. Null for a job that a person edited. */
export function toBatchNumber(payload: unknown): number | null {
  const batch = (payload as { batch?: unknown } | null)?.batch;
  return Number.isSafeInteger(batch) && (batch as number) > 0 && (batch as number) < 2 ** 31
    ? (batch as number)
    : null;
}

/**
 * Renews the lease of tasks that wait for their batches, so that no server takes them for lost, and adds a job for each batch that
 * has none: of a server that died, or a job that a person removed. A task whose batches a person removed is lost.
 */
export async function keepDividedTasks(queries: Queries, silentMs: number): Promise<void> {
  await queries.query(
    // Every server does this. None waits for another, and no two for each other.
    `update listing_video.tasks set heartbeat_at = clock_timestamp() where id in (
       select id from listing_video.tasks
       where state = 'RUNNING' and worker is null and heartbeat_at < clock_timestamp() - interval '1 second'
         and ${hasBatches('id')}
       for update skip locked
     )`,
  );
  await queries.query(
    `select ${ADD}) from listing_video.task_batches
     where (state = 'WAITING' or state = 'RUNNING' and heartbeat_at < clock_timestamp() - $1::float8 * interval '1 ms')
       and not exists (select 1 from ${QUEUE_SCHEMA}.jobs where key = task_id || ':' || number)
     order by task_id, number`,
    [silentMs],
  );
}
