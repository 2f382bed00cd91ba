/**
 * The pools of workers on all machines: each shows that it lives by a heartbeat. The queue keeps the jobs of a dead
 * pool locked for hours, so any other pool gives them out again. A pool that was only suspended loses nothing but
 * time: the claim of a task decides who may write.
 */
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import type { WorkerState } from '../../engine/work-queue.ts';
import type { Queries } from '../database.ts';
import { insertInto, sql, within } from '../sql.ts';
import { QUEUE } from './jobs.ts';

export const BEAT_MS = 1_500;
/** A pool that is silent for this time counts as dead. */
export const SILENT_MS = 6_000;

const RECENT = within(SILENT_MS);

/** A pool as its heartbeat describes it. */
export interface PoolFacts {
  /** The id under which graphile-worker locks the jobs of the pool. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly state: WorkerState;
  /** 0 for a pool that only sends deliveries. */
  readonly tasksAtOnce: number;
  readonly running: number;
  /** It takes batches of divided tasks. Default false. */
  readonly takesBatches?: boolean | undefined;
}

/** A pool that has not stopped. */
export interface WorkerPool extends Omit<PoolFacts, 'state'> {
  /** `silent`: it counts as dead. */
  readonly state: WorkerState | 'silent';
  readonly startedAt: string;
  readonly beatAt: string;
  readonly silentMs: number;
}

export async function beatPool(
  queries: Queries,
  { takesBatches = false, ...pool }: PoolFacts,
): Promise<void> {
  await queries.query(
    sql`${insertInto('worker_pools', { ...pool, takesBatches })}
     on conflict (id) do update set state = excluded.state, running = excluded.running, beat_at = excluded.beat_at`,
  );
}

/** Number of tasks that other pools with batches could begin now, beyond the tasks and batches that wait. */
export async function countIdleWorkers(
  queries: Queries,
  self: Pick<ProcessIdentity, 'host' | 'pid'>,
): Promise<number> {
  const [row] = await queries.query<{ idle: number }>(
    sql`select coalesce(sum(greatest(tasks_at_once - running, 0)), 0)
       - (select count(*) from (select 1 from listing_video.tasks where state = 'PENDING' and origin = 'api' limit 1000) tasks)
       - (select count(*) from listing_video.task_batches where state = 'WAITING') as idle
     from listing_video.worker_pools
     where takes_batches and state = 'working' and not (host = ${self.host} and pid = ${self.pid})
       and beat_at ${RECENT}`,
  );
  return Math.max(0, Number(row?.idle ?? 0));
}

export async function leavePool(queries: Queries, id: string): Promise<void> {
  await queries.query(sql`delete from listing_video.worker_pools where id = ${id}`);
}

/** Forgets a pool of this process that broke, and unlocks its jobs. */
export async function replacePool(queries: Queries, id: string): Promise<void> {
  await leavePool(queries, id);
  await unlockPools(queries, [id]);
}

/**
 * Forgets silent pools, and unlocks the jobs of pools that nobody knows.
 *
 * @param takesTasks - Of the pool that asks. One that only sends deliveries leaves workers to other workers, which count
 * them and take their tasks.
 * @returns The number of jobs.
 */
export async function unlockSilentPools(queries: Queries, takesTasks: boolean): Promise<number> {
  await queries.query(
    sql`delete from listing_video.worker_pools
     where beat_at not ${RECENT} and (tasks_at_once = 0 or ${takesTasks}::boolean)`,
  );
  const unknown = await queries.query<{ pool: string }>(
    sql`select distinct locked_by as pool from ${QUEUE}.jobs
     where locked_at not ${RECENT} and not exists (select 1 from listing_video.worker_pools where id = locked_by)`,
  );
  const ids = unknown.map(({ pool }) => pool);
  return ids.length === 0 ? 0 : unlockPools(queries, ids);
}

/** What they were doing comes before anything that waits. */
async function unlockPools(queries: Queries, ids: readonly string[]): Promise<number> {
  const jobs = await queries.query<{ id: number }>(
    sql`select id from ${QUEUE}.jobs where locked_by = any(${ids})`,
  );
  await queries.query(sql`select ${QUEUE}.force_unlock_workers(${ids})`);
  await queries.query(sql`select ${QUEUE}.reschedule_jobs(${jobs.map(({ id }) => id)}, priority => 0)`);
  return jobs.length;
}

/** The pools that render and have not stopped, the oldest first. A silent one is listed until another pool forgets it. */
export function listPools(queries: Queries): Promise<WorkerPool[]> {
  return queries.query<WorkerPool>(
    sql`select id, host, pid, version, tasks_at_once, running, started_at, beat_at,
       case when beat_at ${RECENT} then state else 'silent' end as state,
       (extract(epoch from clock_timestamp() - beat_at) * 1000)::float8 as silent_ms
     from listing_video.worker_pools where tasks_at_once > 0 and isfinite(beat_at) and isfinite(started_at) order by started_at, id`,
  );
}
