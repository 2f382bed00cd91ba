/**
 * The one HTTP client: photos, `--server` and the download of ffmpeg use it. It picks the connection for a URL: direct,
 * where every socket passes the address guard, or through a proxy, where only the name of the host can be checked.
 */
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { explainNetworkError } from './explain-network-error.ts';
import { type AddressPolicy, explainNameRefusal } from './guard-address.ts';
import { createGuardedConnector, type NetworkDeps } from './guarded-connector.ts';
import { NetworkRefusal } from './network-refusal.ts';
import { type HttpProxy, type Proxies, proxyFor } from './proxies.ts';
import { ProxyFailure, refusedByProxy, unreachableProxy } from './proxy-failure.ts';

export interface HttpClientOptions {
  readonly policy: AddressPolicy;
  /** Null: every connection is direct. */
  readonly proxies: Proxies | null;
  /** DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Of one origin. Absent: no limit. */
  readonly maxConnections?: number;
  readonly network: Pick<NetworkDeps, 'lookup' | 'setTimer' | 'clearTimer'>;
}

/** Sends requests; it follows no redirects and unpacks nothing. */
export type Sender = Pick<Dispatcher, 'dispatch'>;
export type HttpHandler = Dispatcher.DispatchHandler;
export type HttpController = Dispatcher.DispatchController;

export interface HttpClient {
  /**
   * @throws {@link NetworkRefusal} `blocked_address` for a host that a proxy must not be asked for. Without a proxy the
   *   request fails with it.
   */
  senderFor(url: URL): Sender;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

/** Connections are reused until the client is closed. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { policy, proxies, connectTimeoutMs, maxConnections, network } = options;
  const connecting = new Set<() => void>();
  const common = {
    pipelining: 1,
    // Callers have timers for silence and for the whole answer instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    ...(maxConnections === undefined ? {} : { connections: maxConnections }),
  };
  const direct = new Agent({
    ...common,
    connect: createGuardedConnector(policy, connectTimeoutMs, network, connecting),
  });
  const proxied = new Map(
    [...new Set([proxies?.http, proxies?.https])].flatMap((proxy) =>
      proxy ? [[proxy, createProxyAgent(proxy, common, connectTimeoutMs)] as const] : [],
    ),
  );
  return {
    senderFor: (url) => {
      const proxy = proxyFor(url, proxies);
      const agent = proxy === null ? undefined : proxied.get(proxy);
      if (proxy === null || agent === undefined) return direct;
      const refusal = explainNameRefusal(url.hostname, policy);
      if (refusal !== null) throw new NetworkRefusal('blocked_address', refusal);
      return {
        dispatch: (request, handler) => agent.dispatch(request, watchProxy(handler, proxy, url)),
      };
    },
    close: async () => {
      for (const end of connecting) end();
      await Promise.all([direct, ...proxied.values()].map((agent) => agent.destroy()));
    },
  };
}

function createProxyAgent(
  proxy: HttpProxy,
  common: Omit<ProxyAgent.Options, 'uri' | 'connect'>,
  connectTimeoutMs: number,
): ProxyAgent {
  const token = credentialsOf(proxy);
  return new ProxyAgent({
    ...common,
    uri: proxy.url,
    ...(token === null ? {} : { token }),
    // Proxies refuse CONNECT to port 80: plain http goes to them as a request for a whole URL.
    proxyTunnel: false,
    proxyTls: { timeout: connectTimeoutMs } as never,
    clientFactory: (url, factoryOptions) =>
      watchTunnels(new Pool(url, { ...factoryOptions, headersTimeout: connectTimeoutMs }), proxy),
  });
}

/** RFC 7617. undici sends nothing when the user name or the password is empty; curl does. */
function credentialsOf({ url }: HttpProxy): string | null {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return null;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** undici says of a failed CONNECT neither which proxy nor, in a form for programs, which status. */
function watchTunnels(pool: Pool, proxy: HttpProxy): Pool {
  const connect = pool.connect.bind(pool) as (options: object) => Promise<Dispatcher.ConnectData>;
  const watched = async (options: { readonly path: string }): Promise<Dispatcher.ConnectData> => {
    const answer = await connect(options).catch((error: unknown) => {
      throw toProxyFailure(error, proxy);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw refusedByProxy(proxy, answer.statusCode, options.path);
  };
  return Object.assign(pool, { connect: watched });
}

function toProxyFailure(error: unknown, proxy: HttpProxy): unknown {
  if (error instanceof ProxyFailure) return error;
  const explained = explainNetworkError(error);
  return explained === null ? error : unreachableProxy(proxy, explained, error);
}

/** Of a request without a tunnel, every failure before the answer is one of the proxy. */
function watchProxy(
  handler: Dispatcher.DispatchHandler,
  proxy: HttpProxy,
  url: URL,
): Dispatcher.DispatchHandler {
  if (url.protocol === 'https:' || proxy.url.startsWith('https:')) return handler;
  let hasStarted = false;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, message) => {
      hasStarted = true;
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, piece) => handler.onResponseData?.(controller, piece),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => {
      const isOurs = error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
      // undici makes this error of status 407, and nothing else in a request of ours is invalid.
      const failure = isOurs ? refusedByProxy(proxy, 407, url.host) : toProxyFailure(error, proxy);
      handler.onResponseError?.(controller, hasStarted ? error : (failure as Error));
    },
  };
}
