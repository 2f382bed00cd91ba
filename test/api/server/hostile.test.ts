/** Whatever is sent: the verdict is that of the rules read by hand, nothing becomes a 500, and nothing is poisoned. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { aListing, withValue } from '../../listing/a-listing.ts';
import { randomListing } from '../../listing/random-listing.ts';
import { brokenRules } from '../../listing/reading-of-the-rules.ts';
import { openHarness } from './harness.ts';

const ASSET_BETAS = { 'service-beta': 'asset-captions, altered-photos, photo-controls' };
const RUNS = { numRuns: 300 };

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('any would-be listing', () => {
  it('is accepted or refused as the rules say, each broken one named', async () => {
    const api = openHarness({ deps: { templateIds: async () => everything } });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(randomListing, async (input) => {
        const text = JSON.stringify(input);
        // What JSON cannot carry (undefined, lone surrogates are carried) is gone by the time it is judged.
        const rules = text === undefined ? null : brokenRules(JSON.parse(text)).sort();
        if (rules === null) return;
        const { status, json } = await api.post(text, ASSET_BETAS);
        if (status === 202) accepted++;
        expect(status).toBe(rules.length === 0 ? 202 : 422);
        if (status !== 422) return;
        const found = json.detail.map(
          ({ loc, type }: { loc: unknown; type: string }) => `${JSON.stringify(loc)} ${type}`,
        );
        expect(found.sort()).toEqual(rules);
      }),
      RUNS,
    );
    expect(accepted).toBeGreaterThan(30);
  });
});

describe('anything at all', () => {
  it('as a body is never a 500', async () => {
    const api = openHarness();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array()),
        fc.option(fc.string(), { nil: undefined }),
        async (body, key) => {
          const headers = key === undefined ? {} : { 'idempotency-key': toHeader(key) };
          const { status } = await api.post(body, headers);
          expect([400, 422]).toContain(status);
        },
      ),
      RUNS,
    );
  });

  it('as a path or a query is never a 500', async () => {
    const api = openHarness();
    const part = fc.oneof(
      fc.string({ unit: 'binary' }).map(toPath),
      fc.webPath(),
      fc.constantFrom('%', '%ff', '%2e%2e%2f', '..'),
    );
    await fc.assert(
      fc.asyncProperty(part, fc.webQueryParameters(), async (path, query) => {
        for (const base of ['/', '/v1/', '/v1/tasks/', '/page/', '/files/']) {
          const { status } = await api.ask(
            `http://localhost${base}${path.replace(/^\/+/, '')}?${query}&limit=${query}`,
          );
          expect(status).toBeLessThan(500);
        }
      }),
      RUNS,
    );
  });

  it('as a header is never a 500', async () => {
    const api = openHarness();
    await api.accounts.createKey({ organizationId: 'org_default' });
    const names = [
      'authorization',
      'x-api-key',
      'host',
      'origin',
      'x-request-id',
      'service-beta',
      'idempotency-key',
      'content-type',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.string(), async (name, value) => {
        const { status } = await api.post(aListing(), { [name]: toHeader(value) });
        expect(status).toBe(401);
      }),
      RUNS,
    );
  });
});

describe('prototype pollution', () => {
  it.each([
    '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
    '{"id": "x", "assets": {"__proto__": {"length": 5}}, "agents": []}',
  ])('%s is a listing that lacks everything', async (text) => {
    const { status } = await openHarness().post(text);
    expect(status).toBe(422);
  });

  it('of the required properties does not make a listing', async () => {
    const { json } = await openHarness().post(`{"__proto__": ${JSON.stringify(aListing())}}`);
    expect(json.detail.map(({ type }: { type: string }) => type)).toEqual(['missing', 'missing', 'missing']);
  });

  it('by metadata gives back the very keys that were sent', async () => {
    const text = JSON.stringify(
      withValue(aListing(), ['agents', 0, 'video_options'], { metadata: 'HERE' }),
    ).replace('"HERE"', '{"__proto__": "polluted", "constructor": "x", "toString": "y"}');
    const api = openHarness();
    const id = await api.make(text);
    const { text: answer } = await api.ask(`/v1/tasks/${id}`);
    expect(answer).toContain('"metadata":{"__proto__":"polluted","constructor":"x","toString":"y"}');
  });
});

describe('bodies made to cost', () => {
  it.each([
    ['deep', '['.repeat(2_000_000)],
    ['deep and closed', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['deep in an unknown property', `{"x":${'{"x":'.repeat(300)}1${'}'.repeat(301)}`],
    [
      'of wrong values',
      JSON.stringify({ ...aListing(), assets: Array(90).fill({ url: 1 }), agents: Array(400_000).fill(0) }),
    ],
    ['of one endless number', `{"id":${'9'.repeat(1_000_000)}}`],
    ['of one endless string', JSON.stringify({ ...aListing(), id: 'é'.repeat(1_000_000) })],
    [
      'of a large part that lacks much',
      JSON.stringify({ agents: [{ licenses: [{ x: 'z'.repeat(4_000_000) }] }] }),
    ],
    [
      'of many large parts that lack much',
      JSON.stringify({ agents: Array(15).fill({ licenses: Array(10).fill({ x: 'z'.repeat(25_000) }) }) }),
    ],
    ['of many keys', `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`).join()}}`],
    ['of repeated keys', `{${'"assets":[],'.repeat(100_000)}"id":1}`],
  ])('%s', async (_, text) => {
    const api = openHarness({ config: { bodyLimitBytes: 4 * 1024 * 1024 } });
    const { status, text: answer } = await api.post(text);
    expect([202, 400, 422]).toContain(status);
    expect(answer.length).toBeLessThan(4_000_000);
  });

  it('are answered with what is wrong, and their values as far as they fit', async () => {
    const api = openHarness({ config: { bodyLimitBytes: 4 * 1024 * 1024 } });
    const large = { x: 'z'.repeat(2_000_000) };
    const small = { y: 'z' };
    const { json } = await api.post({
      ...aListing(),
      agents: [{ ...aListing().agents[0], licenses: [large, small] }],
    });
    const at = (index: number, name: string) => ['body', 'agents', 0, 'licenses', index, name];
    const missing = { msg: 'Field required', type: 'missing' };
    expect(json.detail).toEqual([
      { loc: at(0, 'number'), ...missing },
      { loc: at(0, 'state'), ...missing },
      { loc: at(1, 'number'), ...missing, input: small },
      { loc: at(1, 'state'), ...missing, input: small },
    ]);
  });

  it('a content type of many blanks costs nothing', async () => {
    const api = openHarness();
    for (const type of [`application/json;charset=${' '.repeat(15_000)}x`, `${' ;'.repeat(7_000)}=`]) {
      expect((await api.post(aListing(), { 'content-type': type })).json.code).toBe('unsupported_media_type');
    }
  });

  it('a listing as large as the rules allow is accepted', async () => {
    const api = openHarness({ config: { bodyLimitBytes: 4 * 1024 * 1024 } });
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n}`.padEnd(40, 'k'), 'v'.repeat(500)]),
    );
    const agents = Array.from({ length: 20 }, (_, n) => ({
      id: `agent-${n}`,
      first_name: 'F'.repeat(255),
      last_name: 'L'.repeat(255),
      video_options: { metadata },
    }));
    const assets = Array.from({ length: 100 }, (_, n) => ({
      url: `https://example.com/${n}/${'p'.repeat(2_000)}`,
    }));
    expect((await api.post({ ...aListing(), agents, assets })).status).toBe(202);
  });
});

/** Every template_id exists, whatever it is called. */
const everything = new Proxy([] as string[], {
  get: (target, name) => (name === 'includes' ? () => true : Reflect.get(target, name)),
});

/** What a header may hold: visible Latin-1, blanks inside. */
function toHeader(text: string): string {
  return text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');
}

function toPath(text: string): string {
  return [...text]
    .map((character) => (/[\ud800-\udfff]/.test(character) ? '?' : encodeURIComponent(character)))
    .join('');
}
