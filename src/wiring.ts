/**
 * The one file that joins the real parts: which store, cache, ffmpeg, clock and address policy are in use. What only
 * rendering needs is imported when a task runs, so that `tasks list` does not pay for it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createAccountHooks } from './account/account-hooks.ts';
import type { AccountStore } from './account/account-store.ts';
import type { OpenStudio } from './cli/studio.ts';
import { createDiskCache } from './encode/disk-cache.ts';
import type { FoundFfmpeg } from './encode/find-ffmpeg.ts';
import { processEnvironment } from './settings/process-environment.ts';
import type { Settings } from './settings/setting-table.ts';
import { createFileTaskStore } from './task/file-task-store.ts';
import type { JsonValue } from './task/task.ts';
import { createTaskEngine } from './task/task-engine.ts';
import type { TaskStore } from './task/task-store.ts';
import { listTemplates } from './template/load-template.ts';
import type { VideoTaskPayload } from './video/video-task.ts';
import type { Workshop } from './video/workshop.ts';

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
      const payload = task.payload as unknown as VideoTaskPayload;
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
    describe: async (payload, { signal }) => {
      const { describeTask } = await import('./video/describe-task.ts');
      return describeTask(payload, workshop, signal);
    },
    templateIds: () => listTemplates(),
    accounts,
    close: async () => (await opened)?.close(),
  };
};

async function openAccounts(home: string, tasks: TaskStore): Promise<AccountStore> {
  const { createFileAccountStore } = await import('./account/create-account-store.ts');
  return createFileAccountStore({ home, tasks });
}

/** Credits of a task: one for each video, and there is one video for each agent. */
function priceOf(payload: JsonValue): number {
  return (payload as unknown as VideoTaskPayload).listing.agents.length;
}

function openWorkshop(settings: Settings): Workshop {
  const cacheDir = path.join(settings.home, 'cache');
  let found: Promise<FoundFfmpeg> | undefined;
  return {
    home: settings.home,
    cacheDir,
    cache: createDiskCache(cacheDir, { maxBytes: settings.cacheSize, readInPlace: ['photos'] }),
    concurrency: settings.concurrency,
    renderThreads: toRenderThreads(settings.concurrency),
    // The user's own machine may reach what the user can reach; a server is stricter.
    addressPolicy: { allowPrivate: true, allowFrom: [] },
    findFfmpeg: () => {
      found ??= lookForFfmpeg(settings, cacheDir);
      return found;
    },
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    generator: `listing-video ${readVersion()}`,
  };
}

async function lookForFfmpeg(settings: Settings, cacheDir: string): Promise<FoundFfmpeg> {
  const { findFfmpeg } = await import('./encode/find-ffmpeg.ts');
  const env = processEnvironment();
  const places = { setting: settings.ffmpeg, ffmpegBin: env.FFMPEG_BIN, searchPath: env.PATH };
  return findFfmpeg(places, { cacheDir });
}

/** x264 keeps most of the CPUs busy: on two, one thread makes frames faster than they can be encoded. */
function toRenderThreads(concurrency: number): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 2)));
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
