/**
 * The one file that joins the real parts: which store, cache, ffmpeg, clock and address policy are in use. What only
 * rendering needs is imported when a task runs, so that `tasks list` does not pay for it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenStudio } from './cli/studio.ts';
import { createDiskCache } from './encode/disk-cache.ts';
import type { FoundFfmpeg } from './encode/find-ffmpeg.ts';
import { processEnvironment } from './settings/process-environment.ts';
import type { Settings } from './settings/setting-table.ts';
import { createFileTaskStore } from './task/file-task-store.ts';
import type { JsonValue } from './task/task.ts';
import { createTaskEngine } from './task/task-engine.ts';
import { listTemplates } from './template/load-template.ts';
import { createTurns } from './video/turns.ts';
import type { Workshop } from './video/workshop.ts';

/** The studio of the command line: tasks in files under the home, run in this process. */
export const openStudio: OpenStudio = async (settings, { logger }) => {
  const turns = { render: createTurns(toRendersAtOnce(settings)), decode: createTurns(settings.concurrency) };
  const workshop: Workshop = { ...openWorkshop(settings), turns };
  const store = createFileTaskStore({ home: settings.home });
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
  });
  return {
    engine,
    store,
    describe: async (payload, options) => {
      const { describeTask } = await import('./video/describe-task.ts');
      return describeTask(payload, workshop, options);
    },
    // While one is rendered, the next is ready for it and the one after that is being fetched.
    tasksAtOnce: settings.concurrency === 1 ? 1 : toRendersAtOnce(settings) + 2,
    templateIds: () => listTemplates(),
    close: async () => {},
  };
};

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

/** One rendering keeps some four CPUs busy, most of them with x264; more at once would only cost memory. */
function toRendersAtOnce({ concurrency }: Settings): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 4)));
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
