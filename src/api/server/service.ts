/**
 * A server with its sockets: refuses an unsafe configuration, listens, runs tasks and drains. Its parts are
 * arguments, so that tests run it on stores in memory.
 */
import { isDevelopment } from './access/development.ts';
import { isLocalServer, proxyFacts, requireSafety } from './access/exposure.ts';
import { isLoopbackHost, isLoopbackUrl } from './access/host-check.ts';
import { createLiveApp, type LiveAppOptions } from './live-app.ts';
import { ASSETS_PATH } from './requests/find-uploads.ts';
import type { ServerConfig } from './server-deps.ts';
import { type ConnectionLimits, createHttpServer, type HttpServerOptions } from './sockets/http-server.ts';
import { requireListenHost, toUrl } from './sockets/listen-host.ts';

export interface ServiceOptions
  extends Omit<LiveAppOptions, 'config'>,
    Pick<
      ServerConfig,
      | 'bodyLimitBytes'
      | 'queueLimit'
      | 'organizationWaiting'
      | 'corsOrigins'
      | 'requestsPerMinute'
      | 'proxiesFiles'
    > {
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end. Default: the address that it listens on. */
  readonly publicUrl: string | undefined;
  readonly allowAnonymous: boolean;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  readonly limits?: Partial<ConnectionLimits>;
  /** Resolves when the name has an address. For tests; the system's by default. */
  readonly lookupHost?: (name: string) => Promise<unknown>;
}

export interface Service {
  /**
   * Listens and starts to run tasks, first those of an earlier run.
   *
   * @returns The address it listens on, such as `http://127.0.0.1:8080`.
   * @throws ListingVideoError `usage` for an unsafe configuration, `cannot_listen`, and what the stores throw.
   */
  start(): Promise<string>;
  stop(): Promise<void>;
}

export function createService(options: ServiceOptions): Service {
  const { accounts, logger, bodyLimitBytes, queueLimit, organizationWaiting, corsOrigins } = options;
  const { requestsPerMinute } = options;
  let port = options.port;
  const config: ServerConfig = {
    isLocal: isLocalServer(options),
    ...proxyFacts(options),
    publicUrl: () => options.publicUrl ?? toUrl(reachableHost(options.host), port),
    bodyLimitBytes,
    queueLimit,
    organizationWaiting,
    corsOrigins,
    requestsPerMinute,
    proxiesFiles: options.proxiesFiles,
  };
  const live = createLiveApp({ ...options, config });
  const server = createHttpServer({
    listener: live.listener,
    onUnreadable: live.onUnreadable,
    onClosed: logClosed(options),
    isProxy: config.proxies.has,
    isUpload: ({ method, url }) => method === 'POST' && url === ASSETS_PATH,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });

  return {
    async start() {
      await requireListenHost(options.host, options.lookupHost);
      await requireSafety(options, accounts);
      await live.prepare();
      ({ port } = await server.listen(options.port, options.host));
      await logMode();
      live.begin();
      logger.info({ url: toUrl(options.host, port), public_url: config.publicUrl() }, 'listening');
      warnOfLoopback();
      return toUrl(options.host, port);
    },
    stop: () => live.stop(server),
  };

  /** Others reach the server, but not the addresses in its answers. */
  function warnOfLoopback(): void {
    const url = config.publicUrl();
    if (isLoopbackHost(options.host) || !isLoopbackUrl(url)) return;
    logger.warn(
      {},
      `the addresses of finished videos begin with ${url}, which only this machine can open: name the address that clients use ` +
        'with --public-url',
    );
  }

  async function logMode(): Promise<void> {
    if (await isDevelopment({ accounts, config })) {
      logger.warn(
        {},
        'development mode, because there are no API keys: every program on this machine can use this server, it answers ' +
          'nobody else, and it can fetch photos from private addresses',
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

/** Logs the connections that were closed for each reason, at most once a minute. */
function logClosed({
  logger,
  monotonicMs,
}: Pick<ServiceOptions, 'logger' | 'monotonicMs'>): NonNullable<HttpServerOptions['onClosed']> {
  const byReason = new Map<string, { sinceMs: number; closed: number }>();
  return (reason, client) => {
    const known = byReason.get(reason) ?? { sinceMs: Number.NEGATIVE_INFINITY, closed: 0 };
    byReason.set(reason, known);
    known.closed += 1;
    const nowMs = monotonicMs();
    if (nowMs - known.sinceMs < 60_000) return;
    logger.warn(
      { closed: known.closed, client },
      `too many ${reason}: the server closed connections, the last one of this client`,
    );
    known.sinceMs = nowMs;
    known.closed = 0;
  };
}

/** A wildcard address is no address for clients. Loopback at least works on this machine. */
function reachableHost(host: string): string {
  const { hostname } = new URL(toUrl(host, 1));
  if (hostname === '0.0.0.0') return '127.0.0.1';
  return hostname === '[::]' ? '::1' : host;
}
