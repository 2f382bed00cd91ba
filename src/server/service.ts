/**
 * A server with its sockets: refuses an unsafe configuration, listens, runs tasks and drains. Its parts are arguments, so
 * that tests run it on stores in memory.
 */
import type { AccountStore } from '../account/account-store.ts';
import { ListingVideoError } from '../errors.ts';
import { isDevelopment } from './admit.ts';
import { isLoopbackHost } from './host-check.ts';
import { type ConnectionLimits, createHttpServer } from './http-server.ts';
import { createLiveApp, type LiveAppOptions } from './live-app.ts';
import type { ServerConfig } from './server-deps.ts';

export interface ServiceOptions
  extends Omit<LiveAppOptions, 'config'>,
    Pick<ServerConfig, 'bodyLimitBytes' | 'queueLimit' | 'corsOrigins'> {
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end. Default: the address that it listens on. */
  readonly publicUrl: string | undefined;
  readonly allowAnonymous: boolean;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface Service {
  /**
   * Listens and starts to run tasks, first those of an earlier run.
   *
   * @returns The address it listens on, such as `http://127.0.0.1:8080`.
   * @throws {@link ListingVideoError} `usage` for an unsafe configuration, `cannot_listen`, and what the stores throw.
   */
  start(): Promise<string>;
  /** Drains and closes everything. Takes about `graceMs` at most. */
  stop(): Promise<void>;
}

/** Joins app, sockets and worker. Starts nothing. */
export function createService(options: ServiceOptions): Service {
  const { accounts, logger, bodyLimitBytes, queueLimit, corsOrigins } = options;
  let port = options.port;
  const config: ServerConfig = {
    isLoopback: isLoopbackHost(options.host),
    publicUrl: () => options.publicUrl ?? toUrl(reachableHost(options.host), port),
    bodyLimitBytes,
    queueLimit,
    corsOrigins,
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
        'development mode, because there are no API keys: everyone on this machine can use this server, it answers only ' +
          'to loopback host names, and it can fetch photos from private addresses',
      );
      if (corsOrigins.length > 0) {
        const whose = corsOrigins.includes('*') ? 'any origin' : corsOrigins.join(', ');
        logger.warn(
          {},
          `--cors-origin lets pages of ${whose} use this server without a key, in a browser on this machine`,
        );
      }
    } else if (!(await accounts.hasEverHadKeys())) {
      logger.warn({}, 'anonymous access is on: everyone who reaches this server can use it');
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
    `--host ${host} is reachable from other machines, but there is no API key: anyone could use this server`,
    {
      hint: 'make a key with `listing-video keys create`, or add --allow-anonymous',
      context: { host },
    },
  );
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** A wildcard address is no address for clients. Loopback at least works on this machine. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
