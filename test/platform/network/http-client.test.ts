/**
 * Photos and API requests through a proxy: who is asked for what, what the guard refuses, and what its failures say.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type AssetLimits, DEFAULT_ASSET_LIMITS } from '../../../src/media/assets/asset-limits.ts';
import { createAssetFetcher } from '../../../src/media/assets/fetch-asset.ts';
import type { AddressPolicy } from '../../../src/platform/network/guard-address.ts';
import { systemNetworkDeps } from '../../../src/platform/network/guarded-connector.ts';
import { type ProxyAudience, readProxies } from '../../../src/platform/network/proxies.ts';
import { createTransport } from '../../../src/platform/network/transport.ts';
import { quickNetwork } from '../../api/client/run-remote.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type Route, startServer } from '../../media/assets/loopback-server.ts';
import { startProxy } from './loopback-proxy.ts';

const PUBLIC_ONLY: AddressPolicy = { allowPrivate: false, allowFrom: [] };
const USER: AddressPolicy = { allowPrivate: true, allowFrom: [] };

const open: { close(): unknown }[] = [];
const kept = <T extends { close(): unknown }>(thing: T): T => {
  open.push(thing);
  return thing;
};
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

/** A server of photos behind a proxy. */
async function office({ refuse, routes = {} }: { refuse?: number; routes?: Record<string, Route> } = {}) {
  const server = kept(await startServer({ '/a.jpg': (response) => response.end('photo'), ...routes }));
  const proxy = kept(await startProxy(server, refuse === undefined ? {} : { refuse }));
  return { server, proxy, address: `http://127.0.0.1:${proxy.port}` };
}

interface Fetching {
  readonly policy?: AddressPolicy;
  readonly audience?: ProxyAudience;
  readonly limits?: Partial<AssetLimits>;
}

/** The photo, or the reason why there is none. */
async function fetchThrough(
  env: Record<string, string>,
  url: string,
  options: Fetching = {},
): Promise<string> {
  const folder = temporaryFolder();
  const fetcher = kept(
    createAssetFetcher({
      limits: { ...DEFAULT_ASSET_LIMITS, ...options.limits },
      policy: options.policy ?? PUBLIC_ONLY,
      proxies: readProxies(env, options.audience),
      photoCount: 1,
      network: { ...systemNetworkDeps, backOff: async () => undefined },
    }),
  );
  return fetcher.fetch(url, join(folder, 'a'), new AbortController().signal).then(
    ({ path }) => readFileSync(path, 'utf8'),
    (error: Error) => error.message,
  );
}

describe('a photo', () => {
  it('comes through the proxy of plain http as a whole URL, with the password of the proxy', async () => {
    const { proxy, server } = await office();
    const env = { HTTP_PROXY: `http://ann:s3cr%40t@127.0.0.1:${proxy.port}` };
    expect(await fetchThrough(env, 'http://photos.example/a.jpg?w=1')).toBe('photo');
    expect(proxy.requests).toEqual(['GET http://photos.example/a.jpg?w=1']);
    const basic = `Basic ${Buffer.from('ann:s3cr@t').toString('base64')}`;
    expect(proxy.headers[0]).toMatchObject({ host: 'photos.example', 'proxy-authorization': basic });
    expect(server.requests).toEqual(['/a.jpg?w=1']);
  });

  it.each([
    ['ann@', 'ann:'],
    [':s3cret@', ':s3cret'],
    ['a%40b:c%3Ad@', 'a@b:c:d'],
  ])(
    'comes through a proxy that is named with "%s" with the credentials that curl sends',
    async (named, sent) => {
      const { proxy } = await office();
      const env = { HTTP_PROXY: `http://${named}127.0.0.1:${proxy.port}` };
      for (const scheme of ['http', 'https']) await fetchThrough(env, `${scheme}://photos.example/a.jpg`);
      const basic = `Basic ${Buffer.from(sent).toString('base64')}`;
      expect(proxy.headers.map((each) => each['proxy-authorization'])).toEqual([basic, basic]);
    },
  );

  it('comes through a proxy of its own scheme, with the credentials of that proxy alone', async () => {
    const { proxy, address } = await office();
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address.replace('//', '//ann@') };
    for (const scheme of ['http', 'https']) await fetchThrough(env, `${scheme}://photos.example/a.jpg`);
    const [plain, tunnel] = proxy.headers.map((each) => each['proxy-authorization']);
    expect([plain, tunnel]).toEqual([undefined, `Basic ${Buffer.from('ann:').toString('base64')}`]);
  });

  it('with https comes through a tunnel, whose far end must have a trusted certificate', async () => {
    const { proxy, address } = await office();
    expect(await fetchThrough({ HTTPS_PROXY: address }, 'https://photos.example/a.jpg')).toBe(
      'unreachable: TLS handshake failed',
    );
    expect(proxy.requests[0]).toBe('CONNECT photos.example:443');
  });

  it('of a host in NO_PROXY is fetched directly, behind the address guard', async () => {
    const { proxy, server, address } = await office();
    const env = { HTTP_PROXY: address, NO_PROXY: '127.0.0.1' };
    expect(await fetchThrough(env, `${server.origin}/a.jpg`)).toBe(
      'blocked_address: the host is not on the public internet',
    );
    expect(await fetchThrough(env, `${server.origin}/a.jpg`, { policy: USER })).toBe('photo');
    expect(proxy.requests).toEqual([]);
  });

  it('follows redirects through the proxy, and not to a private address or a local name', async () => {
    const redirectTo =
      (location: string): Route =>
      (response) =>
        response.writeHead(302, { location }).end();
    const { proxy, address } = await office({
      routes: {
        '/good': redirectTo('http://cdn.example/a.jpg'),
        '/private': redirectTo('http://10.0.0.5/a.jpg'),
        '/named': redirectTo('http://intranet/a.jpg'),
      },
    });
    const results = await Promise.all(
      ['good', 'private', 'named'].map((path) =>
        fetchThrough({ HTTP_PROXY: address }, `http://photos.example/${path}`),
      ),
    );
    const refused = 'blocked_address: the host is not on the public internet';
    expect(results).toEqual(['photo', refused, refused]);
    expect(proxy.requests.filter((line) => !line.includes('photos.example'))).toEqual([
      'GET http://cdn.example/a.jpg',
    ]);
  });

  it.each([
    'http://10.0.0.5/a.jpg',
    'http://[fd00::1]/a.jpg',
    'http://0x0a.0.0.5/a.jpg',
    'http://10.0.0.5../a.jpg',
    'http://localhost../a.jpg',
    'https://169.254.169.254/latest',
    'http://nas/a.jpg',
    'http://printer.local./a.jpg',
    'http://metadata.google.internal/computeMetadata',
    'http://photos.corp/a.jpg',
  ])('at %s is not asked of the proxy', async (url) => {
    const { proxy, address } = await office();
    expect(await fetchThrough({ HTTP_PROXY: address }, url)).toBe(
      'blocked_address: the host is not on the public internet',
    );
    expect(proxy.requests).toEqual([]);
  });

  it('at a private place is asked of the proxy where the policy allows the place, never at a metadata address', async () => {
    const { proxy, address } = await office();
    const env = { HTTP_PROXY: address };
    expect(await fetchThrough(env, 'http://10.0.0.5/a.jpg', { policy: USER })).toBe('photo');
    const named = { allowPrivate: false, allowFrom: ['photos.corp'] };
    expect(await fetchThrough(env, 'http://photos.corp/a.jpg', { policy: named })).toBe('photo');
    const denied = { ...USER, denyFrom: ['photos.example'] };
    expect(await fetchThrough(env, 'http://photos.example/a.jpg', { policy: denied })).toBe(
      'blocked_address: photos from this host are not allowed here',
    );
    for (const host of ['169.254.169.254', 'metadata.google.internal'])
      expect(await fetchThrough(env, `http://${host}/a`, { policy: USER })).toMatch(/^blocked_address/);
    expect(proxy.requests).toHaveLength(2);
  });

  it('is limited in size as without a proxy', async () => {
    const { address } = await office({
      routes: { '/big': (response) => response.end(Buffer.alloc(2_000)) },
    });
    const limits = { maxBytes: 1_000 };
    expect(await fetchThrough({ HTTP_PROXY: address }, 'http://photos.example/big', { limits })).toMatch(
      /^too_large/,
    );
  });
});

describe('a proxy that fails', () => {
  it.each([
    [407, 'http', 'wants a user name and password: use http://user:password@host:port in HTTP_PROXY'],
    [407, 'https', 'wants a user name and password: use http://user:password@host:port in HTTP_PROXY'],
    [403, 'https', 'refuses a connection to photos.example:443: HTTP 403 Forbidden'],
    [502, 'https', 'refuses a connection to photos.example:443: HTTP 502 Bad Gateway'],
  ])('with %i for %s says so, by its address and variable', async (refuse, scheme, words) => {
    const { proxy, address } = await office({ refuse });
    const env = { HTTP_PROXY: `http://ann:s3cr3t@127.0.0.1:${proxy.port}` };
    expect(await fetchThrough(env, `${scheme}://photos.example/a.jpg`)).toBe(
      `unreachable: the proxy ${address} (from HTTP_PROXY) ${words}`,
    );
    expect(proxy.requests).toHaveLength(refuse === 502 ? 3 : 1);
  });

  it('with an answer of plain http is named beside it', async () => {
    const { address } = await office({ refuse: 403 });
    expect(await fetchThrough({ HTTP_PROXY: address }, 'http://photos.example/a.jpg')).toBe(
      `unreachable: HTTP 403 Forbidden, through the proxy ${address} (from HTTP_PROXY)`,
    );
  });

  it.each(['http', 'https'])('because it is not there says so for %s', async (scheme) => {
    const { address, proxy } = await office();
    await proxy.close();
    expect(await fetchThrough({ HTTP_PROXY: address }, `${scheme}://photos.example/a.jpg`)).toBe(
      `unreachable: the proxy ${address} (from HTTP_PROXY) cannot be used: connection refused`,
    );
  });

  it('behind a server is not named to its clients', async () => {
    const { address } = await office({ refuse: 407 });
    const audience = { isPublic: true };
    for (const scheme of ['http', 'https'])
      expect(
        await fetchThrough({ HTTP_PROXY: address }, `${scheme}://photos.example/a.jpg`, { audience }),
      ).toBe('unreachable: the proxy of the server wants a user name and password');
  });
});

describe('a server', () => {
  const ask = (url: string, env: Record<string, string>) => {
    const transport = kept(createTransport({ ...quickNetwork(), proxies: readProxies(env) }));
    return transport.send({
      method: 'POST',
      url: new URL(url),
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('body'),
      totalMs: 1_000,
      signal: new AbortController().signal,
    });
  };

  it('is reached through the proxy, with the body', async () => {
    const { proxy, server, address } = await office({
      routes: {
        '/v1/tasks': (response, request) =>
          void request.on('data', (piece) => response.writeHead(202).end(`${piece} arrived`)),
      },
    });
    const { status, body } = await ask('http://videos.example/v1/tasks', { HTTP_PROXY: address });
    let text = '';
    for await (const piece of body) text += piece.toString();
    expect([status, text]).toEqual([202, 'body arrived']);
    expect(proxy.requests).toEqual(['POST http://videos.example/v1/tasks']);
    expect(server.headers[0]).toMatchObject({ 'accept-encoding': 'identity', 'content-length': '4' });
  });

  it('that its proxy does not reach is not asked again and again', async () => {
    const { address } = await office({ refuse: 403 });
    await expect(ask('https://videos.example/v1/tasks', { HTTPS_PROXY: address })).rejects.toMatchObject({
      message: `the proxy ${address} (from HTTPS_PROXY) refuses a connection to videos.example:443: HTTP 403 Forbidden`,
      isTemporary: false,
    });
  });
});
