/**
 * Serves the result files, in front of the app, with ranges and validators. The file storage decides which names are
 * public; no other part of a path reaches the file system.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RemoteFile } from '../../../video/publish/file-storage.ts';
import type { ReportFile } from '../../../video/publish/report.ts';
import { corsHeaders, preflightHeaders } from '../access/cors.ts';
import { isDevelopment, toRefusal } from '../access/development.ts';
import { findRemoteSign } from '../access/host-check.ts';
import { chooseRequestId } from '../requests/request-id.ts';
import type { ServerDeps } from '../server-deps.ts';
import { clientAddressOf } from '../sockets/client-address.ts';
import { logRequest } from '../watch/log-request.ts';
import { type ApiProblem, methodNotAllowed, problem } from './api-problem.ts';
import { FILES_PATH } from './public-task.ts';
import { passFile, redirectToFile } from './remote-files.ts';
import { FILE_SAFETY_HEADERS } from './safety-headers.ts';
import { sendFile } from './send-file.ts';
import { sendProblem } from './send-problem.ts';

const METHODS = ['GET', 'HEAD'];

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
      sendResult(name, await deps.files.describe(name));
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

    function sendResult(name: string, described: ReportFile | null): void {
      sendFile(request, response, {
        root: deps.files.root,
        path: name,
        headersOf: (sizeBytes) => ({
          // A file never changes, but its task can be removed at any time: caches must ask before they serve it again.
          'cache-control': 'public, no-cache',
          ...(described?.size_bytes === sizeBytes ? { 'repr-digest': digestOf(described) } : {}),
        }),
        refuse(status, { headers, error }) {
          if (status === 416)
            return refuse(problem('range_not_satisfiable', 'the file is shorter than that', null, headers));
          if (status === 412)
            return refuse(problem('precondition_failed', 'the file is not the one that was asked for'));
          if (status === 404) return refuse(notFound());
          fault = error;
          return refuse(problem('internal_error', 'something went wrong here', { request_id: requestId }));
        },
      });
    }

    function refuse(refusal: ApiProblem): void {
      sendProblem(response, refusal, method === 'HEAD');
    }
  };
}

/** RFC 9530, 3: the digest of the whole file, also for a range, so that a client can verify a resumed download. */
function digestOf({ sha256 }: ReportFile): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

function notFound(): ApiProblem {
  return problem('not_found', 'there is nothing at this path');
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
