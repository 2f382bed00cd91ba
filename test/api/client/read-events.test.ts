/** Server-sent events from pieces of bytes, cut anywhere. */
import { expect, it } from 'vitest';
import { readEvents } from '../../../src/api/client/read-events.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 1_000) {
  const events = [];
  for await (const event of readEvents(pieces(Buffer.from(text), size))) events.push(event);
  return events;
}

it.each([1, 2, 3, 7, 1_000])('are the same in pieces of %i bytes', async (size) => {
  const text =
    'retry: 3000\n\n:\n\nevent: state\nid: 1\ndata: {"id":"häuser 🏠"}\n\n' +
    'event:progress\r\ndata:1\r\ndata: 2\r\n\r\ndata\n\n: x\nevent: end\ndata: last\n\nevent: cut\ndata: off';
  expect(await read(text, size)).toEqual([
    { name: 'state', data: '{"id":"häuser 🏠"}' },
    { name: 'progress', data: '1\n2' },
    { name: 'message', data: '' },
    { name: 'end', data: 'last' },
  ]);
});

it('without an end are too long', async () => {
  const piece = Buffer.alloc(1 << 20, 'x');
  let sent = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      sent += 1;
      yield piece;
    }
  }
  const drain = async () => {
    for await (const event of readEvents(endless())) expect(event).toBeUndefined();
  };
  await expect(drain()).rejects.toThrow(RangeError);
  expect(sent).toBeLessThan(12);
});
