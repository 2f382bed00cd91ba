/** Sends videos, images and music as files, past hono: browsers ask for parts of what they play. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { sendFile } from '../../api/server/answers/send-file.ts';

/** Node's own request and answer; absent in `app.request`. */
export interface Sockets {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

export type MediaHeaders = Readonly<Record<string, string>>;

/** @returns Null without sockets. */
export function sendMedia(
  { incoming, outgoing }: Sockets,
  file: string,
  headers: MediaHeaders,
): Response | null {
  if (incoming === undefined || outgoing === undefined) return null;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  return sendFile(incoming, outgoing, {
    root: path.dirname(file),
    path: encodeURIComponent(path.basename(file)),
    headersOf: () => ({ 'cache-control': 'private, no-cache' }),
    refuse: (status, { headers: ofRange }) => outgoing.writeHead(status, ofRange).end(),
  });
}

/** Of a video, poster or preview. It plays in the page, and is saved under `savedAs` (RFC 6266). */
export function headersOf(name: string, savedAs: string): MediaHeaders {
  const encoded = encodeURIComponent(savedAs).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'content-type': typeOf(name),
    'content-disposition': `inline; filename*=UTF-8''${encoded}`,
  };
}

function typeOf(name: string): string {
  if (name.endsWith('.mp4')) return 'video/mp4';
  return name.endsWith('.gif') ? 'image/gif' : 'image/jpeg';
}
