/** Turns an error answer of the API into an error of our own table, with the server's message. Pure. */
import type { Violation } from '../../listing/listing.ts';
import { type ErrorCode, ListingVideoError } from '../../platform/errors.ts';
import { orTemporary, parseRetryAfter, type TemporaryFailure } from '../../platform/network/retry.ts';

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as JSON; undefined for other bodies. */
  readonly body: unknown;
  readonly server: string;
  readonly nowMs: number;
}

type Facts = Readonly<Record<string, unknown>>;

const MAX_TEXT_LENGTH = 1_000;
const MAX_VIOLATIONS = 1_000;

/** @returns A {@link TemporaryFailure} when a retry can succeed. */
export function toRefusalError(refusal: Refusal): ListingVideoError | TemporaryFailure {
  const { status, headers, server, nowMs } = refusal;
  const body = readBody(refusal.body);
  if (status === 422) {
    const { detail } = factsOf(refusal.body);
    const violations = Array.isArray(detail) ? detail.slice(0, MAX_VIOLATIONS).flatMap(toViolation) : [];
    const context = { server, violations };
    if (violations.length > 0)
      return new ListingVideoError('invalid_listing', `${server} finds the listing invalid`, { context });
  }
  const [code, message, hint] = explain(refusal, body);
  const named = body.code === null ? {} : { server_code: body.code };
  const final = new ListingVideoError(code, message, {
    hint,
    context: { ...body.context, server, status, ...named },
  });
  return orTemporary(final, parseRetryAfter(headers['retry-after'], nowMs));
}

type Explained = readonly [code: ErrorCode, message: string, hint?: string | undefined];

function explain({ status, headers, server }: Refusal, { code, message, context }: Body): Explained {
  const words = message ?? `HTTP status ${status}`;
  if (status >= 300 && status < 400) {
    const where = headers.location === undefined ? 'elsewhere' : `to ${headers.location.slice(0, 200)}`;
    const hint = 'if the new address is right, use it with --server';
    return ['server_answer_invalid', `${server} redirects ${where}; redirects are not followed`, hint];
  }
  if (status === 429 || status === 503)
    return ['unavailable', `${server} is busy: ${words}`, 'try again later'];
  // A proxy cannot reach its server.
  if (status === 502 || status === 504)
    return ['server_unreachable', `the server behind ${server} does not answer (HTTP status ${status})`];
  if (status === 408) return ['server_unreachable', `${server} did not get the whole request in time`];
  if (status === 401) {
    const hint = 'set LISTING_VIDEO_KEY or --key; make a key on the server with listing-video keys create';
    return ['unauthenticated', `${server} needs a valid API key: ${words}`, hint];
  }
  if (status === 402)
    return [
      'insufficient_balance',
      words,
      'grant credits on the server with listing-video organization grant',
    ];
  if (status === 422) return ['server_refused', `${server} finds the request invalid: ${words}`];
  // The message is the reason, as for a dropped asset.
  if (code === 'unusable_asset') return ['server_refused', words];
  if (code === 'upload_quota_exceeded') {
    const hint = 'wait until the server has removed earlier photos, or use photos with http or https URLs';
    return ['server_refused', `${server} takes no more photos: ${words}`, hint];
  }
  if (status === 403) {
    const hint = 'use a key with the permission to create tasks';
    return ['forbidden', `${server} does not allow this: ${words}`, hint];
  }
  if (status === 404 && code === 'template_not_found') {
    const { template_id: id, available } = context;
    const ids = Array.isArray(available) ? available.filter((each) => typeof each === 'string') : [];
    const text = typeof id === 'string' ? `the server has no template called "${id.slice(0, 100)}"` : words;
    return [code, text, ids.length > 0 ? `one of: ${ids.slice(0, 50).join(', ')}` : undefined];
  }
  if (status === 404 && code === 'task_not_found') return [code, words];
  if (status === 404 || status === 405) {
    const hint = 'use the address without /v1, with the path of the proxy if there is one';
    return ['server_answer_invalid', `no listing-video API at ${server} (HTTP status ${status})`, hint];
  }
  if (status === 409 && code === 'task_state_conflict') return [code, words];
  if (status >= 500) {
    const requestId = headers['x-request-id'];
    const named = requestId === undefined ? '' : ` (request ${requestId.slice(0, 80)})`;
    return ['internal_error', `${server} failed: ${words}${named}`, 'the cause is in the log of the server'];
  }
  return ['server_refused', `${server} refuses the request: ${words}`];
}

function toViolation(value: unknown): Violation[] {
  const { loc, msg, type, input, ctx } = factsOf(value);
  const isPlace =
    Array.isArray(loc) && loc.every((step) => typeof step === 'string' || Number.isInteger(step));
  if (!isPlace || typeof msg !== 'string' || typeof type !== 'string') return [];
  return [
    {
      loc: loc.slice(0, 50),
      msg: msg.slice(0, MAX_TEXT_LENGTH),
      type: type.slice(0, 100),
      ...(input === undefined ? {} : { input }),
      ...(typeof ctx === 'object' && ctx !== null ? { ctx: ctx as Record<string, unknown> } : {}),
    },
  ];
}

type Body = ReturnType<typeof readBody>;

/** `{code, message, context}`, each of which may be missing or null. */
function readBody(body: unknown) {
  const { code, message, context } = factsOf(body);
  return {
    code: typeof code === 'string' ? code.slice(0, 100) : null,
    message: typeof message === 'string' && message !== '' ? message.slice(0, MAX_TEXT_LENGTH) : undefined,
    context: factsOf(context),
  };
}

function factsOf(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? (value as Facts) : {};
}
