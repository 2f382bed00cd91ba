/**
 * The true service on a loopback port, with tasks and accounts in memory, and with a handler that takes its film from
 * the test instead of rendering one.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createAccountHooks } from '../../src/task/accounts/account-hooks.ts';
import type { AccountStore } from '../../src/task/accounts/account-store.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createHttpApp } from '../../src/server/app.ts';
import { createTrustedProxies } from '../../src/api/server/sockets/client-address.ts';
import { TaskStreams } from '../../src/api/server/events/task-streams.ts';
import { createHttpServer } from '../../src/api/server/sockets/http-server.ts';
import { createLogger } from '../../src/api/server/watch/logger.ts';
import { createMetrics } from '../../src/api/server/watch/metrics.ts';
import { toRequestListener } from '../../src/api/server/sockets/request-listener.ts';
import type { ServerDeps } from '../../src/api/server/server-deps.ts';
import { createStaticFiles } from '../../src/api/server/answers/static-files.ts';
import { systemTaskClock } from '../../src/task/engine/task-clock.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../src/task/engine/task-handler.ts';
import { newTaskId } from '../../src/task/new-task-id.ts';
import { typedTaskStore } from '../../src/task/task-codec.ts';
import { nameFiles, newNameSecret } from '../../src/video/plan/name-files.ts';
import { createFileStorage } from '../../src/video/publish/file-storage.ts';
import { openUploads } from '../../src/video/uploads/open-uploads.ts';
import { UploadFolder } from '../../src/video/uploads/upload-folder.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../src/video/video-task.ts';
import { VIDEO_TASK_CODEC } from '../../src/video/video-task-codec.ts';
import { readTemplates } from '../../src/wiring/read-templates.ts';
import { createMemoryAccountStore } from '../account/memory-account-store.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';

export interface RealService {
  readonly url: string;
  readonly accounts: AccountStore;
  /** Lets one task go on from its middle, where each waits; also one that is not there yet. */
  readonly finishOne: () => void;
  close(): Promise<void>;
}

export interface RealServiceOptions {
  /** What every result is. */
  readonly film: { readonly mp4: Uint8Array; readonly gif: Uint8Array; readonly jpg: Uint8Array };
}

/** Listens on a free port. Assets whose URLs end in `/broken.jpg` are dropped; a task with no others fails. */
export async function startRealService({ film }: RealServiceOptions): Promise<RealService> {
  const home = await mkdtemp(path.join(tmpdir(), 'listing-video-service-'));
  const files = createFileStorage(home);
  const store = createMemoryTaskStore();
  const accounts = createMemoryAccountStore({ tasks: store });
  const logger = createLogger({
    stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
    isPretty: false,
    hasColor: false,
    level: 'silent',
  });
  /** Tasks at their middle, and leave to end that was given before they came there. */
  const waiting: (() => void)[] = [];
  let leave = 0;

  const handler: TaskHandler<VideoTaskPayload, VideoTaskOutcome> = async (task, context) => {
    const { listing, outputDir: folder } = task.payload;
    const dropped = listing.assets
      .filter(({ url }) => url.endsWith('/broken.jpg'))
      .map(({ url }) => ({ url, reason: 'corrupt: the picture ends too early' }));
    context.reportProgress({ percent: 50, stage: 'render', etaSeconds: 4 });
    if (leave > 0) leave -= 1;
    else {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        context.signal.addEventListener('abort', () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(context.signal.reason);
        });
      });
    }
    if (dropped.length === listing.assets.length) {
      const count = dropped.length;
      throw new ListingVideoError('no_usable_assets', `no usable assets: ${count} of ${count} dropped`, {
        context: { dropped_assets: dropped },
      });
    }
    await mkdir(folder, { recursive: true });
    const names = nameFiles(
      listing.agents.map(({ id }) => id),
      newNameSecret(),
    );
    const results = [];
    for (const [index, agent] of listing.agents.entries()) {
      const at = (ending: string) => path.join(folder, `${names[index]}.${ending}`);
      const hasPreview = agent.video_options?.create_preview === true;
      await writeFile(at('mp4'), film.mp4);
      await writeFile(at('jpg'), film.jpg);
      if (hasPreview) await writeFile(at('gif'), film.gif);
      results.push({
        agent_id: agent.id,
        url: pathToFileURL(at('mp4')).href,
        created_at: '2026-11-20T14:03:07.123+00:00',
        ...(hasPreview ? { preview_url: pathToFileURL(at('gif')).href } : {}),
        metadata: { ...agent.video_options?.metadata },
      });
    }
    return { results, dropped_assets: dropped, report: null };
  };

  const engine = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    handler,
    hooks: createAccountHooks(accounts, (summary) => summary!.resultCount),
  });
  let url = '';
  const deps: ServerDeps = {
    config: {
      isLocal: true,
      canBeProxied: false,
      proxies: createTrustedProxies([]),
      publicUrl: () => url,
      bodyLimitBytes: 4 * 1024 * 1024,
      queueLimit: 1_000,
      corsOrigins: [],
      requestsPerMinute: 0,
    },
    state: { isDraining: false },
    engine,
    store,
    accounts,
    files,
    templateIds: async () => ['classic'],
    templates: () => readTemplates({}, () => {}),
    priceOf: ({ agents }) => agents.length,
    makePayload: (listing, owner) => aPayload(listing, files.folderOf(owner)),
    newTaskId,
    checkReadiness: async () => ({ isReady: true, checks: {} }),
    uploads: openUploads({
      home,
      store: new UploadFolder(home),
      cache: createDiskCache(path.join(home, 'cache'), { maxBytes: 1e9 }),
      nowMs: Date.now,
      decodesAtOnce: 1,
    }),
    streams: new TaskStreams({ readTask: (id) => engine.get(id), clock: systemTaskClock }),
    metrics: createMetrics({ countTasks: async () => 0, runningHere: () => 0, hasProcessMetrics: false }),
    logger,
    monotonicMs: () => performance.now(),
  };
  const server = createHttpServer({
    listener: toRequestListener(createHttpApp(deps), createStaticFiles(deps), deps.config.proxies, () => {}),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${port}`;
  engine.start();
  return {
    url,
    accounts,
    finishOne: () => {
      const end = waiting.shift();
      if (end === undefined) leave += 1;
      else end();
    },
    async close() {
      server.beginDrain();
      await engine.drain(0);
      await server.close(0);
      await accounts.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
