/** Fetching through the guard: addresses, redirects, limits, tries, and what the client sees. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AssetLimits, DEFAULT_ASSET_LIMITS } from '../../../src/media/assets/asset-limits.ts';
import { type AssetFetcher, createAssetFetcher } from '../../../src/media/assets/fetch-asset.ts';
import { onLiveness } from '../../../src/platform/liveness.ts';
import type { AddressPolicy } from '../../../src/platform/network/guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../../src/platform/network/guarded-connector.ts';
import { deferred } from '../../deferred.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type LoopbackServer, type Route, startServer } from './loopback-server.ts';
import { manualTimers } from './manual-timers.ts';

const LOOPBACK: AddressPolicy = { allowPrivate: false, allowFrom: ['127.0.0.0/8'] };
const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false, allowFrom: [] };

let folder: string;
const servers: { close(): Promise<void> }[] = [];
const fetchers: AssetFetcher[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(async () => {
  await Promise.all([...servers.splice(0), ...fetchers.splice(0)].map((each) => each.close()));
});

async function serve(routes: Readonly<Record<string, Route>>): Promise<LoopbackServer> {
  const server = await startServer(routes);
  servers.push(server);
  return server;
}

/** A server that speaks no HTTP: `onSocket` does with the connection what it likes. */
async function serveRaw(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return (server.address() as { port: number }).port;
}

interface Options {
  readonly policy?: AddressPolicy;
  readonly limits?: Partial<AssetLimits>;
  readonly network?: Partial<NetworkDeps>;
  readonly signal?: AbortSignal;
}

/** Tries follow each other at once; `backOffs` tells which were waited for. */
function fetchUrl(url: string, options: Options = {}) {
  const backOffs: number[] = [];
  const fetcher = createAssetFetcher({
    limits: { ...DEFAULT_ASSET_LIMITS, ...options.limits },
    policy: options.policy ?? LOOPBACK,
    photoCount: 1,
    network: {
      ...systemNetworkDeps,
      backOff: async (nextTry) => void backOffs.push(nextTry),
      ...options.network,
    },
  });
  fetchers.push(fetcher);
  const signal = options.signal ?? new AbortController().signal;
  return { backOffs, result: fetcher.fetch(url, join(folder, 'asset'), signal) };
}

async function reasonOf(url: string, options: Options = {}): Promise<string> {
  const outcome = await fetchUrl(url, options).result.then(
    () => 'fetched',
    (error: Error) => error.message,
  );
  expect(readdirSync(folder)).toEqual(outcome === 'fetched' ? ['asset'] : []);
  return outcome;
}

/** As a name server that answers with these addresses. */
const resolveTo = (...addresses: string[]) =>
  ((_name: string, _options: unknown, callback: (error: null, found: unknown[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as NetworkDeps['lookup'];

const failLookup = (code: string) =>
  ((_name: string, _options: unknown, callback: (error: Error) => void) =>
    callback(
      Object.assign(new Error(`${code} secret-host.internal`), { code }),
    )) as unknown as NetworkDeps['lookup'];

const ok =
  (body: string | Buffer, headers: Record<string, string> = {}): Route =>
  (response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
/** A status without a body. */
const bare =
  (status: number, reason?: string): Route =>
  (response) => {
    response.writeHead(status, reason).end();
  };
/** The head and a first byte, and then whatever the test does. */
const begin =
  (then: (write: (text: string) => void) => void): Route =>
  (response) => {
    response.writeHead(200).write('x');
    then((text) => void response.write(text));
  };
const redirect =
  (location: string, status = 302): Route =>
  (response) => {
    response.writeHead(status, { location });
    response.end();
  };

describe('a fetched asset', () => {
  it('is a file with its size, hash and first bytes', async () => {
    const server = await serve({ '/a.jpg': ok('hello'.repeat(2000), { 'content-type': 'text/plain' }) });
    const file = await fetchUrl(`${server.origin}/a.jpg?size=large#part`).result;
    expect(readFileSync(file.path, 'utf8')).toBe('hello'.repeat(2000));
    expect(file.sizeBytes).toBe(10_000);
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(file.head.toString()).toBe('hello'.repeat(2000).slice(0, 4096));
    expect(server.requests).toEqual(['/a.jpg?size=large']);
    expect(server.headers[0]).toMatchObject({
      'accept-encoding': 'identity, gzip;q=0.1',
      'user-agent': 'listing-video',
    });
  });

  it.each([
    ['with its length', (body: Buffer) => `HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`],
    ['without', () => 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'],
  ])('may come %s from a server that hangs up while much of it is unread', async (_, head) => {
    const body = Buffer.alloc(100_000, 'x');
    const port = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.write(head(body));
        socket.end(body);
      });
    });
    const file = await fetchUrl(`http://127.0.0.1:${port}/a`).result;
    expect(file.sizeBytes).toBe(body.length);
  });

  it('may be empty', async () => {
    const server = await serve({ '/a': ok('') });
    expect((await fetchUrl(`${server.origin}/a`).result).sizeBytes).toBe(0);
  });

  it('never carries the URL’s user name and password', async () => {
    const server = await serve({ '/a': ok('x'), '/b': redirect('/a') });
    await fetchUrl(`http://user:secret@127.0.0.1:${server.port}/b`).result;
    expect(server.headers.map((headers) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it.each(['gzip', 'x-gzip', 'GZIP', 'identity, gzip'])(
    'is unpacked when it was sent as %s',
    async (encoding) => {
      const server = await serve({ '/a': ok(gzipSync('packed'), { 'content-encoding': encoding }) });
      const file = await fetchUrl(`${server.origin}/a`).result;
      expect(readFileSync(file.path, 'utf8')).toBe('packed');
    },
  );
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of status %i is followed', async (status) => {
    const server = await serve({ '/a': redirect('/b?x=1', status), '/b': ok('there') });
    expect((await fetchUrl(`${server.origin}/a`).result).sizeBytes).toBe(5);
    expect(server.requests).toEqual(['/a', '/b?x=1']);
  });

  it('is followed five times, not six', async () => {
    const routes: Record<string, Route> = { '/0': ok('end') };
    for (let hop = 1; hop <= 6; hop += 1) routes[`/${hop}`] = redirect(`/${hop - 1}`);
    const server = await serve(routes);
    expect(await reasonOf(`${server.origin}/5`)).toBe('fetched');
    rmSync(join(folder, 'asset'));
    expect(await reasonOf(`${server.origin}/6`)).toBe('unreachable: more than 5 redirects');
  });

  it.each([
    ['file:///etc/passwd', 'blocked_address: redirected to the scheme file: is not http or https'],
    ['ftp://127.0.0.1/x', 'blocked_address: redirected to the scheme ftp: is not http or https'],
    ['http://', 'unreachable: redirected to what is not a URL'],
  ])('to %s is refused', async (location, reason) => {
    const server = await serve({ '/a': redirect(location) });
    expect(await reasonOf(`${server.origin}/a`)).toBe(reason);
  });

  it('passes the same guard', async () => {
    const server = await serve({
      '/metadata': redirect('http://169.254.169.254/latest/meta-data'),
      '/ten': redirect('http://10.0.0.1/'),
      '/hex': redirect('http://0xa9fea9fe/'),
      '/mapped': redirect('http://[::ffff:10.0.0.1]/'),
      '/name': redirect('http://photos.example/'),
    });
    const network = { lookup: resolveTo('192.168.0.1') };
    for (const path of ['/metadata', '/ten', '/hex', '/mapped', '/name']) {
      expect(await reasonOf(server.origin + path, { network })).toBe(
        'blocked_address: the host is not on the public internet',
      );
    }
    expect(server.requests).toHaveLength(5);
  });

  it('without a place to go to is unreachable', async () => {
    const server = await serve({ '/a': bare(302) });
    expect(await reasonOf(`${server.origin}/a`)).toBe('unreachable: HTTP 302 without one Location');
  });
});

describe('the guard', () => {
  it.each(['http://127.0.0.1', 'http://[::1]', 'http://2130706433', 'http://0177.0.0.1', 'http://0.0.0.0'])(
    'refuses %s before anything is sent',
    async (origin) => {
      const server = await serve({ '/a': ok('secret') });
      expect(await reasonOf(`${origin}:${server.port}/a`, { policy: PUBLIC_ONLY })).toBe(
        'blocked_address: the host is not on the public internet',
      );
      expect(server.requests).toEqual([]);
    },
  );

  it('refuses a name that resolves to a private address, and does not tell which', async () => {
    const server = await serve({ '/a': ok('secret') });
    const reason = await reasonOf(`http://photos.example:${server.port}/a`, {
      policy: PUBLIC_ONLY,
      network: { lookup: resolveTo('127.0.0.1', '::1') },
    });
    expect(reason).toBe('blocked_address: the host is not on the public internet');
    expect(server.requests).toEqual([]);
  });

  it('uses only the allowed ones of a name’s addresses', async () => {
    const server = await serve({ '/a': ok('x') });
    const policy = { allowPrivate: false, allowFrom: ['127.0.0.1/32'] };
    const network = { lookup: resolveTo('10.255.255.1', '127.0.0.1') };
    expect(await reasonOf(`http://photos.example:${server.port}/a`, { policy, network })).toBe('fetched');
  });

  it('checks the connected socket’s address once more', async () => {
    const server = await serve({ '/a': ok('secret') });
    // Allowed when the name is looked up, and no longer when the connection stands: as if the name had been rebound.
    const answers = [['127.0.0.1']];
    const policy: AddressPolicy = {
      allowPrivate: false,
      get allowFrom() {
        return answers.shift() ?? [];
      },
    };
    const network = { lookup: resolveTo('127.0.0.1') };
    expect(await reasonOf(`http://rebind.example:${server.port}/a`, { policy, network })).toBe(
      'blocked_address: the host is not on the public internet',
    );
    expect(answers).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('lets a listed host or block through', async () => {
    const server = await serve({ '/a': ok('x') });
    const network = { lookup: resolveTo('127.0.0.1') };
    for (const allowFrom of [['photos.example'], ['127.0.0.0/8']]) {
      const policy = { allowPrivate: false, allowFrom };
      expect(await reasonOf(`http://photos.example:${server.port}/a`, { policy, network })).toBe('fetched');
      rmSync(join(folder, 'asset'));
    }
  });

  it('knows no scheme but http and https', async () => {
    expect(await reasonOf('ftp://127.0.0.1/x')).toBe('blocked_address: the scheme ftp: is not http or https');
  });
});

describe('a limit of size', () => {
  const limits = { maxBytes: 1000 };

  it('is checked by the announced length', async () => {
    const server = await serve({ '/a': ok('x'.repeat(1001), { 'content-length': '1001' }) });
    expect(await reasonOf(`${server.origin}/a`, { limits })).toBe(
      'too_large: 1001 bytes, at most 1000 bytes',
    );
  });

  it('is counted while streaming', async () => {
    const server = await serve({
      '/a': (response) => {
        response.writeHead(200);
        response.write('x'.repeat(600));
        response.end('x'.repeat(600));
      },
    });
    expect(await reasonOf(`${server.origin}/a`, { limits })).toBe('too_large: more than 1000 bytes');
  });

  it('counts what decompression makes of it', async () => {
    const server = await serve({ '/a': ok(gzipSync('x'.repeat(100_000)), { 'content-encoding': 'gzip' }) });
    expect(await reasonOf(`${server.origin}/a`, { limits })).toBe('too_large: more than 1000 bytes');
  });

  it('allows exactly as much', async () => {
    const server = await serve({ '/a': ok('x'.repeat(1000)) });
    expect(await reasonOf(`${server.origin}/a`, { limits })).toBe('fetched');
  });
});

describe('an unreachable asset', () => {
  it.each([
    [404, 'unreachable: HTTP 404 Not Found'],
    [403, 'unreachable: HTTP 403 Forbidden'],
    [429, 'unreachable: HTTP 429 Too Many Requests'],
    [304, 'unreachable: HTTP 304 Not Modified'],
  ])('has the status %i, and is asked for once', async (status, reason) => {
    const server = await serve({ '/a': bare(status, 'Something Untrusted') });
    expect(await reasonOf(`${server.origin}/a`)).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('is asked for again when the host says after which time, and it is short', async () => {
    let wait = '2';
    const answers = [429, 200];
    const server = await serve({
      '/a': (response) => {
        response.writeHead(answers.shift() ?? 429, { 'retry-after': wait });
        response.end('photo');
      },
    });
    const waits: (number | null)[] = [];
    const network = {
      backOff: async (_try: number, _signal: AbortSignal, ms: number | null) => void waits.push(ms),
    };
    expect(await reasonOf(`${server.origin}/a`, { network })).toBe('fetched');
    rmSync(join(folder, 'asset'));
    wait = '3600';
    expect(await reasonOf(`${server.origin}/a`, { network })).toBe('unreachable: HTTP 429 Too Many Requests');
    expect([waits, server.requests.length]).toEqual([[2000], 3]);
  });

  it.each([
    ['ENOTFOUND', 'unreachable: host not found'],
    ['EAI_AGAIN', 'unreachable: the name server did not answer'],
  ])('has a name that fails with %s', async (code, reason) => {
    expect(await reasonOf('http://nowhere.example/a', { network: { lookup: failLookup(code) } })).toBe(
      reason,
    );
  });

  it('refuses the connection', async () => {
    const server = await serve({});
    await servers.pop()!.close();
    expect(await reasonOf(`${server.origin}/a`)).toBe('unreachable: connection refused');
  });

  it('speaks no TLS', async () => {
    const server = await serve({});
    expect(await reasonOf(`https://127.0.0.1:${server.port}/a`)).toBe('unreachable: TLS handshake failed');
  });

  it('speaks no HTTP', async () => {
    const port = await serveRaw((socket) => socket.end('220 ftp ready\r\n'));
    expect(await reasonOf(`http://127.0.0.1:${port}/a`)).toBe('unreachable: the answer is not HTTP');
  });

  it.each(['zstd', 'br', 'deflate', 'gzip, gzip', 'gzip, identity, gzip', 'gzip,deflate'])(
    'uses an encoding that was not asked for: %s',
    async (encoding) => {
      const server = await serve({ '/a': ok(gzipSync(gzipSync('x')), { 'content-encoding': encoding }) });
      expect(await reasonOf(`${server.origin}/a`)).toBe(
        'unreachable: sent with a content encoding that was not asked for',
      );
      expect(server.requests).toHaveLength(1);
    },
  );

  it('repeats the header of an encoding', async () => {
    const port = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-encoding: gzip\r\n\r\nxxx'),
    );
    expect(await reasonOf(`http://127.0.0.1:${port}/a`)).toBe(
      'unreachable: sent with a content encoding that was not asked for',
    );
  });

  it.each([
    ['ends in the middle of its encoding', gzipSync('x'.repeat(10_000)).subarray(0, 30)],
    ['has a damaged encoding', 'no gzip at all'],
  ])('%s', async (_, packed) => {
    const server = await serve({ '/a': ok(packed, { 'content-encoding': 'gzip' }) });
    expect(await reasonOf(`${server.origin}/a`)).toBe('unreachable: the content encoding is damaged');
  });
});

describe('what may pass', () => {
  it('is tried three times: an error of the server', async () => {
    let count = 0;
    const flaky: Route = (response) => {
      count += 1;
      response.writeHead(count < 3 ? 503 : 200);
      response.end('x');
    };
    const server = await serve({ '/a': flaky });
    const { result, backOffs } = fetchUrl(`${server.origin}/a`);
    expect((await result).sizeBytes).toBe(1);
    expect(backOffs).toEqual([2, 3]);
  });

  it('is reported after the third: an error of the server', async () => {
    const server = await serve({ '/a': bare(500) });
    expect(await reasonOf(`${server.origin}/a`)).toBe('unreachable: HTTP 500 Internal Server Error');
    expect(server.requests).toHaveLength(3);
  });

  it('is tried again: a connection reset in the middle', async () => {
    let count = 0;
    const server = await serve({
      '/a': (response) => {
        count += 1;
        response.writeHead(200, { 'content-length': '10' });
        response.write('half ');
        if (count === 1) setImmediate(() => response.destroy());
        else response.end('whole');
      },
    });
    const file = await fetchUrl(`${server.origin}/a`).result;
    expect(readFileSync(file.path, 'utf8')).toBe('half whole');
  });

  it('is reported: a server that always hangs up', async () => {
    const port = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    expect(await reasonOf(`http://127.0.0.1:${port}/a`)).toBe('unreachable: connection closed too early');
  });
});

describe('a time-out', () => {
  const { connectTimeoutMs, stallTimeoutMs, totalTimeoutMs } = DEFAULT_ASSET_LIMITS;

  it('ends a try without a connection', async () => {
    const timers = manualTimers();
    const never = (() => {}) as unknown as NetworkDeps['lookup'];
    const { result, backOffs } = fetchUrl('http://slow.example/a', { network: { ...timers, lookup: never } });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await timers.whenSet(connectTimeoutMs);
      timers.fire(connectTimeoutMs);
      await new Promise(setImmediate);
    }
    await expect(result).rejects.toThrow('timeout: no connection within 5 s');
    expect(backOffs).toEqual([2, 3]);
    expect(timers.pending).toBe(0);
  });

  it('ends a try in which nothing arrives', async () => {
    const timers = manualTimers();
    const asked = deferred();
    const server = await serve({ '/a': begin(asked.resolve) });
    const { result } = fetchUrl(`${server.origin}/a`, { limits: { maxTries: 1 }, network: timers });
    await asked.promise;
    timers.fire(stallTimeoutMs);
    await expect(result).rejects.toThrow('timeout: no data for 10 s');
    expect(timers.pending).toBe(0);
    expect(existsSync(join(folder, 'asset'))).toBe(false);
  });

  it('ends a try that trickles on for ever', async () => {
    const timers = manualTimers();
    const asked = deferred();
    let trickle = (_text: string): void => {};
    const server = await serve({
      '/a': begin((write) => {
        trickle = write;
        asked.resolve();
      }),
    });
    const { result } = fetchUrl(`${server.origin}/a`, { limits: { maxTries: 1 }, network: timers });
    await asked.promise;
    trickle('y');
    timers.fire(totalTimeoutMs);
    await expect(result).rejects.toThrow('timeout: not finished within 30 s');
  });
});

describe('a slow host', () => {
  it('shows with every wait and every piece of data that the work goes on', async () => {
    let onSign = () => {};
    onLiveness(() => onSign());
    const nextSign = () =>
      new Promise<void>((resolve) => {
        onSign = resolve;
      });
    const server = await serve({
      '/a': async (response) => {
        for (let count = 0; count < 3; count += 1) {
          const sign = nextSign();
          response.write('x');
          await sign;
        }
        response.end();
      },
    });
    const begun = nextSign();
    const { result } = fetchUrl(`${server.origin}/a`);
    await begun;
    expect((await result).sizeBytes).toBe(3);
    onLiveness(() => {});
  });
});

describe('aborting', () => {
  it('ends at once, without a file and without another try', async () => {
    const controller = new AbortController();
    const server = await serve({ '/a': begin(() => setImmediate(() => controller.abort())) });
    const { result, backOffs } = fetchUrl(`${server.origin}/a`, { signal: controller.signal });
    await expect(result).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(backOffs).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends the wait before the next try', async () => {
    const controller = new AbortController();
    const server = await serve({ '/a': bare(503) });
    const { result } = fetchUrl(`${server.origin}/a`, {
      signal: controller.signal,
      network: {
        backOff: (_nextTry, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
            controller.abort();
          }),
      },
    });
    await expect(result).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});

describe('connections', () => {
  it('to one host are few at once', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const server = await serve({
      '/a': (response) => {
        open += 1;
        most = Math.max(most, open);
        waiting.push(() => {
          open -= 1;
          response.end('x');
        });
        // Everyone who may come has come when the third is here; the rest must wait for them.
        if (waiting.length === 3) for (const finish of waiting.splice(0)) finish();
      },
    });
    const limits = { ...DEFAULT_ASSET_LIMITS, connectionsPerHost: 3 };
    const fetcher = createAssetFetcher({ limits, policy: LOOPBACK, photoCount: 9 });
    fetchers.push(fetcher);
    const signal = new AbortController().signal;
    await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        fetcher.fetch(`${server.origin}/a`, join(folder, `${index}`), signal),
      ),
    );
    expect(most).toBe(3);
  });
});
