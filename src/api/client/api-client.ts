/** The operations of the /v1 API of a server: sent with the key and retries, their answers checked. */
import pLimit from 'p-limit';
import { ListingVideoError } from '../../platform/errors.ts';
import { NetworkFailure } from '../../platform/network/network-failure.ts';
import { SlowReader } from '../../platform/network/open-answer.ts';
import {
  type Patience,
  parseRetryAfter,
  TemporaryFailure,
  withRetries,
} from '../../platform/network/retry.ts';
import type { ClientDeps, Transport } from '../../platform/network/transport.ts';
import type { TaskState } from '../../task/task.ts';
import {
  type ApiTask,
  type ApiUpload,
  parseOrganization,
  parseProgress,
  parseScheduledTask,
  parseTask,
  parseTaskPage,
  parseUpload,
} from './parse-answer.ts';
import { readEvents } from './read-events.ts';
import { toRefusalError } from './refusal.ts';

/** A task of twenty agents with the most metadata, or the violations of the largest request with their values. */
const MAX_ANSWER_BYTES = 8 << 20;
/** A hundred tasks of twenty agents with the most metadata. */
const MAX_PAGE_BYTES = 64 << 20;
/** For one answer: the largest page at 0.6 MB/s. */
const ANSWER_MS = 120_000;
/** For one stream. Then the next one begins. */
const STREAM_MS = 3_600_000;
/** A server gives an upload a minute and the time that its bytes take at this rate, and then checks the image. */
const UPLOAD_MS = 180_000;
const MIN_UPLOAD_BYTES_PER_SEC = 16 * 1024;
/** Of all listings of this process. A server takes about a dozen of one client. */
const UPLOADS_AT_ONCE = 3;
/** Without these, a listing cannot be sent, or its videos would be wrong. */
const OFFERED_BETAS = 'uploads, altered-photos';
const TASK_BETAS = 'task-progress, task-details, task-events';

export interface ApiClientOptions {
  /** Without a slash at the end; may have a path. */
  readonly server: string;
  readonly key: string | undefined;
  readonly transport: Transport;
  readonly network: ClientDeps;
  /** Called once per series of retries. */
  readonly warn: (message: string) => void;
}

interface ApiCall<T> {
  /** Below the server, with its query. */
  readonly path: string;
  readonly betas?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; absent: a GET. Text is JSON. */
  readonly body?: string | Buffer;
  /** Of a success. Default: 200 of a GET, 202 of a POST. */
  readonly statuses?: readonly number[];
  readonly totalMs?: number;
  readonly maxBytes?: number;
  readonly parse: (value: unknown, headers: Headers) => T;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** What an event says of a task that goes on. */
export type TaskChange = Partial<Pick<ApiTask, 'state' | 'progress'>>;

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * Every method throws {@link ListingVideoError}: the codes of `refusal.ts`, `server_unreachable`,
 * `server_answer_invalid`; or the abort reason.
 */
export function createApiClient(options: ApiClientOptions) {
  const { server, key, transport, network, warn } = options;
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const uploads = pLimit(UPLOADS_AT_ONCE);
  let hasAnswered = false;

  const send = <T>(call: ApiCall<T>, signal: AbortSignal, patience?: Patience): Promise<T> =>
    withRetries(() => sendOnce(call, signal), {
      network,
      patience,
      signal,
      warn,
      isHeavy: call.body instanceof Buffer,
    });

  const sendOnce = async <T>(call: ApiCall<T>, signal: AbortSignal): Promise<T> => {
    const { path, betas, body, maxBytes = MAX_ANSWER_BYTES, totalMs = ANSWER_MS } = call;
    const { statuses = [body === undefined ? 200 : 202] } = call;
    try {
      const answer = await transport.send({
        method: body === undefined ? 'GET' : 'POST',
        url: new URL(`${server}${path}`),
        headers: {
          accept: 'application/json',
          ...authorization,
          ...(typeof body === 'string' && body !== '' ? { 'content-type': 'application/json' } : {}),
          ...(betas ? { 'service-beta': betas } : {}),
          ...call.headers,
        },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        // While an image is sent nothing comes back.
        ...(body instanceof Buffer ? { silenceMs: totalMs } : {}),
        totalMs,
        maxWaitingBytes: maxBytes,
        signal,
      });
      const value = parseJson(await answer.whole());
      hasAnswered = true;
      const { status, headers } = answer;
      if (statuses.includes(status)) return call.parse(value, headers);
      throw toRefusalError({ status, headers, body: value, server, nowMs: network.nowMs() });
    } catch (error) {
      if (error instanceof SlowReader) throw invalid(`the server's answer is larger than ${maxBytes} bytes`);
      throw error instanceof NetworkFailure ? toUnreachable(error) : error;
    }
  };

  const toUnreachable = (failure: NetworkFailure): Error => {
    const final = new ListingVideoError(
      'server_unreachable',
      `${server} does not answer: ${failure.message}`,
      {
        cause: failure,
        hint: unreachableHint(failure),
        context: { server },
      },
    );
    const isTemporary = failure.isTemporary || (failure.reason === 'name' && hasAnswered);
    return isTemporary ? new TemporaryFailure(final, 'unreachable') : final;
  };

  return {
    /**
     * @param idempotencyKey - Calls with the same key create one task.
     * @returns The id of the task.
     */
    createTask: (body: string, betas: readonly string[], idempotencyKey: string, signal: AbortSignal) => {
      const headers = { 'idempotency-key': idempotencyKey };
      const call = { path: '/v1/tasks', body, betas: betas.join(', '), headers };
      return send({ ...call, parse: parseScheduledTask }, signal);
    },

    /**
     * Stores an image.
     *
     * @param read - Called when the image is sent: a few are sent at a time.
     * @returns Where it is, or why the server cannot use it, `<code>: <detail>`.
     */
    uploadAsset: (read: () => Promise<Buffer>, signal: AbortSignal): Promise<ApiUpload | string> =>
      uploads(async () => {
        signal.throwIfAborted();
        const body = await read();
        const sent = { path: '/v1/assets', betas: 'uploads', body, statuses: [201], parse: parseUpload };
        const headers = { 'content-type': 'application/octet-stream' };
        const totalMs = UPLOAD_MS + (body.length / MIN_UPLOAD_BYTES_PER_SEC) * 1000;
        return send<ApiUpload | string>({ ...sent, headers, totalMs }, signal).catch((error: unknown) => {
          if (serverCodeOf(error) === 'unusable_asset') return (error as Error).message;
          throw error;
        });
      }),

    /** `retryAfterMs` is null when the server does not say; `hasEvents`: the server can push what changes. */
    getTask: (id: string, signal: AbortSignal, patience?: Patience) =>
      send(
        {
          path: pathOf(id),
          betas: TASK_BETAS,
          parse: (value, headers) => ({
            task: requireId(parseTask(value), id),
            retryAfterMs: parseRetryAfter(headers['retry-after'], network.nowMs()),
            hasEvents: betasOf(headers).includes('task-events'),
          }),
        },
        signal,
        patience,
      ),

    /**
     * Follows the events of a task.
     *
     * @param onChange - Called for every event but the last.
     * @returns The ended task; null if the stream ended before, for whatever reason: then ask with `getTask`.
     */
    followTask: async (
      id: string,
      onChange: (change: TaskChange) => void,
      signal: AbortSignal,
    ): Promise<ApiTask | null> => {
      try {
        const { status, headers, body, discard } = await transport.send({
          method: 'GET',
          url: new URL(`${server}${pathOf(id)}/events`),
          headers: { accept: 'text/event-stream', ...authorization, 'service-beta': TASK_BETAS },
          totalMs: STREAM_MS,
          isStream: true,
          signal,
        });
        if (status !== 200 || !/^text\/event-stream\b/.test(headers['content-type'] ?? '')) {
          discard();
          return null;
        }
        for await (const { name, data } of readEvents(body)) {
          if (name === 'end') return requireId(parseTask(JSON.parse(data)), id);
          if (name === 'progress') onChange({ progress: parseProgress(JSON.parse(data)) });
          if (name !== 'state') continue;
          const { state, progress } = requireId(parseTask(JSON.parse(data)), id);
          onChange({ state, progress });
        }
      } catch {
        // Asking for the task shows what is wrong, if it still is.
        signal.throwIfAborted();
      }
      return null;
    },

    /** @returns The task, which has ended or is stopping; null when the server offers no such operation. */
    cancelTask: (id: string, signal: AbortSignal): Promise<ApiTask | null> => {
      const parse = (value: unknown): ApiTask | null => requireId(parseTask(value), id);
      const call = { path: `${pathOf(id)}/cancel`, betas: 'task-cancel', body: '', statuses: [200, 202] };
      return send({ ...call, parse }, signal).catch((error: unknown) => {
        if (serverCodeOf(error) === 'not_found') return null;
        throw error;
      });
    },

    listTasks: (
      query: {
        readonly limit: number;
        readonly state?: TaskState | undefined;
        readonly startingAfter?: string | undefined;
      },
      signal: AbortSignal,
    ) => {
      const search = new URLSearchParams({ limit: String(query.limit) });
      if (query.state !== undefined) search.set('state', query.state);
      if (query.startingAfter !== undefined) search.set('starting_after', query.startingAfter);
      const call = { path: `/v1/tasks?${search}`, betas: 'task-progress', maxBytes: MAX_PAGE_BYTES };
      return send({ ...call, parse: parseTaskPage }, signal);
    },

    /** `betas`: those of {@link OFFERED_BETAS} that the server offers. */
    getOrganization: (signal: AbortSignal) => {
      const parse = (value: unknown, headers: Headers) => ({
        ...parseOrganization(value),
        betas: betasOf(headers),
      });
      return send({ path: '/v1/organization', betas: OFFERED_BETAS, parse }, signal);
    },
  };
}

function pathOf(id: string): string {
  return `/v1/tasks/${encodeURIComponent(id)}`;
}

/** Undefined for a body that is not JSON. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The betas that are on for an answer. */
function betasOf(headers: Headers): string[] {
  return (headers['service-beta'] ?? '').split(',').map((name) => name.trim());
}

function serverCodeOf(error: unknown): unknown {
  return error instanceof ListingVideoError ? error.context?.server_code : undefined;
}

/** A mixed-up answer would put one listing's videos into another's folder. */
function requireId(task: ApiTask, id: string): ApiTask {
  if (task.id === id) return task;
  throw invalid(`the server answered with another task, not ${id.slice(0, 128)}`);
}

function unreachableHint({ reason }: NetworkFailure): string {
  if (reason === 'proxy') return 'check the proxy, or name the host in NO_PROXY to connect directly';
  return reason === 'certificate'
    ? 'set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that signed it'
    : 'check the address, and that the server is running';
}

function invalid(message: string): ListingVideoError {
  return new ListingVideoError('server_answer_invalid', message);
}
