/** Who may ask what: keys, development mode, drain, other people's web pages; and the headers of every answer. */
import { describe, expect, it } from 'vitest';
import { aListing } from '../../listing/a-listing.ts';
import { type Ask, openHarness } from './harness.ts';

const V1 = ['/v1/tasks', '/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', '/v1/organization'];
const OPEN = ['/healthz', '/readyz', '/openapi.json', '/', '/docs'];

async function withKeys() {
  const api = openHarness();
  const key = await api.accounts.createKey({ organizationId: 'org_default' });
  const reader = await api.accounts.createKey({ organizationId: 'org_default', readOnly: true });
  return { api, key: key.key, reader: reader.key };
}

describe('a store with keys', () => {
  it.each([
    ['none', {}],
    ['an unknown one', { authorization: 'Bearer lv_live_nobody_secret' }],
    ['one of another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['an empty one', { authorization: 'Bearer ', 'x-api-key': '' }],
    ['an endless one', { 'x-api-key': 'x'.repeat(8_000) }],
  ])('answers 401 to %s', async (_, headers) => {
    const { api } = await withKeys();
    for (const path of [...V1, '/metrics']) {
      const answer = await api.ask(path, { headers });
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('takes a key either way', async () => {
    const { api, key } = await withKeys();
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer   ${key}` },
      { 'x-api-key': key },
      { authorization: 'Basic eA==', 'x-api-key': key },
    ]) {
      expect((await api.ask('/v1/organization', { headers: headers as Record<string, string> })).status).toBe(
        200,
      );
    }
  });

  it('lets a read-only key look and not create', async () => {
    const { api, reader } = await withKeys();
    const headers = { 'x-api-key': reader };
    expect((await api.ask('/v1/tasks', { headers })).status).toBe(200);
    const refused = await api.post(aListing(), headers);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    expect((await api.store.list({ limit: 1 })).data).toEqual([]);
  });

  it('forgets a revoked key, and never trusts its caller again when all are', async () => {
    const { api, key } = await withKeys();
    for (const each of (await api.accounts.listKeys()).data) await api.accounts.revokeKey(each.id);
    expect((await api.ask('/v1/organization', { headers: { 'x-api-key': key } })).status).toBe(401);
    expect((await api.ask('/v1/organization')).status).toBe(401);
  });

  it('tells the holder of an expired key that it has expired', async () => {
    const { api } = await withKeys();
    const { key } = await api.accounts.createKey({ organizationId: 'org_default', expiresInMs: 1 });
    const readTasks = () => api.ask('/v1/tasks', { headers: { 'x-api-key': key } });
    await expect.poll(async () => (await readTasks()).status).toBe(401);
    const { json, headers } = await readTasks();
    expect(json.code).toBe('unauthenticated');
    expect(json.message).toMatch(/^this API key expired at 20.+: ask the operator/);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('wants none for health, the document and the page', async () => {
    const { api } = await withKeys();
    for (const path of OPEN) expect((await api.ask(path)).status).toBe(200);
  });

  it('keeps the organizations apart', async () => {
    const api = openHarness();
    const callers = [];
    for (const name of ['a', 'b']) {
      const { id: organizationId } = await api.accounts.createOrganization({ name });
      const { key } = await api.accounts.createKey({ organizationId });
      callers.push({ organizationId, headers: { 'x-api-key': key } });
    }
    const [a, b] = callers as [(typeof callers)[0], (typeof callers)[0]];
    const { json } = await api.post(aListing(), a.headers);
    const idsOf = async (headers: Ask['headers']) =>
      (await api.ask('/v1/tasks', { headers: headers! })).json.data.map((task: { id: string }) => task.id);
    expect(await idsOf(a.headers)).toEqual([json.id]);
    expect(await idsOf(b.headers)).toEqual([]);
    expect((await api.ask(`/v1/tasks/${json.id}`, { headers: b.headers })).status).toBe(404);
    expect((await api.ask(`/v1/tasks?starting_after=${json.id}`, { headers: b.headers })).status).toBe(422);
    expect((await api.ask('/v1/organization', { headers: b.headers })).json.id).toBe(b.organizationId);
  });

  it('answers under every name', async () => {
    const { api, key } = await withKeys();
    const headers = { 'x-api-key': key, host: 'videos.internal' };
    expect((await api.ask('/v1/organization', { headers })).status).toBe(200);
  });

  it('writes no key into the log', async () => {
    const { api, key } = await withKeys();
    await api.ask('/v1/organization', { headers: { authorization: `Bearer ${key}` } });
    await api.ask(`/v1/tasks/${key}?key=${key}`, { headers: { 'x-api-key': 'lv_live_x_wrong' } });
    expect(api.log.length).toBe(2);
    // Only where a client has put it into a path itself, and that path is no place for it.
    expect(JSON.stringify(api.log[0])).not.toContain(key.slice(-20));
    expect(JSON.stringify(api.log)).not.toContain('wrong');
    expect(JSON.stringify(api.log)).not.toContain('?key');
  });
});

describe('development mode', () => {
  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '127.0.0.1@evil.example',
    'videos.example',
    '',
  ])('does not answer to the Host %j', async (host) => {
    const api = openHarness();
    for (const path of [...V1, ...OPEN, '/metrics']) {
      const answer = await api.ask(path, { headers: { host } });
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'forbidden']);
    }
    expect((await api.post(aListing(), { host })).status).toBe(403);
    expect((await api.store.list({ limit: 1 })).data).toEqual([]);
  });

  it.each(['localhost:8080', '127.0.0.1', '127.8.9.1:1', '[::1]:8080', 'LOCALHOST.', 'app.localhost'])(
    'answers to %s',
    async (host) => {
      expect((await openHarness().ask('/v1/tasks', { headers: { host } })).status).toBe(200);
    },
  );

  it('does not answer to a foreign name in the target either', async () => {
    const { app } = openHarness();
    const response = await app.request('http://evil.example/v1/tasks', { headers: { host: 'localhost' } });
    expect(response.status).toBe(403);
  });

  it('ends with the first key', async () => {
    const api = openHarness();
    expect((await api.ask('/v1/tasks')).status).toBe(200);
    await api.accounts.createKey({ organizationId: 'org_default' });
    expect((await api.ask('/v1/tasks')).status).toBe(401);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'takes nothing that a form of any web page could send: %s',
    async (type) => {
      const api = openHarness();
      const answer = await api.post(aListing(), { 'content-type': type });
      expect([answer.status, answer.json.code]).toEqual([400, 'unsupported_media_type']);
    },
  );
});

describe('an anonymous server that is open to others', () => {
  it('answers under every name', async () => {
    const api = openHarness({ config: { isLocal: false } });
    expect((await api.ask('/v1/tasks', { headers: { host: '192.168.1.7' } })).status).toBe(200);
  });
});

describe('while draining', () => {
  it('everything of /v1 and readiness are 503, the rest is answered', async () => {
    const api = openHarness();
    api.state.isDraining = true;
    for (const path of [...V1, '/readyz']) {
      const answer = await api.ask(path);
      expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect((await api.post(aListing())).status).toBe(503);
    for (const path of ['/healthz', '/', '/openapi.json', '/metrics'])
      expect((await api.ask(path)).status).toBe(200);
  });
});

it('readiness says what is missing, in words that give nothing away', async () => {
  const checks = { store: true, ffmpeg: false };
  const api = openHarness({ deps: { checkReadiness: async () => ({ isReady: false, checks }) } });
  const { status, json } = await api.ask('/readyz');
  expect([status, json.context]).toEqual([503, { checks: { ...checks, worker: true } }]);
});

describe('methods', () => {
  it.each([
    ['/v1/tasks', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']],
    ['/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'GET, HEAD', ['POST', 'PUT', 'DELETE', 'OPTIONS']],
    ['/v1/organization', 'GET, HEAD', ['POST', 'DELETE', 'OPTIONS']],
    ['/healthz', 'GET, HEAD', ['POST', 'OPTIONS']],
    ['/readyz', 'GET, HEAD', ['POST']],
    ['/metrics', 'GET, HEAD', ['POST']],
    ['/openapi.json', 'GET, HEAD', ['POST']],
    ['/', 'GET, HEAD', ['POST', 'OPTIONS']],
    ['/docs', 'GET, HEAD', ['POST']],
  ])('%s allows %s', async (path, allow, others) => {
    const api = openHarness();
    for (const method of others) {
      const answer = await api.ask(path, { method });
      expect([answer.status, answer.json.code]).toEqual([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/tasks/',
    '/v1/tasks/a/b',
    '/v2/tasks',
    '/nothing',
    '/page/x',
    '/V1/tasks',
    '//v1/tasks',
  ])('%s is not there, with any method', async (path) => {
    const api = openHarness();
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const answer = await api.ask(`http://localhost${path}`, { method });
      expect([answer.status, answer.json]).toEqual([
        404,
        { code: 'not_found', message: 'there is nothing at this path', context: null },
      ]);
    }
  });
});

describe('every answer', () => {
  it('carries the id of its request and the headers that keep browsers in bounds', async () => {
    const api = openHarness();
    const requests: [string, Ask][] = [
      ['/v1/tasks', {}],
      ['/v1/tasks', { method: 'DELETE' }],
      ['/v1/tasks?limit=x', {}],
      ['/nothing', {}],
      ['/', {}],
      ['/docs', {}],
      ['/metrics', {}],
      ['/openapi.json', { method: 'HEAD' }],
    ];
    for (const [path, ask] of requests) {
      const { headers } = await api.ask(path, ask);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    expect((await api.ask('/v1/tasks')).headers.get('cache-control')).toBe('no-store');
  });

  it.each(['trace-7/a:b', 'A'.repeat(128)])('keeps a valid id of the client: %.20s', async (id) => {
    const api = openHarness();
    expect(
      (await api.ask('/v1/tasks', { headers: { 'x-request-id': id } })).headers.get('x-request-id'),
    ).toBe(id);
    expect(api.log[0]).toMatchObject({ request_id: id, method: 'GET', path: '/v1/tasks', status: 200 });
  });

  it('writes nothing into the log that a terminal would obey', async () => {
    const api = openHarness();
    await api.ask('/v1/tasks/%1b%5b2J%C2%9B31m%E2%80%AEtxt%0a%7f%F0%9F%8F%A1');
    expect(api.log[0].path).toBe('/v1/tasks/%1B[2J%C2%9B31m%E2%80%AEtxt%0A%7F%F0%9F%8F%A1');
  });

  it.each(['', 'A'.repeat(129), 'two words', '<b>', '"', 'é', '{"a":1}'])(
    'does not keep an id like %.20j',
    async (id) => {
      const { headers } = await openHarness().ask('/v1/tasks', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('web pages of others', () => {
  const origin = 'https://app.example';

  it('get no leave unless their origin is named', async () => {
    const closed = openHarness();
    const { headers } = await closed.ask('/v1/tasks', { headers: { origin } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);

    const open = openHarness({ config: { corsOrigins: [origin] } });
    const named = await open.ask('/v1/tasks', { headers: { origin } });
    expect(named.headers.get('access-control-allow-origin')).toBe(origin);
    expect(named.headers.get('access-control-expose-headers')).toContain('location');
    expect(named.headers.get('vary')).toBe('Origin');
    const stranger = await open.ask('/v1/tasks', { headers: { origin: 'https://evil.example' } });
    expect(stranger.headers.has('access-control-allow-origin')).toBe(false);
    expect(stranger.headers.get('vary')).toBe('Origin');
  });

  it('may ask beforehand where it is on', async () => {
    const { app } = openHarness({ config: { corsOrigins: [origin] } });
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await app.request('/v1/tasks', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    expect((await app.request('/v1/nothing', { method: 'OPTIONS', headers })).status).toBe(404);
    expect((await app.request('/v1/tasks', { method: 'PUT', headers })).headers.get('allow')).toContain(
      'OPTIONS',
    );
  });

  it('may all be named at once', async () => {
    const api = openHarness({ config: { corsOrigins: ['*'] } });
    const { headers } = await api.ask('/v1/tasks', { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });
});

it('a file of the page is known, whatever the method', async () => {
  const api = openHarness();
  const script = /src="(page\/[^"]+\.js)"/.exec((await api.ask('/')).text)?.[1];
  expect((await api.ask(`/${script}`)).status).toBe(200);
  expect((await api.ask(`/${script}`, { method: 'POST' })).status).toBe(405);
});

describe('the example of the page', () => {
  const addresses = async (api: ReturnType<typeof openHarness>) =>
    (await api.ask('/page/example/listing.json')).json.assets.map(({ url }: { url: string }) => url);

  it('has photos of this server in development, and these alone', async () => {
    const api = openHarness({ config: { publicUrl: () => 'http://localhost:8080' } });
    const urls = await addresses(api);
    expect(urls).toHaveLength(5);
    for (const url of urls) {
      const { pathname, origin: from } = new URL(url);
      expect(from).toBe('http://localhost:8080');
      const photo = await api.app.request(pathname);
      expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await photo.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    }
    for (const name of ['03-entry.jpg', '../listing.json', '..%2flogo.png', '__proto__', 'front.jpg/x']) {
      expect((await api.ask(`/page/example/${name}`)).status, name).toBe(404);
    }
    const elsewhere = await api.ask('/page/example/front.jpg', { headers: { host: 'rebound.example' } });
    expect(elsewhere.status).toBe(403);
    expect((await api.ask('/page/example/front.jpg', { method: 'POST' })).status).toBe(405);
  });

  it('keeps its public addresses elsewhere, and no photo is served', async () => {
    const withKey = openHarness();
    await withKey.accounts.createKey({ organizationId: 'org_default' });
    const others = [
      openHarness({ config: { isLocal: false } }),
      openHarness({ deps: { rendersTasks: false } }),
    ];
    for (const api of [withKey, ...others]) {
      expect(await addresses(api)).toContain('https://example.com/photos/front.jpg');
      expect((await api.ask('/page/example/front.jpg')).status).toBe(404);
    }
  });
});
