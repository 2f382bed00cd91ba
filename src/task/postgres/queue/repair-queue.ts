/**
 * Keeps the queue whole: jobs for work that has none, because it was imported, stored by a program of an earlier
 * version, or a person removed the job; none for dead jobs. One server at a time does it.
 */
import type { Database, Queries } from '../database.ts';
import { type Sql, sql } from '../sql.ts';
import { hasBatches } from '../tasks/task-batches.ts';
import { ADD_DELIVERY_JOB, QUEUES_LOCK } from '../webhooks/delivery-jobs.ts';
import { atTurn, HERE, IN_TURN } from './job-places.ts';
import { ADD_BATCH_JOB, BATCH_KEY, DELIVERY_JOB, FLAGS, QUEUE, TASK_JOB } from './jobs.ts';
import { SILENT_MS } from './worker-pools.ts';

/** Each takes a millisecond, and the heartbeat of the queue waits for them. */
export const ADDED_AT_ONCE = 500;

/**
 * A queue to which a transaction adds its only job looks empty, so queues are removed while none does. Each holds the
 * lock for some milliseconds, and nobody waits for this one.
 */
const CLEAN_TRIES = 20;

/** A worker that takes batches lives: tasks that wait for theirs need no job of their own. */
export const TAKES_BATCHES = sql`exists (select from listing_video.worker_pools where takes_batches
  and beat_at > clock_timestamp() - ${SILENT_MS} * interval '1 ms')`;

/**
 * A condition: no job with this key can come. A person can have removed the queue of a job. The collation is that of the
 * index, and the offset keeps this from becoming a join, which without statistics reads all jobs for each key: 3,000
 * took 4 s.
 */
const hasNoJob = (key: Sql, further = sql``): Sql =>
  sql`not exists (select from ${QUEUE}.jobs where key = (${key}) collate "default" and attempts < max_attempts ${further} offset 0)`;

/** @returns False if there is more to add. @param clean - Removes what is dead. */
export async function repairQueue(database: Database, clean: () => Promise<void>): Promise<boolean> {
  const added = await database.transaction(async (tx) => {
    const [lock] = await tx.query<{ isMine: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('listing-video jobs', 0)) as is_mine`,
    );
    if (lock?.isMine !== true) return 0;
    await forgetTurns(tx);
    await advanceJobs(tx);
    const found = [await addTaskJobs(tx), await addJobsOfBatches(tx, null), await addDeliveryJobs(tx)];
    return Math.max(...found);
  });
  if (added >= ADDED_AT_ONCE) return false;
  for (let tries = 0; tries < CLEAN_TRIES; tries++) {
    const isClean = await database.transaction(async (tx) => {
      const [lock] = await tx.query<{ isFree: boolean }>(
        sql`select pg_try_advisory_xact_lock(${QUEUES_LOCK}) as is_free`,
      );
      if (lock?.isFree === true) await clean();
      return lock?.isFree;
    });
    if (isClean) break;
  }
  return true;
}

/** When no job waits for its turn, those that were not used do not count, such as those of cancelled tasks. */
async function forgetTurns(tx: Queries): Promise<void> {
  await tx.query(
    sql`delete from listing_video.organization_turns
     where not exists (select from ${QUEUE}.jobs where priority = ${IN_TURN})`,
  );
}

/** After the clock of the database was set back, jobs that were due are far ahead. */
async function advanceJobs(tx: Queries): Promise<void> {
  const longest = sql`case task_identifier when ${DELIVERY_JOB} then interval '7 hours' else interval '1 minute' end`;
  await tx.query(
    sql`select ${QUEUE}.reschedule_jobs(array_agg(id), run_at => now()) from ${QUEUE}.jobs
     where run_at > now() + ${longest}`,
  );
}

async function addTaskJobs(tx: Queries): Promise<number> {
  const added = await tx.query(
    sql`select ${QUEUE}.add_job(${TASK_JOB}, json_build_object('taskId', id), job_key => id::text, flags => ${FLAGS},
       ${atTurn(sql`${HERE} + row_number() over (partition by organization_id order by queued_at, id)`)})
     from (
       select id, organization_id, queued_at from listing_video.tasks
       where origin = 'api' and state in ('PENDING', 'RUNNING') and ${hasNoJob(sql`tasks.id::text`)}
         and not (state = 'RUNNING' and worker is null and ${hasBatches('tasks.id')} and ${TAKES_BATCHES})
       order by queued_at limit ${ADDED_AT_ONCE}
     ) missing`,
  );
  return added.length;
}

/** Adds jobs for batches that wait or lost their worker. @param taskId - Null: of all tasks. */
export async function addJobsOfBatches(queries: Queries, taskId: string | null): Promise<number> {
  const isSilent = sql`heartbeat_at < clock_timestamp() - ${SILENT_MS} * interval '1 ms'`;
  const isOf = taskId === null ? sql`(state = 'WAITING' or ${isSilent})` : sql`task_id = ${taskId}`;
  const added = await queries.query(
    sql`select ${ADD_BATCH_JOB}) from listing_video.task_batches
     where state <> 'DIVIDED' and ${isOf} and ${hasNoJob(BATCH_KEY)}
     order by task_id, number limit ${ADDED_AT_ONCE}`,
  );
  return added.length;
}

async function addDeliveryJobs(tx: Queries): Promise<number> {
  const added = await tx.query(
    sql`select ${ADD_DELIVERY_JOB}, run_at => (d.delivery->>'nextAttemptAt')::timestamptz)
     from listing_video.webhook_deliveries d join listing_video.webhooks w on w.id = d.webhook_id
     where d.state = 'waiting' and w.deleted_at is null and ${hasNoJob(sql`d.id`, sql`and queue_name is not null`)}
     limit ${ADDED_AT_ONCE}`,
  );
  return added.length;
}
