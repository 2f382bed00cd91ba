/** Turns an error answer of the API into an error of our own table, with the server's message. Pure. */
import type { Violation } from '../../listing/listing.ts';
import { type ErrorCode, ListingVideoError } from '../../platform/errors.ts';
import { parseRetryAfter, TemporaryFailure } from './retry.ts';

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
  const { code, message: words = `HTTP status ${status}`, context } = readBody(refusal.body);
  const make = (ours: ErrorCode, text: string, hint?: string): ListingVideoError =>
    new ListingVideoError(ours, text, {
      hint,
      context: { ...context, server, status, ...(code === null ? {} : { server_code: code }) },
    });
  const later = (kind: 'busy' | 'unreachable', final: ListingVideoError) =>
    new TemporaryFailure(final, kind, parseRetryAfter(headers['retry-after'], nowMs));

  if (status >= 300 && status < 400) {
    const where = headers.location === undefined ? 'elsewhere' : `to ${headers.location.slice(0, 200)}`;
    const hint = 'if the new address is right, use it with --server';
    return make('server_answer_invalid', `${server} redirects ${where}; redirects are not followed`, hint);
  }
  switch (status) {
    case 429:
    case 503:
      return later('busy', make('unavailable', `${server} is busy: ${words}`, 'try again later'));
    // A proxy cannot reach its server.
    case 502:
    case 504: {
      const text = `the server behind ${server} does not answer (HTTP status ${status})`;
      return later('unreachable', make('server_unreachable', text));
    }
    case 408: {
      const text = `${server} did not get the whole request in time`;
      return later('unreachable', make('server_unreachable', text));
    }
    case 401: {
      const hint = 'set LISTING_VIDEO_KEY or --key; make a key on the server with listing-video keys create';
      return make('unauthenticated', `${server} needs a valid API key: ${words}`, hint);
    }
    case 402: {
      const hint = 'grant credits on the server with listing-video organization grant';
      return make('insufficient_balance', words, hint);
    }
    case 422:
      return invalidListing(refusal, make, words);
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
  if (status >= 500) {
    const requestId = headers['x-request-id'];
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
  { template_id: id, available }: Facts,
  words: string,
): ListingVideoError {
  const ids = Array.isArray(available) ? available.filter((each) => typeof each === 'string') : [];
  const message = typeof id === 'string' ? `the server has no template called "${id.slice(0, 100)}"` : words;
  const hint = ids.length > 0 ? `one of: ${ids.slice(0, 50).join(', ')}` : undefined;
  return make('template_not_found', message, hint);
}

function invalidListing({ body, server }: Refusal, make: Make, words: string): ListingVideoError {
  const { detail } = factsOf(body);
  const violations = Array.isArray(detail) ? detail.slice(0, MAX_VIOLATIONS).flatMap(toViolation) : [];
  if (violations.length === 0) return make('server_refused', `${server} finds the request invalid: ${words}`);
  return new ListingVideoError('invalid_listing', `${server} finds the listing invalid`, {
    context: { server, violations },
  });
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
