/**
 * Serves the result files, in front of the app, with ranges and validators. The file storage decides which names are
 * public; no other part of a path reaches the file system. Only this file uses `send`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';
import type { RemoteFile } from '../../../video/publish/file-storage.ts';
import type { ReportFile } from '../../../video/publish/report.ts';
import { type ApiProblem, methodNotAllowed, problem } from './api-problem.ts';
import { clientAddressOf } from '../sockets/client-address.ts';
import { corsHeaders, preflightHeaders } from '../access/cors.ts';
import { isDevelopment, toRefusal } from '../access/development.ts';
import { findRemoteSign } from '../access/host-check.ts';
import { logRequest } from '../watch/log-request.ts';
import { FILES_PATH } from './public-task.ts';
import { passFile, redirectToFile } from './remote-files.ts';
import { chooseRequestId } from '../requests/request-id.ts';
import { FILE_SAFETY_HEADERS } from './safety-headers.ts';
import { sendProblem } from './send-problem.ts';
import type { ServerDeps } from '../server-deps.ts';

const METHODS = ['GET', 'HEAD'];
/** A suffix range. One longer than the file means the whole file (RFC 9110, 14.1.2), but send refuses it. */
const LONG_SUFFIX = /^ *bytes=-0*[1-9][0-9]*$/;

export type StaticFilesDeps = Pick<
  ServerDeps,
  'accounts' | 'config' | 'files' | 'logger' | 'metrics' | 'monotonicMs'
>;

/** See {@link createStaticFiles}. */
export type StaticFiles = (request: IncomingMessage, response: ServerResponse, pathname?: string) => boolean;

/**
 * Answers a request for a path below `/files`. For any other path it does nothing and returns false. `pathname` differs
 * from the request's path only when the app is mounted below another path.
 */
export function createStaticFiles(deps: StaticFilesDeps): StaticFiles {
  const { config } = deps;
  return (request, response, pathname = pathOf(request.url ?? '')) => {
    if (!pathname.startsWith(`${FILES_PATH}/`)) return false;
    const beganMs = deps.monotonicMs();
    const requestId = chooseRequestId(headerOf(request, 'x-request-id'));
    const method = request.method ?? '';
    // Asked now: a closed socket does not know its peer.
    const clientAddress = clientAddressOf(request, config.proxies);
    let fault: unknown;
    response.once('close', () => {
      logRequest(deps, {
        requestId,
        method,
        pathname,
        status: response.statusCode,
        durationMs: deps.monotonicMs() - beganMs,
        clientAddress,
        fault,
      });
    });
    const headers = {
      ...FILE_SAFETY_HEADERS,
      ...corsHeaders(config, request.headers.origin),
      'x-request-id': requestId,
    };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    void answer().catch((error: unknown) => {
      fault = error;
      refuse(problem('internal_error', 'something went wrong here', { request_id: requestId }));
    });
    return true;

    async function answer(): Promise<void> {
      if (method === 'OPTIONS' && config.corsOrigins.length > 0) {
        response.writeHead(204, preflightHeaders([...METHODS, 'OPTIONS'])).end();
        return;
      }
      if (!METHODS.includes(method)) return refuse(methodNotAllowed(method, METHODS));
      const refusal = toRefusal(
        findRemoteSign({
          hosts: hostsOf(request),
          headerNames: Object.keys(request.headers),
          peer: request.socket.remoteAddress,
        }),
      );
      if (refusal !== null && (await isDevelopment(deps))) return refuse(refusal);
      const name = deps.files.locate(pathname.slice(FILES_PATH.length + 1));
      if (name === null) return refuse(notFound());
      const remote = (await deps.files.findRemote?.(name)) ?? null;
      if (remote !== null) return sendRemote(remote);
      sendFile(name, await deps.files.describe(name));
    }

    async function sendRemote(remote: RemoteFile): Promise<void> {
      if (config.proxiesFiles !== true) return redirectToFile(remote, request, response);
      try {
        if (!(await passFile(remote, request, response))) refuse(notFound());
      } catch (error) {
        fault = error;
        refuse(problem('unavailable', 'the file cannot be read right now', null, { 'retry-after': '5' }));
      }
    }

    function sendFile(name: string, described: ReportFile | null): void {
      // RFC 9111, 5.2.1: the header is for caches. With it, send would answer 200 to a client that has the file.
      delete request.headers['cache-control'];
      send(request, name, {
        root: deps.files.root,
        index: false,
        dotfiles: 'deny',
        cacheControl: false,
      })
        .on('headers', (to: ServerResponse, _path: string, stat: FileFacts) => {
          const etag = strongEtag(stat);
          to.setHeader('etag', etag);
          // A file never changes, but its task can be removed at any time: caches must ask before they serve it again.
          to.setHeader('cache-control', 'public, no-cache');
          compareIfRange(request, [etag, stat.mtime.toUTCString()]);
          // RFC 9530, 3: the digest of the whole file, also for a range, so that a client can verify a resumed download.
          if (described?.size_bytes === stat.size) {
            const digest = Buffer.from(described.sha256, 'hex').toString('base64');
            to.setHeader('repr-digest', `sha-256=:${digest}:`);
          }
        })
        .on('directory', () => refuse(notFound()))
        .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
          if (error.status === 416) {
            if (LONG_SUFFIX.test(request.headers.range ?? '')) {
              request.headers.range = 'bytes=0-';
              return sendFile(name, described);
            }
            return refuse(
              problem('range_not_satisfiable', 'the file is shorter than that', null, rangeOf(error)),
            );
          }
          if (error.status === 412) {
            return refuse(problem('precondition_failed', 'the file is not the one that was asked for'));
          }
          if (error.status !== undefined && error.status < 500) return refuse(notFound());
          fault = error;
          return refuse(problem('internal_error', 'something went wrong here', { request_id: requestId }));
        })
        .pipe(response);
    }

    function refuse(refusal: ApiProblem): void {
      sendProblem(response, refusal, method === 'HEAD');
    }
  };
}

/** What `send` reports of a file. */
interface FileFacts {
  readonly size: number;
  readonly mtimeMs: number;
  readonly mtime: Date;
}

/** A strong tag, which If-Range needs (RFC 9110, 13.1.5); send's own is weak. Files appear by a rename and never change. */
function strongEtag({ size, mtimeMs }: FileFacts): string {
  return `"${size.toString(16)}-${Math.round(mtimeMs * 1000).toString(16)}"`;
}

/**
 * Replaces an `If-Range` that does not match exactly. send would accept a weak tag, a list or any later date, but
 * RFC 9110, 13.1.5 requires the exact validator.
 */
function compareIfRange(request: IncomingMessage, [etag, lastModified]: readonly [string, string]): void {
  const given = request.headers['if-range'];
  if (typeof given !== 'string') return;
  request.headers['if-range'] = given === etag || given === lastModified ? etag : '""';
}

function notFound(): ApiProblem {
  return problem('not_found', 'there is nothing at this path');
}

/** `Content-Range: bytes *\/<size>`, as send made it. */
function rangeOf(error: { readonly headers?: Readonly<Record<string, string>> }): Record<string, string> {
  const range = error.headers?.['Content-Range'] ?? error.headers?.['content-range'];
  return range === undefined ? {} : { 'content-range': range };
}

/** The undecoded path of a request target, also of one in absolute form. */
function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return path.replace(/[?#].*$/s, '');
}

/** Every Host header, and the host of a target in absolute form, which has precedence (RFC 9112, 3.2.2). */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [...(headersDistinct.host ?? ['']), ...(target === undefined ? [] : [target])];
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
