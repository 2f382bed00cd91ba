/**
 * The jobs of tasks. Each task of a server has one job, from its acceptance to its end: it is added and removed in the
 * transactions of the task. A job says that there is work. Which task is next is decided by the turns of organizations, and who
 * may write by the claim.
 */
import type { TaskRecord } from '../../task/task.ts';
import { isTerminal } from '../../task/task-transition.ts';
import type { Queries } from '../../task/postgres/database.ts';
import type { OnTaskChange } from '../../task/postgres/tasks/task-change.ts';
import { QUEUE_SCHEMA } from './queue-schema.ts';

/** The name of the jobs. */
export const TASK_JOB = 'render-task';
/** A flag of every job. A pool without a free place refuses it. */
export const ANY_TASK = 'task';

/** A flag of the jobs of an organization. A pool refuses it while the organization runs as many tasks there as it can. */
export function organizationFlag(organizationId: string): string {
  return `organization ${organizationId}`;
}

/** For `onChange` of a task store. */
export const taskJobs: OnTaskChange = async ({ before, after }, transaction) => {
  if (after.origin !== 'api') return;
  if (after.state === 'PENDING' && before?.state !== 'PENDING') await addTaskJob(transaction, after);
  if (isTerminal(after.state)) await transaction.query(`select ${QUEUE_SCHEMA}.remove_job($1)`, [after.id]);
};

/** Adds the job of a task that changed. It replaces one that waits. */
function addTaskJob(queries: Queries, task: TaskRecord<unknown>): Promise<unknown> {
  return queries.query(
    `select ${QUEUE_SCHEMA}.add_job($1, json_build_object('taskId', $2::text), job_key => $2, flags => $3)`,
    [TASK_JOB, task.id, flagsOf(task)],
  );
}

/** Adds the job of a task again, for later. One that waits stays as it is. */
export async function postponeTaskJob(
  queries: Queries,
  task: TaskRecord<unknown>,
  delayMs: number,
): Promise<void> {
  await queries.query(
    `select ${QUEUE_SCHEMA}.add_job($1, json_build_object('taskId', $2::text), job_key => $2, flags => $3,
       run_at => now() + $4::float8 * interval '1 ms', job_key_mode => 'preserve_run_at')`,
    [TASK_JOB, task.id, flagsOf(task), delayMs],
  );
}

/** Each takes a millisecond, and the heartbeat of the queue waits for them. */
export const ADDED_AT_ONCE = 500;

/**
 * Adds a job for tasks that have none: those of an earlier version or an import, and those whose job a person removed. One server at
 * a time does it: jobs that several add at once are written several times.
 *
 * @returns Their number, {@link ADDED_AT_ONCE} at most.
 */
export async function addMissingJobs(queries: Queries): Promise<number> {
  const added = await queries.query(
    `with turn as (select pg_try_advisory_xact_lock(hashtextextended('listing-video jobs', 0)) as is_mine)
     select ${QUEUE_SCHEMA}.add_job($1, json_build_object('taskId', id), job_key => id::text,
       flags => array_remove(array[$2, 'organization ' || organization_id], null))
     from listing_video.tasks, turn
     where is_mine and origin = 'api' and state in ('PENDING', 'RUNNING') and not exists (
       select 1 from ${QUEUE_SCHEMA}.jobs where key = tasks.id::text and attempts < max_attempts
     )
     limit ${ADDED_AT_ONCE}`,
    [TASK_JOB, ANY_TASK],
  );
  return added.length;
}

function flagsOf({ organizationId }: TaskRecord<unknown>): string[] {
  return organizationId === null ? [ANY_TASK] : [ANY_TASK, organizationFlag(organizationId)];
}
