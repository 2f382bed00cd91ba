/** Downloads an asset over HTTP to a file, with the address guard, size and time limits, redirects and retries. */
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { liveWhile, reportLiveness } from '../../platform/liveness.ts';
import { causesOf, explainNetworkError } from '../../platform/network/explain-network-error.ts';
import type { AddressPolicy } from '../../platform/network/guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../platform/network/guarded-connector.ts';
import { createHttpClient, type HttpClient } from '../../platform/network/http-client.ts';
import { type Proxies, proxyFor } from '../../platform/network/proxies.ts';
import { parseRetryAfter } from '../../platform/network/retry.ts';
import { type RequestWatch, watchRequest } from '../../platform/network/watch-request.ts';
import type { AssetLimits } from './asset-limits.ts';
import { SNIFF_BYTES } from './decode/sniff-format.ts';
import { ListingTime, PhotoHost } from './download-time.ts';
import { type PhotoAnswer, requestPhoto } from './request-photo.ts';
import { UnusableAsset } from './unusable-asset.ts';

export interface SourceFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of all bytes, hex. */
  readonly sha256: string;
  /** The first bytes, for sniffing. */
  readonly head: Buffer;
}

/** Downloads the assets of one listing: its time limits are for all of them together. */
export interface AssetFetcher {
  /**
   * Downloads `url` to a new file at `toPath`. On failure no file is left.
   *
   * @throws {@link UnusableAsset} `blocked_address`, `unreachable`, `timeout` or `too_large`.
   * @throws {@link ListingVideoError} `disk_full` or `store_unwritable` when our own disk fails.
   */
  fetch(url: string, toPath: string, signal: AbortSignal): Promise<SourceFile>;
  /** True when a photo of the host of `url` has timed out. Other photos should go first. */
  isSlow(url: string): boolean;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

export interface FetcherOptions {
  readonly limits: AssetLimits;
  readonly policy: AddressPolicy;
  /** Absent: every connection is direct. */
  readonly proxies?: Proxies | null | undefined;
  /** Assets of the listing that come from the network. */
  readonly photoCount: number;
  /** Of several listings, so that its connections are reused. Absent: one of this fetcher, closed with it. */
  readonly client?: HttpClient | undefined;
  /** Headers for a URL, asked again after each redirect: a token must not follow one to another host. */
  readonly headersFor?: ((url: URL) => Readonly<Record<string, string>>) | undefined;
  /** For tests. */
  readonly network?: NetworkDeps | undefined;
}

/** Every socket passes the guard; connections are reused until the fetcher is closed. */
export function createAssetFetcher(options: FetcherOptions): AssetFetcher {
  const { limits, policy, proxies = null, photoCount, network = systemNetworkDeps } = options;
  const { headersFor } = options;
  const client = options.client ?? createPhotoClient({ limits, policy, proxies, network });
  const time = new ListingTime(limits, photoCount, network);
  const hosts = new Map<string, PhotoHost>();
  return {
    fetch: async (url, toPath, signal) => {
      const name = hostOf(url);
      const host = hosts.get(name) ?? new PhotoHost(limits);
      hosts.set(name, host);
      const all = AbortSignal.any([signal, time.signal, host.signal]);
      return time.spend(() =>
        fetchWithTries({ url, toPath, signal: all, limits, network, client, proxies, host, headersFor }),
      );
    },
    isSlow: (url) => hosts.get(hostOf(url))?.isSlow === true,
    close: async () => {
      if (options.client === undefined) await client.close();
    },
  };
}

/** A client for the fetchers of several listings. The caller closes it. */
export function createPhotoClient({
  limits: { connectTimeoutMs },
  policy,
  proxies = null,
  network = systemNetworkDeps,
}: Pick<FetcherOptions, 'limits' | 'policy' | 'proxies' | 'network'>): HttpClient {
  return createHttpClient({ policy, proxies, connectTimeoutMs, network });
}

interface FetchJob {
  readonly url: string;
  readonly toPath: string;
  /** Of the caller, of the listing's time and of the host. */
  readonly signal: AbortSignal;
  readonly limits: AssetLimits;
  readonly network: NetworkDeps;
  readonly client: HttpClient;
  readonly proxies: Proxies | null;
  readonly host: PhotoHost;
  readonly headersFor: FetcherOptions['headersFor'];
}

/** A host that asks for a longer wait is asked again by the next run. */
const MAX_RETRY_AFTER_MS = 30_000;

async function fetchWithTries(job: FetchJob): Promise<SourceFile> {
  const { host, signal } = job;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await host.limit(() => fetchOnce(job));
    } catch (error) {
      await rm(job.toPath, { force: true });
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      const { asset, retryAfterMs } = error;
      const isLong = retryAfterMs !== null && retryAfterMs > MAX_RETRY_AFTER_MS;
      if (!asset.mayPass || isLong || attempt >= host.maxTries) {
        if (asset.code === 'timeout') host.countTimeout();
        throw asset;
      }
      await job.network.backOff(attempt + 1, signal, retryAfterMs);
    }
  }
}

/** The failure of one try: the reason to report, and the wait that the host asks for. */
class Failure extends Error {
  readonly asset: UnusableAsset;
  readonly retryAfterMs: number | null;

  constructor(asset: UnusableAsset, retryAfterMs: number | null = null) {
    super(asset.message);
    this.asset = asset;
    this.retryAfterMs = retryAfterMs;
  }
}

async function fetchOnce(job: FetchJob): Promise<SourceFile> {
  job.signal.throwIfAborted();
  return save(job, await download(job));
}

async function download(job: FetchJob): Promise<Buffer> {
  const { stallTimeoutMs: silenceMs, totalTimeoutMs: totalMs } = job.limits;
  const toTimeout = (detail: string) => new UnusableAsset('timeout', detail);
  const watch = watchRequest({ silenceMs, totalMs }, job.signal, toTimeout, job.network);
  try {
    return await liveWhile(followRedirects(job, watch), totalMs);
  } catch (error) {
    throw toFailure(error);
  } finally {
    watch.stop();
  }
}

function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const unusable = causesOf(error).find((cause) => cause instanceof UnusableAsset);
  if (unusable !== undefined) return new Failure(unusable);
  const explained = explainNetworkError(error);
  if (explained === null) return error;
  const { code, detail, mayPass } = explained;
  return new Failure(new UnusableAsset(code, detail, { cause: error, mayPass }));
}

async function followRedirects(job: FetchJob, watch: RequestWatch): Promise<Buffer> {
  const { maxBytes, maxRedirects } = job.limits;
  const { signal } = watch;
  const onData = (): void => {
    // A slow host has its own limits, which are longer than the time that a server waits for signs of work.
    reportLiveness();
    watch.onData();
  };
  let url = parseHttpUrl(job.url, null);
  for (let redirects = 0; ; redirects += 1) {
    onData();
    const headers = job.headersFor?.(url);
    const request = { sender: job.client.senderFor(url), url, headers, maxBytes, signal, onData };
    const answer = await requestPhoto(request);
    const { status, location, body } = answer;
    if (status < 300) return body;
    if (![301, 302, 303, 307, 308].includes(status)) throw statusFailure(answer, url, job.proxies);
    if (location === undefined) throw unreachable(`HTTP ${status} without one Location`);
    if (redirects === maxRedirects) throw unreachable(`more than ${maxRedirects} redirects`);
    url = parseHttpUrl(location, url);
  }
}

/** Host and port; empty for what is not a URL. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

/** Only origin, path and query of the URL are sent, never user name and password. */
function parseHttpUrl(text: string, base: URL | null): URL {
  let url: URL;
  try {
    // Not `URL.canParse`: in Node 20, once optimized, it refuses valid URLs with letters between U+0080 and U+00FF.
    url = new URL(text, base?.href);
  } catch {
    throw unreachable(base === null ? 'not a URL' : 'redirected to what is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const what = base === null ? 'the scheme' : 'redirected to the scheme';
    throw new UnusableAsset('blocked_address', `${what} ${url.protocol.slice(0, 20)} is not http or https`);
  }
  return url;
}

function statusFailure({ status, retryAfter }: PhotoAnswer, url: URL, proxies: Proxies | null): Failure {
  const name = STATUS_CODES[status];
  const answer = name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`;
  // Of plain http a proxy sees the answer, and can have made it.
  const proxy = url.protocol === 'http:' ? proxyFor(url, proxies) : null;
  const detail = proxy === null ? answer : `${answer}, through ${proxy.label}`;
  // A host that has enough of us, and does not say for how long, is asked again by another run.
  const ownWait = status === 429 ? Number.POSITIVE_INFINITY : null;
  const asset = new UnusableAsset('unreachable', detail, { mayPass: status === 429 || status >= 500 });
  return new Failure(asset, parseRetryAfter(retryAfter, Date.now()) ?? ownWait);
}

async function save({ toPath, signal }: FetchJob, body: Buffer): Promise<SourceFile> {
  await writeFile(toPath, body, { flag: 'wx', signal }).catch((cause) => {
    signal.throwIfAborted();
    throw toStoreError(cause, toPath);
  });
  return {
    path: toPath,
    sizeBytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    // A copy, so that the whole body is not kept with it.
    head: Buffer.from(body.subarray(0, SNIFF_BYTES)),
  };
}

function unreachable(detail: string): UnusableAsset {
  return new UnusableAsset('unreachable', detail);
}
