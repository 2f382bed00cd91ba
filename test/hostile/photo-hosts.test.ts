/** Photo hosts that try to take more than the task they belong to: time, memory, and addresses that are not theirs. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AssetRequest } from '../../src/media/assets/prepare-assets.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../src/platform/network/guarded-connector.ts';
import { post, readTask } from '../api/server/ask-server.ts';
import { startServe } from '../bench/serve-process.ts';
import { Desk, SMALL_LISTING } from '../e2e/program.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { type LoopbackServer, type Route, startServer } from '../media/assets/loopback-server.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';
import { texture } from '../media/assets/sample-pictures.ts';
import { emptyBlocks, emptyMembers, nestedGzip, zeros } from './compressed-bodies.ts';

let folder: string;
let server: LoopbackServer | undefined;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(routes: Readonly<Record<string, Route>>): Promise<string> {
  server = await startServer(routes);
  return server.origin;
}

/** Prepares `urls` in a folder of its own. Nothing but masters can be left in it. */
async function prepare(urls: readonly string[], request: Partial<AssetRequest> = {}) {
  const workDir = join(folder, 'work');
  const prepared = await prepareIn(folder, {
    concurrency: 2,
    assets: urls.map((url) => ({ url })),
    baseDir: null,
    workDir,
    ...request,
  });
  expect(readdirSync(workDir)).toHaveLength(prepared.photos.length);
  return prepared;
}

/** Rejects when `work` takes longer. A generous bound: the attack takes many times as long where it works. */
async function within<T>(boundMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${boundMs} ms`)), boundMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const send =
  (body: Buffer, encoding: string): Route =>
  (response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(body);
  };

/** Sends headers and then a byte now and then, for ever. */
const trickle: Route = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'image/jpeg' });
  const timer = setInterval(() => response.write('x'), 10);
  response.on('close', () => clearInterval(timer));
};

/** As a name server that answers with this address, whatever the name. */
const resolveTo = (address: string) =>
  ((_name: string, _options: unknown, callback: (error: null, found: unknown[]) => void) =>
    callback(null, [{ address, family: 4 }])) as unknown as NetworkDeps['lookup'];

describe('a compressed photo', () => {
  it('is refused at once when it has several layers, which would unpack for minutes', async () => {
    const body = nestedGzip(8_000_000_000);
    expect(body.length).toBeLessThan(50_000);
    const origin = await serve({ '/a': send(body, 'gzip, gzip, gzip') });
    const { dropped } = await within(5_000, prepare([`${origin}/a`]));
    expect(dropped.map(({ reason }) => reason)).toEqual([
      'unreachable: sent with a content encoding that was not asked for',
    ]);
  });

  it.each([
    ['blocks', emptyBlocks, 'not_an_image: no bytes at all'],
    ['members', emptyMembers, 'not_an_image: no bytes at all'],
  ])('of 25 MiB of empty %s takes no longer than another', async (_, make, reason) => {
    const origin = await serve({ '/a': send(make(25 * 1024 * 1024 - 100), 'gzip') });
    const { dropped } = await within(15_000, prepare([`${origin}/a`]));
    expect(dropped.map((each) => each.reason)).toEqual([reason]);
  });

  it('that grows beyond the limit is not unpacked further', async () => {
    const origin = await serve({ '/a': send(zeros(200_000_000), 'gzip') });
    const before = process.memoryUsage().arrayBuffers;
    const { dropped } = await within(10_000, prepare([`${origin}/a`]));
    expect(dropped.map((each) => each.reason)).toEqual(['too_large: more than 25 MiB']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });
});

describe('a slow host', () => {
  /** Fiftieths of the real limits, so that a second here is about a minute of a user. */
  const limits = {
    connectTimeoutMs: 500,
    stallTimeoutMs: 500,
    totalTimeoutMs: 600,
    listingTimeoutMs: 2_400,
    listingTimeoutPerPhotoMs: 40,
  };
  const network: NetworkDeps = {
    ...systemNetworkDeps,
    lookup: resolveTo('127.0.0.1'),
    backOff: async () => {},
  };

  it('costs its own photos, and those of another host arrive', async () => {
    const photo = await texture(1).jpeg().toBuffer();
    const origin = await serve({
      '/slow': trickle,
      '/quick': (response) => response.end(photo),
    });
    const slow = Array.from({ length: 99 }, (_, index) => `${origin}/slow?${index}`);
    const quick = `http://quick.example:${server!.port}/quick`;
    const { photos, dropped } = await within(
      15_000,
      prepare([...slow, quick], { limits, network, concurrency: 4 }),
    );
    expect(photos.map(({ url }) => url)).toEqual([quick]);
    expect(dropped).toHaveLength(99);
    const givenUp = dropped.filter(({ reason }) => reason.startsWith('timeout: the host is given up'));
    expect(givenUp.length).toBeGreaterThanOrEqual(95);
    // Three tries for the first photos, and one for each after them.
    expect(server!.requests.filter((path) => path.startsWith('/slow')).length).toBeLessThanOrEqual(15);
  });

  it('has one photo that never arrives, and all others are used', async () => {
    const photos = await Promise.all([1, 2, 3, 4].map((seed) => texture(seed).jpeg().toBuffer()));
    const routes = photos.map((photo, index): [string, Route] => [
      `/${index}`,
      (response) => response.end(photo),
    ]);
    const origin = await serve({ '/slow': trickle, ...Object.fromEntries(routes) });
    const urls = ['/slow', ...routes.map(([path]) => path)].map((path) => origin + path);
    const prepared = await within(15_000, prepare(urls, { limits, network, concurrency: 4 }));
    expect(prepared.photos).toHaveLength(4);
    expect(prepared.dropped.map(({ reason }) => reason)).toEqual(['timeout: not finished within 0.6 s']);
  });

  it('cannot use up more than the time of all photos, under however many names', async () => {
    const origin = await serve({ '/slow': trickle });
    const { port } = new URL(origin);
    const urls = Array.from({ length: 100 }, (_, index) => `http://host-${index}.example:${port}/slow`);
    const together = { ...limits, listingTimeoutMs: 500, listingTimeoutPerPhotoMs: 5 };
    const { dropped } = await within(15_000, prepare(urls, { limits: together, network }));
    const reasons = dropped.map(({ reason }) => reason);
    expect(reasons).toEqual(urls.map(() => 'timeout: the time for all photos of the listing (1 s) is over'));
  });
});

describe('a chunked photo of single bytes', () => {
  it('costs no more memory than its size', async () => {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
    const origin = await serve({
      '/a': (response) => {
        const socket = response.socket!;
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        for (let count = 0; count < 30; count += 1) socket.write(chunks);
        socket.end('0\r\n\r\n');
      },
    });
    const before = process.memoryUsage().heapUsed;
    let peak = 0;
    const sample = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().heapUsed - before);
    }, 5);
    const { dropped } = await within(30_000, prepare([`${origin}/a`])).finally(() => clearInterval(sample));
    expect(dropped.map(({ reason }) => reason)).toEqual(['not_an_image: a text file']);
    expect(peak).toBeLessThan(150_000_000);
  });
});

describe('an address that is not allowed', () => {
  it('is refused on the user’s own machine too when it is denied or serves secrets, also behind a redirect', async () => {
    const origin = await serve({
      '/denied': (response) => response.end('secret'),
      '/to-metadata': (response) => {
        response.writeHead(302, { location: 'http://168.63.129.16/metadata' });
        response.end();
      },
      '/to-denied': (response) => {
        response.writeHead(302, { location: `http://denied.example:${server!.port}/denied` });
        response.end();
      },
    });
    const network: NetworkDeps = { ...systemNetworkDeps, lookup: resolveTo('127.0.0.1') };
    const policy = { allowPrivate: true, allowFrom: ['127.0.0.0/8'], denyFrom: ['denied.example'] };
    const urls = [
      'http://168.63.129.16/metadata',
      'http://[::ffff:168.63.129.16]/metadata',
      'http://[64:ff9b::a83f:8110]/metadata',
      `${origin}/to-metadata`,
      `http://denied.example:${server!.port}/denied`,
      `${origin}/to-denied`,
    ];
    const { dropped } = await within(10_000, prepare(urls, { policy, network }));
    expect(dropped.map(({ reason }) => reason.split(':')[0])).toEqual(urls.map(() => 'blocked_address'));
    expect(server!.requests.sort()).toEqual(['/to-denied', '/to-metadata']);
  });
});

describe('the program', () => {
  const desk = new Desk();
  afterAll(() => desk.close());

  it('create --untrusted asks no private address, and reads no file outside the folder', async () => {
    const origin = await serve({ '/a': (response) => response.end('private') });
    const listing = JSON.parse(readFileSync(SMALL_LISTING, 'utf8'));
    const inside = join(desk.root, 'inside');
    cpSync(dirname(SMALL_LISTING), inside, { recursive: true });
    listing.assets.push({ url: `${origin}/a` });
    writeFileSync(join(inside, 'listing.json'), JSON.stringify(listing));
    const create = (...words: string[]) =>
      desk.run(['create', join(inside, 'listing.json'), '--dry-run', '--json', ...words]);
    const [careful, denying, trusting] = await Promise.all([
      create('--untrusted'),
      create('--deny-assets-from', '127.0.0.1'),
      create(),
    ]);
    expect([careful.exitCode, denying.exitCode, trusting.exitCode]).toEqual([0, 0, 0]);
    expect(careful.stdout).toContain('blocked_address: the host is not on the public internet');
    expect(denying.stdout).toContain('blocked_address: photos from this host are not allowed here');
    expect(server!.requests).toEqual(['/a']);

    listing.assets[5] = { url: SMALL_LISTING };
    writeFileSync(join(inside, 'listing.json'), JSON.stringify(listing));
    const refused = await create('--untrusted');
    expect(refused.exitCode).toBe(2);
    expect(JSON.parse(refused.stdout).error.context.files[0].detail[0]).toMatchObject({
      loc: ['body', 'assets', 5, 'url'],
    });
  });

  it('serve answers, and ends the tasks of a hostile host one after the other', async () => {
    const origin = await serve({ '/a': send(nestedGzip(8_000_000_000), 'gzip, gzip, gzip') });
    const api = await startServe([]);
    try {
      const accept = async (id: string): Promise<string> => {
        const assets = Array.from({ length: 5 }, (_, index) => ({ url: `${origin}/a?${index}` }));
        const agents = [{ id: 'ann', first_name: 'Ann', last_name: 'Lee' }];
        const { status, json } = await post(api.url, { id, assets, agents });
        expect(status).toBe(202);
        return json.id;
      };
      const stateOf = async (id: string) => (await readTask(api.url, id)).state;
      const ids = [await accept('A'), await accept('B')];
      for (const id of ids) await expect.poll(() => stateOf(id)).toBe('FAILED');
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    } finally {
      await api.dispose();
    }
  });
});
