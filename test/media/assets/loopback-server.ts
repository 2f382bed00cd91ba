/** A web server on the loopback interface, for tests of fetching. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface LoopbackServer {
  readonly origin: string;
  readonly port: number;
  /** Paths asked for, in order. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

export type Route = (response: ServerResponse, request: IncomingMessage) => void;

/** Serves `routes` by path; anything else is a 404. */
export async function startServer(routes: Readonly<Record<string, Route>>): Promise<LoopbackServer> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request.url ?? '');
    headers.push(request.headers);
    const route = routes[(request.url ?? '').split('?')[0] ?? ''];
    if (route === undefined) {
      response.writeHead(404);
      response.end('no such page');
    } else {
      route(response, request);
    }
  };
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
