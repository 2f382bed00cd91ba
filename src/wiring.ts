/**
 * The one file that joins the real parts: which store, cache, ffmpeg, clock and address policy are in use. What only
 * rendering needs is imported when a task runs, so that `tasks list` does not pay for it.
 */
import path from 'node:path';
import { createAccountHooks } from './account/account-hooks.ts';
import type { AccountStore } from './account/account-store.ts';
import { isAllowFromEntry } from './assets/guard-address.ts';
import type { OpenService } from './cli/service.ts';
import type { OpenStudio } from './cli/studio.ts';
import { ListingVideoError } from './errors.ts';
import type { Readiness } from './server/server-deps.ts';
import { createFileTaskStore } from './task/file-task-store.ts';
import type { JsonValue } from './task/task.ts';
import { createTaskEngine } from './task/task-engine.ts';
import type { TaskLogger } from './task/task-handler.ts';
import type { TaskStore } from './task/task-store.ts';
import { listTemplates } from './template/load-template.ts';
import type { VideoTaskPayload } from './video/video-task.ts';
import type { RenderedWork, Workshop } from './video/workshop.ts';
import { openWorkshop } from './wiring/open-workshop.ts';
import type { TaskOrder } from './wiring/run-task.ts';

/** The studio of the command line: tasks in files under the home, run in this process. */
export const openStudio: OpenStudio = async (settings, { logger }) => {
  const workshop = openWorkshop(settings);
  const store = createFileTaskStore({ home: settings.home });
  let opened: Promise<AccountStore> | undefined;
  const accounts = (): Promise<AccountStore> => {
    opened ??= openAccounts(settings.home, store);
    return opened;
  };
  const engine = createTaskEngine({
    store,
    handler: async (task, context) => {
      const { createVideos } = await import('./video/create-videos.ts');
      const { readPayload } = await import('./video/read-payload.ts');
      const payload = readPayload(task.payload, task.id);
      const outcome = await createVideos(payload, { ...context, taskId: task.id }, workshop);
      return outcome as unknown as JsonValue;
    },
    logger,
    // Opened when a task has an organization: those of the command line have none.
    hooks: createAccountHooks(
      {
        reserve: async (key, credits) => (await accounts()).reserve(key, credits),
        release: async (key) => (await accounts()).release(key),
        settle: async (key, end) => (await accounts()).settle(key, end),
      },
      priceOf,
    ),
  });
  return {
    engine,
    store,
    describe: async (payload, options) => {
      const { describeTask } = await import('./video/describe-task.ts');
      return describeTask(payload, workshop, options);
    },
    preview: async (order, options) => {
      const { previewTemplate } = await import('./video/preview-template.ts');
      return previewTemplate(order, workshop, options);
    },
    lint: async (order, options) => {
      const { lintTemplate } = await import('./video/lint-template.ts');
      return lintTemplate(order, workshop, options);
    },
    templateIds: () => listTemplates({ templatesDirs: workshop.templatesDirs }),
    accounts,
    close: async () => (await opened)?.close(),
  };
};

/** What other processes change shows within a second. */
const BELIEVE_LISTS_MS = 250;

/** The service of `serve`: the same files, tasks of the API, and HTTP. */
export const openService: OpenService = async (settings, { tasksAtOnce, piecesPerTask, log }) => {
  const [
    { createService },
    { createLogger },
    { createMetrics },
    { accountEnd },
    { isDevelopment },
    { isLoopbackHost },
  ] = await Promise.all([
    import('./server/service.ts'),
    import('./server/logger.ts'),
    import('./server/metrics.ts'),
    import('./server/account-end.ts'),
    import('./server/admit.ts'),
    import('./server/host-check.ts'),
  ]);
  const [
    { makeFolder },
    { createProcessHandler },
    { createFileStorage },
    { newNameSecret },
    { newTaskId },
    { systemTaskClock },
  ] = await Promise.all([
    import('./task/atomic-write.ts'),
    import('./task/process-handler.ts'),
    import('./video/file-storage.ts'),
    import('./video/name-files.ts'),
    import('./task/new-task-id.ts'),
    import('./task/task-clock.ts'),
  ]);
  const logger = createLogger(log);
  const store = createFileTaskStore({ home: settings.home, believeListsMs: BELIEVE_LISTS_MS });
  const accounts = await openAccounts(settings.home, store);
  const files = createFileStorage(settings.home);
  // A task would make it with everybody's rights. That a home takes no folders is told by /readyz.
  await makeFolder(files.root, false).catch(() => {});
  const metrics = createMetrics({
    countTasks: (state) => store.count({ state, atMost: 100_000 }),
    runningHere: () => engine.runningCount,
    hasProcessMetrics: true,
  });
  const workshop = openWorkshop(settings);
  const hooks = createAccountHooks(accounts, priceOf);
  requireAllowFrom(settings.allowAssetsFrom);
  const config = { isLoopback: isLoopbackHost(settings.host) };
  const taskLogger: TaskLogger = {
    debug: (message, facts) => logger.debug({ ...facts }, message),
    warn: (message, facts) => logger.warn({ ...facts }, message),
  };
  const engine = createTaskEngine({
    store,
    concurrency: tasksAtOnce,
    handler: createProcessHandler({
      entry: new URL('./wiring/run-task-entry.js', import.meta.url),
      orderFor: async (task) => {
        const order: TaskOrder = {
          settings: { ...settings, concurrency: piecesPerTask },
          // The home may have moved since the task was accepted.
          outputDir: files.folderOf({ organizationId: task.organizationId ?? '', taskId: task.id }),
          // Asked for each task: a key that was made since ends the trust in whoever sends listings.
          isTrusted: await isDevelopment({ accounts, config }),
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
        accountEnd({ logger, metrics }, task);
        await hooks.settle(task);
      },
    },
  });
  return createService({
    engine,
    store,
    accounts,
    files,
    logger,
    metrics,
    clock: systemTaskClock,
    newTaskId,
    monotonicMs: () => performance.now(),
    templateIds: remember(() => listTemplates({ templatesDirs: workshop.templatesDirs }), 5_000),
    checkReadiness: remember(() => checkReadiness(settings.home, workshop), 1_000),
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
    port: settings.port,
    host: settings.host,
    publicUrl: settings.publicUrl,
    allowAnonymous: settings.allowAnonymous,
    bodyLimitBytes: settings.bodyLimit,
    queueLimit: settings.queueLimit,
    corsOrigins: settings.corsOrigin,
    graceMs: settings.grace,
    keepMs: settings.keep,
  });
};

/** Before anything starts. @throws {@link ListingVideoError} `setting_invalid`. */
function requireAllowFrom(allowFrom: readonly string[]): void {
  for (const entry of allowFrom) {
    if (isAllowFromEntry(entry)) continue;
    throw new ListingVideoError(
      'setting_invalid',
      `--allow-assets-from: expected a host name, an address or a CIDR block, found "${entry}"`,
      { hint: 'such as photos.internal, 10.1.2.3 or 10.0.0.0/8', context: { found: entry } },
    );
  }
}

/** A file is made and removed in the home, and ffmpeg is looked for. */
async function checkReadiness(home: string, workshop: Workshop): Promise<Readiness> {
  const [{ writeAside }, { mkdir, rm }] = await Promise.all([
    import('./task/atomic-write.ts'),
    import('node:fs/promises'),
  ]);
  const isTrue = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  const [store, ffmpeg] = await Promise.all([
    isTrue(
      mkdir(home, { recursive: true, mode: 0o700 })
        .then(() => writeAside(path.join(home, 'ready'), '', false))
        .then((file) => rm(file)),
    ),
    isTrue(workshop.findFfmpeg()),
  ]);
  return { isReady: store && ffmpeg, checks: { store, ffmpeg } };
}

/** Answers from memory for `maxAgeMs`; callers that come at once share one call. A failure is not remembered. */
function remember<T>(work: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (last !== null && nowMs - last.atMs < maxAgeMs) return last.answer;
    const answer = work();
    last = { answer, atMs: nowMs };
    answer.catch(() => {
      last = null;
    });
    return answer;
  };
}

async function openAccounts(home: string, tasks: TaskStore): Promise<AccountStore> {
  const { createFileAccountStore } = await import('./account/create-account-store.ts');
  return createFileAccountStore({ home, tasks });
}

/**
 * Credits of a task: one for each video, and there is one video for each agent.
 *
 * @throws {@link ListingVideoError} `store_corrupt` when a payload that comes back out of the store names no agents.
 */
function priceOf(payload: JsonValue): number {
  const agents: unknown = (payload as { listing?: { agents?: unknown } } | null)?.listing?.agents;
  if (Array.isArray(agents)) return agents.length;
  throw new ListingVideoError(
    'store_corrupt',
    'what the task was asked to do is damaged in the store: it names no agents',
    {
      hint: 'run create, or send the listing, again; every other task is unaffected',
    },
  );
}
