/** Large bodies that come on many connections at once, for requests that are refused, keep the server free for others. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createHttpServer } from '../../../src/api/server/sockets/http-server.ts';

const MIB = 1024 * 1024;
const CLIENTS = 30;
const BODY = Buffer.alloc(4 * MIB, 0x20);

it('they are read whole, and in one turn of the event loop only a small part of them', async () => {
  const sockets: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createHttpServer({
    listener: ({ socket }, response) => {
      sockets.push(socket);
      closed.push(once(socket, 'close'));
      response.writeHead(401).end('{}');
    },
  });
  const { port } = await server.listen(0, '127.0.0.1');
  let isOver = false;
  let readBytes = 0;
  let mostBytes = 0;
  const turn = (): void => {
    const before = readBytes;
    readBytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    mostBytes = Math.max(mostBytes, readBytes - before);
    if (!isOver) setImmediate(turn);
  };
  turn();
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let answer = '';
      client.on('data', (chunk) => {
        answer += chunk;
      });
      client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n`);
      client.end(BODY);
      await once(client, 'close');
      return answer;
    }),
  );
  await Promise.all(closed);
  isOver = true;
  await server.close(0);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(sockets.map(({ bytesRead }) => bytesRead > BODY.length)).not.toContain(false);
  expect(mostBytes).toBeLessThan(MIB);
});
