/** A server on loopback that answers as the test says, and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** @param number - 1 for the first request of this method and path. */
export type Reply = (request: AskedRequest, response: ServerResponse, number: number) => void;

export interface StubServer {
  readonly url: string;
  readonly asked: AskedRequest[];
  reply: Reply;
}

/** Closed when the running test has finished. */
export async function startStub(reply: Reply): Promise<StubServer> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    };
    stub.asked.push(asked);
    const name = `${asked.method} ${asked.path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    stub.reply(asked, response, counts.get(name)!);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const stub: StubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply,
  };
  return stub;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
