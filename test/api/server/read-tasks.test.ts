/** GET /v1/tasks, GET /v1/tasks/{task_id}, GET /v1/organization: what is shown, in which order, to whom. */

import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode, ListingVideoError } from '../../../src/platform/errors.ts';
import { deferred } from '../../deferred.ts';
import { aFullListing, aListing } from '../../listing/a-listing.ts';
import { aPayload } from '../../video/a-payload.ts';
import { openHarness, outcomeOf } from './harness.ts';

const PROGRESS = { headers: { 'service-beta': 'task-progress' } };

/** Codes whose messages are about the client's own listing, and told as they are. */
const TOLD = new Set(['no_usable_assets', 'template_not_found', 'task_failed', 'time_limit', 'cancelled']);

describe('a task', () => {
  it('that waits has its four fields and says when to look again', async () => {
    const api = openHarness();
    const { json } = await api.post(aListing());
    const answer = await api.ask(`/v1/tasks/${json.id}`);
    expect(answer.json).toEqual({ id: json.id, state: 'PENDING', results: [], dropped_assets: [] });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('that runs says so, and with the beta how far it is', async () => {
    const running = deferred();
    const finish = deferred();
    const api = openHarness({
      handler: async (_, context) => {
        context.reportProgress({ percent: 40, stage: 'render', etaSeconds: 9 });
        running.resolve();
        await finish.promise;
        return { results: [], dropped_assets: [], report: null };
      },
    });
    const { json } = await api.post(aListing());
    const run = api.engine.runTask(json.id);
    await running.promise;
    const answer = await api.ask(`/v1/tasks/${json.id}`, PROGRESS);
    expect(answer.json).toEqual({
      id: json.id,
      state: 'RUNNING',
      results: [],
      dropped_assets: [],
      progress: { percent: 40, stage: 'render', eta_seconds: 9 },
    });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.headers.get('service-beta')).toBe('task-progress');
    finish.resolve();
    await run;
  });

  it('that has succeeded names its files, of each attempt or of an earlier version, under the public address of today', async () => {
    const api = openHarness();
    const listing = aFullListing();
    const id = await api.make(listing);
    const folder = `https://videos.example/base/files/org_default/${id}`;
    const answer = await api.ask(`/v1/tasks/${id}`);
    expect(answer.json).toEqual({
      id,
      state: 'SUCCEEDED',
      results: [
        {
          agent_id: 'june',
          url: `${folder}/AAAAAAAAAAAAAAAAAAAAA0.mp4`,
          created_at: '2026-11-20T14:03:07.123+00:00',
          preview_url: `${folder}/3/AAAAAAAAAAAAAAAAAAAAA0.gif`,
          metadata: { campaign: 'spring' },
        },
      ],
      dropped_assets: [{ url: 'https://example.com/1.jpg', reason: 'too_small: 20 x 20 pixels' }],
    });
    expect(answer.headers.has('retry-after')).toBe(false);
  });

  it('with the beta task-details says of which listing and from when it is, its warnings and posters', async () => {
    const details = { headers: { 'service-beta': 'task-details' } };
    const warnings = ['9 of 16 photos are narrower than 960 pixels'];
    const finish = deferred();
    const api = openHarness({
      handler: async (task) => {
        await finish.promise;
        return { ...outcomeOf(task.payload.listing), warnings };
      },
    });
    const listing = aFullListing();
    const { json } = await api.post(listing);
    const run = api.engine.runTask(json.id);
    const waiting = await api.ask(`/v1/tasks/${json.id}`, details);
    expect(waiting.json).toMatchObject({ listing_id: listing.id, warnings: [], results: [] });
    finish.resolve();
    await run;
    const plain = await api.ask(`/v1/tasks/${json.id}`);
    expect(plain.text).not.toMatch(/listing_id|listing_address|warnings|poster_url|narrower/);
    const answer = await api.ask(`/v1/tasks/${json.id}`, details);
    expect(answer.json).toEqual({
      ...plain.json,
      results: [{ ...plain.json.results[0], poster_url: plain.json.results[0].url.replace('.mp4', '.jpg') }],
      listing_id: listing.id,
      listing_address: '128 Harbor Pine Lane, Portland, OR',
      agent_names: ['June Takemori'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      warnings,
    });
    expect(waiting.json.created_at).toBe(answer.json.created_at);
    expect((await api.ask('/v1/tasks', details)).json.data).toEqual([answer.json]);
    expect((await api.ask('/v1/tasks')).json.data).toEqual([plain.json]);
  });

  it('has a preview_url exactly when one was asked for, and metadata always', async () => {
    const api = openHarness();
    const { json } = await api.ask(`/v1/tasks/${await api.make(aListing())}`);
    expect(Object.keys(json.results[0])).toEqual(['agent_id', 'url', 'created_at', 'metadata']);
    expect(json.results[0].metadata).toEqual({});
  });

  it('that has failed says why, and what was dropped', async () => {
    const dropped = [{ url: 'https://example.com/1.jpg', reason: 'unreachable: HTTP 404 Not Found' }];
    const api = openHarness({
      handler: async () => {
        throw new ListingVideoError('no_usable_assets', 'no usable assets: 5 of 5 dropped', {
          context: { dropped_assets: dropped },
        });
      },
    });
    const id = await api.make();
    expect((await api.ask(`/v1/tasks/${id}`)).json).toEqual({
      id,
      state: 'FAILED',
      failure_message: 'no usable assets: 5 of 5 dropped',
      results: [],
      dropped_assets: dropped,
    });
  });

  it('that has failed on this machine’s account names nothing of it, neither alone nor in the list', async () => {
    const codes = (Object.keys(ERROR_TABLE) as ErrorCode[]).filter(
      (code) => 'exitCode' in ERROR_TABLE[code] && !TOLD.has(code),
    );
    for (const code of [...codes, null]) {
      const message = 'cannot write to /srv/home/files (EACCES)';
      const api = openHarness({
        handler: async () => {
          throw code === null ? new Error(message) : new ListingVideoError(code, message);
        },
      });
      const id = await api.make();
      const { json } = await api.ask(`/v1/tasks/${id}`);
      expect([code, json.failure_message]).toEqual([code, expect.stringMatching(/^[a-z ]{6,60}$/)]);
      expect((await api.ask('/v1/tasks')).json.data).toEqual([json]);
      // The operator still reads it.
      expect(JSON.stringify((await api.store.get(id)).failure)).toContain('EACCES');
    }
  });

  it('keeps its progress when it has ended', async () => {
    const api = openHarness();
    const { json } = await api.ask(`/v1/tasks/${await api.make()}`, PROGRESS);
    expect(json.progress).toEqual({ percent: 100, stage: 'render', eta_seconds: 0 });
  });

  it.each([
    'nonexistent',
    '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00',
    '..%2f..%2f..%2fetc',
    '%00%00%00%00%00%00%00%00',
  ])('that is not there is 404: %s', async (id) => {
    const { status, json } = await openHarness().ask(`/v1/tasks/${id}`);
    expect([status, json]).toEqual([404, { code: 'task_not_found', message: 'no such task', context: null }]);
  });

  it.each([
    ['abc', 'abc'],
    ['1234567', '1234567'],
    ['%F0%9F%8F%A0%F0%9F%8F%A0%F0%9F%8F%A0%F0%9F%8F%A0', '🏠🏠🏠🏠'],
  ])('whose id is shorter than 8 code points is a violation: %s', async (path, input) => {
    const { status, json } = await openHarness().ask(`/v1/tasks/${path}`);
    expect(status).toBe(422);
    expect(json.detail).toEqual([
      {
        loc: ['path', 'task_id'],
        msg: 'String should have at least 8 characters',
        type: 'string_too_short',
        input,
        ctx: { min_length: 8 },
      },
    ]);
  });

  it('of the command line or of another organization is not there', async () => {
    const api = openHarness();
    const { id: other } = await api.accounts.createOrganization({ name: 'other' });
    const payload = aPayload(aListing());
    for (const organizationId of [null, other]) {
      const { id } = await api.engine.submit({ origin: 'cli', organizationId, payload });
      expect((await api.ask(`/v1/tasks/${id}`)).json.code).toBe('task_not_found');
      expect((await api.ask(`/v1/tasks?starting_after=${id}`)).status).toBe(422);
    }
    expect((await api.ask('/v1/tasks')).json).toEqual({ data: [], has_more: false });
  });
});

describe('the list', () => {
  it('goes from the newest to the oldest, page by page, undisturbed by new tasks', async () => {
    const api = openHarness();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await api.post(aListing())).json.id);
    const first = (await api.ask('/v1/tasks?limit=2')).json;
    expect([first.data.map(({ id }: { id: string }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
    await api.post(aListing());
    const second = (await api.ask(`/v1/tasks?limit=2&starting_after=${ids[1]}`)).json;
    expect([second.data.map(({ id }: { id: string }) => id), second.has_more]).toEqual([
      ids.slice(2, 4),
      true,
    ]);
    const third = (await api.ask(`/v1/tasks?limit=2&starting_after=${ids[3]}`)).json;
    expect([third.data.map(({ id }: { id: string }) => id), third.has_more]).toEqual([ids.slice(4), false]);
    expect((await api.ask(`/v1/tasks?starting_after=${ids[4]}`)).json).toEqual({ data: [], has_more: false });
  });

  it('has at most twenty tasks by default', async () => {
    const api = openHarness();
    for (let n = 0; n < 21; n++) await api.post(aListing());
    expect((await api.ask('/v1/tasks')).json).toMatchObject({ data: { length: 20 }, has_more: true });
    expect((await api.ask('/v1/tasks?limit=100')).json).toMatchObject({
      data: { length: 21 },
      has_more: false,
    });
  });

  it('is filtered by state, also called status; state wins', async () => {
    const api = openHarness();
    const ended = await api.make();
    const waiting = (await api.post(aListing())).json.id;
    const idsOf = async (query: string) =>
      (await api.ask(`/v1/tasks?${query}`)).json.data.map(({ id }: { id: string }) => id);
    expect(await idsOf('state=SUCCEEDED')).toEqual([ended]);
    expect(await idsOf('status=PENDING')).toEqual([waiting]);
    expect(await idsOf('status=PENDING&state=SUCCEEDED')).toEqual([ended]);
    expect(await idsOf('status=nonsense&state=SUCCEEDED')).toEqual([ended]);
    expect(await idsOf('state=FAILED')).toEqual([]);
  });

  it('ignores what it does not know, and of a parameter given twice the last counts', async () => {
    const { status } = await openHarness().ask(
      '/v1/tasks?page=7&limit=x&limit=3&state=x&state=FAILED&__proto__=1',
    );
    expect(status).toBe(200);
  });

  it('shows progress with the beta', async () => {
    const api = openHarness();
    await api.make();
    const { json } = await api.ask('/v1/tasks', PROGRESS);
    expect(json.data[0].progress.percent).toBe(100);
  });

  const expected = "'PENDING', 'RUNNING', 'FAILED' or 'SUCCEEDED'";
  const literal = (name: string, input: string) => ({
    loc: ['query', name],
    msg: `Input should be ${expected}`,
    type: 'literal_error',
    input,
    ctx: { expected },
  });
  const unparsed = (input: string) => ({
    loc: ['query', 'limit'],
    msg: 'Input should be a valid integer, unable to parse string as an integer',
    type: 'int_parsing',
    input,
  });
  const bound = (input: string, type: string, msg: string, ctx: object) => ({
    loc: ['query', 'limit'],
    msg: `Input should be ${msg}`,
    type,
    input,
    ctx,
  });
  const unknownCursor = (input: string) => ({
    loc: ['query', 'starting_after'],
    msg: 'Value error, no such task',
    type: 'value_error',
    input,
    ctx: { error: 'no such task' },
  });
  it.each([
    ['state=DONE', [literal('state', 'DONE')]],
    ['state=', [literal('state', '')]],
    ['state=pending', [literal('state', 'pending')]],
    ['status=DONE', [literal('status', 'DONE')]],
    ['status=PENDING&state=DONE', [literal('state', 'DONE')]],
    ['limit=', [unparsed('')]],
    ['limit=abc', [unparsed('abc')]],
    ['limit=1.5', [unparsed('1.5')]],
    ['limit=%2B5', [unparsed('+5')]],
    ['limit=1e2', [unparsed('1e2')]],
    ['limit=0', [bound('0', 'greater_than_equal', 'greater than or equal to 1', { ge: 1 })]],
    ['limit=-5', [bound('-5', 'greater_than_equal', 'greater than or equal to 1', { ge: 1 })]],
    ['limit=101', [bound('101', 'less_than_equal', 'less than or equal to 100', { le: 100 })]],
    [
      `limit=${'9'.repeat(400)}`,
      [bound('9'.repeat(400), 'less_than_equal', 'less than or equal to 100', { le: 100 })],
    ],
    ['starting_after=', [unknownCursor('')]],
    ['starting_after=..%2Fetc', [unknownCursor('../etc')]],
    [
      'limit=x&starting_after=nobody&state=DONE',
      [literal('state', 'DONE'), unknownCursor('nobody'), unparsed('x')],
    ],
  ])('refuses ?%.60s', async (query, detail) => {
    const { status, json } = await openHarness().ask(`/v1/tasks?${query}`);
    expect([status, json]).toEqual([422, { detail }]);
  });
});

it('the organization is an id and a balance', async () => {
  const api = openHarness();
  expect((await api.ask('/v1/organization')).json).toEqual({ id: 'org_default', balance: 0 });
  await api.accounts.grant('org_default', 7);
  expect((await api.ask('/v1/organization')).json).toEqual({ id: 'org_default', balance: 7 });
});

it('HEAD says what GET says, without a body', async () => {
  const api = openHarness();
  const id = await api.make();
  for (const path of [
    '/v1/tasks',
    `/v1/tasks/${id}`,
    '/v1/organization',
    '/healthz',
    '/readyz',
    '/openapi.json',
  ]) {
    const get = await api.ask(path);
    const head = await api.ask(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  }
  expect(await api.ask('/v1/tasks/nonexistent', { method: 'HEAD' })).toMatchObject({ status: 404, text: '' });
});

it.each([
  ['task-progress', 'task-progress'],
  ['task-details, task-progress', 'task-details, task-progress'],
  ['nonsense, Task-Progress ,, task-progress', 'task-progress'],
  ['nonsense', null],
  ['', null],
  ['__proto__', null],
])('of service-beta: %j the answer echoes %j', async (asked, echoed) => {
  const api = openHarness();
  for (const path of ['/v1/tasks', '/v1/organization']) {
    const { headers } = await api.ask(path, { headers: { 'service-beta': asked } });
    expect(headers.get('service-beta')).toBe(echoed);
  }
  const { headers } = await api.post(aListing(), { 'service-beta': asked });
  expect(headers.get('service-beta')).toBe(echoed);
});
