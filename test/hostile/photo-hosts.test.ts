/** Photo hosts that try to take more than the task they belong to: time, memory, and addresses that are not theirs. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NetworkDeps, systemNetworkDeps } from '../../src/assets/guarded-connector.ts';
import { type AssetRequest, prepareAssets } from '../../src/assets/prepare-assets.ts';
import { type LoopbackServer, type Route, startServer } from '../assets/loopback-server.ts';
import { texture } from '../assets/sample-pictures.ts';
import { emptyBlocks, emptyMembers, nestedGzip, zeros } from './compressed-bodies.ts';

let folder: string;
let server: LoopbackServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photo-hosts-'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(routes: Readonly<Record<string, Route>>): Promise<string> {
  server = await startServer(routes);
  return server.origin;
}

/** Prepares `urls` in a folder of its own. Nothing but masters can be left in it. */
async function prepare(urls: readonly string[], request: Partial<AssetRequest> = {}) {
  const workDir = join(folder, 'work');
  const prepared = await prepareAssets({
    assets: urls.map((url) => ({ url })),
    pictures: [],
    logos: [],
    baseDir: null,
    policy: { allowPrivate: true, allowFrom: [] },
    cacheDir: join(folder, 'cache'),
    workDir,
    concurrency: 2,
    signal: new AbortController().signal,
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
  /** The limits of a hundredth, so that a second here is the 100 seconds of a user. */
  const limits = {
    connectTimeoutMs: 50,
    stallTimeoutMs: 100,
    totalTimeoutMs: 300,
    listingTimeoutMs: 1_200,
    listingTimeoutPerPhotoMs: 20,
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
    const { photos, dropped } = await within(15_000, prepare([...slow, quick], { limits, network }));
    expect(photos.map(({ url }) => url)).toEqual([quick]);
    expect(dropped).toHaveLength(99);
    const givenUp = dropped.filter(({ reason }) => reason.startsWith('timeout: the host is given up'));
    expect(givenUp.length).toBeGreaterThanOrEqual(96);
    // Three tries for the first photos, and one for each after them.
    expect(server!.requests.filter((path) => path.startsWith('/slow')).length).toBeLessThan(12);
  });
});
