/** Downloads an asset over HTTP to a file, with the address guard, size and time limits, redirects and retries. */
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import pLimit, { type LimitFunction } from 'p-limit';
import { Agent, type Dispatcher, errors } from 'undici';
import { toStoreError } from '../disk/disk-error.ts';
import { type AssetLimits, formatBytes, formatExcess, formatSeconds } from './asset-limits.ts';
import { toUnreachable } from './explain-network-error.ts';
import type { AddressPolicy } from './guard-address.ts';
import { createGuardedConnector, type NetworkDeps, systemNetworkDeps } from './guarded-connector.ts';
import { SNIFF_BYTES } from './sniff-format.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** A downloaded or local source file. */
export interface SourceFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of all bytes, hex. */
  readonly sha256: string;
  /** The first bytes, for sniffing. */
  readonly head: Buffer;
}

export interface AssetFetcher {
  /**
   * Downloads `url` to a new file at `toPath`. On failure no file is left.
   *
   * @throws {@link UnusableAsset} `blocked_address`, `unreachable`, `timeout` or `too_large`.
   * @throws {@link ListingVideoError} `disk_full` or `store_unwritable` when our own disk fails.
   */
  fetch(url: string, toPath: string, signal: AbortSignal): Promise<SourceFile>;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

/** A fetcher. Every socket passes the guard; connections are reused until it closes. */
export function createAssetFetcher(
  limits: AssetLimits,
  policy: AddressPolicy,
  network: NetworkDeps = systemNetworkDeps,
): AssetFetcher {
  const agent = new Agent({
    connect: createGuardedConnector(policy, limits.connectTimeoutMs, network),
    pipelining: 1,
    // `TryWatch` has timers for silence and for the whole try instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    // Limits the memory of a body, because its stream is never paused (see `followRedirects`).
    maxResponseSize: limits.maxBytes,
  });
  const hosts = new Map<string, LimitFunction>();
  return {
    fetch: async (url, toPath, signal) => {
      const { host } = parseHttpUrl(url, null);
      const limit = hosts.get(host) ?? pLimit(limits.connectionsPerHost);
      hosts.set(host, limit);
      return fetchWithTries({ url, toPath, signal, limits, network, agent, limit });
    },
    close: () => agent.destroy(),
  };
}

interface FetchJob {
  readonly url: string;
  readonly toPath: string;
  readonly signal: AbortSignal;
  readonly limits: AssetLimits;
  readonly network: NetworkDeps;
  readonly agent: Agent;
  /** The limiter of connections to this host. Waiting for it does not count as a time-out. */
  readonly limit: LimitFunction;
}

async function fetchWithTries(job: FetchJob): Promise<SourceFile> {
  for (let attempt = 1; ; attempt += 1) {
    job.signal.throwIfAborted();
    try {
      return await job.limit(() => fetchOnce(job));
    } catch (error) {
      await rm(job.toPath, { force: true });
      job.signal.throwIfAborted();
      const failure = error instanceof Failure ? error : null;
      if (failure === null) throw error;
      if (!failure.mayPass || attempt >= job.limits.maxTries) throw failure.asset;
    }
    await job.network.backOff(attempt + 1, job.signal);
  }
}

/** The failure of one try: the reason to report, and whether another try can help. */
class Failure extends Error {
  readonly asset: UnusableAsset;
  readonly mayPass: boolean;

  constructor(asset: UnusableAsset, mayPass: boolean) {
    super(asset.message);
    this.asset = asset;
    this.mayPass = mayPass;
  }
}

async function fetchOnce(job: FetchJob): Promise<SourceFile> {
  job.signal.throwIfAborted();
  const watch = new TryWatch(job);
  try {
    const response = await followRedirects(job, watch);
    return await saveBody(job, response, watch);
  } catch (error) {
    throw toFailure(watch.timeout ?? error, job.limits);
  } finally {
    watch.stop();
  }
}

function toFailure(error: unknown, { maxBytes }: AssetLimits): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof errors.ResponseExceededMaxSizeError) return new Failure(tooLarge(maxBytes), false);
  if (error instanceof UnusableAsset) return new Failure(error, error.code === 'timeout');
  const explained = toUnreachable(error);
  return explained === null ? error : new Failure(explained.asset, explained.mayPass);
}

/** The two timers of one try, and a signal that aborts with them or with the caller. */
class TryWatch {
  readonly signal: AbortSignal;
  /** Set when a timer fired: the reason to report instead of the abort. */
  timeout: UnusableAsset | null = null;
  readonly #controller = new AbortController();
  readonly #job: FetchJob;
  readonly #total: unknown;
  #stall: unknown;

  constructor(job: FetchJob) {
    this.#job = job;
    this.signal = AbortSignal.any([job.signal, this.#controller.signal]);
    const { totalTimeoutMs } = job.limits;
    this.#total = job.network.setTimer(
      () => this.#expire(`not finished within ${formatSeconds(totalTimeoutMs)}`),
      totalTimeoutMs,
    );
  }

  /** Restarts the stall timer: call it for every chunk and every new wait. */
  resetStall(): void {
    const { network, limits } = this.#job;
    network.clearTimer(this.#stall);
    this.#stall = network.setTimer(
      () => this.#expire(`no data for ${formatSeconds(limits.stallTimeoutMs)}`),
      limits.stallTimeoutMs,
    );
  }

  stop(): void {
    this.#job.network.clearTimer(this.#total);
    this.#job.network.clearTimer(this.#stall);
  }

  #expire(detail: string): void {
    this.timeout ??= new UnusableAsset('timeout', detail);
    this.#controller.abort();
  }
}

async function followRedirects(job: FetchJob, watch: TryWatch): Promise<Dispatcher.ResponseData> {
  let url = parseHttpUrl(job.url, null);
  for (let redirects = 0; ; redirects += 1) {
    watch.resetStall();
    const response = await job.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        // Uncompressed bodies are easy to count and cannot be decompression bombs.
        'accept-encoding': 'identity',
        accept: 'image/jpeg,image/png,image/webp,image/avif;q=0.9,image/*;q=0.8,*/*;q=0.5',
        // Some image hosts refuse requests without a user agent.
        'user-agent': 'listing-video',
      },
      signal: watch.signal,
      // Never pause: undici 7 ends the whole process when a server hangs up while its parser is paused
      // (nodejs/undici#5360, fixed in undici 8, which needs Node 22). `maxResponseSize` limits the memory instead.
      highWaterMark: Number.MAX_SAFE_INTEGER,
    });
    watch.resetStall();
    const { statusCode } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    discardBody(response);
    if (![301, 302, 303, 307, 308].includes(statusCode)) throw statusFailure(statusCode);
    const location = response.headers.location;
    if (typeof location !== 'string') throw unreachable(`HTTP ${statusCode} without one Location`);
    if (redirects === job.limits.maxRedirects)
      throw unreachable(`more than ${job.limits.maxRedirects} redirects`);
    url = parseHttpUrl(location, url);
  }
}

/** Only origin, path and query of the URL are sent, never user name and password. */
function parseHttpUrl(text: string, base: URL | null): URL {
  let url: URL;
  try {
    // Not `URL.canParse`: in Node 20, once optimised, it refuses valid URLs with letters between U+0080 and U+00FF.
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

function statusFailure(status: number): Failure {
  const name = STATUS_CODES[status];
  const asset = unreachable(name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`);
  return new Failure(asset, status >= 500);
}

async function saveBody(
  job: FetchJob,
  response: Dispatcher.ResponseData,
  watch: TryWatch,
): Promise<SourceFile> {
  const { maxBytes } = job.limits;
  const announced = Number(response.headers['content-length']);
  if (announced > maxBytes) {
    discardBody(response);
    throw new UnusableAsset('too_large', formatExcess(announced, maxBytes, formatBytes));
  }
  const decoders = toDecoders(response);
  const file = await open(job.toPath, 'wx').catch((cause) => {
    discardBody(response);
    throw toStoreError(cause, job.toPath);
  });
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let sizeBytes = 0;
  try {
    await pipeline(
      ...([
        response.body,
        countBytes(maxBytes, () => watch.resetStall()),
        ...decoders,
        countBytes(maxBytes, () => {}),
        async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            if (sizeBytes < SNIFF_BYTES) head.push(Buffer.from(chunk.subarray(0, SNIFF_BYTES - sizeBytes)));
            sizeBytes += chunk.length;
            hash.update(chunk);
            await file.writeFile(chunk).catch((cause) => {
              throw toStoreError(cause, job.toPath);
            });
          }
        },
      ] as unknown as Parameters<typeof pipeline>),
    );
  } finally {
    await file.close();
  }
  return { path: job.toPath, sizeBytes, sha256: hash.digest('hex'), head: Buffer.concat(head) };
}

function countBytes(maxBytes: number, onChunk: () => void) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let total = 0;
    for await (const chunk of chunks) {
      onChunk();
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

/** Some servers compress without being asked. Their bytes are counted before and after decompression. */
function toDecoders(response: Dispatcher.ResponseData): NodeJS.ReadWriteStream[] {
  const header = String(response.headers['content-encoding'] ?? '');
  const encodings = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > 3) encodings.splice(0, encodings.length, 'too many');
  return encodings.reverse().map((encoding) => {
    if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
    if (encoding === 'deflate') return createInflate();
    if (encoding === 'br') return createBrotliDecompress();
    discardBody(response);
    throw unreachable('sent with a content encoding that was not asked for');
  });
}

/** Closes the connection instead of reading a body that is not needed. */
function discardBody(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => {});
  response.body.destroy();
}

function tooLarge(maxBytes: number): UnusableAsset {
  return new UnusableAsset('too_large', `more than ${formatBytes(maxBytes)}`);
}

function unreachable(detail: string): UnusableAsset {
  return new UnusableAsset('unreachable', detail);
}
