/**
 * A server from its start to its end: refuses to be unsafe, listens, runs tasks, looks after old ones, and drains. What it
 * is made of is handed in, so that tests run it on stores in memory.
 */
import type { AccountStore } from '../account/account-store.ts';
import { ListingVideoError } from '../errors.ts';
import { isDevelopment } from './admit.ts';
import { isLoopbackHost } from './host-check.ts';
import { type ConnectionLimits, createHttpServer } from './http-server.ts';
import { createLiveApp, type LiveAppOptions } from './live-app.ts';
import type { ServerConfig } from './server-deps.ts';

export interface ServiceOptions extends Omit<LiveAppOptions, 'config'> {
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end; by default the address it listens on. */
  readonly publicUrl: string | undefined;
  readonly allowAnonymous: boolean;
  readonly bodyLimitBytes: number;
  readonly queueLimit: number;
  readonly corsOrigins: readonly string[];
  readonly limits?: Partial<ConnectionLimits>;
}

export interface Service {
  /**
   * Listens and begins to run tasks, those of an earlier run first.
   *
   * @returns The address it listens on, such as `http://127.0.0.1:8080`.
   * @throws {@link ListingVideoError} `usage` when that would be unsafe, `cannot_listen`, and what the stores throw.
   */
  start(): Promise<string>;
  /** Drains, closes and lets go of everything. Resolves within about `graceMs`. */
  stop(): Promise<void>;
}

/** Joins app, sockets and worker. Starts nothing by itself. */
export function createService(options: ServiceOptions): Service {
  const { accounts, logger } = options;
  let port = options.port;
  const config: ServerConfig = {
    isLoopback: isLoopbackHost(options.host),
    publicUrl: () => options.publicUrl ?? toUrl(reachableHost(options.host), port),
    bodyLimitBytes: options.bodyLimitBytes,
    queueLimit: options.queueLimit,
    corsOrigins: options.corsOrigins,
  };
  const live = createLiveApp({ ...options, config });
  const server = createHttpServer({
    listener: live.listener,
    onUnreadable: live.onUnreadable,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });

  return {
    async start() {
      await requireSafety(config, options, accounts);
      await live.prepare();
      ({ port } = await server.listen(options.port, options.host));
      await logMode();
      live.begin();
      logger.info({ url: toUrl(options.host, port), public_url: config.publicUrl() }, 'listening');
      return toUrl(options.host, port);
    },
    stop: () => live.stop(server),
  };

  async function logMode(): Promise<void> {
    if (await isDevelopment({ accounts, config })) {
      logger.warn(
        {},
        'development mode, as there are no API keys: everybody on this machine may use this server, it answers only under ' +
          'a loopback name, and assets may come from private addresses',
      );
      if (config.corsOrigins.length > 0) {
        const whose = config.corsOrigins.includes('*') ? 'any origin' : config.corsOrigins.join(', ');
        logger.warn(
          {},
          `pages of ${whose}, opened in a browser on this machine, may use this server without a key (--cors-origin)`,
        );
      }
    } else if (!(await accounts.hasEverHadKeys())) {
      logger.warn({}, 'anonymous access is on: everybody who reaches this server may use it');
    }
  }
}

async function requireSafety(
  { isLoopback }: ServerConfig,
  { host, allowAnonymous }: Pick<ServiceOptions, 'host' | 'allowAnonymous'>,
  accounts: Pick<AccountStore, 'hasEverHadKeys'>,
): Promise<void> {
  if (isLoopback || allowAnonymous || (await accounts.hasEverHadKeys())) return;
  throw new ListingVideoError(
    'usage',
    `--host ${host} is open to others, but there is no API key: anybody could use this server`,
    {
      hint: 'Make a key with `listing-video keys create --organization org_default`, or say --allow-anonymous.',
      context: { host },
    },
  );
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** Nobody can be sent to a wildcard address; this machine at least reaches it by loopback. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
