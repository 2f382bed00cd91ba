/** On real sockets: what is too large, too slow, too many or no HTTP at all. */
import { once } from 'node:events';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aListing } from '../../listing/a-listing.ts';
import { type OpenedService, openService, openWire, talk } from './running-service.ts';

const LIMITS = { headersTimeoutMs: 150, requestTimeoutMs: 300, checkIntervalMs: 30, maxHeaderBytes: 4_096 };
const CLOSE = 'Host: localhost\r\nConnection: close\r\n';

let opened: OpenedService;
let url: string;

beforeEach(async () => {
  opened = await openService({ limits: LIMITS });
  url = await opened.service.start();
});
afterEach(async () => {
  await opened.stop();
  await opened.remove();
});

/** The status line, the headers in lower case and the body of an answer. */
function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.split(': ')[1]]));
  return { status: Number(statusLine.split(' ')[1]), headers, body: body === '' ? null : JSON.parse(body) };
}

/** What every refusal looks like, also one of a request that could not be read. */
function expectRefusal(answer: string, status: number, code: string): void {
  const { headers, body, ...rest } = read(answer);
  expect([rest.status, body.code]).toEqual([status, code]);
  expect(Object.keys(body)).toEqual(['code', 'message', 'context']);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('application/json');
}

describe('a body', () => {
  const head = `POST /v1/tasks HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\n`;

  it('in chunks is read whole', async () => {
    const text = JSON.stringify(aListing());
    const half = text.length >> 1;
    const chunks = [text.slice(0, half), text.slice(half)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const answer = await talk(url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`);
    expect(read(answer).status).toBe(202);
  });

  it('in chunks that never end is refused at the limit', async () => {
    const wire = await openWire(url);
    wire.write(`${head.replace('Connection: close\r\n', '')}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    for (let sent = 0; sent < 120_000; sent += 0x4000) wire.write(chunk);
    expectRefusal(await wire.sees(/\r\n\r\n\{.*\}$/s), 400, 'body_too_large');
    wire.destroy();
  });

  it('that is announced as too large is refused before it comes', async () => {
    const wire = await openWire(url);
    wire.write(`${head}Content-Length: 100001\r\n\r\n`);
    expectRefusal(await wire.sees(/\r\n\r\n\{.*\}$/s), 400, 'body_too_large');
    wire.destroy();
  });

  it('at the limit is read', async () => {
    const text = JSON.stringify(aListing()).padEnd(100_000);
    expect(read(await talk(url, `${head}Content-Length: 100000\r\n\r\n${text}`)).status).toBe(202);
  });

  it('that does not come in time is given up', async () => {
    expectRefusal(await talk(url, `${head}Content-Length: 500\r\n\r\n{"id":`), 408, 'request_timeout');
  });

  it('that breaks off leaves nothing behind, and the server lives', async () => {
    const wire = await openWire(url);
    wire.write(`${head}Content-Length: 500\r\n\r\n{"id":`);
    wire.destroy();
    await wire.closed;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await opened.store.list({ limit: 1 })).data).toEqual([]);
  });
});

describe('a head', () => {
  it('that is too large is refused', async () => {
    const answer = await talk(
      url,
      `GET /v1/tasks HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'x'.repeat(5_000)}\r\n\r\n`,
    );
    expectRefusal(answer, 431, 'request_header_too_large');
  });

  it('that trickles in is given up', async () => {
    const wire = await openWire(url);
    wire.write('GET /v1/tasks HTTP/1.1\r\nHost: loc');
    expectRefusal(await wire.closed, 408, 'request_timeout');
  });

  it.each([
    ['is no HTTP', 'HELO there\r\n\r\n'],
    [
      'says its length twice',
      `POST /v1/tasks HTTP/1.1\r\n${CLOSE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['has two lengths', `POST /v1/tasks HTTP/1.1\r\n${CLOSE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n`],
    ['has a folded header', `GET / HTTP/1.1\r\n${CLOSE}X-A: b\r\n c\x00\r\n\r\n`],
    ['has no Host', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['has a target without a path', `GET * HTTP/1.1\r\n${CLOSE}\r\n`],
    ['has a Host that is none', 'GET /v1/tasks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  ])('that %s is refused', async (_, text) => {
    expectRefusal(await talk(url, text), 400, 'invalid_request');
  });

  it('of HTTP/1.0 needs no Host, as health checks of HAProxy have none, but one of another site is refused', async () => {
    for (const target of ['/healthz', '/readyz', '/v1/tasks'])
      expect([target, read(await talk(url, `GET ${target} HTTP/1.0\r\n\r\n`)).status]).toEqual([target, 200]);
    expectRefusal(await talk(url, 'GET /files/a HTTP/1.0\r\n\r\n'), 404, 'not_found');
    expectRefusal(await talk(url, 'GET /healthz HTTP/1.0\r\nHost: evil.example\r\n\r\n'), 403, 'forbidden');
    expectRefusal(await talk(url, 'GET http://evil.example/healthz HTTP/1.0\r\n\r\n'), 403, 'forbidden');
    expectRefusal(await talk(url, 'GET /healthz HTTP/1.0\r\nHost:\r\n\r\n'), 400, 'invalid_request');
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND'])(
    'with the method %s is answered like any other',
    async (method) => {
      const answer = await talk(url, `${method} /v1/tasks HTTP/1.1\r\n${CLOSE}\r\n`);
      expectRefusal(answer, 405, 'method_not_allowed');
    },
  );

  it('whose target is absolute is checked by its host too', async () => {
    const foreign = await talk(url, `GET http://evil.example/v1/tasks HTTP/1.1\r\n${CLOSE}\r\n`);
    expectRefusal(foreign, 403, 'forbidden');
    const own = await talk(url, `GET ${url}/v1/tasks HTTP/1.1\r\n${CLOSE}\r\n`);
    expect(read(own).status).toBe(200);
  });

  it('with an expectation that nobody knows is answered as without', async () => {
    const answer = await talk(url, `GET /healthz HTTP/1.1\r\n${CLOSE}Expect: the-unexpected\r\n\r\n`);
    expect(read(answer).status).toBe(200);
    expect(read(answer).headers.has('x-request-id')).toBe(true);
  });

  it('that asks for another protocol is answered in this one', async () => {
    const answer = await talk(
      url,
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(read(answer).status).toBe(200);
  });

  it.each([
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/page/../../../package.json',
    '/files/../../../etc/passwd',
  ])('with the target %s finds nothing', async (target) => {
    const answer = read(await talk(url, `GET ${target} HTTP/1.1\r\n${CLOSE}\r\n`));
    expect(answer.status).toBe(404);
  });
});

describe('what cannot be read', () => {
  it('is logged under the id that its answer has', async () => {
    const answers = [
      await talk(url, 'HELO there\r\n\r\n'),
      await talk(url, 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n'),
      await talk(url, 'GET /v1/tasks HTTP/1.1\r\nHost: loc'),
    ].map(read);
    const logged = answers.map(({ headers }) =>
      opened.log.find(({ request_id }) => request_id === headers.get('x-request-id')),
    );
    expect(logged).toMatchObject([
      { level: 'info', status: 400, code: 'invalid_request', client: '127.0.0.1' },
      { level: 'info', status: 400, code: 'invalid_request', client: '127.0.0.1' },
      { level: 'info', status: 408, code: 'request_timeout', client: '127.0.0.1' },
    ]);
  });

  it('does not get its refusal into the file that is being sent on the same connection', async () => {
    const owner = { organizationId: 'org_a', taskId: '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00' };
    const folder = opened.files.folderOf(owner);
    const name = `${'f'.repeat(22)}.mp4`;
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, name), '');
    // More than sockets buffer, so that it is still under way when the nonsense comes.
    await truncate(path.join(folder, name), 64 * 1024 * 1024);
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const target = `/files/${owner.organizationId}/${owner.taskId}/${name}`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString('latin1')).toMatch(/^HTTP\/1.1 200 /);
    socket.pause();
    socket.write('HELO there\r\n\r\n');
    await expect.poll(() => opened.log.some(({ code }) => code === 'invalid_request')).toBe(true);
    const said: string[] = [];
    socket.on('data', (chunk: Buffer) => {
      if (chunk.some((byte) => byte !== 0)) said.push(chunk.toString('latin1').replaceAll('\0', ''));
    });
    // A reset is what cuts it off.
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    expect(said).toEqual([]);
  });
});

it('an idle connection is kept for the next request', async () => {
  const wire = await openWire(url);
  for (let n = 1; n <= 3; n++) {
    wire.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await wire.sees(new RegExp(`(?:\\{"status":"ok"\\}[^{]*){${n}}`));
  }
  expect(wire.text).not.toMatch(/connection: close/i);
  wire.destroy();
});
