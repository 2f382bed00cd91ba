/** Answers for result files that are in a bucket: a redirect to a signed URL, or the file itself, piece by piece. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RemoteFile } from '../../../video/publish/file-storage.ts';

type Method = 'GET' | 'HEAD';

/** Headers of a request that the bucket understands (RFC 9110, 13.1 and 14.2). */
const PASSED_ON = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
];
/** Headers of the bucket that say something about the file. */
const PASSED_BACK = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
];

/** The URL works for 15 minutes, so nobody must keep the answer. */
export async function redirectToFile(
  file: RemoteFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const location = await file.signUrl(methodOf(request));
  response.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}

/**
 * Sends the file through this server. A client that is slower than the bucket slows the bucket down.
 *
 * @returns False if there is no such file; nothing is sent then.
 * @throws {@link ListingVideoError} `storage_unavailable`.
 */
export async function passFile(
  file: RemoteFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
  const answer = await file.open({ method: methodOf(request), headers, signal: left.signal });
  if (answer.status === 404) {
    answer.body.destroy();
    return false;
  }
  const hasFile = answer.status < 300;
  for (const name of hasFile ? PASSED_BACK : PASSED_BACK.filter((kept) => !isOfBody(kept))) {
    const value = answer.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  if (hasFile && answer.sha256 !== null) {
    // RFC 9530, 3: the digest of the whole file, also for a range.
    response.setHeader('repr-digest', `sha-256=:${Buffer.from(answer.sha256, 'hex').toString('base64')}:`);
  }
  response.statusCode = answer.status;
  if (request.method === 'HEAD' || !hasFile) {
    answer.body.destroy();
    response.end();
    return true;
  }
  // A client that gets too little sees the length.
  answer.body.on('error', () => response.destroy()).pipe(response);
  return true;
}

function isOfBody(header: string): boolean {
  return header === 'content-length' || header === 'content-type';
}

function methodOf({ method }: IncomingMessage): Method {
  return method === 'HEAD' ? 'HEAD' : 'GET';
}
