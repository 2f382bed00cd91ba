/** POST /v1/tasks: what is accepted, what is refused and how, in which order; repeats. */

import { describe, expect, it } from 'vitest';
import { BETAS } from '../../../src/api/server/requests/beta.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { aFullListing, aListing, anAgent, type Json, withValue } from '../../listing/a-listing.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { aPayload } from '../../video/a-payload.ts';
import { openHarness } from './harness.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a listing', () => {
  it('becomes a task that is there when the answer comes', async () => {
    const api = openHarness();
    const { status, json, headers } = await api.post(aFullListing());
    expect(status).toBe(202);
    expect(Object.keys(json)).toEqual(['id']);
    expect(headers.get('location')).toBe(`/v1/tasks/${json.id}`);
    expect(await api.store.get(json.id)).toMatchObject({
      state: 'PENDING',
      origin: 'api',
      organizationId: 'org_default',
    });
    expect((await api.ask(headers.get('location')!)).json.id).toBe(json.id);
  });

  it('is named in the log beside the request that sent it', async () => {
    const api = openHarness();
    const headers = { 'x-request-id': 'trace-1', 'idempotency-key': 'k' };
    const { json } = await api.post(aListing(), headers);
    await api.post(aListing(), { ...headers, 'x-request-id': 'trace-2' });
    await api.post({}, { 'x-request-id': 'trace-3' });
    expect(api.log.map(({ request_id, task }) => [request_id, task])).toEqual([
      ['trace-1', json.id],
      ['trace-2', json.id],
      ['trace-3', undefined],
    ]);
  });

  it('is stored without what the service does not know', async () => {
    const api = openHarness();
    const { json } = await api.post({ ...aListing(), stranger: 1, $schema: './listing.schema.json' });
    const warnings = ['unknown property "stranger" is ignored'];
    expect(await api.store.payload(json.id)).toEqual({ ...aPayload(aListing()), warnings });
  });

  it('says in warnings of task-details which properties it ignores, from the start, and no more than a few', async () => {
    const api = openHarness();
    const warningsOf = async (listing: Json) => {
      const { status, json } = await api.post(listing);
      expect(status).toBe(202);
      return (await api.ask(`/v1/tasks/${json.id}`, { headers: { 'service-beta': 'task-details' } })).json
        .warnings;
    };
    const slip = withValue({ ...aListing(), bedroms: 4 }, ['agents', 0, 'fist_name'], 'June');
    expect(await warningsOf(slip)).toEqual([
      expect.stringContaining('agents[0]: unknown property "fist_name" is ignored; did you mean'),
      'unknown property "bedroms" is ignored; did you mean "bedrooms"?',
    ]);
    const strange = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`.repeat(90), at]));
    const many = await warningsOf({ ...aListing(), ...strange });
    expect(many).toHaveLength(6);
    expect(many.join().length).toBeLessThan(1_000);
    expect(await warningsOf(aListing())).toEqual([]);
  });

  it('keeps the captions of its assets with the beta asset-captions only', async () => {
    const api = openHarness();
    const listing = {
      ...aListing(),
      assets: aListing().assets.map((asset: Json) => ({ ...asset, caption: 'A room' })),
    };
    const plain = await api.post(listing);
    expect(await api.store.payload(plain.json.id)).toEqual(aPayload(aListing()));
    const beta = await api.post(listing, { 'service-beta': 'asset-captions' });
    expect(await api.store.payload(beta.json.id)).toEqual(aPayload(listing));
  });

  it('can have anything as captions without the beta, and text of 120 characters with it', async () => {
    const api = openHarness();
    const post = (caption: unknown, headers = {}) =>
      api.post(withValue(aListing(), ['assets', 2, 'caption'], caption), headers);
    const beta = { 'service-beta': 'asset-captions' };
    expect((await post(7)).status).toBe(202);
    expect((await post('é'.repeat(120), beta)).status).toBe(202);
    const refused = await post('é'.repeat(121), beta);
    expect(refused.json.detail).toEqual([
      expect.objectContaining({ loc: ['body', 'assets', 2, 'caption'], type: 'string_too_long' }),
    ]);
  });

  it.each([
    ['altered-photos', { altered: 'Virtually staged', original: 'https://example.com/empty.jpg' }],
    ['photo-controls', { kind: 'floor_plan', focus: { x: 0.25, y: 1 }, emphasis: 'high' }],
  ])('keeps the fields of the beta %s with it only', async (beta, fields) => {
    const api = openHarness();
    const listing = aListing();
    Object.assign(listing.assets[2], fields);
    const others = Object.keys(BETAS).filter((name) => name !== beta);
    for (const headers of [{}, { 'service-beta': others.join() }]) {
      const { json } = await api.post(listing, headers);
      expect(await api.store.payload(json.id)).toEqual(aPayload(aListing()));
    }
    const { json } = await api.post(listing, { 'service-beta': beta });
    expect(await api.store.payload(json.id)).toEqual(aPayload(listing));
  });

  it('can have anything in the fields of betas that are off', async () => {
    const api = openHarness();
    const listing = aListing();
    Object.assign(listing.assets[0], {
      caption: 7,
      altered: {},
      original: 'file:///etc/passwd',
      kind: 'video',
      focus: 'left',
      emphasis: 2,
    });
    Object.assign(listing.assets[1], { original: 'https://example.com/empty.jpg' });
    const { status, json } = await api.post(listing);
    expect(status).toBe(202);
    expect(await api.store.payload(json.id)).toEqual(aPayload(aListing()));
  });

  it('says how long its videos are, with the beta photo-controls only', async () => {
    const api = openHarness();
    const listing = aListing();
    const withLength = (length: string) => {
      listing.agents[0].video_options = { template_id: 'classic', template_data: { status: 'New', length } };
      return listing;
    };
    const dataOf = async (id: string) => {
      const payload = (await api.store.payload(id)) as Json;
      return payload.listing.agents[0].video_options.template_data;
    };
    const beta = { 'service-beta': 'photo-controls' };
    const without = await api.post(withLength('5s'));
    expect(await dataOf(without.json.id)).toEqual({ status: 'New' });
    const { json } = await api.post(withLength('30s'), beta);
    expect(await dataOf(json.id)).toEqual({ status: 'New', length: '30s' });
    const refused = await api.post(withLength('5s'), beta);
    expect([refused.status, refused.json.detail[0]]).toMatchObject([
      422,
      {
        loc: ['body', 'agents', 0, 'video_options', 'template_data', 'length'],
        msg: 'Value error, length must be short, normal, long or 10s to 90s',
        input: '5s',
      },
    ]);
  });

  it('is refused for what the fields of betas that are on cannot be', async () => {
    const beta = { 'service-beta': 'altered-photos, photo-controls' };
    const refusals = async (fields: Json) => {
      const listing = aListing();
      Object.assign(listing.assets[1], fields);
      const { json } = await openHarness().post(listing, beta);
      return json.detail.map(({ loc, type }: Json) => [loc.join('.'), type]);
    };
    const original = 'body.assets.1.original';
    expect(await refusals({ altered: true, original: 'file:///etc/passwd' })).toEqual([
      [original, 'url_scheme'],
    ]);
    expect(await refusals({ altered: true, original: 'photos/1.jpg' })).toEqual([[original, 'url_parsing']]);
    expect(await refusals({ original: 'https://example.com/empty.jpg' })).toEqual([
      [original, 'value_error'],
    ]);
    expect(await refusals({ altered: 'x'.repeat(61) })).toEqual([
      ['body.assets.1.altered', 'string_too_long'],
    ]);
    for (const field of ['kind', 'emphasis'])
      expect(await refusals({ [field]: 'video' })).toEqual([[`body.assets.1.${field}`, 'literal_error']]);
    expect(await refusals({ focus: { x: 1.5, y: 'top' } })).toEqual([
      ['body.assets.1.focus.x', 'less_than_equal'],
      ['body.assets.1.focus.y', 'float_type'],
    ]);
  });

  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"; profile=x'],
  ])('may come as %s', async (type) => {
    expect((await openHarness().post(aListing(), { 'content-type': type })).status).toBe(202);
  });

  it('may begin with a byte order mark, and of duplicate keys the last counts', async () => {
    const api = openHarness();
    const text = `\ufeff${JSON.stringify(aListing()).replace('{', '{"id":"first","id":7,')}`;
    const { status, json } = await api.post(text);
    expect(status).toBe(202);
    expect(await api.store.payload(json.id)).toMatchObject({ listing: { id: 'HP-204128' } });
  });
});

describe('a body that cannot be used', () => {
  const listing = JSON.stringify(aListing());
  it.each([
    ['empty', '', JSON_TYPE, 'invalid_json'],
    ['no JSON', '{"id": x}', JSON_TYPE, 'invalid_json'],
    ['cut off', listing.slice(0, -1), JSON_TYPE, 'invalid_json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, 'invalid_json'],
    ['nested too deep', '['.repeat(50_000), JSON_TYPE, 'invalid_json'],
    ['too large', `${listing}${' '.repeat(100_000)}`, JSON_TYPE, 'body_too_large'],
    ['without a type', Buffer.from(listing), {}, 'unsupported_media_type'],
    ['empty and without a type', Buffer.from(''), {}, 'unsupported_media_type'],
    ['text', listing, { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    [
      'of another JSON type',
      listing,
      { 'content-type': 'application/problem+json' },
      'unsupported_media_type',
    ],
    ['in Latin-1', listing, { 'content-type': 'application/json; charset=latin1' }, 'unsupported_media_type'],
    ['compressed', listing, { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'unsupported_media_type'],
  ])('%s', async (_, body, headers, code) => {
    const api = openHarness();
    const answer = await api.ask('/v1/tasks', { method: 'POST', body, headers });
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(Object.keys(answer.json)).toEqual(['code', 'message', 'context']);
    expect((await api.store.list({ limit: 1 })).data).toEqual([]);
  });

  it('says where the JSON ends to be JSON', async () => {
    const { json } = await openHarness().post('{"id": "a",\n "assets": nope}');
    expect(json.context).toEqual({ line: 2, column: 12 });
    expect(json.message).toMatch(/^body:2:12: not JSON: /);
  });

  it('is refused by its announced length before it is read', async () => {
    const api = openHarness();
    let isRead = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true;
          controller.error(new Error('nobody should have read this'));
        },
      },
      { highWaterMark: 0 },
    );
    const response = await api.app.request('/v1/tasks', {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-length': '100001' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, isRead]).toEqual([400, false]);
  });
});

describe('violations', () => {
  it('are all reported at once, in the form of pydantic', async () => {
    const listing = withValue(withValue(aListing(), ['assets'], []), ['agents', 0, 'last_name'], undefined);
    const { status, json } = await openHarness().post(listing);
    expect(status).toBe(422);
    expect(json).toEqual({
      detail: [
        {
          loc: ['body', 'assets'],
          msg: 'List should have at least 5 items after validation, not 0',
          type: 'too_short',
          input: [],
          ctx: { field_type: 'List', min_length: 5, actual_length: 0 },
        },
        {
          loc: ['body', 'agents', 0, 'last_name'],
          msg: 'Field required',
          type: 'missing',
          input: { id: 'june', first_name: 'June' },
        },
      ],
    });
  });

  it.each([
    ['file:///etc/passwd', 'url_scheme'],
    ['photos/front.jpg', 'url_parsing'],
    ['/etc/passwd', 'url_parsing'],
    ['https://user:secret@example.com/1.jpg', 'url_parsing'],
  ])('files of this machine are no assets: %s', async (url, type) => {
    const places = [
      ['assets', 0, 'url'],
      ['agents', 0, 'picture'],
      ['agents', 0, 'video_options', 'template_data', 'logo'],
    ];
    for (const place of places) {
      const listing = withValue(aFullListing(), place, url);
      const { status, json } = await openHarness().post(listing);
      expect([status, json.detail.map((each: { type: string }) => each.type)]).toEqual([422, [type]]);
    }
  });

  it('a value that is no object is one', async () => {
    const { json } = await openHarness().post('[]');
    expect(json.detail).toEqual([
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type', input: [] },
    ]);
  });
});

describe('the order of checks', () => {
  /** Everything is wrong with this request; each line fixes what came before. */
  it('is path, method, drain, key, body, repeat, violations, template, balance, queue', async () => {
    const store = createMemoryTaskStore();
    const api = openHarness({ store, config: { queueLimit: 1 } });
    const { organizationId } = await poorOrganization(api.accounts);
    const reader = await api.accounts.createKey({ organizationId, readOnly: true });
    const writer = await api.accounts.createKey({ organizationId });
    await api.store.create({
      id: '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00',
      origin: 'api',
      organizationId,
      payload: null,
    });
    api.state.isDraining = true;

    const ask = async (path: string, method: string, headers: Record<string, string>, body: unknown) => {
      const answer = await api.ask(path, { method, headers: { ...headers }, body });
      return [answer.status, answer.json.code ?? answer.json.detail[0].type];
    };
    const bad = '{';
    expect(await ask('/v1/nothing', 'POST', {}, bad)).toEqual([404, 'not_found']);
    expect(await ask('/v1/tasks', 'PUT', {}, bad)).toEqual([405, 'method_not_allowed']);
    expect(await ask('/v1/tasks', 'POST', {}, bad)).toEqual([503, 'unavailable']);
    api.state.isDraining = false;
    expect(await ask('/v1/tasks', 'POST', {}, bad)).toEqual([401, 'unauthenticated']);
    expect(await ask('/v1/tasks', 'POST', { 'x-api-key': reader.key }, bad)).toEqual([403, 'forbidden']);
    const headers: Record<string, string> = { 'x-api-key': writer.key, 'content-type': 'text/plain' };
    expect(await ask('/v1/tasks', 'POST', headers, bad)).toEqual([400, 'unsupported_media_type']);
    headers['content-type'] = 'application/json';
    headers['idempotency-key'] = 'x'.repeat(256);
    expect(await ask('/v1/tasks', 'POST', headers, bad)).toEqual([400, 'invalid_idempotency_key']);
    headers['idempotency-key'] = 'a';
    expect(await ask('/v1/tasks', 'POST', headers, bad)).toEqual([400, 'invalid_json']);
    const listing = aFullListing();
    withValue(listing, ['agents', 0, 'video_options', 'template_id'], 'modem');
    expect(await ask('/v1/tasks', 'POST', headers, { ...listing, id: 7 })).toEqual([422, 'string_type']);
    expect(await ask('/v1/tasks', 'POST', headers, listing)).toEqual([404, 'template_not_found']);
    withValue(listing, ['agents', 0, 'video_options', 'template_id'], 'modern');
    expect(
      await ask('/v1/tasks', 'POST', headers, { ...listing, agents: [anAgent('a'), anAgent('b')] }),
    ).toEqual([402, 'insufficient_balance']);
    expect(await ask('/v1/tasks', 'POST', headers, listing)).toEqual([503, 'unavailable']);
    await api.engine.cancel('01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00');
    const accepted = await api.ask('/v1/tasks', { method: 'POST', headers, body: listing });
    expect(accepted.status).toBe(202);
    expect(await ask('/v1/tasks', 'POST', headers, { ...listing, id: 7 })).toEqual([
      400,
      'idempotency_key_reused',
    ]);
  });
});

describe('an unknown template', () => {
  it('is named, with whose it is and what there is', async () => {
    const listing = withValue(aFullListing(), ['agents', 0, 'video_options', 'template_id'], 'modem');
    const { status, json } = await openHarness().post(listing);
    expect(status).toBe(404);
    expect(json).toMatchObject({
      code: 'template_not_found',
      message: 'no template has this template_id; did you mean "modern"?',
      context: { agent_id: 'june', template_id: 'modem', available: ['classic', 'modern'] },
    });
  });
});

describe('credits', () => {
  it('are charged by the video, and a balance that is too low is reported', async () => {
    const api = openHarness();
    await api.accounts.grant('org_default', 3);
    const two = { ...aListing(), agents: [anAgent('a'), anAgent('b')] };
    expect((await api.post(two)).status).toBe(202);
    const refused = await api.post(two);
    expect([refused.status, refused.json.code]).toEqual([402, 'insufficient_balance']);
    expect(refused.json.context).toEqual({ balance: 1, required: 2 });
    expect((await api.ask('/v1/organization')).json).toEqual({ id: 'org_default', balance: 1 });
  });

  it('come back when the task fails, and are spent when it does not', async () => {
    const api = openHarness({
      handler: async (task) => {
        if (JSON.stringify(task.payload).includes('BAD')) throw new ListingVideoError('render_failed', 'no');
        return { results: [], dropped_assets: [], report: null };
      },
    });
    await api.accounts.grant('org_default', 5);
    await api.make({ ...aListing(), id: 'BAD' });
    expect((await api.ask('/v1/organization')).json.balance).toBe(5);
    await api.make();
    expect((await api.ask('/v1/organization')).json.balance).toBe(4);
  });

  it('for ten make exactly ten of fifty concurrent tasks', async () => {
    const api = openHarness();
    await api.accounts.grant('org_default', 10);
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post(aListing())));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(202), ...Array(40).fill(402)]);
    expect((await api.store.list({ limit: 99 })).data).toHaveLength(10);
  });
});

describe('a queue at its limit', () => {
  it('takes no more until a task has left it, and says when to come again', async () => {
    const api = openHarness({ config: { queueLimit: 2 } });
    expect((await api.post(aListing())).status).toBe(202);
    expect((await api.post(aListing())).status).toBe(202);
    const refused = await api.post(aListing());
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    await api.runAll();
    expect((await api.post(aListing())).status).toBe(202);
  });

  it('is not passed by many at once', async () => {
    const api = openHarness({ config: { queueLimit: 10 } });
    const answers = await Promise.all(Array.from({ length: 40 }, () => api.post(aListing())));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
  });
});

describe('a store in trouble', () => {
  it.each(['store_unwritable', 'disk_full'] as const)(
    'is 503 for %s, without a word of our paths',
    async (code) => {
      const store = createMemoryTaskStore();
      const api = openHarness({ store });
      store.create = async () => {
        throw new ListingVideoError(code, 'no space left for the task store at /srv/home');
      };
      const { status, text, headers } = await api.post(aListing(), { 'idempotency-key': 'k' });
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(text).not.toContain('/srv');
      expect(api.log.at(-1)).toMatchObject({ level: 'error', status: 503 });
    },
  );

  it('on a full disk makes room, so that the next try can succeed', async () => {
    const store = createMemoryTaskStore();
    const create = store.create.bind(store);
    let isFull = true;
    const checkReadiness = async () => {
      isFull = false;
      return { isReady: true, checks: {} };
    };
    const api = openHarness({ store, deps: { checkReadiness } });
    store.create = async (...task) => {
      if (isFull) throw new ListingVideoError('disk_full', 'full');
      return create(...task);
    };
    expect((await api.post(aListing())).status).toBe(503);
    expect((await api.post(aListing())).status).toBe(202);
  });

  it('that fails in a way nobody foresaw is a 500 that says nothing but the id of the request', async () => {
    const store = createMemoryTaskStore();
    const api = openHarness({ store });
    store.create = async () => {
      throw new TypeError('secret is not a function');
    };
    const { status, json, text, headers } = await api.post(aListing());
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(json.context).toEqual({ request_id: headers.get('x-request-id') });
    expect(text).not.toContain('secret');
    expect(api.log.at(-1)).toMatchObject({
      level: 'error',
      request_id: headers.get('x-request-id'),
      error: { message: 'secret is not a function', stack: expect.stringContaining('create-task') },
    });
  });
});

describe('an Idempotency-Key', () => {
  const KEY = { 'idempotency-key': 'spring-1' };

  it('makes a repeat an answer and no second task', async () => {
    const api = openHarness();
    const first = await api.post(aListing(), KEY);
    const again = await api.post(JSON.stringify(aListing(), null, 3), KEY);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect((await api.store.list({ limit: 9 })).data).toHaveLength(1);
  });

  it('means the JSON value: the order of keys and the spelling of numbers do not matter, any other change does', async () => {
    const api = openHarness();
    const { id, ...rest } = aListing();
    await api.post({ id, ...rest, bedrooms: 3 }, KEY);
    const same = JSON.stringify({ ...rest, bedrooms: 3, id }).replace('"bedrooms":3', '"bedrooms":3.0e0');
    expect((await api.post(same, KEY)).headers.get('idempotent-replayed')).toBe('true');
    for (const other of [
      { id, ...rest, bedrooms: 4 },
      { id, ...rest, bedrooms: 3, stranger: null },
    ]) {
      expect((await api.post(other, KEY)).json.code).toBe('idempotency_key_reused');
    }
    const swapped = { ...rest, id, bedrooms: 3, assets: [...rest.assets].reverse() };
    expect((await api.post(swapped, KEY)).json.code).toBe('idempotency_key_reused');
  });

  it('of twenty concurrent repeats lets one make the task', async () => {
    const api = openHarness();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(aListing(), KEY)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(19);
    expect((await api.store.list({ limit: 9 })).data).toHaveLength(1);
  });

  it('is as good as new after a refusal', async () => {
    const api = openHarness();
    expect((await api.post({ ...aListing(), id: 7 }, KEY)).status).toBe(422);
    expect((await api.post(aListing(), KEY)).status).toBe(202);
  });

  it('is as good as new after a failure to store', async () => {
    const store = createMemoryTaskStore();
    const api = openHarness({ store });
    const create = store.create.bind(store);
    store.create = async () => {
      throw new ListingVideoError('disk_full', 'full');
    };
    expect((await api.post(aListing(), KEY)).status).toBe(503);
    store.create = create;
    const { status, headers } = await api.post(aListing(), KEY);
    expect([status, headers.get('idempotent-replayed')]).toEqual([202, null]);
  });

  it('means a task that was stored although the store reported a fault', async () => {
    const store = createMemoryTaskStore();
    const api = openHarness({ store });
    const create = store.create.bind(store);
    store.create = async (task) => {
      await create(task);
      throw new ListingVideoError('database_unavailable', 'the connection was lost');
    };
    const { status, headers, json } = await api.post(aListing(), KEY);
    expect([status, headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(await store.get(json.id)).toMatchObject({ state: 'PENDING' });
  });

  it('belongs to an organization', async () => {
    const api = openHarness();
    const keys = [];
    for (const name of ['a', 'b']) {
      const { id } = await api.accounts.createOrganization({ name });
      keys.push((await api.accounts.createKey({ organizationId: id })).key);
    }
    const [one, two] = await Promise.all(
      keys.map((key) => api.post(aListing(), { ...KEY, authorization: `Bearer ${key}` })),
    );
    expect(one!.json.id).not.toBe(two!.json.id);
    expect(two!.headers.has('idempotent-replayed')).toBe(false);
  });

  it.each([
    ['', 'invalid_idempotency_key'],
    ['x'.repeat(256), 'invalid_idempotency_key'],
  ])('of wrong length is refused: %.3s', async (key, code) => {
    expect((await openHarness().post(aListing(), { 'idempotency-key': key })).json.code).toBe(code);
  });

  it('may have 255 characters', async () => {
    expect((await openHarness().post(aListing(), { 'idempotency-key': 'x'.repeat(255) })).status).toBe(202);
  });
});

async function poorOrganization(accounts: ReturnType<typeof openHarness>['accounts']) {
  const { id: organizationId } = await accounts.createOrganization({ name: 'poor' });
  await accounts.grant(organizationId, 1);
  return { organizationId };
}
