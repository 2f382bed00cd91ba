/** Betas with paths of their own are unknown without their names, and change no byte of any other answer. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { BETAS } from '../../../src/api/server/requests/beta.ts';
import { aFullListing } from '../../listing/a-listing.ts';
import { type Answer, openHarness } from './harness.ts';

/** Every path that only a beta has, and the methods that it then has. */
const BETA_PATHS = [
  ['/v1/assets', 'uploads', ['POST']],
  ['/v1/templates', 'templates', ['GET', 'HEAD']],
  ['/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00/cancel', 'task-cancel', ['POST']],
  ['/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00/events', 'task-events', ['GET', 'HEAD']],
] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What a client sees, without what differs from request to request. */
function seen({ status, headers, text }: Answer) {
  return { status, headers: [...headers].filter(([name]) => name !== 'x-request-id'), text };
}

/** The same without the words for people. */
function seenByPrograms(answer: Answer) {
  const { status, headers, text } = seen(answer);
  const { message: _, ...json } = text === '' ? {} : JSON.parse(text);
  return { status, headers: headers.filter(([name]) => name !== 'content-length'), json };
}

describe('a server that takes no uploads', () => {
  it('does not offer the beta, and says what its operator can do', async () => {
    const api = openHarness({ deps: { uploads: null } });
    const beta = { 'service-beta': 'uploads, task-details' };
    const answer = await api.ask('/v1/assets', { method: 'POST', headers: beta, body: 'x' });
    expect([answer.status, answer.json]).toEqual([
      404,
      { code: 'not_found', message: expect.stringContaining('add --storage'), context: null },
    ]);
    const { headers } = await api.ask('/v1/organization', { headers: beta });
    expect(headers.get('service-beta')).toBe('task-details');
    const { text } = await api.ask('/openapi.json');
    expect(text).not.toMatch(/upload|\/v1\/assets/i);
    const listing = aFullListing();
    listing.assets[0]!.url = `https://videos.example/base/v1/assets/upload_${'0'.repeat(32)}`;
    const made = await api.post(listing, beta);
    expect(made.status).toBe(202);
    expect((await api.engine.payload(made.json.id))?.uploads).toBeUndefined();
  });
});

describe('without its name in service-beta', () => {
  it.each(BETA_PATHS)(
    '%s is a path where nothing is, in all but the words, which name the header',
    async (path, beta) => {
      const others = Object.keys(BETAS).filter((name) => name !== beta);
      for (const config of [{}, { corsOrigins: ['https://crm.example'] }]) {
        const api = openHarness({ config });
        const { key } = await api.accounts.createKey({ organizationId: 'org_default' });
        for (const method of METHODS) {
          for (const headers of [
            {},
            { 'x-api-key': key },
            { 'service-beta': others.join() },
            { 'service-beta': `${beta}x`, origin: 'https://crm.example' },
            { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-service-beta' },
          ]) {
            const nothing = await api.ask('/v1/nothing', { method, headers });
            const answer = await api.ask(path, { method, headers });
            expect(seenByPrograms(answer)).toEqual(seenByPrograms(nothing));
            if (answer.text !== '')
              expect(answer.json.message).toContain(`the header \`service-beta: ${beta}\``);
          }
        }
      }
    },
  );

  it('every other answer has the bytes that it always had', async () => {
    const api = openHarness();
    const id = await api.make(aFullListing());
    const file = `https://videos.example/base/files/org_default/${id}`;
    const task =
      `{"id":"${id}","state":"SUCCEEDED","results":[{"agent_id":"june","url":"${file}/AAAAAAAAAAAAAAAAAAAAA0.mp4",` +
      `"created_at":"2026-11-20T14:03:07.123+00:00","preview_url":"${file}/3/AAAAAAAAAAAAAAAAAAAAA0.gif",` +
      '"metadata":{"campaign":"spring"}}],"dropped_assets":[{"url":"https://example.com/1.jpg","reason":"too_small: 20 x 20 pixels"}]}';
    const headersOf = (text: string) => [
      ['cache-control', 'no-store'],
      ['content-length', String(Buffer.byteLength(text))],
      ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
      ['content-type', 'application/json'],
      ['cross-origin-resource-policy', 'same-origin'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
      ['x-frame-options', 'DENY'],
    ];
    for (const [path, text] of [
      [`/v1/tasks/${id}`, task],
      ['/v1/tasks', `{"data":[${task}],"has_more":false}`],
      ['/v1/organization', '{"id":"org_default","balance":0}'],
    ] as const) {
      expect(seen(await api.ask(path))).toEqual({ status: 200, headers: headersOf(text), text });
    }
    const posted = await api.post(aFullListing());
    const text = `{"id":"${posted.json.id}"}`;
    const headers = [...headersOf(text), ['location', `/v1/tasks/${posted.json.id}`]].sort();
    expect(seen(posted)).toEqual({ status: 202, headers, text });
  });
});

it('organization-details says whether tasks cost credits', async () => {
  const api = openHarness();
  const read = async () =>
    (await api.ask('/v1/organization', { headers: { 'service-beta': 'organization-details' } })).json;
  expect(await read()).toEqual({ id: 'org_default', balance: 0, is_metered: false });
  await api.accounts.grant('org_default', 5);
  expect(await read()).toEqual({ id: 'org_default', balance: 5, is_metered: true });
});

it('the guide and the document name every beta', async () => {
  const guide = await readFile(new URL('../../../src/cli/help/serve.md', import.meta.url), 'utf8');
  const listed = [...guide.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(BETAS)));
  const { text } = await openHarness().ask('/openapi.json');
  for (const [name, effect] of Object.entries(BETAS)) expect(text).toContain(`\`${name}\`: ${effect}`);
});

it.each(BETA_PATHS)('a browser can ask for %s before it names the beta', async (path, _, methods) => {
  const api = openHarness({ config: { corsOrigins: ['https://crm.example'] } });
  const { status, headers } = await api.app.request(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://crm.example',
      'access-control-request-method': methods[0],
      'access-control-request-headers': 'authorization, service-beta',
    },
  });
  expect([status, headers.get('access-control-allow-methods')]).toEqual([
    204,
    [...methods, 'OPTIONS'].join(', '),
  ]);
});
