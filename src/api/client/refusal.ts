/** Turns an error answer of the API into an error of our own table, with the server's message. Pure. */
import { type ErrorCode, ListingVideoError } from '../../platform/errors.ts';
import type { Violation } from '../../listing/listing.ts';
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
  const { code, context, message: words = `HTTP status ${status}` } = readBody(refusal.body);
  const make = (ours: ErrorCode, text: string, hint?: string): ListingVideoError =>
    new ListingVideoError(ours, text, {
      hint,
      context: { ...context, server, status, ...(code === null ? {} : { server_code: code }) },
    });
  if (status >= 300 && status < 400) {
    const where = refusal.location === undefined ? 'elsewhere' : `to ${refusal.location.slice(0, 200)}`;
    const hint = 'if the new address is right, use it with --server';
    return make('server_answer_invalid', `${server} redirects ${where}; redirects are not followed`, hint);
  }
  if (status === 429 || status === 503) {
    const final = make('unavailable', `${server} is busy: ${words}`, 'try again later');
    return new TemporaryFailure(final, 'busy', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (GATEWAY_STATUSES.includes(status)) {
    const message = `the server behind ${server} does not answer (HTTP status ${status})`;
    const final = make('server_unreachable', message);
    return new TemporaryFailure(final, 'unreachable', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (status === 408) {
    const final = make('server_unreachable', `${server} did not get the whole request in time`);
    return new TemporaryFailure(final, 'unreachable', parseRetryAfter(refusal.retryAfter, nowMs));
  }
  if (status === 401) {
    const hint = 'set LISTING_VIDEO_KEY or --key; make a key on the server with listing-video keys create';
    return make('unauthenticated', `${server} needs a valid API key: ${words}`, hint);
  }
  if (status === 402) {
    const hint = 'grant credits on the server with listing-video organization grant';
    return make('insufficient_balance', words, hint);
  }
  // The message is the reason, as for a dropped asset.
  if (code === 'unusable_asset') return make('server_refused', words);
  if (code === 'upload_quota_exceeded') {
    const hint = 'wait until the server has removed earlier photos, or use photos with http or https URLs';
    return make('server_refused', `${server} takes no more photos: ${words}`, hint);
  }
  if (status === 403) {
    const hint = 'use a key with the permission to create tasks';
    return make('forbidden', `${server} does not allow this: ${words}`, hint);
  }
  if (status === 404 && code === 'template_not_found') return templateNotFound(make, context, words);
  if (status === 404 && code === 'task_not_found') return make('task_not_found', words);
  if (status === 404 || status === 405) {
    const hint = 'use the address without /v1, with the path of the proxy if there is one';
    return make('server_answer_invalid', `no listing-video API at ${server} (HTTP status ${status})`, hint);
  }
  if (status === 409 && code === 'task_state_conflict') return make('task_state_conflict', words);
  if (status === 422) return invalidListing(refusal, make, words);
  if (status >= 500) {
    const { requestId } = refusal;
    const named = requestId === undefined ? '' : ` (request ${requestId.slice(0, 80)})`;
    const hint = 'the cause is in the log of the server';
    return make('internal_error', `${server} failed: ${words}${named}`, hint);
  }
  return make('server_refused', `${server} refuses the request: ${words}`);
}

type Make = (code: ErrorCode, message: string, hint?: string) => ListingVideoError;

function templateNotFound(
  make: Make,
  { template_id: id, available }: Readonly<Record<string, unknown>>,
  words: string,
): ListingVideoError {
  const ids = Array.isArray(available) ? available.filter((each) => typeof each === 'string') : [];
  const message = typeof id === 'string' ? `the server has no template called "${id.slice(0, 100)}"` : words;
  const hint = ids.length > 0 ? `one of: ${ids.slice(0, 50).join(', ')}` : undefined;
  return make('template_not_found', message, hint);
}

function invalidListing({ body, server }: Refusal, make: Make, words: string): ListingVideoError {
  const { detail } = fieldsOf(body);
  const violations = Array.isArray(detail) ? detail.slice(0, MAX_VIOLATIONS).flatMap(toViolation) : [];
  if (violations.length === 0) return make('server_refused', `${server} finds the request invalid: ${words}`);
  return new ListingVideoError('invalid_listing', `${server} finds the listing invalid`, {
    context: { server, violations },
  });
}

function toViolation(value: unknown): Violation[] {
  const { loc, msg, type, input, ctx } = fieldsOf(value);
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

/** `{code, message, context}`, each of which may be missing or null. */
function readBody(body: unknown) {
  const { code, message, context } = fieldsOf(body);
  return {
    code: typeof code === 'string' ? code.slice(0, 100) : null,
    message: typeof message === 'string' && message !== '' ? message.slice(0, MAX_TEXT_LENGTH) : undefined,
    context: fieldsOf(context),
  };
}

/** None for a value that is no object. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
