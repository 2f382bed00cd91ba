/**
 * The HTTP API inside another program: the same /v1, page, files, keys and tasks as `listing-video serve`, without its
 * own socket. It reads neither config.json nor, without `useProxy`, the environment: an absent option has its built-in
 * default.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../api/server/app.ts';
import type { Logger } from '../api/server/watch/logger.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { machineFacts } from '../platform/settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../platform/settings/resolve-settings.ts';
import type { Quality } from '../video/video-task.ts';
import { sayInLibraryWords } from './library-words.ts';

/** Options of {@link createApp}. All except `access` are the flags of the same name of `listing-video serve`. */
export interface CreateAppOptions {
  /**
   * Address under which clients reach the app; `/v1` and `/files` lie below it. If it has a path, mount the app there.
   */
  readonly publicUrl: string;
  /**
   * Who can send requests. `keys` (the default): clients with an API key; at least one must exist. `loopback`: for
   * development, when only this machine can reach the app, also by its `publicUrl`. Until the first key is made,
   * requests need none, must come from this machine under a loopback host name, and assets can come from private
   * addresses. `anonymous`: everyone, until the first key is made.
   */
  readonly access?: 'keys' | 'loopback' | 'anonymous';
  /** Folder of tasks, accounts, files and cache; the platform's data folder by default. */
  readonly home?: string;
  /** Parallel tasks, each in its own process; 1 by default. */
  readonly concurrency?: number;
  readonly quality?: Quality;
  /** Fails a task when fewer assets are usable; 1 by default. */
  readonly minAssets?: number;
  /** Path of ffmpeg; by default the first suitable one that is found. */
  readonly ffmpeg?: string;
  /** Size limit of the disk cache, in bytes; 5 GB by default. */
  readonly cacheSize?: number;
  /** Largest request body, in bytes; 4 MiB by default. */
  readonly bodyLimit?: number;
  /** Maximum number of waiting tasks; 10,000 by default. */
  readonly queueLimit?: number;
  /** Maximum number of waiting tasks of one organization; half of `queueLimit` by default. */
  readonly organizationWaiting?: number;
  /**
   * Maximum number of running tasks of one organization, with those that fetch photos; by default `concurrency` plus 1.
   */
  readonly organizationRunning?: number;
  /** How long a task can work on its videos; `30m` by default. */
  readonly timeLimit?: string;
  /** Requests that one key, or one address without a key, can send in a minute; 1,200 by default, 0 for no limit. */
  readonly requestsPerMinute?: number;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` names the client; none by default. */
  readonly trustProxy?: readonly string[];
  /** How long running tasks can continue after `stop`; `30s` by default. */
  readonly grace?: string;
  /** How long ended tasks and their files are kept, such as `30d`; forever by default. */
  readonly keep?: string;
  /** Private hosts that assets can be fetched from: host names, addresses, CIDR blocks. */
  readonly allowAssetsFrom?: readonly string[];
  /** Hosts that no asset can be fetched from, whatever else allows them: host names, addresses, CIDR blocks. */
  readonly denyAssetsFrom?: readonly string[];
  /**
   * Fetches photos through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`); no by
   * default. The addresses behind a proxy cannot be checked.
   */
  readonly useProxy?: boolean;
  /** Origins whose pages can call the API from a browser. */
  readonly corsOrigin?: readonly string[];
  /** Logs requests, tasks and failures; nothing is printed. A pino logger fits. */
  readonly logger?: Logger;
}

/** A server without sockets. */
export interface ListingVideoApp {
  /**
   * The hono app. Served by `@hono/node-server`, or mounted in another hono app, it answers everything. Without Node's
   * own request, as in `app.request('/v1/tasks')`, it answers everything except result files.
   */
  readonly app: App;
  /** The same as a listener for `node:http`, and for frameworks that take one, such as Express. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Starts running tasks, those of an earlier process first. Without it tasks wait for another process of this `home`.
   */
  start(): void;
  /**
   * Refuses requests, lets running tasks end within `grace`, and requeues the others. The caller closes the sockets.
   */
  stop(): Promise<void>;
}

const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Opens the stores of `home` and builds the app. It runs no task until `start`.
 *
 * @throws {@link ListingVideoError} `setting_invalid`; `usage` when keys are required but none has ever been made.
 */
export async function createApp(options: CreateAppOptions): Promise<ListingVideoApp> {
  return sayInLibraryWords(() => openApp(options));
}

async function openApp(options: CreateAppOptions): Promise<ListingVideoApp> {
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
  const { openLiveApp } = await import('../wiring/server/open-server-parts.ts');
  const live = await openLiveApp(settings, {
    tasksAtOnce,
    piecesPerTask: Math.max(1, Math.floor(machine.cpuCount / tasksAtOnce)),
    logger,
    isLocal: access === 'loopback',
    publicUrl,
  });
  const isOpen = access === 'loopback' && !live.isLocal;
  if ((access === 'keys' || isOpen) && !(await live.hasEverHadKeys())) {
    await live.stop();
    if (isOpen) {
      throw new ListingVideoError('usage', `the publicUrl ${publicUrl} opens the app to other machines`, {
        hint: 'make a key with `listing-video keys create`, or choose another `access` or `publicUrl`',
        context: { public_url: publicUrl },
      });
    }
    throw new ListingVideoError(
      'usage',
      `no API key exists in ${settings.home}: everyone could use the app`,
      {
        hint: 'make a key with `listing-video keys create`, or choose another `access`',
        context: { home: settings.home },
      },
    );
  }
  await live.prepare();
  const { app, listener, begin, stop } = live;
  return { app, listener, start: begin, stop: () => stop() };
}
