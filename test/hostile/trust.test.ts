/**
 * Requests of strangers to a server that trusts its own machine, and what clients without a key can take from others.
 */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isLocalServer } from '../../src/api/server/access/exposure.ts';
import { post } from '../api/server/ask-server.ts';
import { openHarness } from '../api/server/harness.ts';
import { type RunningOptions, serviceOpener } from '../api/server/running-service.ts';
import { aListing } from '../listing/a-listing.ts';

const open = serviceOpener();

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  readonly json: any;
}

/** Over a real socket, from an address of the loopback network. */
function get(url: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, localAddress, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          retryAfter: response.headers['retry-after'],
          json: response.headers['content-type'] === 'application/json' ? JSON.parse(text) : null,
        }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

const PATHS = [
  '/v1/tasks',
  '/v1/organization',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/',
  '/docs',
  '/files/a/b/c.mp4',
];

it.each([
  [true, {}],
  [true, { host: '::1', publicUrl: 'http://localhost:9000/base' }],
  [false, { host: '0.0.0.0' }],
  [false, { publicUrl: 'https://videos.example.com' }],
  [false, { allowAnonymous: true }],
  [false, { host: '0.0.0.0', publicUrl: 'http://localhost:9000' }],
])('a server is local, and can fetch photos from private addresses: %j with %j', (isLocal, options) => {
  const defaults = { host: '127.0.0.1', publicUrl: undefined, allowAnonymous: false };
  expect(isLocalServer({ ...defaults, ...options })).toBe(isLocal);
});

describe('a server without keys', () => {
  it.each(['https://videos.example.com', 'http://10.0.0.5:8080', 'http://localhost.example.com'])(
    'does not start with the public URL %s',
    async (publicUrl) => {
      const { service } = await open({ publicUrl });
      await expect(service.start()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining(publicUrl),
        hint: expect.stringMatching(/keys create.*--allow-anonymous/),
      });
    },
  );

  it.each([
    'http://localhost:9000',
    'http://127.0.0.1:9000/base',
    'http://[::1]:9000',
    'http://app.localhost',
  ])('starts with the public URL %s', async (publicUrl) => {
    const { service } = await open({ publicUrl });
    expect((await get(`${await service.start()}/v1/tasks`)).status).toBe(200);
  });

  it('starts with a public URL elsewhere once there is a key, or when everyone is welcome', async () => {
    const publicUrl = 'https://videos.example.com';
    const keyed = await open({ publicUrl });
    await keyed.accounts.createKey({ organizationId: 'org_default' });
    expect((await get(`${await keyed.service.start()}/v1/tasks`)).status).toBe(401);
    const anonymous = await open({ publicUrl, allowAnonymous: true });
    const headers = { host: 'videos.example.com', 'x-forwarded-for': '203.0.113.7' };
    expect((await get(`${await anonymous.service.start()}/v1/tasks`, headers)).status).toBe(200);
  });

  it.each([
    ['forwarded', 'for=203.0.113.7'],
    ['x-forwarded-for', '203.0.113.7'],
    ['X-Forwarded-For', ''],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'videos.example.com'],
    ['x-forwarded-anything', '1'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '203.0.113.7'],
  ])('answers 403 to what a proxy passes on, shown by %s', async (name, value) => {
    const { service, store } = await open();
    const url = await service.start();
    for (const path of PATHS) {
      const { status, json } = await get(`${url}${path}`, { [name]: value });
      expect([path, status, json.code]).toEqual([path, 403, 'forbidden']);
    }
    const posted = await post(url, aListing(), { [name]: value });
    expect(posted.status).toBe(403);
    expect((await store.list({ limit: 1 })).data).toEqual([]);
  });

  it.each(['203.0.113.7', '10.0.0.1', '::ffff:192.168.1.7', 'fe80::1', '2001:db8::1'])(
    'answers 403 to the peer %s, whatever its Host',
    async (remoteAddress) => {
      const { app } = openHarness();
      const env = { incoming: { socket: { remoteAddress }, headers: {} } };
      for (const path of PATHS) {
        if (path.startsWith('/files')) continue;
        const response = await app.request(path, { headers: { host: 'localhost' } }, env);
        expect([path, response.status]).toEqual([path, 403]);
      }
    },
  );
});

describe('the rate of requests', () => {
  const requestsPerMinute = 30;

  /** Statuses of so many requests, sorted. */
  async function statusesOf(count: number, ask: () => Promise<Reply>): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    for (let n = 0; n < count; n++) {
      const { status } = await ask();
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  it('of one key is limited, and other keys are served', async () => {
    const { service, accounts, log } = await open({ requestsPerMinute, monotonicMs: () => 0 });
    const url = await service.start();
    const [greedy, modest] = await Promise.all(
      [1, 2].map(() => accounts.createKey({ organizationId: 'org_default' })),
    );
    const ask = (key: string) => get(`${url}/v1/organization`, { 'x-api-key': key });
    expect(await statusesOf(40, () => ask(greedy!.key))).toEqual({ 200: 30, 429: 10 });
    const { json, retryAfter } = await ask(greedy!.key);
    expect([json.code, json.context, retryAfter]).toEqual(['rate_limited', { requests_per_minute: 30 }, '2']);
    expect((await ask(modest!.key)).status).toBe(200);
    expect(log.at(-2)).toMatchObject({ status: 429, key_id: greedy!.id, client: '127.0.0.1' });
    expect(log.at(-1)).toMatchObject({ status: 200, key_id: modest!.id });
  });

  it('of one address is limited where no key is needed, and other addresses are served', async () => {
    const { service, log } = await open({
      requestsPerMinute,
      allowAnonymous: true,
      publicUrl: 'https://videos.example.com',
      monotonicMs: () => 0,
    });
    const url = await service.start();
    expect(await statusesOf(40, () => get(`${url}/v1/organization`))).toEqual({ 200: 30, 429: 10 });
    expect((await get(`${url}/openapi.json`)).status).toBe(429);
    expect((await get(`${url}/v1/organization`, {}, '127.0.0.2')).status).toBe(200);
    // Probes and static files are never refused.
    for (const path of ['/healthz', '/readyz', '/', '/docs'])
      expect((await get(`${url}${path}`)).status).toBe(200);
    // A header of a stranger does not make another client of it. The operator learns of it once.
    for (const client of ['198.51.100.1', '198.51.100.2']) {
      expect((await get(`${url}/v1/organization`, { 'x-forwarded-for': client })).status).toBe(429);
    }
    expect(log.filter(({ msg }) => /--trust-proxy/.test(msg))).toMatchObject([
      { level: 'warn', peer: '127.0.0.1' },
    ]);
  });

  it('behind a trusted proxy is that of its clients', async () => {
    const { service, log } = await open({
      requestsPerMinute,
      allowAnonymous: true,
      trustProxy: ['127.0.0.0/8'],
      monotonicMs: () => 0,
    });
    const url = await service.start();
    const ask = (client: string) => get(`${url}/v1/organization`, { 'x-forwarded-for': client });
    expect(await statusesOf(40, () => ask('198.51.100.1'))).toEqual({ 200: 30, 429: 10 });
    expect((await ask('203.0.113.9, 198.51.100.1')).status).toBe(429);
    expect((await ask('198.51.100.2')).status).toBe(200);
    expect(log.at(-1)).toMatchObject({ client: '198.51.100.2' });
  });

  it('of wrong keys is limited, and a stranger locks nobody out', async () => {
    const { service, accounts } = await open({ requestsPerMinute, monotonicMs: () => 0 });
    const url = await service.start();
    const { key } = await accounts.createKey({ organizationId: 'org_default' });
    const ask = (headers: Record<string, string>) => get(`${url}/v1/organization`, headers);
    let guess = 0;
    const wrong = () => {
      guess += 1;
      return ask(guess % 2 === 0 ? {} : { 'x-api-key': `lv_live_${guess}` });
    };
    expect(await statusesOf(100, wrong)).toEqual({ 401: 60, 429: 40 });
    expect((await ask({ 'x-api-key': key })).status).toBe(200);
  });

  it('is not limited in development', async () => {
    const { service } = await open({ requestsPerMinute: 1, monotonicMs: () => 0 });
    const url = await service.start();
    expect(await statusesOf(50, () => get(`${url}/v1/organization`))).toEqual({ 200: 50 });
  });
});

describe('metrics', () => {
  async function withKeys(options: RunningOptions = {}) {
    const service = await open(options);
    const organizationId = 'org_default';
    const plain = await service.accounts.createKey({ organizationId });
    const operator = await service.accounts.createKey({ organizationId, isOperator: true });
    const url = `${await service.service.start()}/metrics`;
    return {
      url,
      withPlain: (headers = {}) => get(url, { 'x-api-key': plain.key, ...headers }),
      withOperator: (headers = {}) => get(url, { 'x-api-key': operator.key, ...headers }),
    };
  }

  it('are shown to programs of this machine and to operators', async () => {
    const { url, withOperator } = await withKeys();
    expect((await get(url)).status).toBe(200);
    expect((await withOperator({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
  });

  it('are not shown to others that a proxy lets through', async () => {
    const { url, withPlain } = await withKeys();
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.7' },
      { via: '1.1 x' },
      { host: 'videos.example.com' },
    ]) {
      expect((await get(url, headers)).status).toBe(401);
      const { status, json } = await withPlain(headers);
      expect([status, json.code]).toEqual([403, 'forbidden']);
    }
  });

  it('need the key of an operator where a proxy can hide who asks', async () => {
    for (const options of [{ publicUrl: 'https://videos.example.com' }, { trustProxy: ['127.0.0.1'] }]) {
      const { url, withPlain, withOperator } = await withKeys(options);
      expect((await get(url)).status).toBe(401);
      expect((await withPlain()).status).toBe(403);
      expect((await withOperator()).status).toBe(200);
    }
  });

  it('are not shown to everyone by a server that is open to everyone', async () => {
    const { service } = await open({ allowAnonymous: true, publicUrl: 'https://videos.example.com' });
    expect((await get(`${await service.start()}/metrics`)).status).toBe(403);
  });
});
