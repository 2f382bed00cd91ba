/** Calls the /v1 API: adds the key, asks the person for one when needed, and reports every failure as an `ApiProblem`. */

/** An error answer, or no answer. */
export class ApiProblem extends Error {
  /** @param facts - `{status, code, context, detail, retryAfterMs}`; status 0 means no answer. */
  constructor(message, facts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code ?? null;
    this.context = facts.context ?? null;
    /** The violations of a 422. */
    this.detail = facts.detail ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/**
 * @param base - Base URL of the API, with a slash at the end.
 * @param keys - `read()` returns the key in use or null; `ask(fault)` asks the person for one.
 * @returns A function: `(path, {method, body, headers, signal})` to `{body, status, retryAfterMs}`.
 * @throws {ApiProblem} through the promise, for every answer but a success; an AbortError when the signal aborts.
 */
export function createApi({ base, keys, fetch = globalThis.fetch.bind(globalThis) }) {
  return async function ask(path, { method = 'GET', body, headers = {}, signal } = {}) {
    for (;;) {
      const key = keys.read();
      const response = await send(key);
      if (response.status !== 401) return read(response);
      const fault =
        key === null ? '' : 'The service does not accept this key: it is unknown, revoked or expired.';
      if (!(await keys.ask(fault, key))) throw await toProblem(response);
    }

    async function send(key) {
      try {
        return await fetch(new URL(path, base), {
          method,
          body: body ?? null,
          headers: {
            accept: 'application/json',
            'service-beta': 'task-progress, task-details, organization-details, asset-captions',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...headers,
          },
          signal: signal ?? null,
          cache: 'no-store',
          credentials: 'omit',
          redirect: 'error',
        });
      } catch (error) {
        if (signal?.aborted) throw error;
        throw new ApiProblem('The service cannot be reached.', { status: 0 });
      }
    }
  };
}

async function read(response) {
  if (!response.ok) throw await toProblem(response);
  let body;
  try {
    body = await response.json();
  } catch {
    throw new ApiProblem('The connection ended before the answer was complete.', { status: 0 });
  }
  return { body, status: response.status, retryAfterMs: retryAfterMs(response.headers) };
}

async function toProblem(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    // A proxy's own error page has no JSON: only the status is known.
  }
  const message =
    typeof body?.message === 'string' ? body.message : `The service answered with status ${response.status}.`;
  return new ApiProblem(message, {
    status: response.status,
    code: body?.code,
    context: body?.context,
    detail: Array.isArray(body?.detail) ? body.detail : null,
    retryAfterMs: retryAfterMs(response.headers),
  });
}

/** Milliseconds of a `Retry-After` (RFC 9110, 10.2.3: seconds or a date); null without one. */
export function retryAfterMs(headers, now = Date.now()) {
  const value = headers.get('retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
