/** The parts of a server except sockets and addresses, on the real disk: stores, engine, files, metrics; the API of them. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { removeAbandoned } from '../../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { codeFile } from '../../platform/program-files.ts';
import type { BucketRequest } from '../../server/bucket-request.ts';
import { isDevelopment } from '../../api/server/access/development.ts';
import { proxyFacts } from '../../api/server/access/exposure.ts';
import { isLoopbackUrl } from '../../api/server/access/host-check.ts';
import { createLiveApp, type LiveApp, type LiveAppOptions } from '../../api/server/live-app.ts';
import { logTaskEnd } from '../../api/server/watch/log-task-end.ts';
import type { Logger } from '../../api/server/watch/logger.ts';
import { createMetrics } from '../../api/server/watch/metrics.ts';
import type { Readiness } from '../../api/server/server-deps.ts';
import { processEnvironment } from '../../platform/settings/process-environment.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { taskEnvironment } from '../../platform/settings/task-environment.ts';
import { systemTaskClock } from '../../task/engine/task-clock.ts';
import { createTaskEngine } from '../../task/engine/task-engine.ts';
import type { TaskLogger } from '../../task/engine/task-handler.ts';
import { newTaskId } from '../../task/new-task-id.ts';
import { createProcessHandler } from '../../task/process/process-handler.ts';
import { typedTaskStore } from '../../task/task-codec.ts';
import { listTemplates } from '../../design/template/load-template.ts';
import { newNameSecret } from '../../video/plan/name-files.ts';
import { createFileStorage } from '../../video/publish/file-storage.ts';
import { VIDEO_TASK_CODEC } from '../../video/video-task-codec.ts';
import { workRoot } from '../../video/work-folder.ts';
import { checkReadiness } from './check-readiness.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { priceOf } from '../stores/open-accounts.ts';
import { heldExcess } from '../open-cache.ts';
import { openRenderDeps } from '../open-render-deps.ts';
import { openStorage, probeStorage, warnOfLocalFiles } from '../stores/open-storage.ts';
import { openStores } from '../stores/open-stores.ts';
import { openUploads } from './open-uploads.ts';
import { openDeliveryWorker } from './open-webhooks.ts';
import { readTemplates } from '../read-templates.ts';
import { removeUnusedFiles } from './remove-unused-files.ts';
import type { TaskFact, TaskRequest } from './run-task.ts';

export interface ServerPartsOptions {
  /** Parallel tasks. */
  readonly tasksAtOnce: number;
  /** Parallel downloads, decoders and render threads of one task. */
  readonly piecesPerTask: number;
  readonly logger: Logger;
  /** Only programs of this machine can reach the server; see `isLocalServer`. */
  readonly isLocal: boolean;
}

/** How long lists of tasks are cached: changes of other processes show within a second. */
const LIST_CACHE_TTL_MS = 250;

/** Time limit of a task without `--time-limit`. */
const DEFAULT_TIME_LIMIT_MS = 30 * 60_000;
/** A process without any progress for this time is ended. Every longer step of the work reports that it goes on. */
const SILENCE_LIMIT_MS = 60_000;
/** While one task renders, the next one of its organization fetches its photos, and one of another organization. */
const PREPARED_TASKS = 2;

/**
 * Starts nothing by itself.
 *
 * @throws {@link ListingVideoError} `usage` with `--no-render` and no database; what the stores throw.
 */
export async function openServerParts(
  settings: Settings,
  { tasksAtOnce, piecesPerTask, logger, isLocal }: ServerPartsOptions,
): Promise<Omit<LiveAppOptions, 'config'>> {
  const { render: rendersTasks } = settings;
  if (!rendersTasks) {
    if (settings.database === undefined) throw needsDatabase('--no-render');
    warnOfLocalFiles(settings, logger);
  }
  // First, because a missing key leaves nothing open then.
  const onBucketRequest = (request: BucketRequest): void => {
    metrics.observeBucket(request);
    if (request.outcome === 'failed') bucketProbe?.onFault();
  };
  const storage = await openStorage(settings, onBucketRequest);
  const bucketProbe = storage === null ? null : await probeStorage(storage, logger);
  const { store, hooks, ...stores } = await openStores(settings, {
    listCacheTtlMs: LIST_CACHE_TTL_MS,
  });
  // A worker without a port would wait for ever, and say nothing.
  if ((await stores.checkDatabase?.()) === false) {
    logger.warn(
      { code: 'database_unavailable' },
      'the database cannot be written, so no task is accepted or started: `listing-video doctor` says why',
    );
  }
  const webhooks = await stores.webhooks();
  // The server closes its accounts last.
  const close = async () => {
    await stores.close();
    await storage?.bucket.close();
  };
  const accounts = { ...(await stores.accounts()), close };
  const files = storage?.files ?? createFileStorage(settings.home);
  // Made now: a task would make it readable for everyone, and a folder that cannot be made is known at the start.
  await makeFolder(files.root, true).catch((error: unknown) => {
    throw toStoreError(error, files.root);
  });
  const metrics = createMetrics({
    countTasks: (state) => store.count({ state, atMost: 100_000 }),
    runningHere: () => engine.runningCount,
    isPaused: () => engine.health.state === 'paused',
    countDeliveries: () => webhooks.store.countWaiting(),
    hasBucket: storage !== null,
    readQueue: stores.readQueue === null ? undefined : cacheFor(1_000, stores.readQueue),
    hasProcessMetrics: true,
  });
  // Each task reads them again. A wrong variable is an error at the start.
  const deps = openRenderDeps(settings, { proxies: proxiesOfServer(settings) });
  const readiness = cacheFor(1_000, () =>
    checkReadiness({
      ...deps,
      findFfmpeg: rendersTasks ? deps.findFfmpeg : null,
      checkDatabase: stores.checkDatabase,
      checkStorage: bucketProbe?.isWritable ?? null,
    }),
  );
  const taskLogger: TaskLogger = {
    debug: (message, facts) => logger.debug({ ...facts }, message),
    warn: (message, facts) => logger.warn({ ...facts }, message),
  };
  let hasWarnedOfCache = false;
  const warnOfCache = (heldBytes: number) => {
    if (!hasWarnedOfCache) logger.warn({ held_bytes: heldBytes }, heldExcess(heldBytes, settings));
    hasWarnedOfCache = true;
  };
  const openQueue = rendersTasks ? stores.openQueue : null;
  const queue = await openQueue?.({
    logger: taskLogger,
    tasksAtOnce,
    // One more than can run, so that there is always one that takes the next job.
    jobsAtOnce: tasksAtOnce + PREPARED_TASKS + 1,
    takesBatches: storage !== null,
    onRedelivered: (jobs) => {
      metrics.observeRedelivery(jobs);
      logger.warn(
        { jobs },
        'a worker died, or did not reach the database for 6 seconds: its jobs are given to others',
      );
    },
  });
  const engine = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    queue,
    concurrency: tasksAtOnce,
    prepared: PREPARED_TASKS,
    // Segments reach the other workers through the bucket.
    dividesTasks: storage !== null,
    // One less than all places, so that an organization with slow photo hosts never holds up the others.
    organizationRunning: settings.organizationRunning ?? tasksAtOnce + PREPARED_TASKS - 1,
    limits: { timeMs: settings.timeLimit ?? DEFAULT_TIME_LIMIT_MS, silenceMs: SILENCE_LIMIT_MS },
    checkMachine: async () => toMachineFault(await readiness()),
    handler: createProcessHandler({
      entry: pathToFileURL(codeFile('wiring/run-task-entry.js')),
      env: () => taskEnvironment(processEnvironment(), settings.storage !== undefined),
      requestFor: async (): Promise<TaskRequest> => {
        return {
          // A task reads and writes files and the bucket only.
          settings: { ...settings, concurrency: piecesPerTask, database: undefined },
          // Read for each task: once a key exists, clients are no longer trusted.
          isTrusted: await isDevelopment({ accounts, config: { isLocal } }),
        };
      },
      onFact: (fact: TaskFact) => {
        if ('frames' in fact) metrics.observeRendering(fact);
        else if ('heldBytes' in fact) warnOfCache(fact.heldBytes);
        else if ('bucketRequest' in fact) onBucketRequest(fact.bucketRequest);
        else logger.warn({ fault: fact.cacheFault }, 'a task works without the cache in the bucket');
      },
      logger: taskLogger,
    }),
    logger: taskLogger,
    hooks: {
      ...hooks,
      settle: async (task) => {
        logTaskEnd({ logger, metrics }, task);
        deliveries.nudge();
        await hooks.settle(task);
        await removeUnusedFiles(files, task).catch((error: unknown) =>
          logger.warn(
            { task: task.id, error },
            'files of an unfinished attempt stay, until `tasks prune` removes them',
          ),
        );
      },
    },
  });
  const deliveries = await openDeliveryWorker(webhooks, settings, {
    ...{ accounts, logger, metrics, isLocal, taskLogger },
  });
  return {
    engine,
    rendersTasks,
    store,
    changes: stores.openChanges?.(taskLogger),
    accounts,
    deliveries,
    files,
    logger,
    metrics,
    clock: systemTaskClock,
    newTaskId,
    monotonicMs: () => performance.now(),
    templateIds: cacheFor(5_000, () => listTemplates({ templatesDirs: deps.templatesDirs })),
    templates: cacheFor(60_000, () =>
      readTemplates({ templatesDirs: deps.templatesDirs }, (id, error) =>
        logger.warn({ template: id, error }, 'a template cannot be used, so /v1/templates leaves it out'),
      ),
    ),
    checkReadiness: readiness,
    removeAbandoned: async () => {
      await files.removeAbandoned();
      await removeAbandoned(workRoot(settings.home));
    },
    priceOf,
    makePayload: (listing, owner) => ({
      listing,
      listingFile: null,
      // The API must not read files of this machine.
      baseDir: null,
      outputDir: files.folderOf(owner),
      nameSecret: newNameSecret(),
      options: { quality: settings.quality, minAssets: settings.minAssets, force: false },
    }),
    graceMs: settings.grace,
    keepMs: settings.keep,
    sweepFile: path.join(settings.home, 'sweep.json'),
    uploads: openUploads(settings, { cache: deps.cache, records: stores.uploads, storage }),
    uploadSweepFile: path.join(settings.home, 'sweep-uploads.json'),
  };
}

/** The API without sockets, for a program that has its own HTTP server. It runs tasks when the caller begins it. */
export async function openLiveApp(
  settings: Settings,
  { publicUrl, ...options }: ServerPartsOptions & { readonly publicUrl: string },
): Promise<LiveApp & { readonly isLocal: boolean; readonly hasEverHadKeys: () => Promise<boolean> }> {
  const isLocal = options.isLocal && isLoopbackUrl(publicUrl);
  const parts = await openServerParts(settings, { ...options, isLocal });
  const { trustProxy } = settings;
  const config = {
    ...serverConfigOf(settings),
    ...proxyFacts({ publicUrl, trustProxy }),
    isLocal,
    publicUrl: () => publicUrl,
  };
  return {
    ...createLiveApp({ ...parts, config }),
    isLocal,
    hasEverHadKeys: () => parts.accounts.hasEverHadKeys(),
  };
}

/** The error of a program that would render the tasks of others, or let others render its own, without a place to meet. */
export function needsDatabase(what: string): ListingVideoError {
  return new ListingVideoError('usage', `${what} needs a database, which API servers and workers share`, {
    hint: 'set LISTING_VIDEO_DATABASE to its address, such as postgres://user:password@host:5432/name',
  });
}

/** Settings that a server has with and without sockets. */
export function serverConfigOf(settings: Settings) {
  const { bodyLimit, queueLimit, corsOrigin, requestsPerMinute } = settings;
  // So that one organization never fills the queue of all.
  const { organizationWaiting = Math.ceil(queueLimit / 2) } = settings;
  return {
    bodyLimitBytes: bodyLimit,
    queueLimit,
    organizationWaiting,
    corsOrigins: corsOrigin,
    requestsPerMinute,
    proxiesFiles: settings.proxyFiles,
  };
}

/** The code of the fault for which the machine is not ready, or null. */
function toMachineFault({ isReady, checks }: Readiness): string | null {
  if (isReady) return null;
  if (checks.database === false) return 'database_unavailable';
  if (checks.ffmpeg === false) return 'ffmpeg_missing';
  if (checks.disk === false) return 'disk_full';
  return checks.store === false ? 'store_unwritable' : 'storage_unavailable';
}

/** Reuses a result for `maxAgeMs`; concurrent callers share one call. A failure is not kept. */
function cacheFor<T>(maxAgeMs: number, work: () => Promise<T>): () => Promise<T> {
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
