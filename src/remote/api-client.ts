/** The operations of the /v1 API. How each is sent is in `api-call.ts`. */
import pLimit from 'p-limit';
import { ListingVideoError } from '../platform/errors.ts';
import type { TaskState } from '../task/task.ts';
import {
  type ApiCall,
  type ApiClientOptions,
  authorizationOf,
  type CallOptions,
  createSendCall,
} from './api-call.ts';
import {
  type ApiOrganization,
  type ApiTask,
  type ApiTaskPage,
  type ApiUpload,
  parseOrganization,
  parseProgress,
  parseScheduledTask,
  parseTask,
  parseTaskPage,
  parseUpload,
} from '../api/client/parse-answer.ts';
import { readEvents } from '../api/client/read-events.ts';
import type { TaskRequest } from '../api/client/request-body.ts';
import { parseRetryAfter } from '../api/client/retry.ts';

/** A hundred tasks of twenty agents with the most metadata. */
const MAX_PAGE_BYTES = 64 << 20;

export interface ListQuery {
  readonly limit: number;
  readonly state?: TaskState | undefined;
  readonly startingAfter?: string | undefined;
}

export interface PolledTask {
  readonly task: ApiTask;
  /** Wait before the next call; null when the server does not say. */
  readonly retryAfterMs: number | null;
  /** The server can push what changes: see {@link ApiClient.followTask}. */
  readonly hasEvents: boolean;
}

export interface CreateRequest extends Pick<TaskRequest, 'betas'> {
  readonly body: string;
}

/** What an event says of a task that goes on. */
export type TaskChange = Partial<Pick<ApiTask, 'state' | 'progress'>>;

/** All methods throw {@link ListingVideoError}: codes of `refusal.ts`, `server_unreachable`, `server_answer_invalid`; or the abort reason. */
export interface ApiClient {
  /**
   * @param idempotencyKey - Calls with the same key create one task.
   * @returns The id of the task.
   */
  createTask(request: CreateRequest, idempotencyKey: string, call: CallOptions): Promise<string>;
  /**
   * Stores an image.
   *
   * @param read - Called when the image is sent: a few are sent at a time.
   * @returns Where it is, or why the server cannot use it, `<code>: <detail>`.
   */
  uploadAsset(read: () => Promise<Buffer>, call: CallOptions): Promise<ApiUpload | string>;
  /** Whether the server takes uploads. */
  hasUploads(call: CallOptions): Promise<boolean>;
  getTask(id: string, call: CallOptions): Promise<PolledTask>;
  /**
   * Follows the events of a task.
   *
   * @param onChange - Called for every event but the last.
   * @returns The ended task; null if the stream ended before, for whatever reason: then ask with `getTask`.
   */
  followTask(id: string, onChange: (change: TaskChange) => void, call: CallOptions): Promise<ApiTask | null>;
  /** @returns The task, which has ended or is stopping; null when the server offers no such operation. */
  cancelTask(id: string, call: CallOptions): Promise<ApiTask | null>;
  listTasks(query: ListQuery, call: CallOptions): Promise<ApiTaskPage>;
  getOrganization(call: CallOptions): Promise<ApiOrganization>;
}

/** For one stream. Then the next one begins. */
const STREAM_MS = 3_600_000;

const WITH_DETAILS = { 'service-beta': 'task-progress, task-details, task-events' };
const WITH_PROGRESS = { 'service-beta': 'task-progress' };
const WITH_CANCEL = { 'service-beta': 'task-cancel' };
const WITH_UPLOADS = { 'service-beta': 'uploads' };
/** A server gives an upload a minute and the time that its bytes take at this rate, and then checks the image. */
const UPLOAD_MS = 180_000;
const MIN_UPLOAD_BYTES_PER_SEC = 16 * 1024;
/** Of all listings of this process. A server takes about a dozen of one client. */
const UPLOADS_AT_ONCE = 3;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { server, transport, network } = options;
  const send = createSendCall(options);
  const uploads = pLimit(UPLOADS_AT_ONCE);

  return {
    createTask: ({ body, betas }, idempotencyKey, call) => {
      const headers = {
        'idempotency-key': idempotencyKey,
        ...(betas.length > 0 ? { 'service-beta': betas.join(', ') } : {}),
      };
      return send({ path: '/v1/tasks', body, headers, parse: parseScheduledTask }, call);
    },
    uploadAsset: (read, call) =>
      uploads(async () => {
        call.signal.throwIfAborted();
        const body = await read();
        const headers = { ...WITH_UPLOADS, 'content-type': 'application/octet-stream' };
        const totalMs = UPLOAD_MS + (body.length / MIN_UPLOAD_BYTES_PER_SEC) * 1000;
        const sent = { path: '/v1/assets', body, statuses: [201], totalMs };
        return send({ ...sent, headers, parse: parseUpload }, call).catch(unusableReason);
      }),
    hasUploads: (call) => {
      const parse: ApiCall<boolean>['parse'] = (_, headers) => areOn(headers['service-beta']).has('uploads');
      return send({ path: '/v1/organization', headers: WITH_UPLOADS, parse }, call);
    },
    getTask: (id, call) => {
      const parse: ApiCall<PolledTask>['parse'] = (value, headers) => ({
        task: requireId(parseTask(value), id),
        retryAfterMs: parseRetryAfter(headers['retry-after'], network.nowMs()),
        hasEvents: areOn(headers['service-beta']).has('task-events'),
      });
      return send({ path: `/v1/tasks/${encodeURIComponent(id)}`, headers: WITH_DETAILS, parse }, call);
    },
    followTask: async (id, onChange, { signal }) => {
      try {
        const { status, headers, body, discard } = await transport.send({
          method: 'GET',
          url: new URL(`${server}/v1/tasks/${encodeURIComponent(id)}/events`),
          headers: { accept: 'text/event-stream', ...authorizationOf(options), ...WITH_DETAILS },
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
    cancelTask: (id, call) => {
      const path = `/v1/tasks/${encodeURIComponent(id)}/cancel`;
      const parse: ApiCall<ApiTask>['parse'] = (value) => requireId(parseTask(value), id);
      return send({ path, body: '', statuses: [200, 202], headers: WITH_CANCEL, parse }, call).catch(
        (error: unknown) => {
          if (error instanceof ListingVideoError && error.context?.server_code === 'not_found') return null;
          throw error;
        },
      );
    },
    listTasks: ({ limit, state, startingAfter }, call) => {
      const query = new URLSearchParams({ limit: String(limit) });
      if (state !== undefined) query.set('state', state);
      if (startingAfter !== undefined) query.set('starting_after', startingAfter);
      const path = `/v1/tasks?${query}`;
      return send({ path, maxBytes: MAX_PAGE_BYTES, headers: WITH_PROGRESS, parse: parseTaskPage }, call);
    },
    getOrganization: (call) => send({ path: '/v1/organization', parse: parseOrganization }, call),
  };
}

/** Why the server cannot use an image. @throws any other error. */
function unusableReason(error: unknown): string {
  if (error instanceof ListingVideoError && error.context?.server_code === 'unusable_asset')
    return error.message;
  throw error;
}

/** The betas that the header of an answer names. */
function areOn(header: string | undefined): ReadonlySet<string> {
  return new Set((header ?? '').split(',').map((name) => name.trim()));
}

/** A mixed-up answer would put one listing's videos into another's folder. */
function requireId(task: ApiTask, id: string): ApiTask {
  if (task.id === id) return task;
  throw new ListingVideoError(
    'server_answer_invalid',
    `the server answered with another task, not ${id.slice(0, 128)}`,
  );
}
