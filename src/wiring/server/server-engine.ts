/** The task engine of a server: runs each task in a process of its own, within limits, and logs how it ended. */
import { pathToFileURL } from 'node:url';
import type { Readiness } from '../../api/server/server-deps.ts';
import { logTaskEnd } from '../../api/server/watch/log-task-end.ts';
import type { Logger } from '../../api/server/watch/logger.ts';
import type { Metrics } from '../../api/server/watch/metrics.ts';
import type { VideoTaskEngine } from '../../api/video-task.ts';
import { codeFile } from '../../platform/program-files.ts';
import { processEnvironment } from '../../platform/settings/process-environment.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { taskEnvironment } from '../../platform/settings/task-environment.ts';
import { createTaskEngine } from '../../task/engine/task-engine.ts';
import type { TaskHooks, TaskLogger } from '../../task/engine/task-handler.ts';
import type { WorkQueue } from '../../task/engine/work-queue.ts';
import { createProcessHandler } from '../../task/process/process-handler.ts';
import { typedTaskStore } from '../../task/task-codec.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { BucketRequest } from '../../video/bucket/observe-request.ts';
import type { FileStorage } from '../../video/publish/file-storage.ts';
import { VIDEO_TASK_CODEC } from '../../video/video-task-codec.ts';
import { heldExcess } from '../open-cache.ts';
import { removeUnusedFiles } from './remove-unused-files.ts';
import type { TaskFact, TaskRequest } from './run-task.ts';

/** Time limit of a task without `--time-limit`. */
const DEFAULT_TIME_LIMIT_MS = 30 * 60_000;
/** A process without any progress for this time is ended. Every longer step of the work reports that it goes on. */
const SILENCE_LIMIT_MS = 60_000;
/** While one task renders, the next one of its organization fetches its photos, and one of another organization. */
export const PREPARED_TASKS = 2;

export interface ServerEngineDeps {
  readonly store: TaskStore;
  /** Absent without a database: the engine looks for tasks. */
  readonly queue: WorkQueue | undefined;
  readonly hooks: TaskHooks<unknown>;
  readonly files: Pick<FileStorage, 'removeUnused'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly checkReadiness: () => Promise<Readiness>;
  /** Whether assets may come from private addresses. */
  readonly isTrusted: () => Promise<boolean>;
  readonly onBucketRequest: (request: BucketRequest) => void;
  readonly onEnd: () => void;
}

export interface ServerEngineOptions {
  readonly settings: Settings;
  readonly tasksAtOnce: number;
  readonly piecesPerTask: number;
  /** Segments reach other workers through a bucket. */
  readonly dividesTasks: boolean;
}

/** Runs nothing until it is started. */
export function createServerEngine(
  { store, queue, hooks, files, metrics, logger, ...deps }: ServerEngineDeps,
  { settings, tasksAtOnce, piecesPerTask, dividesTasks }: ServerEngineOptions,
): VideoTaskEngine {
  const taskLogger = toTaskLogger(logger);
  let hasWarnedOfCache = false;
  const onFact = (fact: TaskFact): void => {
    if ('frames' in fact) metrics.observeRendering(fact);
    else if ('bucketRequest' in fact) deps.onBucketRequest(fact.bucketRequest);
    else if ('cacheFault' in fact)
      logger.warn({ fault: fact.cacheFault }, 'a task works without the cache in the bucket');
    else if ('moveRefusal' in fact)
      logger.debug({ reason: fact.moveRefusal }, 'camera moves are encoded whole');
    else if (!hasWarnedOfCache) {
      hasWarnedOfCache = true;
      logger.warn({ held_bytes: fact.heldBytes }, heldExcess(fact.heldBytes, settings));
    }
  };
  return createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    queue,
    concurrency: tasksAtOnce,
    prepared: PREPARED_TASKS,
    dividesTasks,
    // One less than all places, so that an organization with slow photo hosts never holds up the others.
    organizationRunning: settings.organizationRunning ?? tasksAtOnce + PREPARED_TASKS - 1,
    limits: { timeMs: settings.timeLimit ?? DEFAULT_TIME_LIMIT_MS, silenceMs: SILENCE_LIMIT_MS },
    checkMachine: async () => toMachineFault(await deps.checkReadiness()),
    handler: createProcessHandler({
      entry: pathToFileURL(codeFile('wiring/server/run-task-entry.js')),
      env: () => taskEnvironment(processEnvironment(), settings.storage !== undefined),
      requestFor: async (): Promise<TaskRequest> => ({
        // A task reads and writes files and the bucket only.
        settings: { ...settings, concurrency: piecesPerTask, database: undefined },
        isTrusted: await deps.isTrusted(),
      }),
      onFact,
      logger: taskLogger,
    }),
    logger: taskLogger,
    hooks: {
      ...hooks,
      settle: async (task) => {
        logTaskEnd({ logger, metrics }, task);
        deps.onEnd();
        await hooks.settle(task);
        const message = 'files of an unfinished attempt stay, until `tasks prune` removes them';
        await removeUnusedFiles(files, task).catch((error: unknown) =>
          logger.warn({ task: task.id, error }, message),
        );
      },
    },
  });
}

export function toTaskLogger(logger: Logger): TaskLogger {
  return {
    debug: (message, facts) => logger.debug({ ...facts }, message),
    warn: (message, facts) => logger.warn({ ...facts }, message),
  };
}

/** The code of the fault for which the machine is not ready, or null. */
export function toMachineFault({ isReady, checks }: Readiness): string | null {
  if (isReady) return null;
  if (checks.database === false) return 'database_unavailable';
  if (checks.ffmpeg === false) return 'ffmpeg_missing';
  if (checks.disk === false) return 'disk_full';
  return checks.store === false ? 'store_unwritable' : 'storage_unavailable';
}
