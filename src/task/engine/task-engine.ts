/**
 * The task engine accepts tasks and runs them; claims prevent other processes from running the same task. A command
 * runs the task that it made (`runTask`). A server works through the queue (`start`, `drain`).
 */
import { ListingVideoError } from '../../platform/errors.ts';
import type { JsonValue, NewTask, TaskProgress, TaskRecord } from '../task.ts';
import { notFailed } from '../task-moves.ts';
import type { TaskPage, TaskQuery, TaskStore } from '../task-store.ts';
import { isTerminal, stateConflict } from '../task-transition.ts';
import { OrganizationTurns } from './organization-turns.ts';
import { TaskAttempt } from './task-attempt.ts';
import { systemTaskClock, type TaskClock } from './task-clock.ts';
import type { Reservation, TaskHandler, TaskHooks, TaskLogger } from './task-handler.ts';
import { TaskWorker } from './task-worker.ts';
import { type EngineHealth, WorkPause } from './work-pause.ts';
import type { WorkQueue } from './work-queue.ts';
import { WorkSlots } from './work-slots.ts';
import type { WorkLimits } from './work-time.ts';

export interface TaskEngineOptions<Payload = JsonValue, Outcome = JsonValue> {
  /** Claims carry the process identity of this store. */
  readonly store: TaskStore<Payload, Outcome>;
  readonly handler: TaskHandler<NoInfer<Payload>, NoInfer<Outcome>>;
  readonly clock?: TaskClock;
  readonly newId?: () => string;
  /**
   * Number of slots for the heavy part of the work (`TaskContext.takeSlot`), and of tasks that `start` runs. Default 1.
   */
  readonly concurrency?: number;
  /** Number of further tasks that `start` runs until they need a slot. Default 0. */
  readonly prepared?: number;
  /** Number of running tasks of one organization. Default: no limit. */
  readonly organizationRunning?: number | undefined;
  /** Limits of an attempt, also of those of `runTask`. Default: none. */
  readonly limits?: WorkLimits;
  /** The code of the fault for which this machine cannot run tasks now, or null. It must not reject. Default: null. */
  readonly checkMachine?: () => Promise<string | null>;
  /** 0 to 1, for the jitter of pauses. */
  readonly random?: () => number;
  /** The worker of `start` divides tasks, and takes batches, if the store has divisions. Default false. */
  readonly dividesTasks?: boolean | undefined;
  /** Tells the worker of `start` of tasks. Absent: it looks for them by itself. */
  readonly queue?: WorkQueue | undefined;
  readonly logger?: TaskLogger;
  readonly hooks?: TaskHooks<NoInfer<Outcome>>;
}

export interface SubmittedTask<Payload = JsonValue> extends Omit<NewTask<Payload>, 'id'> {
  /** The id, for callers that need it before the task exists. */
  readonly id?: string;
}

export interface SubmitOptions {
  /** Called for the work before the task exists: a remote engine sends files. */
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

export interface RunTaskOptions {
  /** Aborting cancels the task. */
  readonly signal?: AbortSignal;
  /** Called for every progress report. Percent never falls. */
  readonly onProgress?: (progress: TaskProgress) => void;
}

export interface TaskEngine<Payload = JsonValue, Outcome = JsonValue> {
  /** Makes a PENDING task, which is durable when the promise resolves. */
  submit(task: SubmittedTask<Payload>, options?: SubmitOptions): Promise<TaskRecord<Outcome>>;
  /**
   * Claims this task, runs it in this process and returns it SUCCEEDED or FAILED.
   *
   * @throws {@link ListingVideoError} `task_state_conflict` if it has ended or a live process holds it, `lease_lost` if
   *   another process took it over, `task_not_found`, and the errors of the store.
   */
  runTask(id: string, options?: RunTaskOptions): Promise<TaskRecord<Outcome>>;
  /** The task. A `cli` task whose process is dead is FAILED first. */
  get(id: string): Promise<TaskRecord<Outcome>>;
  /** The payload of a task; null if it is damaged, or the task belongs to a remote server. */
  payload(id: string): Promise<Payload | null>;
  /** A page of tasks. Without an organization (the operator's view) abandoned tasks are FAILED first, as in `get`. */
  list(query: TaskQuery): Promise<TaskPage<Outcome>>;
  /** Moves a FAILED task to PENDING. A server then runs an `api` task; for a `cli` task call `runTask`. */
  retry(id: string): Promise<TaskRecord<Outcome>>;
  /** Ends a waiting task. Sends the owner of a running one a request, which it sees within a second. */
  cancel(id: string): Promise<TaskRecord<Outcome>>;
  /** Ends `cli` tasks whose process is dead. @returns Those tasks. */
  reclaimAbandoned(): Promise<readonly TaskRecord<Outcome>[]>;
  /** Starts to run `api` tasks, including those of earlier processes. */
  start(): void;
  /**
   * Claims no more tasks, waits `graceMs` for the running ones, and gives the rest back without using up an attempt.
   */
  drain(graceMs: number): Promise<void>;
  readonly runningCount: number;
  readonly health: EngineHealth;
}

const SILENT: TaskLogger = { debug: () => {}, warn: () => {} };
const NO_HOOKS: TaskHooks<unknown> = {
  reserve: async () => {},
  release: async () => {},
  settle: async () => {},
};

/** Makes an engine from a store and a handler. It claims no task before `start` or `runTask`. */
export function createTaskEngine<Payload, Outcome>(
  options: TaskEngineOptions<Payload, Outcome>,
): TaskEngine<Payload, Outcome> {
  type Task = TaskRecord<Outcome>;
  const { store, handler, clock = systemTaskClock, concurrency = 1 } = options;
  const { logger = SILENT, hooks = NO_HOOKS, limits, random = Math.random } = options;
  const { prepared = 0, organizationRunning = Number.POSITIVE_INFINITY } = options;
  const divisions = options.dividesTasks === true ? store.divisions : undefined;
  const pause = new WorkPause({ clock, logger, random });
  const attemptDeps = { store, handler, clock, logger, limits, slots: new WorkSlots(concurrency) };
  // Loaded on demand, because most commands make no id.
  const newId = options.newId ?? (async () => (await import('../new-task-id.ts')).newTaskId());
  const attempts = new Map<string, TaskAttempt<Payload, Outcome>>();

  const settleHooks = async (task: Task) => {
    if (!isTerminal(task.state)) return;
    try {
      await hooks.settle(task);
    } catch (error) {
      logger.warn('a task ended but was not settled', { task: task.id, error });
    }
  };

  const runAttempt = async (attempt: TaskAttempt<Payload, Outcome>): Promise<Task | null> => {
    attempts.set(attempt.claim.id, attempt);
    try {
      const task = await attempt.run();
      if (task !== null) await settleHooks(task);
      return task;
    } finally {
      if (attempts.get(attempt.claim.id) === attempt) attempts.delete(attempt.claim.id);
    }
  };

  /** Makes a reservation, then calls `accept` to make the task PENDING. Releases the reservation if that fails. */
  const accepting = async (reservation: Reservation, accept: () => Promise<Task>): Promise<Task> => {
    await hooks.reserve(reservation);
    try {
      const task = await accept();
      worker.nudge();
      return task;
    } catch (error) {
      // On a conflict another process has accepted this task, and the reservation belongs to it.
      if (!(error instanceof ListingVideoError) || error.code !== 'task_state_conflict') {
        await hooks.release(reservation).catch((cause) => {
          logger.warn('a reservation was not released', { task: reservation.id, error: cause });
        });
      }
      throw error;
    }
  };

  const reclaim = async (task: Task): Promise<Task> => {
    if (task.origin !== 'cli' || isTerminal(task.state)) return task;
    try {
      const now = await store.reclaim(task.id);
      if (now.fence !== task.fence) await settleHooks(now);
      return now;
    } catch (error) {
      // Reading also works with a read-only store. A task that was just removed or changed is returned as it was.
      logger.debug('an abandoned task was not ended', { task: task.id, error });
      return task;
    }
  };

  const worker: TaskWorker<Payload, Outcome> = new TaskWorker({
    store,
    clock,
    logger,
    concurrency,
    prepared,
    turns: new OrganizationTurns(organizationRunning),
    pause,
    checkMachine: options.checkMachine ?? (async () => null),
    isDispatched: options.queue !== undefined,
    takesBatches: divisions !== undefined,
    openAttempt: (claim) =>
      new TaskAttempt(claim, {
        ...attemptDeps,
        divisions,
        countsFault: (id) => pause.isTasksOwn(id),
        onStoreAway: () => worker.distrustLeases(),
      }),
    runAttempt: async (attempt) => void (await runAttempt(attempt)),
    onEnded: settleHooks,
  });

  const engine: TaskEngine<Payload, Outcome> = {
    async submit({ id: ownId, ...task }) {
      const id = ownId ?? (await newId());
      const { payload, ...fields } = task;
      const reservation = { ...fields, id, summary: store.summarize(payload), retries: 0 };
      return accepting(reservation, () => store.create({ ...task, id }));
    },

    async runTask(id, { signal, onProgress } = {}) {
      if (signal?.aborted) return engine.cancel(id);
      const result = await store.claim(id);
      if (result.kind === 'ended') await settleHooks(result.task);
      if (result.kind === 'ended') return result.task;
      if (result.kind === 'refused') throw refusal(result.task);
      const attempt = new TaskAttempt(result.claim, { ...attemptDeps, onProgress });
      const cancel = () => attempt.stop('cancel');
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      try {
        const task = (await runAttempt(attempt)) ?? (await store.get(id));
        if (isTerminal(task.state)) return task;
        throw new ListingVideoError('lease_lost', `task ${id} was taken over by another process`, {
          hint: `\`listing-video tasks watch ${id}\` follows it there`,
          context: { id },
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },

    async get(id) {
      return reclaim(await store.get(id));
    },

    payload: (id) => store.payload(id),

    async list(query) {
      if (query.organizationId !== undefined) return store.list(query);
      await engine
        .reclaimAbandoned()
        .catch((error) => logger.debug('abandoned tasks were not ended', { error }));
      const page = await store.list(query);
      const data = await Promise.all(page.data.map(reclaim));
      return {
        ...page,
        data: data.filter(({ state }) => query.state === undefined || state === query.state),
      };
    },

    async retry(id) {
      const task = await engine.get(id);
      if (task.state !== 'FAILED' && task.organizationId === null) return store.retry(id);
      // The task can fail between here and `store.retry`, but nothing was reserved for that retry: refuse it now.
      if (task.state !== 'FAILED') throw notFailed(task, task.state);
      const retries = task.retries + 1;
      // Pass the number: if another process retried the task in between, this reservation is for an earlier retry.
      return accepting({ ...task, retries }, () => store.retry(id, retries));
    },

    async cancel(id) {
      const task = await store.requestCancel(id);
      await settleHooks(task);
      if (!isTerminal(task.state)) attempts.get(id)?.stop('cancel');
      return task;
    },

    async reclaimAbandoned() {
      const tasks = await store.reclaimAbandoned();
      for (const task of tasks) await settleHooks(task);
      return tasks;
    },

    start() {
      worker.start();
      options.queue?.start(worker);
    },
    async drain(graceMs) {
      await worker.drain(graceMs);
      await options.queue?.stop();
    },
    get runningCount() {
      return worker.runningCount;
    },
    get health() {
      return pause.health;
    },
  };
  return engine;
}

function refusal(task: TaskRecord<unknown>): ListingVideoError {
  if (isTerminal(task.state)) return stateConflict(task, `it has already ended (${task.state})`);
  return stateConflict(
    task,
    'another process is running it',
    `\`listing-video tasks watch ${task.id}\` follows it.`,
  );
}
