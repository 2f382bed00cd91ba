/**
 * The backend of the command line: a server when the settings name one, else this machine, with tasks in files under
 * the data folder, run in this process. Code that only rendering needs is imported when a task runs, so that `tasks
 * list` starts fast.
 */

import { listTemplates } from '../design/template/load-template.ts';
import type { DiskCache } from '../platform/disk/cache/disk-cache.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import { systemTaskClock } from '../task/engine/task-clock.ts';
import { createTaskEngine } from '../task/engine/task-engine.ts';
import { typedTaskStore } from '../task/task-codec.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { CheckTask } from '../video/check-task.ts';
import { createSemaphore } from '../video/make/semaphore.ts';
import type { RenderDeps } from '../video/render-deps.ts';
import { VIDEO_TASK_CODEC } from '../video/video-task-codec.ts';
import type { Backend, OpenBackend } from './backend.ts';
import { proxiesOfUser } from './choose-proxies.ts';
import { heldExcess } from './open-cache.ts';
import { openRenderDeps, templateTools } from './open-render-deps.ts';
import { removeUnusedFiles } from './server/remove-unused-files.ts';
import { renderSlotsOf } from './server/render-slots.ts';
import { openStores } from './stores/open-stores.ts';
import type { Stores } from './stores/stores.ts';

export const openBackend: OpenBackend = async (settings, options) => {
  if (settings.server === undefined) return openLocalBackend(settings, options);
  const { openRemoteBackend } = await import('./open-remote-backend.ts');
  return openRemoteBackend(settings.server, settings, options);
};

/** Opens the task store; everything else opens when a call needs it. */
async function openLocalBackend(
  settings: Settings,
  { logger, env, folders }: Parameters<OpenBackend>[1],
): Promise<Backend> {
  const proxies = proxiesOfUser(settings, env);
  if (settings.untrusted && proxies?.isChosen === false)
    logger.warn(`${proxies.https?.variable} is not used with --untrusted, unless you add --use-proxy`);
  const deps: RenderDeps = {
    ...openRenderDeps(settings, {
      proxies,
      folders,
      onHeldExcess: (heldBytes) => logger.warn(heldExcess(heldBytes, settings)),
    }),
    decodeSlots: createSemaphore(settings.concurrency),
    onMoveRefused: (reason) => logger.debug('camera moves are encoded whole', { reason }),
  };
  const stores = await openStores(settings);
  const { store, accounts, hooks, webhooks, close } = stores;
  const engine = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    handler: async ({ id, payload }, context) => {
      const { makeVideos } = await import('../video/make-videos.ts');
      const assertOwned = async (): Promise<void> => {
        // A link can have taken its place since the task was made.
        folders?.require(payload.outputDir);
        await context.assertOwned();
      };
      folders?.require(payload.outputDir);
      return makeVideos(
        payload,
        { ...context, assertOwned, taskId: id },
        { ...deps, renderSlots: renderSlotsOf(context) },
      );
    },
    concurrency: rendersAtOnce(settings),
    logger,
    limits: { timeMs: settings.timeLimit },
    hooks: {
      ...hooks,
      settle: async (task) => {
        // Tasks of the command line have no organization, so accounts and files of the server usually stay closed.
        if (task.organizationId === null) return;
        await hooks.settle(task);
        const { withStorage } = await import('./stores/open-storage.ts');
        await withStorage(settings, (_, files) => removeUnusedFiles(files, task));
      },
    },
  });
  let checkTask: CheckTask | undefined;
  return {
    server: null,
    engine,
    store: settings.storage === undefined ? store : withoutLeftovers(stores, settings, deps.cache),
    // While one task renders, the next is ready to render and the one after it fetches its photos.
    tasksAtOnce: settings.concurrency === 1 ? 1 : rendersAtOnce(settings) + 2,
    describe: async (payload, options) => {
      const { describeTask } = await import('../video/describe-task.ts');
      return describeTask(payload, deps, options);
    },
    check: async (payload, signal) => {
      const { createTaskChecker } = await import('../video/check-task.ts');
      checkTask ??= createTaskChecker(deps);
      return checkTask(payload, signal);
    },
    ...templateTools(() => deps),
    templateIds: () => listTemplates({ templatesDirs: deps.templatesDirs }),
    accounts,
    webhooks: async () => {
      const { webhookTools } = await import('./server/open-webhooks.ts');
      return webhookTools((await webhooks()).store, settings, accounts);
    },
    close,
  };
}

/**
 * Before a task is pruned, removes from the bucket what its unfinished attempts left; afterwards, old uploads that no
 * task uses.
 */
function withoutLeftovers(
  { store, uploads: records }: Pick<Stores, 'store' | 'uploads'>,
  settings: Settings,
  cache: DiskCache,
): Pick<TaskStore, 'prune'> {
  return {
    async prune(options) {
      const { withStorage } = await import('./stores/open-storage.ts');
      const { openUploads } = await import('./server/open-uploads.ts');
      const tasks = typedTaskStore(store, VIDEO_TASK_CODEC);
      return withStorage(settings, async (storage, files) => {
        const report = await store.prune({
          ...options,
          beforeRemove: async ({ id }) => removeUnusedFiles(files, await tasks.get(id)),
        });
        if (records !== null && options.isDryRun !== true) {
          const uploads = openUploads(settings, { cache, records, storage });
          // The database knows which tasks are over.
          await uploads?.sweep({ nowMs: systemTaskClock.nowMs(), isOver: async () => null });
        }
        return report;
      });
    },
  };
}

/** One rendering keeps about four CPUs busy, most of them with x264; more at once would only cost memory. */
function rendersAtOnce({ concurrency }: Settings): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 4)));
}
