/** Which bodies come too slowly: a file gets the time of a slow line, but not for ever. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { SlowBodies } from '../../../src/api/server/sockets/slow-bodies.ts';

const LIMITS = { requestTimeoutMs: 60_000, minUploadBytesPerSec: 16 * 1024 };

function openBodies() {
  const at = { nowMs: 5_000 };
  const bodies = new SlowBodies(
    LIMITS,
    ({ url }) => url === '/upload',
    () => at.nowMs,
  );
  const send = (url: string) => {
    const facts = { url, complete: false, socket: { bytesRead: 700 } };
    const request = Object.assign(new EventEmitter(), facts) as EventEmitter & typeof facts;
    bodies.add(request as unknown as IncomingMessage);
    return request;
  };
  return { at, bodies, send };
}

it('a body gets a minute; an upload gets the time that its bytes take at the lowest rate', () => {
  const { at, bodies, send } = openBodies();
  const listing = send('/listing');
  const upload = send('/upload');
  const trickle = send('/upload');
  at.nowMs += 60_000;
  expect(bodies.takeLate()).toEqual([]);
  listing.socket.bytesRead += 9e9;
  upload.socket.bytesRead += 25 << 20;
  trickle.socket.bytesRead += 60;
  at.nowMs += 1_000;
  expect(bodies.takeLate()).toEqual([listing, trickle]);
  expect(bodies.takeLate()).toEqual([]);
  at.nowMs += 27 * 60_000;
  expect(bodies.takeLate()).toEqual([upload]);
});

it('a body that is complete or whose connection has ended is never late', () => {
  const { at, bodies, send } = openBodies();
  send('/listing').complete = true;
  send('/upload').emit('close');
  at.nowMs += 3_600_000;
  expect(bodies.takeLate()).toEqual([]);
});
