/**
 * The parts of a server except sockets and addresses, on the real disk: stores, engine, files, metrics; the API of
 * them.
 */
import path from 'node:path';
import { isDevelopment } from '../../api/server/access/development.ts';
import { proxyFacts } from '../../api/server/access/exposure.ts';
import { isLoopbackUrl } from '../../api/server/access/host-check.ts';
import { createLiveApp, type LiveApp, type LiveAppOptions } from '../../api/server/live-app.ts';
import type { Logger } from '../../api/server/watch/logger.ts';
import { createMetrics } from '../../api/server/watch/metrics.ts';
import { listTemplates } from '../../design/template/load-template.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { removeAbandoned } from '../../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { SERVE_PAGES } from '../../studio/serve-page/serve-pages.ts';
import { systemTaskClock } from '../../task/engine/task-clock.ts';
import { newTaskId } from '../../task/new-task-id.ts';
import type { BucketRequest } from '../../video/bucket/observe-request.ts';
import { newNameSecret } from '../../video/plan/name-files.ts';
import { createFileStorage, type FileStorage } from '../../video/publish/file-storage.ts';
import { workRoot } from '../../video/work-folder.ts';
import { proxiesOfServer } from '../choose-proxies.ts';
import { openRenderDeps } from '../open-render-deps.ts';
import { readTemplates } from '../read-templates.ts';
import { priceOf } from '../stores/open-accounts.ts';
import { openStorage, probeStorage, warnOfLocalFiles } from '../stores/open-storage.ts';
import { openStores } from '../stores/open-stores.ts';
import { checkReadiness } from './check-readiness.ts';
import { openUploads } from './open-uploads.ts';
import { openDeliveryWorker } from './open-webhooks.ts';
import { createServerEngine, PREPARED_TASKS, toTaskLogger } from './server-engine.ts';
import { watchDatabase } from './watch-database.ts';

export interface ServerPartsOptions {
  readonly tasksAtOnce: number;
  /** Parallel downloads, decoders and render threads of one task. */
  readonly piecesPerTask: number;
  readonly logger: Logger;
  /** Only programs of this machine can reach the server; see `isLocalServer`. */
  readonly isLocal: boolean;
}

/** How long lists of tasks are cached: changes of other processes show within a second. */
const LIST_CACHE_TTL_MS = 250;

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
  const onBucketRequest = (request: BucketRequest): void => {
    metrics.observeBucket(request);
    if (request.outcome === 'failed') opened.bucketProbe?.onFault();
  };
  const opened = await openServerStores(settings, logger, onBucketRequest);
  const { storage, bucketProbe, stores, checkDatabase, webhooks, accounts, files } = opened;
  const { store, hooks } = stores;
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
      checkDatabase,
      checkStorage: bucketProbe?.isWritable ?? null,
    }),
  );
  const taskLogger = toTaskLogger(logger);
  const openQueue = rendersTasks ? stores.openQueue : null;
  const queue = await openQueue?.({
    logger: taskLogger,
    tasksAtOnce,
    jobsAtOnce: tasksAtOnce + PREPARED_TASKS,
    takesBatches: storage !== null,
    onRedelivered: (jobs) => {
      metrics.observeRedelivery(jobs);
      logger.warn(
        { jobs },
        'a worker died, or did not reach the database for 6 seconds: its jobs are given to others',
      );
    },
  });
  const engine = createServerEngine(
    {
      store,
      queue,
      hooks,
      files,
      metrics,
      logger,
      onBucketRequest,
      checkReadiness: readiness,
      // Read for each task: once a key exists, clients are no longer trusted.
      isTrusted: () => isDevelopment({ accounts, config: { isLocal } }),
      onEnd: () => deliveries.nudge(),
    },
    { settings, tasksAtOnce, piecesPerTask, dividesTasks: storage !== null },
  );
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
    ...templateReaders(deps.templatesDirs, logger),
    checkReadiness: readiness,
    removeAbandoned: async () => {
      await files.removeAbandoned();
      await removeAbandoned(workRoot(settings.home));
    },
    pages: SERVE_PAGES,
    priceOf,
    makePayload: payloadMaker(files, settings),
    graceMs: settings.grace,
    keepMs: settings.keep,
    sweepFile: path.join(settings.home, 'sweep.json'),
    uploads: openUploads(settings, { cache: deps.cache, records: stores.uploads, storage }),
    uploadSweepFile: path.join(settings.home, 'sweep-uploads.json'),
  };
}

/** Where the tasks, accounts and results of a server are. The last that is opened is the first that is closed. */
async function openServerStores(
  settings: Settings,
  logger: Logger,
  onBucketRequest: (request: BucketRequest) => void,
) {
  // First, because a missing key leaves nothing open then.
  const storage = await openStorage(settings, onBucketRequest);
  const bucketProbe = storage === null ? null : await probeStorage(storage, logger);
  const stores = await openStores(settings, { listCacheTtlMs: LIST_CACHE_TTL_MS });
  const checkDatabase = stores.checkDatabase && watchDatabase(stores.checkDatabase, logger);
  // Now, because a worker without a port would wait forever, and say nothing.
  await checkDatabase?.();
  const webhooks = await stores.webhooks();
  const close = async () => {
    await stores.close();
    await storage?.bucket.close();
  };
  const files = storage?.files ?? createFileStorage(settings.home);
  // Made now: a task would make it readable for everyone, and a folder that cannot be made is known at the start.
  await makeFolder(files.root, true).catch((error: unknown) => {
    throw toStoreError(error, files.root);
  });
  // The server closes its accounts last, and with them all that is open here.
  const accounts = { ...(await stores.accounts()), close };
  return { storage, bucketProbe, stores, checkDatabase, webhooks, accounts, files };
}

function templateReaders(templatesDirs: readonly string[], logger: Logger) {
  return {
    templateIds: cacheFor(5_000, () => listTemplates({ templatesDirs })),
    templates: cacheFor(60_000, () =>
      readTemplates({ templatesDirs }, (id, error) =>
        logger.warn({ template: id, error }, 'a template cannot be used, so /v1/templates leaves it out'),
      ),
    ),
  };
}

function payloadMaker(
  files: FileStorage,
  { quality, minAssets }: Pick<Settings, 'quality' | 'minAssets'>,
): LiveAppOptions['makePayload'] {
  return (listing, owner) => ({
    listing,
    listingFile: null,
    // The API must not read files of this machine.
    baseDir: null,
    outputDir: files.folderOf(owner),
    nameSecret: newNameSecret(),
    options: { quality, minAssets, force: false },
  });
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

/**
 * The error of a program that would render the tasks of others, or let others render its own, without a place to meet.
 */
export function needsDatabase(what: string): ListingVideoError {
  return new ListingVideoError('usage', `${what} needs a database, which API servers and workers share`, {
    hint: 'set LISTING_VIDEO_DATABASE to its address, such as postgres://user:password@host:5432/name',
  });
}

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
