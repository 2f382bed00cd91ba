/** Reads a request's body. Checks its content type, then its size, then its JSON. */
import type { IncomingMessage } from 'node:http';
import { MAX_LISTING_VALUES, parseListingText } from '../../../listing/json/parse-json.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { sendContinue } from '../sockets/expect-continue.ts';
import { readInTurns } from '../sockets/read-turns.ts';
import type { BodyPlace } from './body-budget.ts';

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

/**
 * Reads at most `limitBytes`, with or without a Content-Length.
 *
 * @param place - Holds {@link announcedBytes} already.
 */
export async function readBytes(
  { headers, incoming, stream }: BodySource,
  limitBytes: number,
  place: BodyPlace,
): Promise<Uint8Array | ApiProblem> {
  let paidBytes = announcedBytes(headers);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const add = (chunk: Uint8Array): ApiProblem | null => {
    size += chunk.length;
    if (size > limitBytes) return tooLarge(limitBytes);
    if (size > paidBytes && !place.grow(size - paidBytes)) return tooManyBodies();
    paidBytes = Math.max(paidBytes, size);
    chunks.push(chunk);
    return null;
  };
  try {
    const refusal =
      incoming === undefined ? await readStream(stream(), add) : await receive(incoming, add, place);
    if (refusal !== null) return refusal;
  } catch {
    return problem('invalid_json', 'the body ended before it was complete');
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  add: (chunk: Uint8Array) => ApiProblem | null,
): Promise<ApiProblem | null> {
  for await (const chunk of stream ?? []) {
    const refusal = add(chunk);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** @throws an error when the client leaves. */
function receive(
  incoming: IncomingMessage,
  add: (chunk: Uint8Array) => ApiProblem | null,
  place: BodyPlace,
): Promise<ApiProblem | null> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      const refusal = add(chunk);
      if (refusal !== null) end(refusal);
    };
    const onEnd = (): void => end(null);
    const onClose = (): void => {
      place.onGiveWay(null);
      reject(new Error('the client has left'));
    };
    const end = (refusal: ApiProblem | null): void => {
      place.onGiveWay(null);
      incoming.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      // What still comes is dropped. Otherwise the connection would wait for a reader.
      incoming.resume();
      resolve(refusal);
    };
    place.onGiveWay(() => end(tooManyBodies()));
    readInTurns(incoming);
    incoming.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
    if (incoming.destroyed) onClose();
    sendContinue(incoming);
  });
}

function tooLarge(limitBytes: number): ApiProblem {
  const message = `the body is larger than ${limitBytes} bytes`;
  return problem('body_too_large', message, { limit_bytes: limitBytes });
}

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
