/** What a refusal of the API means to the command that met it: our error table, in the words of the server. Pure. */
import { type ErrorCode, ListingVideoError } from '../errors.ts';
import type { Violation } from '../listing/listing.ts';
import { PassingFailure, parseRetryAfter } from './retry.ts';

export interface Refusal {
  readonly status: number;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  readonly server: string;
  readonly retryAfter: string | undefined;
  readonly requestId: string | undefined;
  /** Where a redirect leads. */
  readonly location: string | undefined;
  readonly nowMs: number;
}

const MOST_TEXT = 1_000;
const MOST_VIOLATIONS = 1_000;
/** A proxy whose server is just not there. */
const GATEWAY_STATUSES = [502, 504];

/** @returns A {@link PassingFailure} when the same request may be answered later. */
export function toRefusalError(refusal: Refusal): ListingVideoError | PassingFailure {
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
      `${server} redirects ${where}; the key is not sent there`,
      'give the address behind the redirect with --server, if it is the right one',
    );
  }
  if (status === 429 || status === 503) {
    const final = make('unavailable', `${server} is busy: ${words}`, 'try again later');
    return new PassingFailure(final, 'busy', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (GATEWAY_STATUSES.includes(status)) {
    const final = make(
      'server_unreachable',
      `the server behind ${server} does not answer (HTTP status ${status})`,
    );
    return new PassingFailure(final, 'unreachable', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (status === 401) {
    return make(
      'unauthenticated',
      `${server} wants an API key that it knows: ${words}`,
      'set LISTING_VIDEO_KEY, or give --key; listing-video keys create makes one, on the machine of the server',
    );
  }
  if (status === 403)
    return make('forbidden', `${server} does not allow this: ${words}`, 'use a key that may create tasks');
  if (status === 402)
    return make(
      'insufficient_balance',
      words,
      'listing-video organization grant, on the machine of the server',
    );
  if (status === 404 && code === 'template_not_found') return templateNotFound(make, context, words);
  if (status === 404 && code === 'task_not_found') return make('task_not_found', words);
  if (status === 404 || status === 405) {
    return make(
      'server_answer_invalid',
      `there is no listing-video API at ${server} (HTTP status ${status})`,
      'give its address as it is without /v1, with the path that a proxy puts it below, if any',
    );
  }
  if (status === 422) return invalidListing(refusal, make, words);
  if (status >= 500) {
    const { requestId } = refusal;
    const named = requestId === undefined ? '' : ` (request ${requestId.slice(0, 80)})`;
    return make(
      'internal_error',
      `${server} failed: ${words}${named}`,
      'whoever runs the server finds it in the log',
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
  const violations = Array.isArray(detail) ? detail.slice(0, MOST_VIOLATIONS).flatMap(toViolation) : [];
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
      ...{ loc: loc.slice(0, 50), msg: msg.slice(0, MOST_TEXT), type: type.slice(0, 100) },
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
    message: typeof message === 'string' && message !== '' ? message.slice(0, MOST_TEXT) : null,
    context: (typeof context === 'object' && context !== null ? context : {}) as Readonly<
      Record<string, unknown>
    >,
  };
}
