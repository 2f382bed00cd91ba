/** Clients that hold connections, or that still send when their answer comes: who is served, and what reaches them. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { quietMetrics } from '../api/server/harness.ts';
import {
  type OpenedService,
  openWire,
  type RunningOptions,
  serviceOpener,
} from '../api/server/running-service.ts';
import { deferred } from '../deferred.ts';

const open = serviceOpener();
const sockets: Socket[] = [];

async function serve(options: RunningOptions = {}): Promise<{ service: OpenedService; url: string }> {
  const service = await open(options);
  return { service, url: await service.service.start() };
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const POST = 'POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Connects from an address of the loopback network, and resolves when the connection stands. */
async function dial(url: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and resolves when its answer has begun. */
async function ask(socket: Socket, text = GET): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}

/** Resolves when the connection is closed, also by a reset. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** True when the server has closed it. */
const isClosed = (socket: Socket): boolean => socket.readableEnded || socket.destroyed;

/**
 * As Python's urllib: `Connection: close`, the whole body is sent before the answer is read. Resolves with the answer.
 */
function sendAllThenRead(url: string, head: string, body: Buffer): Promise<string> {
  return new Promise((resolve) => {
    // A program that only writes does not notice that the other side has ended its part.
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let text = '';
    // A reset also drops what has come but was not read.
    socket.on('error', () => resolve(''));
    socket.on('close', () => resolve(text));
    socket.on('connect', () => {
      socket.pause();
      socket.write(head);
      socket.write(body, (error) => {
        if (error) return;
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1');
        });
        socket.on('end', () => socket.end());
        socket.resume();
      });
    });
  });
}

describe('a thousand idle connections', () => {
  it('give way to a new one, which is answered at once', async () => {
    const { url } = await serve();
    const idle: Socket[] = [];
    for (let n = 0; n < 1_000; n += 50) {
      idle.push(...(await Promise.all(Array.from({ length: 50 }, () => dial(url)))));
    }
    // Half have had an answer and are kept for the next request; half never say anything.
    await Promise.all(idle.slice(500).map((socket) => ask(socket)));
    for (let n = 0; n < 20; n++) {
      const socket = await dial(url, `127.0.0.${2 + n}`);
      expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
    // Those that waited for the longest time have gone, and only as many as were needed.
    await expect.poll(() => idle.filter(isClosed).length).toBe(20);
    expect(idle.slice(0, 20).every(isClosed)).toBe(true);
  });
});

describe('when no more connections are allowed', () => {
  const limits = { maxConnections: 3 };

  it('one that has been answered is closed before one that is uploading', async () => {
    const { url } = await serve({ limits });
    const uploading = await dial(url);
    uploading.write(`${POST}Content-Length: 500\r\n\r\n{`);
    const answered = await dial(url);
    await ask(answered);
    const also = await dial(url);
    await ask(also);
    expect(await ask(await dial(url))).toMatch(/ 200 /);
    await expect.poll(() => [answered, also, uploading].map(isClosed)).toEqual([true, false, false]);
  });

  it('slow uploads give way too, the oldest first', async () => {
    const { url } = await serve({ limits });
    const uploads: Socket[] = [];
    for (let n = 0; n < 3; n++) {
      const socket = await dial(url);
      uploads.push(socket);
      socket.write(`${POST}Content-Length: 500\r\nExpect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
    }
    expect(await ask(await dial(url))).toMatch(/ 200 /);
    await expect.poll(() => uploads.map(isClosed)).toEqual([true, false, false]);
  });

  it('one whose request is in work is never closed, and the log says that new ones are', async () => {
    const held = deferred();
    let asked = 0;
    const { service, url } = await serve({
      limits,
      checkReadiness: async () => {
        asked += 1;
        await held.promise;
        return { isReady: true, checks: {} };
      },
    });
    const working = await Promise.all([dial(url), dial(url), dial(url)]);
    const answers = working.map((socket) => ask(socket, GET.replace('healthz', 'readyz')));
    await expect.poll(() => asked).toBe(3);
    const refused = await dial(url);
    refused.write(GET);
    await closed(refused);
    expect(service.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        client: '127.0.0.1',
        msg: expect.stringMatching(/too many connections/),
      }),
    );
    held.resolve();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/ 200 /);
  });
});

it('clients that do not read a large file give way to a new one', async () => {
  const { service, url } = await serve({ limits: { maxConnections: 3 } });
  const folder = path.join(service.home, 'files', 'org_default', 'task');
  await mkdir(folder, { recursive: true });
  const name = `${'A'.repeat(22)}.mp4`;
  await writeFile(path.join(folder, name), Buffer.alloc(20_000_000));
  const unread = await Promise.all([dial(url), dial(url), dial(url)]);
  for (const socket of unread) {
    await ask(socket, GET.replace('/healthz', `/files/org_default/task/${name}`));
    socket.pause();
  }
  expect(await ask(await dial(url))).toMatch(/ 200 /);
});

it('a connection works as long as one of the requests that it has sent in a row is not answered', async () => {
  const held = deferred();
  let asked = 0;
  const { url } = await serve({
    limits: { maxConnections: 1 },
    checkReadiness: async () => {
      asked += 1;
      if (asked === 2) await held.promise;
      return { isReady: true, checks: {} };
    },
  });
  const wire = await openWire(url);
  wire.write(GET.replace('healthz', 'readyz').repeat(2));
  await wire.sees(/200 OK/);
  await expect.poll(() => asked).toBe(2);
  await closed(await dial(url));
  held.resolve();
  await wire.sees(/200 OK.*200 OK/s);
  wire.destroy();
});

describe('a server that stops', () => {
  it('does not wait for clients that still send', async () => {
    const limits = { linger: { maxBytes: 1e9, maxMs: 600_000, idleMs: 600_000 } };
    const { service, url } = await serve({ limits, graceMs: 0 });
    const nonsense = await dial(url);
    await ask(nonsense, 'HELO there\r\n\r\n');
    const upload = await dial(url);
    await ask(upload, `${POST}Content-Length: 9000000000\r\n\r\n`);
    const trickle = setInterval(() => {
      nonsense.write(' ');
      upload.write(' ');
    }, 20);
    await service.stop();
    clearInterval(trickle);
    await Promise.all([closed(nonsense), closed(upload)]);
  });
});

describe('an answer reaches a client that is still sending', () => {
  const large = Buffer.alloc(5_000_000, 0x20);
  const close = `${POST}Connection: close\r\n`;

  it('when its body is too large: 100 of 100', async () => {
    const { url } = await serve();
    const answers: string[] = [];
    for (let n = 0; n < 100; n++) {
      answers.push(await sendAllThenRead(url, `${close}Content-Length: ${large.length}\r\n\r\n`, large));
    }
    expect(answers.filter((answer) => /^HTTP\/1\.1 400 .*body_too_large/s.test(answer)).length).toBe(100);
  });

  it('in chunks, without a word of how many', async () => {
    const { url } = await serve();
    const chunk = Buffer.concat([Buffer.from('4c4b40\r\n'), large, Buffer.from('\r\n0\r\n\r\n')]);
    const head = `${close}Transfer-Encoding: chunked\r\n\r\n`;
    for (let n = 0; n < 10; n++) {
      expect(await sendAllThenRead(url, head, chunk)).toMatch(/^HTTP\/1\.1 400 .*body_too_large/s);
    }
  });

  it.each([
    ['without a key', 401, POST],
    ['to a path that does not exist', 404, POST.replace('/v1/tasks', '/v1/nothing')],
    ['with a method that is not allowed', 405, POST.replace('POST', 'PUT')],
    ['of another content type', 401, POST.replace('json', 'pdf')],
    ['whose head is too large', 431, `${POST}X-Big: ${'x'.repeat(20_000)}\r\n`],
    ['that is no HTTP', 400, `HELO${POST}`],
  ])('%s', async (_, status, head) => {
    const { service, url } = await serve();
    await service.accounts.createKey({ organizationId: 'org_default' });
    for (let n = 0; n < 10; n++) {
      const answer = await sendAllThenRead(
        url,
        `${head}Connection: close\r\nContent-Length: ${large.length}\r\n\r\n`,
        large,
      );
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\{"code":`, 's'));
    }
  });

  it('while the server drains', async () => {
    const held = deferred();
    const { service, url } = await serve({
      checkReadiness: () => held.promise.then(() => ({ isReady: true, checks: {} })),
    });
    const waiting = await dial(url);
    const ready = ask(waiting, GET.replace('healthz', 'readyz'));
    const upload = await dial(url);
    upload.write(`${POST}Content-Length: 500\r\nExpect: 100-continue\r\n\r\n`);
    await once(upload, 'data');
    const stopped = service.stop();
    upload.write('x'.repeat(500));
    const [answer] = (await once(upload, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
    held.resolve();
    await ready;
    await stopped;
  });
});

describe('a client that does not stop sending after its answer', () => {
  const linger = { maxBytes: 1_000_000, maxMs: 60_000, idleMs: 60_000 };
  const endless = `${POST}Content-Length: 9000000000\r\n\r\n`;

  it('is cut off after so many bytes', async () => {
    const { url } = await serve({ limits: { linger } });
    const socket = await dial(url);
    expect(await ask(socket, endless)).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
    const flood = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', flood);
    flood();
    await closed(socket);
    expect(socket.bytesWritten).toBeLessThan(20_000_000);
  });

  it.each([
    ['after a time, however steadily it sends', { maxMs: 300 }],
    ['when it pauses', { idleMs: 300 }],
  ])('is cut off %s', async (_, limit) => {
    const { url } = await serve({ limits: { linger: { ...linger, ...limit } } });
    const socket = await dial(url);
    await ask(socket, endless);
    const trickle = 'maxMs' in limit ? setInterval(() => socket.write(' '), 20) : undefined;
    await closed(socket);
    clearInterval(trickle);
  });

  it('gives its place to the next connection', async () => {
    const { url } = await serve({ limits: { linger, maxConnections: 1 } });
    const socket = await dial(url);
    await ask(socket, endless);
    expect(await ask(await dial(url))).toMatch(/ 200 /);
    await closed(socket);
  });
});

describe('a client that asks whether to send its body', () => {
  it('is told no, and sends nothing, when the request is refused anyway', async () => {
    const { service, url } = await serve();
    await service.accounts.createKey({ organizationId: 'org_default' });
    const wire = await openWire(url);
    wire.write(`${POST}Content-Length: 4000\r\nExpect: 100-continue\r\n\r\n`);
    const answer = await wire.sees(/\r\n\r\n\{.*\}$/s);
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
    wire.destroy();
  });

  it('is told yes when the body is about to be read', async () => {
    const { url } = await serve();
    const wire = await openWire(url);
    wire.write(`${POST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
    await wire.sees(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    wire.write('{}');
    expect(await wire.sees(/\}$/)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
    wire.destroy();
  });
});

describe('clients that do not read their answers', () => {
  it('lose the oldest of them when too much waits in memory, and others are served', async () => {
    const answer = 'x'.repeat(16_000_000);
    const limits = { maxUnreadBytes: 40_000_000, checkIntervalMs: 50 };
    const metrics = { ...quietMetrics(), render: async () => answer };
    const { service, url } = await serve({ limits, metrics });
    const readers: Socket[] = [];
    for (let n = 0; n < 6; n++) {
      const socket = await dial(url);
      readers.push(socket);
      await ask(socket, GET.replace('healthz', 'metrics'));
      socket.pause();
    }
    const logged = expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/unread answers/) });
    await expect.poll(() => service.log).toContainEqual(logged);
    expect((await fetch(`${url}/metrics`).then((response) => response.text())).length).toBe(answer.length);
    for (const socket of readers) socket.resume();
    // The youngest is served whole; the oldest was cut off.
    await expect.poll(() => readers.at(-1)!.bytesRead).toBeGreaterThan(answer.length);
    expect(readers[0]!.bytesRead).toBeLessThan(answer.length);
  });
});
