/**
 * The jobs of tasks and of their batches. Each task of a server has one job, from its acceptance to its end, and each
 * batch has one while it waits: jobs are added and removed in the transactions of the task. A job says that there is
 * work. Which task is next is decided by the turns of organizations, and who may write by the claim.
 */
import type { TaskRecord } from '../../task.ts';
import { isTerminal } from '../../task-transition.ts';
import type { Queries } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { hasBatches } from '../tasks/task-batches.ts';
import type { OnTaskChange } from '../tasks/task-change.ts';

/** The schema of graphile-worker, which dispatches jobs. */
export const QUEUE_SCHEMA = 'listing_video_queue';
const QUEUE = raw(QUEUE_SCHEMA);

export const TASK_JOB = 'render-task';
export const BATCH_JOB = 'render-batch';
/** A flag of every job. A pool without a free place refuses it. */
export const ANY_TASK = 'task';
/** Time after which the job of a batch comes again that nobody could begin. */
const BATCH_LATER_MS = 1_000;

/**
 * A flag of the jobs of an organization. A pool refuses it while the organization runs all the tasks there that it can.
 */
export function organizationFlag(organizationId: string): string {
  return `organization ${organizationId}`;
}

/** The flags of a job, from a row with the organization. */
const FLAGS = sql`array_remove(array[${ANY_TASK}, 'organization ' || organization_id], null)`;

export const taskJobs: OnTaskChange = async ({ before, after }, transaction) => {
  if (after.origin !== 'api') return;
  // It replaces one that waits.
  if (after.state === 'PENDING' && before?.state !== 'PENDING') await addTaskJob(transaction, after);
  if (isTerminal(after.state)) await transaction.query(sql`select ${QUEUE}.remove_job(${after.id})`);
};

async function addTaskJob(
  queries: Queries,
  { id, organizationId }: Pick<TaskRecord, 'id' | 'organizationId'>,
  time = sql``,
): Promise<void> {
  const flags = organizationId === null ? [ANY_TASK] : [ANY_TASK, organizationFlag(organizationId)];
  await queries.query(
    sql`select ${QUEUE}.add_job(${TASK_JOB}, json_build_object('taskId', ${id}::text), job_key => ${id},
      flags => ${flags}${time})`,
  );
}

/** Adds the job of a task again, for later. One that waits stays as it is. */
export function postponeTaskJob(
  queries: Queries,
  task: Pick<TaskRecord, 'id' | 'organizationId'>,
  delayMs: number,
): Promise<void> {
  const runAt = sql`now() + ${delayMs}::float8 * interval '1 ms'`;
  return addTaskJob(queries, task, sql`, run_at => ${runAt}, job_key_mode => 'preserve_run_at'`);
}

/** Each takes a millisecond, and the heartbeat of the queue waits for them. */
export const ADDED_AT_ONCE = 500;

/**
 * Adds a job for tasks that have none: those of an import, and those whose job a person removed. One server at a time
 * does it: jobs that several add at once are written several times.
 *
 * @returns Their number, {@link ADDED_AT_ONCE} at most.
 */
export async function addMissingJobs(queries: Queries): Promise<number> {
  const added = await queries.query(
    sql`with turn as (select pg_try_advisory_xact_lock(hashtextextended('listing-video jobs', 0)) as is_mine)
     select ${QUEUE}.add_job(${TASK_JOB}, json_build_object('taskId', id), job_key => id::text, flags => ${FLAGS})
     from listing_video.tasks, turn
     where is_mine and origin = 'api' and state in ('PENDING', 'RUNNING') and not exists (
       select 1 from ${QUEUE}.jobs where key = tasks.id::text and attempts < max_attempts
     )
     limit ${ADDED_AT_ONCE}`,
  );
  return added.length;
}

const BATCH_KEY = sql`task_id || ':' || number`;
/** Without its end, so that a time can follow. */
const ADD_BATCH_JOB = sql`${QUEUE}.add_job(${BATCH_JOB}, json_build_object('taskId', task_id, 'batch', number),
  job_key => ${BATCH_KEY}, flags => ${FLAGS}`;

export async function addBatchJobs(tx: Queries, taskId: string): Promise<void> {
  await tx.query(
    sql`select ${ADD_BATCH_JOB}) from listing_video.task_batches
     where task_id = ${taskId} and state = 'WAITING' order by number`,
  );
}

/** Adds the job of a batch again, for later, if the batch still waits. */
export async function postponeBatchJob(queries: Queries, taskId: string, batch: number): Promise<void> {
  await queries.query(
    sql`select ${ADD_BATCH_JOB}, run_at => now() + ${BATCH_LATER_MS}::float8 * interval '1 ms')
     from listing_video.task_batches where task_id = ${taskId} and number = ${batch} and state = 'WAITING'`,
  );
}

/** The batch of a job. Null for a job that a person edited. */
export function toBatchNumber(payload: unknown): number | null {
  const batch = (payload as { batch?: unknown } | null)?.batch;
  return typeof batch === 'number' && Number.isInteger(batch) && batch > 0 && batch < 2 ** 31 ? batch : null;
}

/**
 * Renews the lease of tasks that wait for their batches, so that no server takes them for lost, and adds a job for
 * each batch that has none: of a server that died, or a job that a person removed. A task whose batches a person
 * removed is lost.
 */
export async function keepDividedTasks(queries: Queries, silentMs: number): Promise<void> {
  await queries.query(
    // Every server does this. None waits for another, and no two for each other.
    sql`update listing_video.tasks set heartbeat_at = clock_timestamp() where id in (
       select id from listing_video.tasks
       where state = 'RUNNING' and worker is null and heartbeat_at < clock_timestamp() - interval '1 second'
         and ${hasBatches('id')}
       for update skip locked
     )`,
  );
  const isSilent = sql`heartbeat_at < clock_timestamp() - ${silentMs}::float8 * interval '1 ms'`;
  await queries.query(
    sql`select ${ADD_BATCH_JOB}) from listing_video.task_batches
     where (state = 'WAITING' or state = 'RUNNING' and ${isSilent})
       and not exists (select 1 from ${QUEUE}.jobs where key = ${BATCH_KEY})
     order by task_id, number`,
  );
}

/** Notes the turns of organizations over all machines, which the search for waiting tasks reads. */
export const taskTurns: OnTaskChange = async ({ before, after }, transaction) => {
  const { organizationId, origin } = after;
  if (origin !== 'api' || organizationId === null || after.state !== 'RUNNING') return;
  if (before?.state !== 'RUNNING') await noteTurn(transaction, organizationId);
};

/** Notes that a task of the organization, or a batch of one, was claimed. */
export async function noteTurn(transaction: Queries, organizationId: string): Promise<void> {
  await transaction.query(
    sql`insert into listing_video.organization_turns (organization_id, turn)
     values (${organizationId}, nextval('listing_video.turns'))
     on conflict (organization_id) do update set turn = excluded.turn`,
  );
}
