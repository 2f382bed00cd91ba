/**
 * Clients that send many requests, or unreadable bytes, before they have an answer; heads that hide where a request
 * comes from.
 */
import { expect, it } from 'vitest';
import {
  type OpenedService,
  openWire,
  type RunningOptions,
  serviceOpener,
} from '../api/server/running-service.ts';
import { aListing } from '../listing/a-listing.ts';

const open = serviceOpener();

async function serve(options: RunningOptions = {}): Promise<{ service: OpenedService; url: string }> {
  const service = await open(options);
  return { service, url: await service.service.start() };
}

const HOST = 'Host: localhost\r\n';
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const post = (headers: string, body: string): string =>
  `POST /v1/tasks HTTP/1.1\r\n${HOST}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const VALID = post('Content-Type: application/json\r\n', JSON.stringify(aListing()));
const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

it('400 requests in one piece are answered in order, and started one after the other', async () => {
  let running = 0;
  let most = 0;
  const { url } = await serve({
    checkReadiness: async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return { isReady: true, checks: {} };
    },
  });
  const wire = await openWire(url);
  const requests = Array.from({ length: 400 }, (_, n) => get('/readyz', `X-Request-Id: n${n}\r\n`));
  wire.write(requests.join('') + get('/healthz', 'Connection: close\r\n'));
  const text = await wire.closed;
  const ids = [...text.matchAll(/x-request-id: n(\d+)/g)].map(([, n]) => Number(n));
  expect(ids).toEqual(requests.map((_, n) => n));
  expect(text).toMatch(/\{"status":"ok"\}$/);
  expect(most).toBe(1);
}, 20_000);

it('a flood on many connections ends with those connections, and others are served', async () => {
  const { url } = await serve({ checkReadiness: () => new Promise(() => {}) });
  const flood = await Promise.all(Array.from({ length: 5 }, () => openWire(url)));
  for (const wire of flood) wire.write(get('/readyz').repeat(4_000));
  await Promise.race(flood.map((wire) => wire.closed));
  const other = await openWire(url);
  other.write(get('/healthz'));
  expect(await other.sees(/"ok"/)).toMatch(/^HTTP\/1\.1 200 /);
  for (const wire of flood) wire.destroy();
});

it('a request behind one that was refused while its body came is not processed, as its answer could not be sent', async () => {
  const { service, url } = await serve();
  const wire = await openWire(url);
  wire.write(`POST /v1/tasks HTTP/1.1\r\n${HOST}Content-Type: text/plain\r\nContent-Length: 10\r\n\r\nabc`);
  await wire.sees(/unsupported_media_type/);
  wire.write(`defghij${VALID}`);
  expect(statuses(await wire.closed)).toEqual(['400']);
  expect((await service.store.list({ limit: 10 })).data).toEqual([]);
});

it('the answer of a complete request comes before that to unreadable bytes behind it', async () => {
  const { url } = await serve();
  const wire = await openWire(url);
  wire.write(`${VALID}no request\r\n\r\n`);
  expect(statuses(await wire.closed)).toEqual(['202', '400']);
});

it('bytes behind a request with Connection: close cost it nothing', async () => {
  const { url } = await serve();
  const wire = await openWire(url);
  wire.write(get('/healthz', 'Connection: close\r\n') + VALID);
  expect(statuses(await wire.closed)).toEqual(['200']);
});

it('the header of a proxy counts also behind a thousand others', async () => {
  const { url } = await serve();
  for (const path of ['/v1/tasks', '/files/a/b/c.mp4']) {
    const wire = await openWire(url);
    wire.write(get(path, `${'a:b\r\n'.repeat(1_100)}X-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n`));
    expect(statuses(await wire.closed)).toEqual(['403']);
  }
});

it.each([
  ['a second Host header', '/files/a/b/c.mp4', 'Host: videos.example.com\r\n'],
  ['a target in absolute form', 'http://videos.example.com/files/a/b/c.mp4', ''],
])('%s hides no foreign name from the files of a server without keys', async (_, target, header) => {
  const { url } = await serve();
  const wire = await openWire(url);
  wire.write(get(target, `${header}Connection: close\r\n`));
  expect(statuses(await wire.closed)).toEqual(['403']);
});
