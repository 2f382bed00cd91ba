/** One request for a photo, piece by piece: what counts as data, and how it ends whatever has arrived. */
import { gzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { requestPhoto } from '../../../src/media/assets/request-photo.ts';

/** A request whose answer the test gives. */
function openRequest({ maxBytes = 1_000_000 } = {}) {
  const aborted: Error[] = [];
  let handler: Required<Dispatcher.DispatchHandler> | undefined;
  const controller = {
    abort: (reason: Error) => aborted.push(reason),
  } as unknown as Dispatcher.DispatchController;
  const dispatcher = {
    dispatch: (_options: unknown, given: typeof handler) => {
      handler = given;
      return true;
    },
  } as unknown as Dispatcher;
  const abort = new AbortController();
  let dataCount = 0;
  const answer = requestPhoto({
    sender: dispatcher,
    url: new URL('http://photos.example/a.jpg'),
    maxBytes,
    signal: abort.signal,
    onData: () => {
      dataCount += 1;
    },
  });
  return {
    answer,
    abort: () => abort.abort(new Error('too late')),
    aborted,
    dataCount: () => dataCount,
    connect: () => handler!.onRequestStart(controller, {}),
    start: (status: number, headers = {}) => handler!.onResponseStart(controller, status, headers),
    send: (bytes: Buffer) => handler!.onResponseData(controller, bytes),
    end: () => handler!.onResponseEnd(controller, {}),
  };
}

it('ends with the signal although the whole body has arrived', async () => {
  const request = openRequest();
  request.connect();
  request.start(200, { 'content-encoding': 'gzip' });
  request.send(gzipSync('photo'));
  request.end();
  request.abort();
  await expect(request.answer).rejects.toThrow('too late');
});

it('ends with the signal while it waits for a connection, which is then not used', async () => {
  const request = openRequest();
  request.abort();
  await expect(request.answer).rejects.toThrow('too late');
  request.connect();
  expect(request.aborted).toHaveLength(1);
});

it('takes no data any more when it has failed', async () => {
  const request = openRequest({ maxBytes: 10 });
  request.connect();
  request.start(200);
  request.send(Buffer.alloc(11));
  await expect(request.answer).rejects.toThrow('too_large: more than 10 bytes');
  await new Promise(setImmediate);
  const before = request.dataCount();
  request.send(Buffer.alloc(11));
  request.abort();
  expect(request.dataCount()).toBe(before);
  expect(request.aborted).toHaveLength(1);
});

it('does not take answers before the real one for data, since a server can send them for ever', async () => {
  const request = openRequest();
  request.connect();
  for (let count = 0; count < 5; count += 1) request.start(103);
  expect(request.dataCount()).toBe(0);
  request.start(200);
  request.end();
  expect((await request.answer).body).toHaveLength(0);
});

it('puts single bytes together, and reports them once a turn', async () => {
  const request = openRequest();
  request.connect();
  request.start(200);
  const body = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
  for (let at = 0; at < body.length; at += 1) request.send(body.subarray(at, at + 1));
  request.end();
  expect(request.dataCount()).toBe(1);
  expect((await request.answer).body.equals(body)).toBe(true);
});

it('reads no body of another status, and closes the connection', async () => {
  const request = openRequest();
  request.connect();
  request.start(302, { location: '/b', 'content-encoding': 'br', 'content-length': '99999999' });
  request.send(Buffer.from('moved'));
  expect(await request.answer).toMatchObject({ status: 302, location: '/b', body: Buffer.alloc(0) });
  expect(request.aborted).toHaveLength(1);
});
