/** Reads a request's body. Checks its content type, then its size, then its JSON. */
import type { IncomingMessage } from 'node:http';
import { ListingVideoError } from '../errors.ts';
import { parseListingText } from '../listing/json/parse-json.ts';
import { type ApiProblem, problem } from './api-problem.ts';

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

/** Reads and parses at most `limitBytes`, with or without a Content-Length. */
export async function readJsonBody(source: BodySource, limitBytes: number): Promise<BodyResult> {
  const bytes = await readBytes(source, limitBytes);
  if (bytes === 'too large') {
    const context = { limit_bytes: limitBytes };
    return refuse(problem('body_too_large', `the body is larger than ${limitBytes} bytes`, context));
  }
  if (bytes === 'cut off') return refuse(problem('invalid_json', 'the body ended before it was complete'));
  try {
    return { ok: true, value: parseListingText(bytes, 'body').value };
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'json_invalid') throw error;
    const { line, column } = error.context as { line: number; column: number };
    return refuse(problem('invalid_json', error.message, { line, column }));
  }
}

async function readBytes(
  { headers, incoming, stream }: BodySource,
  limitBytes: number,
): Promise<Uint8Array | 'too large' | 'cut off'> {
  if (Number(headers.get('content-length') ?? 0) > limitBytes) return 'too large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop early must not destroy Node's stream: the error answer needs its socket.
    const chunksOf = incoming?.iterator({ destroyOnReturn: false }) ?? stream() ?? [];
    for await (const chunk of chunksOf as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limitBytes) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return 'cut off';
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function unsupported(message: string): ApiProblem {
  return problem('unsupported_media_type', message);
}

function refuse(refusal: ApiProblem): BodyResult {
  return { ok: false, problem: refusal };
}
