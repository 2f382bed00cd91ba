/** A bucket, as far as this program uses one: put, get, remove, list, and URLs that open an object for a while. */
import type { Readable } from 'node:stream';
import { systemNetworkDeps } from '../../platform/network/guarded-connector.ts';
import { createHttpClient } from '../../platform/network/http-client.ts';
import { type Answer, openAnswer } from '../../platform/network/open-answer.ts';
import { type TimeLimits, watchRequest } from '../../platform/network/watch-request.ts';
import { followClock } from './bucket-clock.ts';
import {
  BucketTimeout,
  isStorageFault,
  toBucketFault,
  toListFault,
  toLostFault,
  toRefusalFault,
} from './bucket-fault.ts';
import {
  areaOf,
  type BucketRequest,
  type OnBucketRequest,
  observeRequest,
  type RequestObserver,
} from './observe-request.ts';
import { discardBody, readRefusal, readText } from './read-answer.ts';
import { createSigningClient, type ListedObject, type SignedRequest } from './signing-client.ts';
import type { StoragePlace } from './storage-place.ts';

/** An object to store. */
export interface Upload {
  readonly key: string;
  readonly sizeBytes: number;
  /** Reads the content from its start. Called for every try. */
  readonly open: () => Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: limits for work that waits for the bucket. */
  readonly limits?: TimeLimits | undefined;
}

export interface BucketOptions {
  /** Milliseconds since 1970, of this machine. */
  readonly nowMs?: () => number;
  /** Called after every request, for metrics. */
  readonly onRequest?: OnBucketRequest;
}

/**
 * Keys are below the prefix of the place. Every method throws {@link ListingVideoError} `storage_unavailable`, or the
 * reason of the signal.
 */
export interface Bucket {
  /** `s3://bucket/prefix`, for messages. */
  readonly name: string;
  /** Where signed URLs lead. */
  readonly origin: string;
  /** Reports a request that was made with a signed URL. */
  readonly onRequest: OnBucketRequest;
  /**
   * Stores one object, which appears complete or not at all. With a `content-md5` it is checked that the bucket has it:
   * a proxy in between can answer 200 and store nothing.
   */
  put(upload: Upload, options?: RequestOptions): Promise<void>;
  /** Opens an object; null if there is none. Read its body, or discard it. */
  get(key: string, options?: RequestOptions): Promise<Answer | null>;
  /** Removes an object, which need not exist. */
  remove(key: string, options?: RequestOptions): Promise<void>;
  /** All keys that start with `prefix`. */
  list(prefix: string): Promise<string[]>;
  /** The same one by one, for many: page by page, each object with its size and age. */
  walk(prefix: string): AsyncIterable<ListedObject>;
  /** A URL that opens an object for a while, for everyone who has it. */
  signUrl(request: SignedRequest): Promise<URL>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Of the object that a server writes to see whether it can. */
export const PROBE_KEY = 'ready';
/** Of a request that a client waits for, and that can fail. */
const PROBE_LIMITS: TimeLimits = { silenceMs: 2_000, totalMs: 2_000 };
const PATIENT: TimeLimits = { silenceMs: 20_000, totalMs: 600_000 };
/** Of one URL that this program signs for itself; the upload of a large file can begin late. */
const OWN_EXPIRY_SEC = 900;
const MAX_CONNECTIONS = 16;
const METHODS = { put: 'PUT', get: 'GET', head: 'HEAD', remove: 'DELETE' } as const;

interface Request extends Pick<BucketRequest, 'kind' | 'area'> {
  readonly method: SignedRequest['method'];
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | undefined;
  readonly sizeBytes?: number;
}

export function createBucket(place: StoragePlace, options: BucketOptions = {}): Bucket {
  const { nowMs = Date.now, onRequest = () => {} } = options;
  const clock = followClock(nowMs);
  const http = createHttpClient({
    // The operator names the endpoint, so every address is right.
    policy: { allowPrivate: true, allowFrom: [] },
    proxies: null,
    connectTimeoutMs: PATIENT.silenceMs,
    maxConnections: MAX_CONNECTIONS,
    network: systemNetworkDeps,
  });
  const signing = createSigningClient(place, clock.now, async (url) => {
    const area = areaOf((url.searchParams.get('prefix') ?? '').slice(place.prefix.length));
    const answer = await send({ kind: 'list', area, method: 'GET', url }, {});
    if (answer.status !== 200) throw await refused(answer);
    return readText(answer);
  });

  async function send(request: Request, { signal, limits = PATIENT }: RequestOptions): Promise<Answer> {
    const { method, url, headers, body, sizeBytes = 0 } = request;
    const observer = observeRequest({ ...request, sizeBytes }, signal, onRequest);
    const watch = watchRequest(limits, signal, (detail) => new BucketTimeout(detail), systemNetworkDeps);
    // Paused until the connection reads it.
    body?.on('data', watch.onData).pause();
    try {
      const answer = await openAnswer({
        sender: http.senderFor(url),
        method,
        url,
        headers: { 'user-agent': 'listing-video', 'accept-encoding': 'identity', ...headers },
        body,
        signal: watch.signal,
        onData: watch.onData,
        onEnd: watch.stop,
      });
      clock.onDate(answer.headers.date);
      return {
        ...answer,
        body: piecesOf(answer, observer, signal),
        discard: () => {
          observer.onEnd(answer.status);
          answer.discard();
        },
      };
    } catch (error) {
      observer.onFault();
      signal?.throwIfAborted();
      throw toBucketFault(place.name, error);
    } finally {
      body?.destroy();
    }
  }

  async function* piecesOf(answer: Answer, observer: RequestObserver, signal: AbortSignal | undefined) {
    try {
      for await (const piece of answer.body) {
        observer.onData(piece);
        yield piece;
      }
    } catch (error) {
      observer.onFault();
      signal?.throwIfAborted();
      throw toBucketFault(place.name, error);
    } finally {
      observer.onEnd(answer.status);
    }
  }

  /** Signs and sends, and does so again after an answer that shows that the clocks differ. */
  async function ask(
    kind: keyof typeof METHODS,
    key: string,
    options: RequestOptions,
    upload?: Upload,
  ): Promise<Answer> {
    const method = METHODS[kind];
    const area = areaOf(key);
    const headers = upload?.headers ?? {};
    const size = upload === undefined ? {} : { 'content-length': String(upload.sizeBytes) };
    for (let isLast = false; ; isLast = true) {
      const offsetMs = clock.offsetMs();
      const url = await signUrl({ method, key, headers: amazonHeaders(headers), expirySec: OWN_EXPIRY_SEC });
      const request = { kind, area, method, url, headers: { ...headers, ...size } };
      const sent = upload === undefined ? {} : { body: upload.open(), sizeBytes: upload.sizeBytes };
      const answer = await send({ ...request, ...sent }, options);
      const isSkewed = answer.status === 403 && Math.abs(clock.offsetMs() - offsetMs) > 1_000;
      if (!isSkewed || isLast) return answer;
      answer.discard();
    }
  }

  async function* walk(prefix: string): AsyncGenerator<ListedObject, void> {
    const whole = place.prefix + prefix;
    try {
      for await (const object of signing.list(whole)) {
        if (object.key.startsWith(whole)) yield { ...object, key: object.key.slice(place.prefix.length) };
      }
    } catch (error) {
      throw isStorageFault(error) ? error : toListFault(place.name, error);
    }
  }

  async function listOnce(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of walk(prefix)) keys.push(key);
    return keys;
  }

  const signUrl = (request: SignedRequest) => signing.sign({ ...request, key: place.prefix + request.key });
  let asking: Promise<void> | null = null;
  /**
   * A server that only redirects asks the bucket for nothing else: with a wrong clock its URLs could have expired
   * already.
   */
  const askTime = (): Promise<void> => {
    asking ??= ask('get', PROBE_KEY, { limits: PROBE_LIMITS })
      .then(discardBody)
      .catch(() => {})
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  const refused = async (answer: Answer) => toRefusalFault(place.name, await readRefusal(answer));

  /** For an ETag that is no MD5, as that of an encrypted object, and for an answer that is not from the bucket. */
  const requireStored = async (upload: Upload, options: RequestOptions): Promise<void> => {
    const { status, headers, discard } = await ask('head', upload.key, options);
    discard();
    const wanted = { ...amazonHeaders(upload.headers ?? {}), 'content-length': `${upload.sizeBytes}` };
    const isSame = Object.entries(wanted).every(([name, value]) => headers[name] === value);
    if (status !== 200 || !isSame) throw toLostFault(place.name);
  };

  return {
    name: place.name,
    origin: place.origin,
    onRequest,
    async put(upload, options = {}) {
      const answer = await ask('put', upload.key, options, upload);
      if (answer.status !== 200) throw await refused(answer);
      const { etag } = answer.headers;
      await discardBody(answer);
      if (!isOf(etag, upload)) await requireStored(upload, options);
    },
    async get(key, options = {}) {
      const answer = await ask('get', key, options);
      if (answer.status === 200) return answer;
      const refusal = await readRefusal(answer);
      if (refusal.status === 404 && refusal.code !== 'NoSuchBucket') return null;
      throw toRefusalFault(place.name, refusal);
    },
    async remove(key, options = {}) {
      const answer = await ask('remove', key, options);
      if (answer.status === 204 || answer.status === 200) return discardBody(answer);
      const refusal = await readRefusal(answer);
      if (refusal.status !== 404 || refusal.code === 'NoSuchBucket')
        throw toRefusalFault(place.name, refusal);
    },
    async list(prefix) {
      const offsetMs = clock.offsetMs();
      return listOnce(prefix).catch((error: unknown) => {
        if (Math.abs(clock.offsetMs() - offsetMs) > 1_000) return listOnce(prefix);
        throw error;
      });
    },
    walk,
    async signUrl(request) {
      if (!clock.isKnown()) await askTime();
      return signUrl(request);
    },
    close: () => http.close(),
  };
}

/** True if nothing is to be checked, or the ETag is the MD5 that was sent. */
function isOf(etag: string | undefined, { headers }: Upload): boolean {
  const md5 = headers?.['content-md5'];
  return md5 === undefined || etag?.replaceAll('"', '') === Buffer.from(md5, 'base64').toString('hex');
}

function amazonHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-')));
}
