/**
 * Takes jobs from the queue of the database with graphile-worker, which hears of a new job at once (LISTEN). It
 * starts again after every fault of the database, and it gives out the jobs of pools that died.
 */
import { EventEmitter } from 'node:events';
import { type Runner, run, type WorkerEvents } from 'graphile-worker';
import { systemProbe } from '../../../platform/disk/process-identity.ts';
import { packageVersion } from '../../../platform/program-files.ts';
import type { TaskClock, Unschedule } from '../../engine/task-clock.ts';
import type { TaskLogger } from '../../engine/task-handler.ts';
import type { DispatchedWorker, WorkQueue } from '../../engine/work-queue.ts';
import { isTaskId } from '../../task-id.ts';
import type { Database } from '../database.ts';
import { openQueuePool, queueLogger } from './graphile.ts';
import {
  ADDED_AT_ONCE,
  ANY_TASK,
  addMissingJobs,
  BATCH_JOB,
  keepDividedTasks,
  organizationFlag,
  postponeBatchJob,
  postponeTaskJob,
  QUEUE_SCHEMA,
  TASK_JOB,
  toBatchNumber,
} from './jobs.ts';
import { BEAT_MS, beatPool, leavePool, replacePool, SILENT_MS, unlockSilentPools } from './worker-pools.ts';

/** Interval in which graphile-worker looks for jobs whose time has come. It hears of new jobs without looking. */
const LOOK_MS = 1_000;
/** A job whose task cannot start here now, or runs elsewhere, comes again after this time. */
const LATER_MS = 2_000;
/** Interval in which a full worker looks for a free place, without the database. */
const PLACE_MS = 200;
const RESTART_MS = 1_000;
/** Events of graphile-worker after which a pool takes no more jobs, or fewer. */
const BREAKS = ['pool:fatalError', 'pool:gracefulShutdown', 'worker:fatalError'] as const;
/** Longest wait for a database that is away, when the pool stops. */
const STOP_MS = 3_000;
/** Heartbeats until missing jobs are added again, and the worker looks for work without a job. */
const BEATS_PER_CHECK = 40;
/** One listens, the others take and end jobs. */
const CONNECTIONS = 3;

export interface TaskQueueOptions {
  readonly database: Database;
  readonly url: string;
  readonly clock: Pick<TaskClock, 'schedule'>;
  readonly logger: TaskLogger;
  /** Number of tasks that render at once, and of jobs that are held at once: one for each task that runs. */
  readonly tasksAtOnce: number;
  readonly jobsAtOnce: number;
  /** The worker takes batches of divided tasks. Default false. */
  readonly takesBatches?: boolean | undefined;
  /** Called with the number of jobs of silent pools that were given out again. */
  readonly onRedelivered: (jobs: number) => void;
}

/** A pool of this process. It takes nothing before `start`. */
export class TaskQueue implements WorkQueue {
  readonly #options: TaskQueueOptions;
  #worker: DispatchedWorker | null = null;
  #poolId: string | null = null;
  /** Pools before this one, which would count as further workers until they are forgotten. */
  readonly #brokenPools: string[] = [];
  #runner: Runner | null = null;
  #isStopped = false;
  #beats = 0;
  #kept: Promise<void> = Promise.resolve();
  #beating: Promise<void> = Promise.resolve();
  #unscheduleBeat: Unschedule = () => {};
  /** End the pauses. */
  readonly #wakers = new Set<() => void>();

  constructor(options: TaskQueueOptions) {
    this.#options = options;
  }

  start(worker: DispatchedWorker): void {
    this.#worker = worker;
    this.#kept = this.#keep();
    this.#beatNext();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const wake of this.#wakers) wake();
    this.#unscheduleBeat();
    let unschedule: Unschedule = () => {};
    const late = new Promise<void>((resolve) => {
      unschedule = this.#options.clock.schedule(resolve, STOP_MS);
    });
    await Promise.race([this.#leave(), late]);
    unschedule();
  }

  /** The database can be away: the pool then counts as dead after a while. */
  async #leave(): Promise<void> {
    // It rejects if the pool has already stopped because of a fault.
    await this.#runner?.stop().catch(() => {});
    await this.#kept;
    await this.#beating;
    if (this.#poolId !== null) await leavePool(this.#options.database, this.#poolId).catch(() => {});
  }

  /** Runs one pool after the other until `stop`. */
  async #keep(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const events: WorkerEvents = new EventEmitter();
        const broken = new Promise<void>((resolve) => {
          for (const event of BREAKS) events.on(event, () => resolve());
        });
        this.#runner = await this.#open(events);
        if (this.#isStopped) await this.#runner.stop();
        const ended = this.#runner.promise.catch((error: unknown) => {
          this.#options.logger.debug('a pool of workers ended', { error });
        });
        // A broken pool waits for its tasks, which can take long. The next one takes over the rest at once.
        await Promise.race([ended, broken]);
        if (!this.#isStopped) this.#runner.stop().catch(() => {});
        else await ended;
      } catch (error) {
        this.#options.logger.debug('the queue of the database is not available', { error });
      }
      this.#runner = null;
      if (!this.#isStopped) await this.#pause(RESTART_MS);
    }
  }

  async #open(events: WorkerEvents): Promise<Runner> {
    const { url, jobsAtOnce, logger } = this.#options;
    events.on('pool:create', ({ workerPool }) => {
      if (this.#poolId !== null) this.#brokenPools.push(this.#poolId);
      this.#poolId = workerPool.id;
      // Without a wait for the next heartbeat, others count on this worker at once.
      this.#beatNext();
    });
    const pool = openQueuePool(url, CONNECTIONS);
    const endPool = () => pool.end();
    const opening = run({
      pgPool: pool,
      schema: QUEUE_SCHEMA,
      concurrency: jobsAtOnce,
      pollInterval: LOOK_MS,
      noHandleSignals: true,
      logger: queueLogger(logger),
      events,
      parsedCronItems: [],
      // Without batches, a job that cannot be ended because the database is away is an unhandled rejection, which
      // ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      forbiddenFlags: () => this.#forbidden(),
      taskList: {
        [TASK_JOB]: (payload) => this.#run(payload),
        ...(this.#options.takesBatches === true
          ? { [BATCH_JOB]: (payload: unknown) => this.#runBatch(payload) }
          : {}),
      },
    });
    // Also of a pool that broke, whose tasks still run.
    opening
      .then(({ promise }) => promise)
      .then(endPool, endPool)
      .catch(() => {});
    return opening;
  }

  /** The flags of jobs to leave. Waits while that is all: the search for none would read every job that waits. */
  async #forbidden(): Promise<string[]> {
    while (!this.#isStopped) {
      const refused = this.#worker?.refused() ?? 'all';
      if (refused !== 'all') return refused.map(organizationFlag);
      await this.#pause(PLACE_MS);
    }
    return [ANY_TASK];
  }

  /** A job can be edited in the database: it names a task, and nothing else of it counts. */
  async #run(payload: unknown): Promise<void> {
    const id = (payload as { taskId?: unknown } | null)?.taskId;
    if (typeof id !== 'string' || !isTaskId(id)) return;
    const task = await this.#worker?.dispatch(id);
    if (task) await postponeTaskJob(this.#options.database, task, LATER_MS);
  }

  /** A job of a batch is over at once: its worker claims the batch if it can, and looks for the next one after it. */
  async #runBatch(payload: unknown): Promise<void> {
    const id = (payload as { taskId?: unknown } | null)?.taskId;
    const batch = toBatchNumber(payload);
    if (typeof id !== 'string' || !isTaskId(id) || batch === null) return;
    await this.#worker?.look();
    await postponeBatchJob(this.#options.database, id, batch);
  }

  /** One heartbeat after the other: a late one would bring a pool back that was replaced or has stopped. */
  #beatNext(): void {
    this.#unscheduleBeat();
    this.#beating = this.#beating.then(() => this.#beat());
  }

  async #beat(): Promise<void> {
    const { database, clock, logger, tasksAtOnce, takesBatches, onRedelivered } = this.#options;
    try {
      if (this.#poolId !== null) {
        const { host, pid } = systemProbe().self;
        const { runningCount: running = 0, state = 'working' } = this.#worker ?? {};
        const facts = { host, pid, version: packageVersion(), state, tasksAtOnce, running, takesBatches };
        await beatPool(database, { id: this.#poolId, ...facts });
        for (const id of this.#brokenPools.splice(0)) {
          await replacePool(database, id);
          logger.warn('the queue lost its connection to the database, and takes jobs again');
        }
      }
      const jobs = await unlockSilentPools(database);
      if (jobs > 0) onRedelivered(jobs);
      if (takesBatches === true) await keepDividedTasks(database, SILENT_MS);
      if (this.#beats % BEATS_PER_CHECK > 0) this.#beats += 1;
      else {
        // A person can have edited the job of a task: its kind, its time.
        void this.#worker?.look();
        // The next heartbeat adds more, if there are more.
        if ((await addMissingJobs(database)) < ADDED_AT_ONCE) this.#beats += 1;
      }
    } catch (error) {
      this.#worker?.distrustLeases();
      logger.debug('a heartbeat of the queue failed', { error });
    }
    if (this.#isStopped) return;
    this.#unscheduleBeat();
    this.#unscheduleBeat = clock.schedule(() => this.#beatNext(), BEAT_MS);
  }

  /** Resolves after this time, or when the queue stops. */
  #pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        unschedule();
        this.#wakers.delete(wake);
        resolve();
      };
      const unschedule = this.#options.clock.schedule(wake, pauseMs);
      this.#wakers.add(wake);
    });
  }
}
