/** A service on a free loopback port, its stores in memory and its files in a folder that goes with it; raw sockets. */
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterEach } from 'vitest';
import { createService, type ServiceOptions } from '../../../src/api/server/service.ts';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';
import { SERVE_PAGES } from '../../../src/studio/serve-page/serve-pages.ts';
import { createAccountHooks } from '../../../src/task/accounts/account-hooks.ts';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import type { FileAccountStore } from '../../../src/task/files/accounts/create-account-store.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { typedTaskStore } from '../../../src/task/task-codec.ts';
import { createFileStorage } from '../../../src/video/publish/file-storage.ts';
import { openUploads } from '../../../src/video/uploads/open-uploads.ts';
import { UploadFolder } from '../../../src/video/uploads/upload-folder.ts';
import { VIDEO_TASK_CODEC } from '../../../src/video/video-task-codec.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { createTestAccounts } from '../../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { aPayload } from '../../video/a-payload.ts';
import { type AnyJson, logInto, quietMetrics, succeeding, type VideoHandler } from './harness.ts';

export interface RunningOptions extends Partial<Omit<ServiceOptions, 'accounts'>> {
  readonly accounts?: FileAccountStore;
  readonly handler?: VideoHandler;
  /** Of a cache that knows what other services have decoded. By default, each has its own. */
  readonly cacheDir?: string;
}

/** Everything of a service that is up, or (with `start: false`) about to be. */
export async function openService(options: RunningOptions = {}) {
  const home = temporaryFolder();
  const store = options.store ?? createMemoryTaskStore();
  const accounts = options.accounts ?? createTestAccounts({ tasks: store });
  const files = createFileStorage(home);
  const log: AnyJson[] = [];
  const engine = createTaskEngine({
    store: typedTaskStore(store, VIDEO_TASK_CODEC),
    handler: options.handler ?? succeeding,
    hooks: createAccountHooks(accounts, (summary) => summary!.resultCount),
  });
  const uploads = {
    ...openUploads({
      home,
      store: new UploadFolder(home),
      cache: createDiskCache(options.cacheDir ?? path.join(home, 'cache'), { maxBytes: 1e9 }),
      nowMs: Date.now,
      decodesAtOnce: 1,
    }),
    // A test with a clock of its own cannot wait for a real disk.
    hasAny: async () => false,
  };
  const service = createService({
    engine,
    rendersTasks: true,
    store,
    accounts,
    files,
    logger: logInto(log),
    metrics: quietMetrics(),
    clock: systemTaskClock,
    deliveries: { start: () => {}, stop: async () => {} },
    newTaskId,
    monotonicMs: () => performance.now(),
    templateIds: async () => ['classic'],
    templates: async () => [],
    uploads,
    pages: SERVE_PAGES,
    uploadSweepFile: path.join(home, 'sweep-uploads.json'),
    checkReadiness: async () => ({ isReady: true, checks: {} }),
    priceOf: ({ agents }) => agents.length,
    makePayload: (listing) => aPayload(listing),
    port: 0,
    host: '127.0.0.1',
    publicUrl: undefined,
    allowAnonymous: false,
    trustProxy: [],
    requestsPerMinute: 0,
    bodyLimitBytes: 100_000,
    queueLimit: 100,
    corsOrigins: [],
    graceMs: 1_000,
    keepMs: undefined,
    sweepFile: path.join(home, 'sweep.json'),
    removeAbandoned: async () => {},
    ...options,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= service.stop();
    return stopped;
  };
  return {
    home,
    store,
    accounts,
    files,
    uploads,
    engine,
    log,
    service,
    stop,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

export type OpenedService = Awaited<ReturnType<typeof openService>>;

/** {@link openService} for a test file: after each test every service that it opened is stopped and removed. */
export function serviceOpener(): typeof openService {
  const opened: OpenedService[] = [];
  afterEach(async () => {
    for (const service of opened.splice(0)) {
      await service.stop();
      await service.remove();
    }
  });
  return async (options) => {
    const service = await openService(options);
    opened.push(service);
    return service;
  };
}

/** One connection, spoken to by hand. */
export interface Wire {
  write(text: string | Uint8Array): void;
  /** All that has come so far. */
  readonly text: string;
  /** Resolves when what has come matches. Rejects when the connection ends without. */
  sees(pattern: RegExp): Promise<string>;
  /** Resolves with all that came when the other side has closed. */
  readonly closed: Promise<string>;
  destroy(): void;
}

/** Connects to the port of `url`. */
export async function openWire(url: string): Promise<Wire> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  let text = '';
  const checks = new Set<() => void>();
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    for (const check of checks) check();
  });
  // A reset after the answer is as good as an end.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    write: (chunk) => socket.write(chunk),
    get text() {
      return text;
    },
    sees: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (pattern.test(text)) resolve(text);
        };
        checks.add(check);
        check();
        void closed.then(() => reject(new Error(`closed without ${pattern}:\n${text}`)));
      }),
    closed,
    destroy: () => socket.destroy(),
  };
}

/** Sends one request and returns everything that comes until the other side closes. */
export async function talk(url: string, text: string | Uint8Array): Promise<string> {
  const wire = await openWire(url);
  wire.write(text);
  return wire.closed;
}
