/** The API without a socket: everything in memory, a handler of the test, every answer checked by the document. */
import { Writable } from 'node:stream';
import { createHttpApp } from '../../../src/api/server/app.ts';
import { TaskStreams } from '../../../src/api/server/events/task-streams.ts';
import type { ServerConfig, ServerDeps, ServerState } from '../../../src/api/server/server-deps.ts';
import { createTrustedProxies } from '../../../src/api/server/sockets/client-address.ts';
import { createLogger, type Logger } from '../../../src/api/server/watch/logger.ts';
import { createMetrics, type Metrics } from '../../../src/api/server/watch/metrics.ts';
import type { VideoTaskEngine } from '../../../src/api/video-task.ts';
import type { Listing } from '../../../src/listing/listing.ts';
import { nullOn } from '../../../src/platform/errors.ts';
import { SERVE_PAGES } from '../../../src/studio/serve-page/serve-pages.ts';
import { createAccountHooks } from '../../../src/task/accounts/account-hooks.ts';
import type { TaskClock } from '../../../src/task/engine/task-clock.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../../src/task/engine/task-handler.ts';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { typedTaskStore } from '../../../src/task/task-codec.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../../../src/video/video-task.ts';
import { VIDEO_TASK_CODEC } from '../../../src/video/video-task-codec.ts';
import { aListing, type Json } from '../../listing/a-listing.ts';
import { createTestAccounts } from '../../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { aPayload } from '../../video/a-payload.ts';
import { checkAnswer } from './contract-check.ts';

export type AnyJson = Json;

/** An answer, its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  readonly json: AnyJson;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface HarnessOptions {
  readonly config?: Partial<ServerConfig>;
  readonly handler?: VideoHandler;
  readonly deps?: Partial<ServerDeps>;
  readonly store?: TaskStore;
  readonly accounts?: FileAccountStore;
  /** Runs the engine's timers; by default none is ever due. */
  readonly clock?: TaskClock;
}

export interface Harness {
  readonly app: ReturnType<typeof createHttpApp>;
  readonly deps: ServerDeps;
  readonly engine: VideoTaskEngine;
  readonly store: TaskStore;
  readonly accounts: FileAccountStore;
  readonly state: ServerState;
  /** Lines of the log, parsed. */
  readonly log: AnyJson[];
  ask(path: string, ask?: Ask): Promise<Answer>;
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Creates a task and runs it to its end. Returns its id. */
  make(listing?: unknown, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs what waits, to its end. */
  runAll(): Promise<void>;
}

/** Nothing is ever due by itself. */
export const stillClock: TaskClock = { nowMs: () => Date.now(), schedule: () => () => {} };

/** One list, as a server returns it until a template changes. */
const OFFERED_TEMPLATES: Awaited<ReturnType<ServerDeps['templates']>> = [];

/** Every image is unusable. `uploads.test.ts` has the real ones. */
const NO_UPLOADS: ServerDeps['uploads'] = {
  maxBytes: 1_000,
  keepMs: 1_000,
  add: async () => ({ kind: 'unusable', reason: 'corrupt: no decoder' }),
  findMissing: async (_, ids) => ids,
  hold: async () => {},
  release: async () => {},
};

export type VideoHandler = TaskHandler<VideoTaskPayload, VideoTaskOutcome>;

/** What the real handler returns, without files. */
export const succeeding: VideoHandler = async (task, context) => {
  context.reportProgress({ percent: 40, stage: 'render', etaSeconds: 9 });
  return outcomeOf(task.payload.listing);
};

export function outcomeOf(listing: Listing): VideoTaskOutcome {
  return {
    results: listing.agents.map(({ id, video_options }, index) => ({
      agent_id: id,
      url: `file:///home/files/org/task/AAAAAAAAAAAAAAAAAAAAA${index}.mp4`,
      created_at: '2026-11-20T14:03:07.123+00:00',
      ...(video_options?.create_preview
        ? { preview_url: `file:///elsewhere/3/AAAAAAAAAAAAAAAAAAAAA${index}.gif` }
        : {}),
      metadata: { ...video_options?.metadata },
    })),
    dropped_assets: [{ url: listing.assets[0]!.url, reason: 'too_small: 20 x 20 pixels' }],
    report: '/home/files/org/task/report.json',
  };
}

export function openHarness(options: HarnessOptions = {}): Harness {
  const store = options.store ?? createMemoryTaskStore();
  const accounts = options.accounts ?? createTestAccounts({ tasks: store });
  const hooks = createAccountHooks(accounts, (summary) => summary!.resultCount);
  const engine = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    handler: options.handler ?? succeeding,
    hooks,
    clock: options.clock ?? stillClock,
  });
  const state: ServerState = { isDraining: false };
  const log: AnyJson[] = [];
  const deps: ServerDeps = {
    config: {
      isLocal: true,
      canBeProxied: false,
      proxies: createTrustedProxies([]),
      requestsPerMinute: 0,
      publicUrl: () => 'https://videos.example/base',
      bodyLimitBytes: 100_000,
      queueLimit: 1_000,
      corsOrigins: [],
      ...options.config,
    },
    state,
    engine,
    store,
    accounts,
    files: { root: '/nowhere', locate: () => null, describe: async () => null },
    templateIds: async () => ['classic', 'modern'],
    templates: async () => OFFERED_TEMPLATES,
    priceOf: ({ agents }) => agents.length,
    makePayload: (listing) => aPayload(listing),
    newTaskId,
    checkReadiness: async () => ({ isReady: true, checks: { store: true, ffmpeg: true } }),
    uploads: NO_UPLOADS,
    pages: SERVE_PAGES,
    streams: new TaskStreams({
      readTask: (id) => engine.get(id).catch(nullOn('task_not_found')),
      clock: options.clock ?? stillClock,
    }),
    metrics: quietMetrics(),
    logger: logInto(log),
    monotonicMs: () => performance.now(),
    ...options.deps,
  };
  const app = createHttpApp(deps);

  const harness: Harness = {
    app,
    deps,
    engine,
    store,
    accounts,
    state,
    log,
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      const init: RequestInit = { method, headers };
      if (body !== undefined) init.body = toBody(body);
      const response = await app.request(path, init);
      const text = await response.text();
      const pathname = new URL(path, 'http://localhost').pathname;
      checkAnswer({ method, pathname, status: response.status, headers: response.headers, text });
      return toAnswer(response, text);
    },
    post: (body, headers = {}) =>
      harness.ask('/v1/tasks', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    async make(listing = aListing(), headers) {
      const answer = await harness.post(listing, headers);
      if (answer.status !== 202) throw new Error(answer.text);
      await engine.runTask(answer.json.id);
      return answer.json.id;
    },
    async runAll() {
      const { data } = await store.list({ state: 'PENDING', limit: 1_000 });
      for (const { id } of data) await engine.runTask(id);
    },
  };
  return harness;
}

export function toAnswer(response: Response, text: string): Answer {
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

export function logInto(log: AnyJson[]): Logger {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') log.push(JSON.parse(line));
      done();
    },
  });
  return createLogger({ stream, isPretty: false, hasColor: false, level: 'debug' });
}

export function quietMetrics(): Metrics {
  return createMetrics({ countTasks: async () => 0, runningHere: () => 0, hasProcessMetrics: false });
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
