/**
 * The task engine: accepts tasks, runs them in this process, and keeps other processes from running them too. Commands
 * run exactly the task they made (`runTask`); a server works through the queue (`start`, `drain`).
 */
import { ListingVideoError } from '../../errors.ts';
import type { JsonValue, TaskOrigin, TaskProgress, TaskRecord } from '../task.ts';
import { notFailed } from '../task-moves.ts';
import { LEASE_MS, type TaskPage, type TaskQuery, type TaskStore } from '../task-store.ts';
import { isTerminal, stateConflict } from '../task-transition.ts';
import { TaskAttempt } from './task-attempt.ts';
import { systemTaskClock, type TaskClock } from './task-clock.ts';
import type { Reservation, TaskHandler, TaskHooks, TaskLogger } from './task-handler.ts';
import { TaskWorker } from './task-worker.ts';

export interface TaskEngineOptions<Payload = JsonValue, Outcome = JsonValue> {
  /** Also says who this process is: claims carry the store's identity. */
  readonly store: TaskStore<Payload, Outcome>;
  readonly handler: TaskHandler<NoInfer<Payload>, NoInfer<Outcome>>;
  readonly clock?: TaskClock;
  readonly newId?: () => string;
  /** Tasks that `start` runs at once. Default 1. */
  readonly concurrency?: number;
  readonly logger?: TaskLogger;
  readonly hooks?: TaskHooks<NoInfer<Payload>, NoInfer<Outcome>>;
}

export interface SubmittedTask<Payload = JsonValue> {
  readonly payload: Payload;
  readonly origin: TaskOrigin;
  readonly organizationId: string | null;
  /** For callers that must know the id before the task exists. */
  readonly id?: string;
}

export interface RunTaskOptions {
  /** Aborting cancels the task. */
  readonly signal?: AbortSignal;
  /** Every report of the handler, made monotonic. */
  readonly onProgress?: (progress: TaskProgress) => void;
}

export interface TaskEngine<Payload = JsonValue, Outcome = JsonValue> {
  /** Makes a PENDING task; durable when it resolves. */
  submit(task: SubmittedTask<Payload>): Promise<TaskRecord<Payload, Outcome>>;
  /**
   * Claims exactly this task, runs it here and returns it ended, SUCCEEDED or FAILED.
   *
   * @throws {@link ListingVideoError} `task_state_conflict` when it has ended or a living process has it, `lease_lost`
   *   when another process took it over, `task_not_found`, and what the store throws.
   */
  runTask(id: string, options?: RunTaskOptions): Promise<TaskRecord<Payload, Outcome>>;
  /** The task as it truly is: one of the command line whose process died is FAILED. */
  get(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /** A page of tasks. Without an organization (the operator's view) abandoned ones are ended first, as in `get`. */
  list(query: TaskQuery): Promise<TaskPage<Payload, Outcome>>;
  /** FAILED to PENDING. A server runs it if it is of the API; for the command line call `runTask`. */
  retry(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /** Ends a waiting task, or asks its owner, who notices within a second. */
  cancel(id: string): Promise<TaskRecord<Payload, Outcome>>;
  /** Ends tasks of commands whose process died. Returns them. */
  reclaimAbandoned(): Promise<readonly TaskRecord<Payload, Outcome>[]>;
  /** Begins to run tasks of the API, those of an earlier process too. */
  start(): void;
  /** Takes no more, lets the running ones end within `graceMs`, gives the rest back without using up an attempt. */
  drain(graceMs: number): Promise<void>;
  /** Tasks that `start` runs right now. */
  readonly runningCount: number;
}

const SILENT: TaskLogger = { debug: () => {}, warn: () => {} };
const NO_HOOKS: TaskHooks<unknown, unknown> = {
  reserve: async () => {},
  release: async () => {},
  settle: async () => {},
};

/** Joins a store and a handler. Starts nothing by itself. */
export function createTaskEngine<Payload, Outcome>(
  options: TaskEngineOptions<Payload, Outcome>,
): TaskEngine<Payload, Outcome> {
  type Task = TaskRecord<Payload, Outcome>;
  const { store, handler, clock = systemTaskClock, concurrency = 1 } = options;
  const { logger = SILENT, hooks = NO_HOOKS } = options;
  // Loaded when needed: most commands never make an id.
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

  /** Holds a reservation while `accept` makes the task PENDING, and lets it go when that fails. */
  const accepting = async (reservation: Reservation<Payload>, accept: () => Promise<Task>): Promise<Task> => {
    await hooks.reserve(reservation);
    try {
      const task = await accept();
      worker.nudge();
      return task;
    } catch (error) {
      // A conflict means that the task of this name was accepted by somebody else: the reservation is theirs.
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
      // A store that may only be read still answers; a task just removed or changed is shown as it was.
      logger.debug('an abandoned task was not ended', { task: task.id, error });
      return task;
    }
  };

  const worker = new TaskWorker({
    store,
    clock,
    logger,
    concurrency,
    leaseMs: LEASE_MS,
    openAttempt: (claim) => new TaskAttempt(claim, { store, handler, clock, logger }),
    runAttempt: async (attempt) => {
      try {
        await runAttempt(attempt);
      } catch (error) {
        // Without heartbeats the lease ends, and the task is taken again.
        logger.warn('the end of a task could not be stored', { task: attempt.claim.id, error });
      }
    },
    onEnded: settleHooks,
  });

  const engine: TaskEngine<Payload, Outcome> = {
    async submit({ payload, origin, organizationId, id: ownId }) {
      const id = ownId ?? (await newId());
      const reservation = { id, origin, organizationId, payload, retries: 0 };
      return accepting(reservation, () => store.create({ id, origin, organizationId, payload }));
    },

    async runTask(id, { signal, onProgress } = {}) {
      if (signal?.aborted) return engine.cancel(id);
      const result = await store.claim(id);
      if (result.kind === 'ended') await settleHooks(result.task);
      if (result.kind === 'ended') return result.task;
      if (result.kind === 'refused') throw refusal(result.task);
      const attempt = new TaskAttempt(result.claim, { store, handler, clock, logger, onProgress });
      const cancel = () => attempt.stop('cancel');
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      try {
        const task = (await runAttempt(attempt)) ?? (await store.get(id));
        if (isTerminal(task.state)) return task;
        throw new ListingVideoError('lease_lost', `task ${id} was taken over by another process`, {
          hint: `\`listing-video tasks watch ${id}\` follows it there.`,
          context: { id },
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },

    async get(id) {
      return reclaim(await store.get(id));
    },

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
      // It may fail in this very moment; but then nothing was reserved for its retry.
      if (task.state !== 'FAILED') throw notFailed(task, task.state);
      const retries = task.retries + 1;
      // By number: another process may have retried it meanwhile, and it may have failed again; that was reserved for.
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

    start: () => worker.start(),
    drain: (graceMs) => worker.drain(graceMs),
    get runningCount() {
      return worker.runningCount;
    },
  };
  return engine;
}

function refusal(task: TaskRecord<unknown, unknown>): ListingVideoError {
  if (isTerminal(task.state)) return stateConflict(task, `it has already ended (${task.state})`);
  return stateConflict(
    task,
    'another process is running it',
    `\`listing-video tasks watch ${task.id}\` follows it.`,
  );
}
