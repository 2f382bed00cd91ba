/** What a server is made of, sockets and addresses apart: stores, engine, files, metrics, on the real disk. */
import { createAccountHooks } from '../account/account-hooks.ts';
import { toStoreError } from '../disk/disk-error.ts';
import { makeFolder } from '../disk/folder.ts';
import { isDevelopment } from '../server/admit.ts';
import type { LiveAppOptions } from '../server/live-app.ts';
import { logTaskEnd } from '../server/log-task-end.ts';
import type { Logger } from '../server/logger.ts';
import { createMetrics } from '../server/metrics.ts';
import type { Settings } from '../settings/setting-table.ts';
import { systemTaskClock } from '../task/engine/task-clock.ts';
import { createTaskEngine } from '../task/engine/task-engine.ts';
import type { TaskLogger } from '../task/engine/task-handler.ts';
import { createFileTaskStore } from '../task/file-store/file-task-store.ts';
import { newTaskId } from '../task/new-task-id.ts';
import { createProcessHandler } from '../task/process/process-handler.ts';
import type { JsonValue } from '../task/task.ts';
import { listTemplates } from '../template/load-template.ts';
import { newNameSecret } from '../video/plan/name-files.ts';
import { createFileStorage } from '../video/publish/file-storage.ts';
import type { RenderedWork } from '../video/render-deps.ts';
import type { VideoTaskPayload } from '../video/video-task.ts';
import { remember } from './cache-answer.ts';
import { checkReadiness } from './check-readiness.ts';
import { openAccounts, priceOf } from './open-accounts.ts';
import { openRenderDeps } from './open-render-deps.ts';
import type { TaskOrder } from './run-task.ts';

export interface ServerPartsOptions {
  /** Tasks that run at once. */
  readonly tasksAtOnce: number;
  /** Downloads, decoders and render threads of one task at once. */
  readonly piecesPerTask: number;
  readonly logger: Logger;
  /** Only this machine can reach the server. */
  readonly isLoopback: boolean;
}

/** What other processes change shows within a second. */
const BELIEVE_LISTS_MS = 250;

/** Starts nothing by itself. */
export async function openServerParts(
  settings: Settings,
  { tasksAtOnce, piecesPerTask, logger, isLoopback }: ServerPartsOptions,
): Promise<Omit<LiveAppOptions, 'config'>> {
  const store = createFileTaskStore({ home: settings.home, believeListsMs: BELIEVE_LISTS_MS });
  const accounts = await openAccounts(settings.home, store);
  const files = createFileStorage(settings.home);
  // A task would make it with everybody's rights; and where it cannot be made, no task could be accepted.
  await makeFolder(files.root, false).catch((error: unknown) => {
    throw toStoreError(error, files.root);
  });
  const metrics = createMetrics({
    countTasks: (state) => store.count({ state, atMost: 100_000 }),
    runningHere: () => engine.runningCount,
    hasProcessMetrics: true,
  });
  const deps = openRenderDeps(settings);
  const hooks = createAccountHooks(accounts, priceOf);
  const taskLogger: TaskLogger = {
    debug: (message, facts) => logger.debug({ ...facts }, message),
    warn: (message, facts) => logger.warn({ ...facts }, message),
  };
  const engine = createTaskEngine({
    store,
    concurrency: tasksAtOnce,
    handler: createProcessHandler({
      entry: new URL('./run-task-entry.js', import.meta.url),
      orderFor: async (task) => {
        const order: TaskOrder = {
          settings: { ...settings, concurrency: piecesPerTask },
          // The home may have moved since the task was accepted.
          outputDir: files.folderOf({ organizationId: task.organizationId ?? '', taskId: task.id }),
          // Asked for each task: a key that was made since ends the trust in whoever sends listings.
          isTrusted: await isDevelopment({ accounts, config: { isLoopback } }),
        };
        return order as unknown as JsonValue;
      },
      onFact: (fact) => metrics.observeRendering(fact as unknown as RenderedWork),
      logger: taskLogger,
    }),
    logger: taskLogger,
    hooks: {
      ...hooks,
      settle: async (task) => {
        logTaskEnd({ logger, metrics }, task);
        await hooks.settle(task);
      },
    },
  });
  return {
    engine,
    store,
    accounts,
    files,
    logger,
    metrics,
    clock: systemTaskClock,
    newTaskId,
    monotonicMs: () => performance.now(),
    templateIds: remember(() => listTemplates({ templatesDirs: deps.templatesDirs }), 5_000),
    checkReadiness: remember(() => checkReadiness(settings.home, deps), 1_000),
    makePayload: (listing, owner) => {
      const payload: VideoTaskPayload = {
        listing,
        listingFile: null,
        // A path in a listing of the API would be one of this machine.
        baseDir: null,
        outputDir: files.folderOf(owner),
        nameSecret: newNameSecret(),
        options: { quality: settings.quality, minAssets: settings.minAssets, force: false },
      };
      return payload as unknown as JsonValue;
    },
    graceMs: settings.grace,
    keepMs: settings.keep,
  };
}
