/** Dispatches tasks and batches to the worker of this process: the job that graphile-worker gives out is what it does. */
import type { DispatchedWorker, WorkQueue } from '../../engine/work-queue.ts';
import { isTaskId } from '../../task-id.ts';
import { sql } from '../sql.ts';
import { reachTurn } from './job-places.ts';
import { type Job, JobPool, type JobPoolOptions } from './job-pool.ts';
import { BATCH_JOB, organizationFlag, postponeJob, QUEUE, TASK_JOB } from './jobs.ts';

/** A job that cannot be done here now comes again after this time: most wait for the end of a dead server's lease. */
const LATER_MS = 1_000;
/** Interval in which a full worker looks for a free place, without the database. */
const PLACE_MS = 200;
/** Interval in which a worker whose slots are full looks for work to prepare. */
const PREPARE_MS = 2_000;

export interface TaskQueueOptions
  extends Pick<JobPoolOptions, 'database' | 'url' | 'clock' | 'logger' | 'jobsAtOnce' | 'onRedelivered'> {
  /** Number of tasks that render at once. The other jobs at once are tasks that get ready to render. */
  readonly tasksAtOnce: number;
  /** The worker takes batches of divided tasks. Default false. */
  readonly takesBatches?: boolean | undefined;
}

/** A pool of this process. It takes nothing before `start`. */
export class TaskQueue implements WorkQueue {
  readonly #options: TaskQueueOptions;
  readonly #pool: JobPool;
  #worker: DispatchedWorker | null = null;

  constructor(options: TaskQueueOptions) {
    this.#options = options;
    const { tasksAtOnce, takesBatches = false } = options;
    const run = (payload: unknown, job: Job) => this.#run(payload, job);
    this.#pool = new JobPool({
      ...options,
      kinds: { [TASK_JOB]: run, ...(takesBatches ? { [BATCH_JOB]: run } : {}) },
      forbiddenFlags: () => this.#forbidden(),
      facts: () => {
        const { runningCount: running = 0, state = 'working' } = this.#worker ?? {};
        return { state, running, tasksAtOnce, takesBatches };
      },
      onAway: () => this.#worker?.distrustLeases(),
    });
  }

  start(worker: DispatchedWorker): void {
    this.#worker = worker;
    this.#pool.start();
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  /** The flags of jobs to leave. Waits while that is all: the search for none would read every job that waits. */
  async #forbidden(): Promise<string[]> {
    for (;;) {
      const room = this.#worker?.room() ?? 'none';
      if (this.#pool.isStopped) return [];
      if (room === 'slot' || (room === 'prepare' && (await this.#hasOldJobs()))) break;
      await this.#pool.pause(room === 'prepare' ? PREPARE_MS : PLACE_MS);
    }
    return (this.#worker?.fullOrganizations() ?? []).map(organizationFlag);
  }

  /** Whether a job waits that no other worker has a slot for. */
  async #hasOldJobs(): Promise<boolean> {
    const old = sql`updated_at < clock_timestamp() - ${PREPARE_MS} * interval '1 ms'`;
    const found = await this.#options.database
      .query(
        sql`select 1 from ${QUEUE}.jobs
         where ${old} and locked_at is null and attempts < max_attempts and task_identifier = ${TASK_JOB} limit 1`,
      )
      .catch(() => []);
    return found.length > 0;
  }

  /** A job can be edited in the database: it names its work, and nothing else of it counts. */
  async #run(payload: unknown, job: Job): Promise<void> {
    const { taskId: id, batch } = (payload ?? {}) as { taskId?: unknown; batch?: unknown };
    if (typeof id !== 'string' || !isTaskId(id) || !isBatchNumber(batch)) return;
    const { database } = this.#options;
    const reached = reachTurn(database, job).catch(() => {});
    const end = (await this.#worker?.dispatch({ id, batch })) ?? 'later';
    await reached;
    if (end !== 'over') await postponeJob(database, job, end === 'later' ? LATER_MS : 0);
    if (end === 'elsewhere') await this.#pool.pause(PREPARE_MS);
  }
}

function isBatchNumber(batch: unknown): batch is number | undefined {
  return (
    batch === undefined || (Number.isInteger(batch) && (batch as number) > 0 && (batch as number) < 2 ** 31)
  );
}
