/**
 * Photo hosts that answer with anything: the fetcher always ends, with whole bytes or with a reason, and leaves
 * nothing.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '../../src/media/assets/asset-limits.ts';
import { createAssetFetcher } from '../../src/media/assets/fetch-asset.ts';
import type { AddressPolicy } from '../../src/platform/network/guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../src/platform/network/guarded-connector.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';

/** What a host does when it is asked: it writes the pieces, each in a packet of its own, and then this. */
interface Answer {
  readonly pieces: readonly Buffer[];
  readonly ending: 'end' | 'reset' | 'hang' | 'next';
}

const folder = temporaryFolder();
/** Plays an answer per request, and the last one again. */
let host: { port: number; play(answers: readonly Answer[]): void };
/** Nobody may connect to it: its address is not allowed. */
let secret: { port: number; connections: number };
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listen(address: string, onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  let waiting: Answer[] = [];
  const port = await listen('127.0.0.1', (socket) => {
    socket.setNoDelay(true);
    let asked = '';
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      if (!asked.endsWith('\r\n\r\n')) return;
      asked = '';
      const answer = (waiting.length > 1 ? waiting.shift() : waiting[0])!;
      void write(socket, answer);
    });
  });
  host = {
    port,
    play: (answers) => {
      waiting = [...answers];
    },
  };
  secret = { port: 0, connections: 0 };
  const count = (socket: Socket) => {
    secret.connections += 1;
    socket.destroy();
  };
  // Only Linux has all of 127.0.0.0/8 on its loopback interface.
  secret.port = process.platform === 'linux' ? await listen('127.0.0.2', count) : 9;
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

async function write(socket: Socket, { pieces, ending }: Answer): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise(setImmediate);
  }
  if (ending === 'end') socket.end();
  if (ending === 'reset') socket.resetAndDestroy();
}

const LIMITS = { ...DEFAULT_ASSET_LIMITS, maxBytes: 4_000, maxTries: 2, listingTimeoutMs: 60_000 };
const POLICY: AddressPolicy = {
  allowPrivate: false,
  allowFrom: ['127.0.0.1/32', 'denied.example'],
  denyFrom: ['denied.example'],
};
/** How much faster the timers of the fetcher run: ten seconds without data are ten milliseconds. */
const PACE = 1_000;

/** Timers that run fast, and how many are set. */
function fastNetwork() {
  const pending = new Set<NodeJS.Timeout>();
  const network: NetworkDeps = {
    setTimer: (run, delayMs) => {
      const timer = setTimeout(() => {
        pending.delete(timer);
        run();
      }, delayMs / PACE);
      pending.add(timer);
      return timer;
    },
    clearTimer: (timer) => {
      pending.delete(timer as NodeJS.Timeout);
      clearTimeout(timer as NodeJS.Timeout);
    },
    now: () => performance.now() * PACE,
    lookup: ((name: string, _options: unknown, callback: (error: null, found: unknown[]) => void) =>
      callback(null, [
        { address: name === 'secret.example' ? '127.0.0.2' : '127.0.0.1', family: 4 },
      ])) as unknown as NetworkDeps['lookup'],
    backOff: async () => {},
  };
  return { network, pending };
}

/** Fetches once. @returns The bytes, or the reason. */
async function fetchOnce(answers: readonly Answer[], network: NetworkDeps): Promise<Buffer | string> {
  host.play(answers);
  const fetcher = createAssetFetcher({ limits: LIMITS, policy: POLICY, photoCount: 1, network });
  const path = join(folder, 'photo');
  try {
    const url = `http://127.0.0.1:${host.port}/photo`;
    const file = await fetcher.fetch(url, path, AbortSignal.timeout(30_000));
    const bytes = readFileSync(path);
    expect(file).toMatchObject({ path, sizeBytes: bytes.length });
    expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(bytes.subarray(0, file.head.length).equals(file.head)).toBe(true);
    return bytes;
  } catch (error) {
    expect(readdirSync(folder)).toEqual([]);
    return (error as Error).message;
  } finally {
    await fetcher.close();
    rmSync(path, { force: true });
  }
}

/** Cuts bytes into pieces at these places. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const places = fc.array(fc.nat(5_000), { maxLength: 6 });
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(6_000).map((length) => Buffer.alloc(length, 'x')),
);

const statusLines = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.0 200', 'HTTP/1.1 206 Partial') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(301, 302, 303, 307, 308).map((status) => `HTTP/1.1 ${status} Moved`),
  },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 599 }).map((status) => `HTTP/1.1 ${status} X`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/2 200',
      'HTTP/1.1 101 Switching Protocols',
      '220 ftp',
      '',
      '\0',
      'HTTP/1.1 999999 X',
    ),
  },
);

const headers = fc.array(
  fc.oneof(
    fc.constantFrom(
      'Content-Encoding: gzip',
      'Content-Encoding: gzip, gzip',
      'Content-Encoding: identity',
      'Content-Encoding: br',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Connection: close',
      'Connection: keep-alive',
      'Keep-Alive: timeout=600',
      'Upgrade: websocket',
      'Content-Type: image/jpeg',
      `X-Long: ${'y'.repeat(20_000)}`,
      '__proto__: x',
      'Broken',
      ': x',
      'X\0: y',
    ),
    fc
      .oneof(fc.nat(6_000), fc.constantFrom(-1, 1e20, Number.NaN))
      .map((length) => `Content-Length: ${length}`),
    fc.constantFrom(
      // Functions, because the ports are known only when the servers listen.
      () => '/again',
      () => `http://127.0.0.1:${host.port}/other`,
      () => `http://127.0.0.2:${secret.port}/`,
      () => `http://2130706434:${secret.port}/`,
      () => `http://[::ffff:127.0.0.2]:${secret.port}/`,
      () => `http://secret.example:${secret.port}/`,
      () => `http://denied.example:${host.port}/`,
      () => `https://127.0.0.1:${host.port}/`,
      () => 'http://169.254.169.254/latest/meta-data/',
      () => 'file:///etc/passwd',
      () => 'http://',
      () => '\x01',
      () => 'http://a b/',
    ),
  ),
  { maxLength: 5 },
);

const hostileAnswers = fc.array(
  fc.record({
    status: statusLines,
    headers,
    body: fc.oneof(
      bodies,
      bodies.map((body) => gzipSync(body)),
      bodies.map((body) => gzipSync(gzipSync(body))),
      bodies.map((body) => gzipSync(body).subarray(0, 20)),
      fc.nat(300).map((count) => latin(`${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`)),
      fc.constant(latin('ffffffffffffffffffff\r\nx')),
    ),
    places,
    ending: fc.constantFrom('end' as const, 'reset' as const, 'hang' as const, 'next' as const),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('a photo from a hostile host', () => {
  it('is whole, or has a reason', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(hostileAnswers, async (answers) => {
        const { network, pending } = fastNetwork();
        const outcome = await fetchOnce(
          answers.map(({ status, headers, body, places, ending }) => {
            const lines = headers.map((line) => (typeof line === 'string' ? line : `Location: ${line()}`));
            const head = latin(`${[status, ...lines].join('\r\n')}\r\n\r\n`);
            return { pieces: cutAt(Buffer.concat([head, body]), places), ending };
          }),
          network,
        );
        if (typeof outcome === 'string')
          expect(outcome).toMatch(/^(?:blocked_address|unreachable|timeout|too_large): ./);
        else expect(outcome.length).toBeLessThanOrEqual(LIMITS.maxBytes);
        expect(pending.size).toBe(0);
        expect(secret.connections).toBe(0);
      }),
      fuzz(100),
    );
  });

  it('is unchanged, in whatever pieces, lengths and layers it comes', {
    timeout: FUZZ_TIMEOUT_MS,
  }, async () => {
    const valid = fc.record({
      body: fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      isGzip: fc.boolean(),
      framing: fc.constantFrom('length', 'chunks', 'close'),
      chunks: places,
      places,
      redirects: fc.array(fc.constantFrom(301, 302, 303, 307, 308), { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(valid, async ({ body, isGzip, framing, chunks, places, redirects }) => {
        const sent = isGzip ? gzipSync(body) : body;
        const parts = cutAt(sent, chunks).filter(({ length }) => length > 0);
        const framed = {
          length: { header: `Content-Length: ${sent.length}`, bytes: sent },
          chunks: {
            header: 'Transfer-Encoding: chunked',
            bytes: Buffer.concat([
              ...parts.flatMap((part) => [latin(`${part.length.toString(16)}\r\n`), part, latin('\r\n')]),
              latin('0\r\n\r\n'),
            ]),
          },
          close: { header: 'Connection: close', bytes: sent },
        }[framing]!;
        const encoding = isGzip ? 'Content-Encoding: gzip\r\n' : '';
        const head = latin(`HTTP/1.1 200 OK\r\n${encoding}${framed.header}\r\n\r\n`);
        const outcome = await fetchOnce(
          [
            ...redirects.map((status, index): Answer => {
              const answer = `HTTP/1.1 ${status} Moved\r\nLocation: /${index}\r\nContent-Length: 0\r\n\r\n`;
              return { pieces: [latin(answer)], ending: 'next' };
            }),
            {
              pieces: cutAt(Buffer.concat([head, framed.bytes]), places),
              ending: framing === 'close' ? 'end' : 'next',
            },
          ],
          systemNetworkDeps,
        );
        expect(outcome).toEqual(body);
      }),
      fuzz(60),
    );
  });
});
