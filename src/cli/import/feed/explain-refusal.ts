/** Turns an answer of a feed that is no page into an error, with the words of the feed. Pure. */
import { isRecord } from '../../../listing/mls/mls-record.ts';
import { type ErrorCode, ListingVideoError } from '../../../platform/errors.ts';
import { redactText } from '../../debug/redact.ts';

export interface FeedRefusal {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: Buffer;
  readonly origin: string;
  /** Feeds repeat a request in their errors. It is removed. */
  readonly token: string | null;
}

const MAX_WORDS = 300;
const CONTINUES = 'then run the same command again: it continues';

export function explainRefusal(refusal: FeedRefusal): ListingVideoError {
  const { status, origin } = refusal;
  const [code, message, hint] = explain(refusal);
  return new ListingVideoError(code, message, { hint, context: { status, feed: origin } });
}

/** True when the feed does not take the address of a page, such as one that is too old. */
export function isRefusedAddress(error: unknown): boolean {
  if (!(error instanceof ListingVideoError) || error.code !== 'server_refused') return false;
  return [400, 404, 410, 422, 501].includes(Number(error.context?.status));
}

function explain(refusal: FeedRefusal): readonly [code: ErrorCode, message: string, hint: string] {
  const { status, location, origin, token } = refusal;
  const words = wordsOf(refusal);
  if (status >= 300 && status < 400) {
    const where = location === undefined ? 'elsewhere' : `to ${redact(location, token).slice(0, 200)}`;
    return ['server_refused', `${origin} redirects ${where}`, 'if that is the feed, name it with --url'];
  }
  if (status === 401)
    return [
      'unauthenticated',
      `${origin} does not accept the token: ${words}`,
      `put a valid token into the variable that --token-env names, ${CONTINUES}`,
    ];
  if (status === 403)
    return ['forbidden', `${origin} does not allow this: ${words}`, 'ask the MLS what the token can read'];
  if (status === 429 || status === 503)
    return ['unavailable', `${origin} is busy: ${words}`, `wait, ${CONTINUES}`];
  if (status === 408 || status >= 500)
    return ['server_unreachable', `${origin} failed: ${words}`, `wait, ${CONTINUES}`];
  return ['server_refused', `${origin} refuses the request: ${words}`, 'check the query of --url'];
}

/** The message of an OData error, else the status. */
function wordsOf({ status, body, token }: FeedRefusal): string {
  const text = messageIn(body);
  if (text === null) return `HTTP status ${status}`;
  const line = redact(text, token).replace(/\s+/g, ' ').trim();
  return `${line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line} (HTTP status ${status})`;
}

function messageIn(body: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const error = isRecord(value) ? (value.error ?? value) : null;
    if (typeof error === 'string' && error !== '') return error;
    const message = isRecord(error) ? (error.message ?? error.Message) : null;
    return typeof message === 'string' && message !== '' ? message : null;
  } catch {
    return null;
  }
}

function redact(text: string, token: string | null): string {
  return redactText(text, token === null ? [] : [token, encodeURIComponent(token)]);
}
