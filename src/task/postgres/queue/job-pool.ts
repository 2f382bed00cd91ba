/**
 * Runs a pool of graphile-worker, which hears of a new job at once (LISTEN), and starts another one after every fault of
 * the database. Each pool beats: its own lock of a job holds for four hours, and a task of a dead server must start
 * elsewhere within ten seconds.
 */
import { EventEmitter } from 'node:events';
import { type JobHelpers, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { systemProbe } from '../../../platform/disk/process-identity.ts';
import { packageVersion } from '../../../platform/program-files.ts';
import { passTime, type TaskClock, type Unschedule, waitFor } from '../../engine/task-clock.ts';
import type { TaskLogger } from '../../engine/task-handler.ts';
import type { Database } from '../database.ts';
import { cleanQueue, openQueuePool, queueLogger } from './graphile.ts';
import { QUEUE_SCHEMA } from './jobs.ts';
import { repairQueue } from './repair-queue.ts';
import {
  BEAT_MS,
  beatPool,
  leavePool,
  type PoolFacts,
  replacePool,
  unlockSilentPools,
} from './worker-pools.ts';

/** Interval in which graphile-worker looks for jobs whose time has come. It hears of new jobs without looking. */
const LOOK_MS = 1_000;
const RESTART_MS = 1_000;
/** Events of graphile-worker after which a pool takes no more jobs, or fewer. */
const BREAKS = ['pool:fatalError', 'pool:gracefulShutdown', 'worker:fatalError'] as const;
/** Events with which a look for jobs ends. */
const LOOK_ENDS = ['worker:getJob:empty', 'worker:getJob:error', 'job:start'] as const;
/** Longest wait for a database that is away, when the pool stops. */
const STOP_MS = 3_000;
/** Heartbeats until the queue is repaired again. */
const BEATS_PER_REPAIR = 40;
/** One listens, the others take and end jobs. */
const CONNECTIONS = 3;

export type Job = JobHelpers['job'];

export interface JobPoolOptions {
  readonly database: Database;
  readonly url: string;
  readonly clock: Pick<TaskClock, 'schedule'>;
  readonly logger: TaskLogger;
  /** Number of jobs that run at once. */
  readonly jobsAtOnce: number;
  /** What to do for each kind of job. If it rejects, the job comes again with the backoff of graphile-worker. */
  readonly kinds: Readonly<Record<string, (payload: unknown, job: Job) => Promise<void>>>;
  /** Many short ones in named queues: one look for jobs after the other, and no commit waits. Default false. */
  readonly areShort?: boolean | undefined;
  /** The flags of jobs to leave to others. Asked before each look. */
  readonly forbiddenFlags: () => string[] | Promise<string[]>;
  readonly facts: () => Omit<PoolFacts, 'id' | 'host' | 'pid' | 'version'>;
  /** Called with the number of jobs of silent pools that were given out again. */
  readonly onRedelivered: (jobs: number) => void;
  /** Called whenever the database is away. */
  readonly onAway?: (() => void) | undefined;
}

/** It takes nothing before `start`. */
export class JobPool {
  readonly #options: JobPoolOptions;
  #poolId: string | null = null;
  /** Pools before this one, which would count as further workers until they are forgotten. */
  readonly #brokenPools: string[] = [];
  #runner: Runner | null = null;
  readonly #stop = new AbortController();
  #beats = 0;
  #kept: Promise<void> = Promise.resolve();
  #beating: Promise<void> = Promise.resolve();
  #unscheduleBeat: Unschedule = () => {};

  constructor(options: JobPoolOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  start(): void {
    this.#kept = this.#keep();
    this.#beatNext();
  }

  /** Takes no more jobs, and waits for those that run while the database answers. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#unscheduleBeat();
    await waitFor(this.#leave(), this.#options.clock, STOP_MS);
  }

  /** Resolves after this time, or when the pool stops. */
  pause(pauseMs: number): Promise<void> {
    return passTime(this.#options.clock, pauseMs, this.#stop.signal);
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
    while (!this.isStopped) {
      try {
        const events: WorkerEvents = new EventEmitter();
        const broken = new Promise<void>((resolve) => {
          for (const event of BREAKS) events.on(event, () => resolve());
        });
        this.#runner = await this.#open(events);
        if (this.isStopped) await this.#runner.stop();
        const ended = this.#runner.promise.catch((error: unknown) => {
          this.#options.logger.debug('a pool of workers ended', { error });
        });
        // A broken pool waits for its jobs, which can take long. The next one takes over the rest at once.
        await Promise.race([ended, broken]);
        if (!this.isStopped) this.#runner.stop().catch(() => {});
        else await ended;
      } catch (error) {
        this.#options.logger.debug('the queue of the database is not available', { error });
      }
      this.#runner = null;
      if (!this.isStopped) await this.pause(RESTART_MS);
    }
  }

  async #open(events: WorkerEvents): Promise<Runner> {
    const { url, jobsAtOnce, logger, kinds, areShort = false, forbiddenFlags } = this.#options;
    const takeTurn = areShort ? oneByOne(events) : async () => {};
    events.on('pool:create', ({ workerPool }) => {
      if (this.#poolId !== null) this.#brokenPools.push(this.#poolId);
      this.#poolId = workerPool.id;
      // Without a wait for the next heartbeat, others count on this worker at once.
      this.#beatNext();
    });
    const pool = openQueuePool(url, CONNECTIONS, areShort);
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
      forbiddenFlags: async () => {
        await takeTurn();
        return forbiddenFlags();
      },
      taskList: Object.fromEntries(
        Object.entries(kinds).map(([kind, work]) => [kind, (payload, { job }) => work(payload, job)]),
      ),
    });
    // Also of a pool that broke, whose jobs still run.
    opening
      .then(({ promise }) => promise)
      .then(endPool, endPool)
      .catch(() => {});
    return opening;
  }

  /** One heartbeat after the other: a late one would bring a pool back that was replaced or has stopped. */
  #beatNext(): void {
    this.#unscheduleBeat();
    this.#beating = this.#beating.then(() => this.#beat());
  }

  async #beat(): Promise<void> {
    const { database, url, clock, logger, facts, onRedelivered, onAway } = this.#options;
    try {
      if (this.#poolId !== null) {
        const { host, pid } = systemProbe().self;
        await beatPool(database, { id: this.#poolId, host, pid, version: packageVersion(), ...facts() });
        for (const id of this.#brokenPools.splice(0)) {
          logger.warn('the queue lost its connection to the database, and takes jobs again');
          await replacePool(database, id);
        }
      }
      const jobs = await unlockSilentPools(database, facts().tasksAtOnce > 0);
      if (jobs > 0) onRedelivered(jobs);
      if (this.#beats % BEATS_PER_REPAIR > 0) this.#beats += 1;
      // The next heartbeat repairs the rest, if there is more.
      else if (await repairQueue(database, () => cleanQueue(url, QUEUE_SCHEMA))) this.#beats += 1;
    } catch (error) {
      onAway?.();
      logger.debug('a heartbeat of the queue failed', { error });
    }
    if (this.isStopped) return;
    this.#unscheduleBeat();
    this.#unscheduleBeat = clock.schedule(() => this.#beatNext(), BEAT_MS);
  }
}

/**
 * A look for jobs of named queues locks the rows of all free queues. Another one at the same moment finds none, and
 * graphile-worker then waits for a second. Measured with 32 jobs at once in 40 queues: 42 jobs a second, with this 74.
 */
function oneByOne(events: WorkerEvents): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const passOn = () => {
    const next = waiting.shift();
    isTaken = next !== undefined;
    next?.();
  };
  for (const end of LOOK_ENDS) events.on(end, passOn);
  return async () => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
    isTaken = true;
  };
}
