/**
 * The HTTP API as a part of another program: the same /v1, page, files, keys and tasks as `listing-video serve`, without a
 * socket of its own. Neither the environment nor config.json is read: what is not given has its built-in default.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ListingVideoError } from '../errors.ts';
import type { App } from '../server/app.ts';
import type { Logger } from '../server/logger.ts';
import { machineFacts } from '../settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../settings/resolve-settings.ts';
import type { Quality } from '../video/video-task.ts';

/** What {@link createApp} may be told. Each is the flag of the same name of `listing-video serve`, but for `access`. */
export interface CreateAppOptions {
  /** Address under which clients reach the app; `/v1` and `/files` lie below it. It may have a path: mount the app there. */
  readonly publicUrl: string;
  /**
   * Who may ask. `keys` (the default): whoever has an API key, and there must be one. `loopback`: for development, where
   * only this machine can reach the app: until a key is made it asks for none, answers only under a loopback name, and
   * may fetch assets from private addresses. `anonymous`: anybody, until a key is made.
   */
  readonly access?: 'keys' | 'loopback' | 'anonymous';
  /** Folder of tasks, accounts, files and cache; the platform's data folder by default. */
  readonly home?: string;
  /** Tasks that run at once, each in a process of its own; 1 by default. */
  readonly concurrency?: number;
  readonly quality?: Quality;
  /** Fails a task when fewer assets are usable; 1 by default. */
  readonly minAssets?: number;
  /** ffmpeg to use; the first that fits by default. */
  readonly ffmpeg?: string;
  /** Most that the cache may keep on disk, in bytes; 5 GB by default. */
  readonly cacheSize?: number;
  /** Largest request body, in bytes; 4 MiB by default. */
  readonly bodyLimit?: number;
  /** Tasks that may wait; 10,000 by default. */
  readonly queueLimit?: number;
  /** How long running tasks may go on after `stop`, such as `30s`, which is the default. */
  readonly grace?: string;
  /** How long ended tasks and their files are kept, such as `30d`; for ever by default. */
  readonly keep?: string;
  /** Private places that assets may be fetched from: host names, addresses, CIDR blocks. */
  readonly allowAssetsFrom?: readonly string[];
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigin?: readonly string[];
  /** Told of requests, tasks and trouble; nothing is printed. A logger of pino fits. */
  readonly logger?: Logger;
}

/** A server without sockets. */
export interface ListingVideoApp {
  /**
   * The hono app. Served by `@hono/node-server`, or mounted in another hono app, it answers everything; asked without
   * Node's own request (`app.request('/v1/tasks')`), everything but the result files.
   */
  readonly app: App;
  /** The same for `node:http` and what understands its listeners, such as Express. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** Runs tasks from now on, those of an earlier process first. Without it tasks wait for another process of this home. */
  start(): void;
  /** Refuses requests, lets running tasks end within `grace`, gives the others back. Closing sockets is the caller's. */
  stop(): Promise<void>;
}

const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Opens the stores of `home` and joins the app. Runs nothing until `start`.
 *
 * @throws {@link ListingVideoError} `setting_invalid`; `usage` when keys are asked for and there has never been one.
 */
export async function createApp(options: CreateAppOptions): Promise<ListingVideoApp> {
  const { access = 'keys', logger = SILENT, concurrency: tasksAtOnce = 1, ...flags } = options;
  const machine = machineFacts();
  const resolved = resolveSettings({
    flags: { ...flags, concurrency: tasksAtOnce },
    env: {},
    config: null,
    machine,
  });
  const settings = settingValues(resolved);
  const { publicUrl } = settings;
  if (publicUrl === undefined) throw new ListingVideoError('usage', 'createApp needs a publicUrl');
  const { openLiveApp } = await import('../wiring/open-live-app.ts');
  const live = await openLiveApp(settings, {
    tasksAtOnce,
    piecesPerTask: Math.max(1, Math.floor(machine.cpuCount / tasksAtOnce)),
    logger,
    isLoopback: access === 'loopback',
    publicUrl,
  });
  if (access === 'keys' && !(await live.hasEverHadKeys())) {
    await live.stop();
    throw new ListingVideoError(
      'usage',
      `there is no API key in ${settings.home}: anybody could use the app`,
      {
        hint: 'make one with `listing-video keys create`, or choose another `access`',
        context: { home: settings.home },
      },
    );
  }
  await live.prepare();
  const { app, listener, begin, stop } = live;
  return { app, listener, start: begin, stop: () => stop() };
}
