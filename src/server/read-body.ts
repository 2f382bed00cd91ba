/** Reads a request's body. Checks its content type, then its size, then its JSON. */
import type { IncomingMessage } from 'node:http';
import { ListingVideoError } from '../errors.ts';
import { MAX_LISTING_VALUES, parseListingText } from '../listing/json/parse-json.ts';
import { type ApiProblem, problem } from './api-problem.ts';
import type { BodyPlace } from './body-budget.ts';
import { sendContinue } from './expect-continue.ts';

/** The parsed body, or the error. */
export type BodyResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: ApiProblem };

/** The parts of a request that are needed. `incoming`, Node's own request, is faster to read than the web stream. */
export interface BodySource {
  readonly headers: Pick<Headers, 'get'>;
  readonly incoming: IncomingMessage | undefined;
  /** The body as a web stream. Called only without `incoming`. */
  readonly stream: () => ReadableStream<Uint8Array> | null;
}

/** The error for headers that do not promise uncompressed JSON in UTF-8; else null. Call it before reading the body. */
export function checkContentType(headers: BodySource['headers']): ApiProblem | null {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const charset = charsetOf(parameters);
  if (type.trim().toLowerCase() !== 'application/json') {
    return unsupported('the body must be JSON, sent with `Content-Type: application/json`');
  }
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') {
    return unsupported('the body must be JSON in UTF-8');
  }
  const coding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  return coding === 'identity' || coding === '' ? null : unsupported('the body must not be compressed');
}

/** In lower case, without quotes; null if absent. Not a pattern, because a long row of blanks could stall one. */
function charsetOf(parameters: readonly string[]): string | null {
  for (const parameter of parameters) {
    const at = parameter.indexOf('=');
    if (at < 0 || parameter.slice(0, at).trim().toLowerCase() !== 'charset') continue;
    const value = parameter.slice(at + 1).trim();
    return value.replace(/^"|"$/g, '').toLowerCase();
  }
  return null;
}

/** The `Content-Length`, or 0 without a valid one. */
export function announcedBytes(headers: BodySource['headers']): number {
  const length = Number(headers.get('content-length') ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/**
 * Reads and parses at most `limitBytes`, with or without a Content-Length.
 *
 * @param place - Holds {@link announcedBytes} already.
 */
export async function readJsonBody(
  source: BodySource,
  limitBytes: number,
  place: BodyPlace,
): Promise<BodyResult> {
  const bytes = await readBytes(source, limitBytes, place);
  if ('status' in bytes) return refuse(bytes);
  await place.waitForTurn(bytes.length);
  try {
    return { ok: true, value: parseListingText(bytes, 'body', { maxValues: MAX_LISTING_VALUES }).value };
  } catch (error) {
    if (!(error instanceof ListingVideoError)) throw error;
    if (error.code === 'body_too_large') {
      return refuse(problem(error.code, error.message, error.context ?? null));
    }
    if (error.code !== 'json_invalid') throw error;
    const { line, column } = error.context as { line: number; column: number };
    return refuse(problem('invalid_json', error.message, { line, column }));
  }
}

/** Refuses a body that is announced as larger than the limit, before it is read; else null. */
export function checkAnnouncedSize(headers: BodySource['headers'], limitBytes: number): ApiProblem | null {
  return announcedBytes(headers) > limitBytes ? tooLarge(limitBytes) : null;
}

async function readBytes(
  { headers, incoming, stream }: BodySource,
  limitBytes: number,
  place: BodyPlace,
): Promise<Uint8Array | ApiProblem> {
  let paidBytes = announcedBytes(headers);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (incoming !== undefined) sendContinue(incoming);
    // Leaving the loop early must not destroy Node's stream: the error answer needs its socket.
    const chunksOf = incoming?.iterator({ destroyOnReturn: false }) ?? stream() ?? [];
    for await (const chunk of chunksOf as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      const refusal =
        size > limitBytes
          ? tooLarge(limitBytes)
          : size > paidBytes && !place.grow(size - paidBytes)
            ? tooManyBodies()
            : null;
      if (refusal !== null) {
        // What still comes is dropped. Otherwise the connection would wait for a reader.
        incoming?.resume();
        return refusal;
      }
      paidBytes = Math.max(paidBytes, size);
      chunks.push(chunk);
    }
  } catch {
    return problem('invalid_json', 'the body ended before it was complete');
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLarge(limitBytes: number): ApiProblem {
  const message = `the body is larger than ${limitBytes} bytes`;
  return problem('body_too_large', message, { limit_bytes: limitBytes });
}

/** The answer when there is no place for a body. */
export function tooManyBodies(): ApiProblem {
  const message = 'the server reads too many request bodies at the moment';
  return problem('unavailable', message, null, { 'retry-after': '1' });
}

function unsupported(message: string): ApiProblem {
  return problem('unsupported_media_type', message);
}

function refuse(refusal: ApiProblem): BodyResult {
  return { ok: false, problem: refusal };
}
