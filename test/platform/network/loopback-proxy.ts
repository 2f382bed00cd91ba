/** A proxy on the loopback interface, for tests: every host name leads to one server of the test. */
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface LoopbackProxy {
  readonly port: number;
  /** `CONNECT photos.example:443`, `GET http://photos.example/a.jpg`, in order. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** @param refuse - Status that it answers with instead of passing the request on. */
export async function startProxy(
  target: { readonly port: number },
  { refuse }: { refuse?: number } = {},
): Promise<LoopbackProxy> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  };
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    headers.push(incoming.headers);
    if (refuse !== undefined) return void outgoing.writeHead(refuse).end('the proxy says no');
    const { pathname, search } = new URL(incoming.url!);
    const passed = request(
      { port: target.port, path: pathname + search, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.on('connection', keep);
  server.on('connect', (incoming, socket: Socket, head) => {
    requests.push(`CONNECT ${incoming.url}`);
    headers.push(incoming.headers);
    if (refuse !== undefined) return void socket.end(`HTTP/1.1 ${refuse} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(target.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    keep(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
