/** The four operations of the /v1 API, each one call: tried again where that may help, answers checked, the key kept to the server. */
import { ListingVideoError } from '../errors.ts';
import type { TaskState } from '../task/task.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure } from './network-failure.ts';
import {
  type ApiOrganization,
  type ApiTask,
  parseOrganization,
  parseScheduledTask,
  parseTask,
  parseTaskPage,
} from './parse-answer.ts';
import { parseJson, readBytes } from './read-body.ts';
import { toRefusalError } from './refusal.ts';
import { PassingFailure, type Patience, parseRetryAfter, SHORT_PATIENCE, withRetries } from './retry.ts';
import type { Answer, Transport } from './transport.ts';

/** A hundred tasks of twenty agents with all the metadata they may have. */
const MOST_PAGE_BYTES = 64 << 20;
/** One such task, or the violations of the largest request with the values they are about. */
const MOST_ANSWER_BYTES = 8 << 20;

export interface ApiClientOptions {
  /** Without a slash at the end; may have a path. */
  readonly server: string;
  readonly key: string | undefined;
  readonly transport: Transport;
  readonly network: NetworkDeps;
  /** Said once for each stretch of trouble. */
  readonly warn: (message: string) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly patience?: Patience;
}

export interface ListQuery {
  readonly limit: number;
  readonly state?: TaskState;
  readonly startingAfter?: string;
}

/** All throw {@link ListingVideoError} of the codes of `refusal.ts`, `server_unreachable`, `server_answer_invalid`, or the abort reason. */
export interface ApiClient {
  /**
   * @param body - A listing as JSON.
   * @param idempotencyKey - Every call with it means the same task.
   * @returns The id of the task.
   */
  createTask(body: string, idempotencyKey: string, call: CallOptions): Promise<string>;
  /** @returns The task, and when to ask again; null when the server does not say. */
  getTask(
    id: string,
    call: CallOptions,
  ): Promise<{ readonly task: ApiTask; readonly retryAfterMs: number | null }>;
  listTasks(
    query: ListQuery,
    call: CallOptions,
  ): Promise<{ readonly data: readonly ApiTask[]; readonly hasMore: boolean }>;
  getOrganization(call: CallOptions): Promise<ApiOrganization>;
}

interface Question<T> {
  readonly method: 'GET' | 'POST';
  /** Below the server, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly maxBytes?: number;
  readonly parse: (value: unknown, headers: Answer['headers']) => T;
}

const WITH_PROGRESS = { 'service-beta': 'task-progress' };

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { server, key, transport, network, warn } = options;
  let hasAnswered = false;

  const ask = <T>(question: Question<T>, { signal, patience = SHORT_PATIENCE }: CallOptions): Promise<T> =>
    withRetries(() => askOnce(question, signal), {
      ...{ network, patience, signal },
      onTrouble: ({ message }) => warn(`${message}; trying again`),
    });

  const askOnce = async <T>(question: Question<T>, signal: AbortSignal): Promise<T> => {
    const { method, path, headers, body, status, maxBytes = MOST_ANSWER_BYTES } = question;
    try {
      const answer = await transport.send({
        method,
        url: new URL(`${server}${path}`),
        headers: {
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        signal,
      });
      const value = parseJson(await readBytes(answer, maxBytes));
      hasAnswered = true;
      if (answer.status !== status) throw refusalOf(answer, value);
      return question.parse(value, answer.headers);
    } catch (error) {
      throw error instanceof NetworkFailure ? toUnreachable(error) : error;
    }
  };

  const refusalOf = ({ status, headers }: Answer, body: unknown): Error => {
    const text = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined);
    return toRefusalError({
      ...{ status, body, server },
      retryAfter: text(headers['retry-after']),
      requestId: text(headers['x-request-id']),
      location: text(headers.location),
      nowMs: network.nowMs(),
    });
  };

  const toUnreachable = (failure: NetworkFailure): Error => {
    const final = new ListingVideoError(
      'server_unreachable',
      `${server} does not answer: ${failure.detail}`,
      {
        cause: failure,
        hint: failure.isUntrusted
          ? 'NODE_EXTRA_CA_CERTS names a file of certificates to trust besides'
          : 'is the address right, and does the server run?',
        context: { server },
      },
    );
    const mayPass = failure.mayPass || (failure.isNameLost && hasAnswered);
    return mayPass ? new PassingFailure(final, 'unreachable') : final;
  };

  return {
    createTask: (body, idempotencyKey, call) =>
      ask(
        {
          ...{ method: 'POST', path: '/v1/tasks', status: 202, body },
          headers: { 'idempotency-key': idempotencyKey },
          parse: parseScheduledTask,
        },
        call,
      ),
    getTask: (id, call) =>
      ask(
        {
          ...{ method: 'GET', path: `/v1/tasks/${encodeURIComponent(id)}`, status: 200 },
          headers: WITH_PROGRESS,
          parse: (value, headers) => ({
            task: requireId(parseTask(value), id),
            retryAfterMs: parseRetryAfter(headers['retry-after'], network.nowMs()),
          }),
        },
        call,
      ),
    listTasks: ({ limit, state, startingAfter }, call) => {
      const query = new URLSearchParams({ limit: String(limit) });
      if (state !== undefined) query.set('state', state);
      if (startingAfter !== undefined) query.set('starting_after', startingAfter);
      return ask(
        {
          ...{ method: 'GET', path: `/v1/tasks?${query}`, status: 200, maxBytes: MOST_PAGE_BYTES },
          headers: WITH_PROGRESS,
          parse: parseTaskPage,
        },
        call,
      );
    },
    getOrganization: (call) =>
      ask({ method: 'GET', path: '/v1/organization', status: 200, parse: parseOrganization }, call),
  };
}

/** Answers that were mixed up on the way would have one listing's films put into another's folder. */
function requireId(task: ApiTask, id: string): ApiTask {
  if (task.id === id) return task;
  throw new ListingVideoError(
    'server_answer_invalid',
    `the server answers with another task than ${id.slice(0, 128)}`,
  );
}
