/** How the servers of the studio read requests and answer: headers, JSON, images, files and refusals. */
import type { Context } from 'hono';
import { readBytes } from '../../api/server/requests/read-body.ts';
import { MAX_LISTING_VALUES, parseListingText } from '../../listing/json/parse-json.ts';
import { ERROR_TABLE } from '../../platform/errors.ts';
import type { Problem } from '../editor/protocol.ts';
import { type ProblemCode, RefusedRequest } from '../editor/read-request.ts';
import { type MediaHeaders, type Sockets, sendMedia } from './send-media.ts';

export interface StudioEnv {
  Bindings: Sockets;
}
export type StudioContext = Context<StudioEnv>;

export const MIB = 1024 * 1024;
const MAX_JSON_BYTES = 4 * MIB;

export const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};
export const DATA_HEADERS = {
  ...HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export async function readJson(context: StudioContext): Promise<unknown> {
  // A form of another website cannot have this type.
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new RefusedRequest('unsupported_media_type', 'the body must be JSON');
  const bytes = await readBody(context, MAX_JSON_BYTES);
  try {
    return parseListingText(bytes, 'body', { maxValues: MAX_LISTING_VALUES }).value;
  } catch (error) {
    throw new RefusedRequest('invalid_json', error instanceof Error ? error.message : String(error));
  }
}

export async function readBody({ req, env }: StudioContext, limitBytes: number): Promise<Uint8Array> {
  const source = { headers: req.raw.headers, incoming: env?.incoming, stream: () => req.raw.body };
  const place = { grow: () => true, waitForTurn: async () => {}, onGiveWay: () => {}, leave: () => {} };
  const announced = Number(req.header('content-length') ?? 0);
  const bytes = announced > limitBytes ? null : await readBytes(source, limitBytes, place);
  if (bytes === null || ('status' in bytes && bytes.body.code === 'body_too_large'))
    throw new RefusedRequest('body_too_large', `it is larger than ${limitBytes / MIB} MiB`);
  if ('status' in bytes) throw new RefusedRequest(bytes.body.code, bytes.body.message);
  return bytes;
}

export function json(value: object, status = 200): Response {
  const headers = { ...DATA_HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(value), { status, headers });
}

export function eventStream(body: ReadableStream<Uint8Array>): Response {
  const headers = { ...DATA_HEADERS, 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}

export function image(bytes: Uint8Array | null, contentType: string, cacheControl: string): Response {
  if (bytes === null) return notFound();
  const headers = { ...DATA_HEADERS, 'content-type': contentType, 'cache-control': cacheControl };
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

export function media({ env }: StudioContext, file: string | null, headers: MediaHeaders): Response {
  const sent = file === null ? null : sendMedia(env ?? {}, file, { ...HEADERS, ...headers });
  return sent ?? notFound();
}

export function notFound(): Response {
  return refuse('not_found', 'there is nothing at this path');
}

export function refuse(code: ProblemCode, message: string): Response {
  const problem: Problem = { code, message };
  return json(problem, ERROR_TABLE[code].httpStatus);
}
