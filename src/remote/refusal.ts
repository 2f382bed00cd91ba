/** Turns an error answer of the API into an error of our own table, with the server's message. Pure. */
import { type ErrorCode, ListingVideoError } from '../errors.ts';
import type { Violation } from '../listing/listing.ts';
import { parseRetryAfter, TemporaryFailure } from './retry.ts';

export interface Refusal {
  readonly status: number;
  /** The body as JSON; undefined for other bodies. */
  readonly body: unknown;
  readonly server: string;
  readonly retryAfter: string | undefined;
  readonly requestId: string | undefined;
  /** Target of a redirect. */
  readonly location: string | undefined;
  readonly nowMs: number;
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_VIOLATIONS = 1_000;
/** A proxy cannot reach its server. */
const GATEWAY_STATUSES = [502, 504];

/** @returns A {@link TemporaryFailure} when a retry can succeed. */
export function toRefusalError(refusal: Refusal): ListingVideoError | TemporaryFailure {
  const { status, server, nowMs } = refusal;
  const { code, message, context } = readBody(refusal.body);
  const words = message ?? `HTTP status ${status}`;
  const make = (ours: ErrorCode, text: string, hint?: string): ListingVideoError =>
    new ListingVideoError(ours, text, {
      hint,
      context: { ...context, server, status, ...(code === null ? {} : { server_code: code }) },
    });
  if (status >= 300 && status < 400) {
    const where = refusal.location === undefined ? 'elsewhere' : `to ${refusal.location.slice(0, 200)}`;
    return make(
      'server_answer_invalid',
      `${server} redirects ${where}; redirects are not followed`,
      'if the new address is right, use it with --server',
    );
  }
  if (status === 429 || status === 503) {
    const final = make('unavailable', `${server} is busy: ${words}`, 'try again later');
    return new TemporaryFailure(final, 'busy', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (GATEWAY_STATUSES.includes(status)) {
    const final = make(
      'server_unreachable',
      `the server behind ${server} does not answer (HTTP status ${status})`,
    );
    return new TemporaryFailure(final, 'unreachable', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (status === 401) {
    return make(
      'unauthenticated',
      `${server} needs a valid API key: ${words}`,
      'set LISTING_VIDEO_KEY or --key; make a key on the server with listing-video keys create',
    );
  }
  if (status === 403)
    return make(
      'forbidden',
      `${server} does not allow this: ${words}`,
      'use a key with the permission to create tasks',
    );
  if (status === 402)
    return make(
      'insufficient_balance',
      words,
      'grant credits on the server with listing-video organization grant',
    );
  if (status === 404 && code === 'template_not_found') return templateNotFound(make, context, words);
  if (status === 404 && code === 'task_not_found') return make('task_not_found', words);
  if (status === 404 || status === 405) {
    return make(
      'server_answer_invalid',
      `no listing-video API at ${server} (HTTP status ${status})`,
      'use the address without /v1, with the path of the proxy if there is one',
    );
  }
  if (status === 422) return invalidListing(refusal, make, words);
  if (status >= 500) {
    const { requestId } = refusal;
    const named = requestId === undefined ? '' : ` (request ${requestId.slice(0, 80)})`;
    return make(
      'internal_error',
      `${server} failed: ${words}${named}`,
      'the cause is in the log of the server',
    );
  }
  return make('server_refused', `${server} refuses the request: ${words}`);
}

type Make = (code: ErrorCode, message: string, hint?: string) => ListingVideoError;

function templateNotFound(
  make: Make,
  context: Readonly<Record<string, unknown>>,
  words: string,
): ListingVideoError {
  const { template_id: id, available } = context;
  const ids = Array.isArray(available)
    ? available.filter((each) => typeof each === 'string').slice(0, 50)
    : [];
  const message = typeof id === 'string' ? `the server has no template called "${id.slice(0, 100)}"` : words;
  return make('template_not_found', message, ids.length > 0 ? `one of: ${ids.join(', ')}` : undefined);
}

function invalidListing({ body, server }: Refusal, make: Make, words: string): ListingVideoError {
  const { detail } = (body ?? {}) as { detail?: unknown };
  const violations = Array.isArray(detail) ? detail.slice(0, MAX_VIOLATIONS).flatMap(toViolation) : [];
  if (violations.length === 0) return make('server_refused', `${server} finds the request invalid: ${words}`);
  return new ListingVideoError('invalid_listing', `${server} finds the listing invalid`, {
    context: { server, violations },
  });
}

function toViolation(value: unknown): Violation[] {
  const { loc, msg, type, input, ctx } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isPlace =
    Array.isArray(loc) && loc.every((step) => typeof step === 'string' || Number.isInteger(step));
  if (!isPlace || typeof msg !== 'string' || typeof type !== 'string') return [];
  return [
    {
      ...{ loc: loc.slice(0, 50), msg: msg.slice(0, MAX_TEXT_LENGTH), type: type.slice(0, 100) },
      ...(input === undefined ? {} : { input }),
      ...(typeof ctx === 'object' && ctx !== null ? { ctx: ctx as Record<string, unknown> } : {}),
    },
  ];
}

/** `{code, message, context}`, each of which may be missing or null. */
function readBody(body: unknown) {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const { code, message, context } = fields;
  return {
    code: typeof code === 'string' ? code.slice(0, 100) : null,
    message: typeof message === 'string' && message !== '' ? message.slice(0, MAX_TEXT_LENGTH) : null,
    context: (typeof context === 'object' && context !== null ? context : {}) as Readonly<
      Record<string, unknown>
    >,
  };
}
