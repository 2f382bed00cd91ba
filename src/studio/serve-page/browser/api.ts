/**
 * Calls the /v1 API: adds the key, asks the person for one when needed, and reports every failure as an `ApiProblem`.
 */
import type { Violation } from '../../../listing/listing.ts';
import { sentence } from '../../components/words.ts';
import { askForKey, key } from './keys.ts';

/** What this page needs beside the API itself. The server answers with those that it offers. */
const BETAS =
  'task-progress, task-details, task-cancel, organization-details, asset-captions, altered-photos, photo-controls, templates, uploads';

interface ProblemFacts {
  /** 0: no answer. */
  readonly status: number;
  readonly code?: string | null;
  readonly context?: Readonly<Record<string, unknown>> | null;
  /** The violations of a 422. */
  readonly detail?: readonly Violation[] | null;
  readonly retryAfterMs?: number | null;
}

/** An error answer, or no answer. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly context: Readonly<Record<string, unknown>> | null;
  readonly detail: readonly Violation[] | null;
  readonly retryAfterMs: number | null;

  constructor(message: string, { status, code, context, detail, retryAfterMs }: ProblemFacts) {
    super(message);
    this.status = status;
    this.code = code ?? null;
    this.context = context ?? null;
    this.detail = detail ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

export interface Answer<Body> {
  readonly body: Body;
  readonly retryAfterMs: number | null;
  /** Betas of this page that the server offers. */
  readonly betas: ReadonlySet<string>;
}

interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An answer before it is judged. */
interface RawAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** Undefined: it is no JSON. */
  readonly body: unknown;
}

/**
 * One request.
 *
 * @param path - Below the page: `v1/tasks`.
 * @throws {@link ApiProblem} for every answer but a success; an AbortError when the signal aborts.
 */
export function ask<Body>(
  path: string,
  { method = 'GET', body, headers, signal }: Ask = {},
): Promise<Answer<Body>> {
  return withKey(async () => {
    try {
      const response = await fetch(addressOf(path), {
        method,
        body: body ?? null,
        headers: {
          ...commonHeaders(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: signal ?? null,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
      const { status, headers: answered } = response;
      return { status, headers: answered, body: await response.json().catch(() => undefined) };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiProblem('The service cannot be reached.', { status: 0 });
    }
  });
}

/** Sends a photo. `fetch` does not say how much of a body is sent. @param onPercent - Gets 0 to 100. */
export function upload(
  file: Blob,
  onPercent?: (percent: number) => void,
  signal?: AbortSignal,
): Promise<Answer<{ readonly url: string }>> {
  return withKey(
    () =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const abort = () => request.abort();
        signal?.addEventListener('abort', abort, { once: true });
        request.upload.addEventListener('progress', ({ loaded, total }) =>
          onPercent?.((100 * loaded) / total),
        );
        request.addEventListener('loadend', () => {
          signal?.removeEventListener('abort', abort);
          if (signal?.aborted) return reject(signal.reason);
          if (request.status === 0)
            return reject(new ApiProblem('The service cannot be reached.', { status: 0 }));
          const headers = { get: (name: string) => request.getResponseHeader(name) };
          resolve({ status: request.status, headers, body: parse(request.responseText) });
        });
        request.open('POST', addressOf('v1/assets'));
        const type = /^image\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream';
        const all = { ...commonHeaders(), 'content-type': type };
        for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
        request.send(file);
      }),
  );
}

async function withKey<Body>(send: () => Promise<RawAnswer>): Promise<Answer<Body>> {
  for (;;) {
    const used = key.peek();
    const answer = await send();
    if (answer.status !== 401) return judge(answer);
    const refusal = toProblem(answer);
    if (!(await askForKey(used === null ? '' : sentence(refusal.message), used))) throw refusal;
  }
}

function addressOf(path: string): URL {
  return new URL(path, document.baseURI.split('#')[0]);
}

function commonHeaders(): Record<string, string> {
  const used = key.peek();
  return {
    accept: 'application/json',
    'service-beta': BETAS,
    ...(used === null ? {} : { authorization: `Bearer ${used}` }),
  };
}

function judge<Body>(answer: RawAnswer): Answer<Body> {
  const { status, headers, body } = answer;
  if (status < 200 || status > 299) throw toProblem(answer);
  if (body === undefined) {
    throw new ApiProblem('The connection ended before the answer was complete.', { status: 0 });
  }
  const betas = new Set((headers.get('service-beta') ?? '').split(', '));
  return { body: body as Body, retryAfterMs: retryAfterMs(headers), betas };
}

/** A proxy's own error page has no JSON: only the status is known. */
function toProblem({ status, headers, body }: RawAnswer): ApiProblem {
  const { message, code, context, detail } = (body ?? {}) as Record<string, unknown>;
  return new ApiProblem(
    typeof message === 'string' ? message : `The service answered with status ${status}.`,
    {
      status,
      code: typeof code === 'string' ? code : null,
      context: typeof context === 'object' ? (context as ProblemFacts['context'] & object) : null,
      detail: Array.isArray(detail) ? detail : null,
      retryAfterMs: retryAfterMs(headers),
    },
  );
}

/** Milliseconds of a `Retry-After` (RFC 9110, 10.2.3: seconds or a date); null without one. */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now = Date.now()): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
