/**
 * The one file that joins the real parts: which store, cache, ffmpeg, clock and address policy are in use. What only
 * rendering needs is imported when a task runs, so that `tasks list` does not pay for it.
 */
import { createAccountHooks } from '../account/account-hooks.ts';
import type { AccountStore } from '../account/account-store.ts';
import type { LiveApp } from '../server/live-app.ts';
import type { Settings } from '../settings/setting-table.ts';
import { createTaskEngine } from '../task/engine/task-engine.ts';
import { createFileTaskStore } from '../task/file-store/file-task-store.ts';
import type { JsonValue } from '../task/task.ts';
import { listTemplates } from '../template/load-template.ts';
import { createTurns } from '../video/make/turns.ts';
import type { RenderDeps } from '../video/render-deps.ts';
import type { OpenBackend } from './backend.ts';
import { openAccounts, priceOf } from './open-accounts.ts';
import { openRenderDeps } from './open-render-deps.ts';
import type { ServerPartsOptions } from './open-server-parts.ts';
import type { OpenService } from './service.ts';

/** The backend of the command line: tasks in files under the home, run in this process; or those of a server. */
export const openBackend: OpenBackend = async (settings, options) => {
  const { logger } = options;
  if (settings.server !== undefined) {
    const { openRemoteBackend } = await import('./open-remote-backend.ts');
    return openRemoteBackend(settings.server, settings, options);
  }
  const turns = { render: createTurns(toRendersAtOnce(settings)), decode: createTurns(settings.concurrency) };
  const deps: RenderDeps = { ...openRenderDeps(settings), turns };
  const store = createFileTaskStore({ home: settings.home });
  let opened: Promise<AccountStore> | undefined;
  const accounts = (): Promise<AccountStore> => {
    opened ??= openAccounts(settings.home, store);
    return opened;
  };
  const engine = createTaskEngine({
    store,
    handler: async (task, context) => {
      const { createVideos } = await import('../video/create-videos.ts');
      const { readPayload } = await import('../video/read-payload.ts');
      const payload = readPayload(task.payload, task.id);
      const outcome = await createVideos(payload, { ...context, taskId: task.id }, deps);
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
    server: null,
    engine,
    store,
    describe: async (payload, options) => {
      const { describeTask } = await import('../video/plan/describe-task.ts');
      return describeTask(payload, deps, options);
    },
    // While one is rendered, the next is ready for it and the one after that is being fetched.
    tasksAtOnce: settings.concurrency === 1 ? 1 : toRendersAtOnce(settings) + 2,
    preview: async (order, options) => {
      const { previewTemplate } = await import('../video/templates/preview-template.ts');
      return previewTemplate(order, deps, options);
    },
    lint: async (order, options) => {
      const { lintTemplate } = await import('../video/templates/lint-template.ts');
      return lintTemplate(order, deps, options);
    },
    templateIds: () => listTemplates({ templatesDirs: deps.templatesDirs }),
    accounts,
    close: async () => (await opened)?.close(),
  };
};

/** The service of `serve`: the same files, tasks of the API, and HTTP. */
export const openService: OpenService = async (settings, { tasksAtOnce, piecesPerTask, log }) => {
  const [{ createService }, { createLogger }, { isLoopbackHost }, { openServerParts }] = await Promise.all([
    import('../server/service.ts'),
    import('../server/logger.ts'),
    import('../server/host-check.ts'),
    import('./open-server-parts.ts'),
  ]);
  const parts = await openServerParts(settings, {
    ...{ tasksAtOnce, piecesPerTask },
    logger: createLogger(log),
    isLoopback: isLoopbackHost(settings.host),
  });
  return createService({
    ...parts,
    port: settings.port,
    host: settings.host,
    publicUrl: settings.publicUrl,
    allowAnonymous: settings.allowAnonymous,
    bodyLimitBytes: settings.bodyLimit,
    queueLimit: settings.queueLimit,
    corsOrigins: settings.corsOrigin,
  });
};

/** A server without sockets, for a program that has its own. */
export async function openLiveApp(
  settings: Settings,
  { publicUrl, ...options }: ServerPartsOptions & { readonly publicUrl: string },
): Promise<LiveApp & { readonly hasEverHadKeys: () => Promise<boolean> }> {
  const [{ createLiveApp }, { openServerParts }] = await Promise.all([
    import('../server/live-app.ts'),
    import('./open-server-parts.ts'),
  ]);
  const parts = await openServerParts(settings, options);
  const live = createLiveApp({
    ...parts,
    config: {
      isLoopback: options.isLoopback,
      publicUrl: () => publicUrl,
      bodyLimitBytes: settings.bodyLimit,
      queueLimit: settings.queueLimit,
      corsOrigins: settings.corsOrigin,
    },
  });
  return { ...live, hasEverHadKeys: () => parts.accounts.hasEverHadKeys() };
}

/** One rendering keeps some four CPUs busy, most of them with x264; more at once would only cost memory. */
function toRendersAtOnce({ concurrency }: Settings): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 4)));
}
