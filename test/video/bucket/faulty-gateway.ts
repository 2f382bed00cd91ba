/** A gateway in front of a bucket that answers badly when a test says so. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `pass`: as the bucket answers; `error`: status 500; `busy`: 503 SlowDown; `hang`: no answer; `drop`: the connection
 * ends; `cut`: half of the body; `other`: other bytes of the same length; `page`: status 200 with a web page, as a
 * proxy with a login does; `no-etag`: as the bucket answers, without the ETag.
 */
export type Behaviour = 'pass' | 'error' | 'busy' | 'hang' | 'drop' | 'cut' | 'other' | 'page' | 'no-etag';

export interface Gateway {
  readonly url: string;
  /** Requests that have come, as `PUT /videos/some/prefix/key`. */
  readonly seen: readonly string[];
  /** Decides for each request from now on. */
  behave(how: (request: IncomingMessage) => Behaviour): void;
  close(): Promise<void>;
}

/** @param endpoint - Of the bucket. A signature covers the Host header, which the gateway passes on. */
export async function openGateway(endpoint: () => string): Promise<Gateway> {
  const seen: string[] = [];
  let decide: (request: IncomingMessage) => Behaviour = () => 'pass';
  const server: Server = createServer((from, to) => {
    seen.push(`${from.method} ${from.url?.replace(/\?.*/, '')}`);
    const how = decide(from);
    if (how === 'hang') return;
    if (how === 'drop') return void from.socket.destroy();
    if (how === 'error') return void to.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
    if (how === 'busy') return void to.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    if (how === 'page') {
      from
        .resume()
        .on('end', () => to.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
      return;
    }
    forward(from, to, endpoint(), how);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    behave: (how) => {
      decide = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(from: IncomingMessage, to: ServerResponse, endpoint: string, how: Behaviour): void {
  const { method, headers, url = '' } = from;
  const target = new URL(endpoint);
  const sent = request({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
    const pieces: Buffer[] = [];
    answer.on('data', (piece) => pieces.push(piece));
    answer.on('end', () => {
      const body = Buffer.concat(pieces);
      const { etag, ...others } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, how === 'no-etag' ? others : answer.headers);
      if (how === 'cut') to.write(body.subarray(0, body.length / 2), () => to.destroy());
      else to.end(how === 'other' ? Buffer.alloc(body.length, 120) : body);
    });
  });
  sent.on('error', () => to.destroy());
  from.on('error', () => sent.destroy()).pipe(sent);
}
