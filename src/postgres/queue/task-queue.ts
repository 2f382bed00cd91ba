/**
 * Takes jobs from the queue of the database with graphile-worker, which hears of a new job at once (LISTEN). It starts again
 * after every fault of the database, and it gives out the jobs of pools that died.
 */
import { EventEmitter } from 'node:events';
import { type Runner, run, type WorkerEvents } from 'graphile-worker';
import { systemProbe } from '../../disk/process-identity.ts';
import type { TaskClock, Unschedule } from '../../task/engine/task-clock.ts';
import type { TaskLogger } from '../../task/engine/task-handler.ts';
import type { TaskRecord } from '../../task/task.ts';
import { isTaskId } from '../../task/task-id.ts';
import type { Database } from '../database.ts';
import { queueLogger } from './queue-logger.ts';
import { QUEUE_SCHEMA } from './queue-schema.ts';
import { ANY_TASK, addMissingJobs, organizationFlag, postponeTaskJob, TASK_JOB } from './task-jobs.ts';
import { BEAT_MS, beatPool, leavePool, unlockSilentPools } from './worker-pools.ts';

/** Interval in which graphile-worker looks for jobs whose time has come. It hears of new jobs without looking. */
const LOOK_MS = 1_000;
/** A job whose task cannot start here now, or runs elsewhere, comes again after this time. */
const LATER_MS = 2_000;
/** Pause before a new pool after a fault. */
const RESTART_MS = 1_000;
/** After this number of heartbeats, jobs that are missing are added again. */
const BEATS_PER_CHECK = 40;
/** One listens, the others take and end jobs. */
const CONNECTIONS = 3;

export interface TaskQueueOptions {
  readonly database: Database;
  /** Address of the same database. */
  readonly url: string;
  readonly clock: Pick<TaskClock, 'schedule'>;
  readonly logger: TaskLogger;
  /** Number of tasks that render at once, and of jobs that are held at once: one for each task that runs. */
  readonly tasksAtOnce: number;
  readonly jobsAtOnce: number;
  /** Number of tasks that run now. */
  readonly runningCount: () => number;
  /** The work that this pool does not take now: `all`, or the organizations that run as many tasks as they can. */
  readonly refused: () => 'all' | readonly string[];
  /** Does work because of the task with this id. @returns The task if it has not ended, else null. */
  readonly dispatch: (id: string) => Promise<TaskRecord<unknown> | null>;
  /** Called with the number of jobs of dead pools that were given out again. */
  readonly onRedelivered: (jobs: number) => void;
}

/** A pool of this process. It takes nothing before `start`. */
export class TaskQueue {
  readonly #options: TaskQueueOptions;
  #poolId: string | null = null;
  #runner: Runner | null = null;
  #isStopped = false;
  #beats = 0;
  #kept: Promise<void> = Promise.resolve();
  #beating: Promise<void> = Promise.resolve();
  #unscheduleBeat: Unschedule = () => {};
  #wake: () => void = () => {};

  constructor(options: TaskQueueOptions) {
    this.#options = options;
  }

  start(): void {
    this.#kept = this.#keep();
    this.#beating = this.#beat();
  }

  /** Takes no more jobs, and waits until the dispatched ones are done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    // It rejects if the pool has already stopped because of a fault.
    await this.#runner?.stop().catch(() => {});
    await this.#kept;
    this.#unscheduleBeat();
    await this.#beating;
    if (this.#poolId === null) return;
    // The database can be away: the pool then counts as dead after a while.
    await leavePool(this.#options.database, this.#poolId).catch(() => {});
  }

  /** Runs one pool after the other until `stop`. */
  async #keep(): Promise<void> {
    while (!this.#isStopped) {
      try {
        this.#runner = await this.#open();
        if (this.#isStopped) await this.#runner.stop();
        await this.#runner.promise;
      } catch (error) {
        this.#options.logger.debug('the queue of the database is not available', { error });
      }
      this.#runner = null;
      if (!this.#isStopped) await this.#pause();
    }
  }

  #open(): Promise<Runner> {
    const { url, jobsAtOnce, logger } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      this.#poolId = workerPool.id;
    });
    return run({
      connectionString: url,
      schema: QUEUE_SCHEMA,
      maxPoolSize: CONNECTIONS,
      concurrency: jobsAtOnce,
      pollInterval: LOOK_MS,
      noHandleSignals: true,
      logger: queueLogger(logger),
      events,
      parsedCronItems: [],
      forbiddenFlags: () => this.#forbidden(),
      taskList: { [TASK_JOB]: (payload) => this.#run(payload) },
    });
  }

  #forbidden(): string[] {
    const refused = this.#isStopped ? 'all' : this.#options.refused();
    return refused === 'all' ? [ANY_TASK] : refused.map(organizationFlag);
  }

  /** A job can be edited in the database: it names a task, and nothing else of it counts. */
  async #run(payload: unknown): Promise<void> {
    const id = (payload as { taskId?: unknown } | null)?.taskId;
    if (typeof id !== 'string' || !isTaskId(id)) return;
    const task = await this.#options.dispatch(id);
    if (task !== null) await postponeTaskJob(this.#options.database, task, LATER_MS);
  }

  async #beat(): Promise<void> {
    const { database, clock, logger, tasksAtOnce, runningCount, onRedelivered } = this.#options;
    try {
      if (this.#poolId !== null) {
        const { host, pid } = systemProbe().self;
        const facts = { host, pid, tasksAtOnce, running: runningCount() };
        await beatPool(database, { id: this.#poolId, ...facts });
      }
      const jobs = await unlockSilentPools(database);
      if (jobs > 0) onRedelivered(jobs);
      if (this.#beats % BEATS_PER_CHECK === 0) await addMissingJobs(database);
      this.#beats += 1;
    } catch (error) {
      logger.debug('a heartbeat of the queue failed', { error });
    }
    if (this.#isStopped) return;
    this.#unscheduleBeat = clock.schedule(() => {
      this.#beating = this.#beat();
    }, BEAT_MS);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const unschedule = this.#options.clock.schedule(resolve, RESTART_MS);
      this.#wake = () => {
        unschedule();
        resolve();
      };
    });
  }
}
