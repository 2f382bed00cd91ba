/** The OpenAPI document: every answer it declares is reached, its examples fit its schemas, its references resolve. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { LISTING_SCHEMA } from '../../../src/listing/rules/schema.ts';
import { ERROR_TABLE, ListingVideoError } from '../../../src/platform/errors.ts';
import { aListing } from '../../listing/a-listing.ts';
import { apiDocument, declaredAnswers, reached } from './contract-check.ts';
import { type AnyJson, openHarness, outcomeOf } from './harness.ts';

describe('the document', () => {
  it('is served as it is, without a key, with the public address', async () => {
    const api = openHarness();
    await api.accounts.createKey({ organizationId: 'org_default' });
    const { json, headers } = await api.ask('/openapi.json');
    expect(json).toEqual({
      ...apiDocument,
      servers: [{ ...apiDocument.servers[0], url: 'https://videos.example/base' }],
    });
    expect([json.openapi, json.info.version]).toEqual(['3.1.0', '1.3.0']);
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('names each operation once', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids).toEqual([
      'listTasks',
      'createTask',
      'getTask',
      'getOrganization',
      'cancelTask',
      'followTask',
      'uploadAsset',
      'listTemplates',
      'getHealth',
      'getReadiness',
    ]);
  });

  it('has a listing that is word for word the one that validates', () => {
    const { schemas } = apiDocument.components;
    const text = JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/');
    const { Listing, ...rest } = JSON.parse(text);
    const { $schema: _, ...properties } = LISTING_SCHEMA.properties as AnyJson;
    expect(Listing.properties).toEqual(properties);
    expect(Listing.required).toEqual(LISTING_SCHEMA.required);
    expect(rest).toMatchObject(LISTING_SCHEMA.$defs as AnyJson);
  });

  it('refers to nothing that is not there, and has nothing that is not referred to', () => {
    const references = [...JSON.stringify(apiDocument).matchAll(/"\$ref":"([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    const existing = Object.entries(apiDocument.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) =>
        Object.keys(parts as AnyJson).map((name) => `#/components/${kind}/${name}`),
      );
    expect([...new Set(references)].sort()).toEqual(existing.sort());
  });

  it('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ ...apiDocument, $id: 'api' });
    let count = 0;
    walk(apiDocument, (node) => {
      if (node.schema === undefined || node.examples === undefined) return;
      const reference = node.schema.$ref?.replace('#', 'api#');
      if (reference === undefined) return;
      for (const { value } of Object.values(node.examples) as AnyJson[]) {
        expect(ajv.validate({ $ref: reference }, value), JSON.stringify([value, ajv.errors])).toBe(true);
        count += 1;
      }
    });
    expect(count).toBeGreaterThan(15);
  });

  it('shows every code that an error body of the API may have', () => {
    const shown = new Set<string>();
    walk(apiDocument.components.responses, (node) => {
      if (typeof node.code === 'string') shown.add(node.code);
    });
    // Those of HTTP itself are given before any operation is known.
    const ofHttp = [
      'invalid_request',
      'request_timeout',
      'request_header_too_large',
      'precondition_failed',
      'range_not_satisfiable',
    ];
    const ofApi = Object.entries(ERROR_TABLE).filter(
      ([, row]) => 'httpStatus' in row && row.httpStatus !== 422 && !('apiCode' in row),
    );
    expect([...shown, ...ofHttp].sort()).toEqual(ofApi.map(([code]) => code).sort());
  });
});

const UPLOAD_ID = `upload_${'0'.repeat(32)}`;

/** One request of each operation that only a beta has. */
const BETA_REQUESTS = [
  ['POST', '/v1/assets', 'uploads'],
  ['GET', '/v1/templates', 'templates'],
  ['POST', '/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00/cancel', 'task-cancel'],
  ['GET', '/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00/events', 'task-events'],
] as const;

it('every answer that is declared can be reached, and is as declared', async () => {
  reached.clear();
  const paths = ['/v1/tasks', '/v1/tasks/01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', '/v1/organization'];
  const plain = openHarness();
  const id = await plain.make();
  for (const path of ['/v1/tasks', `/v1/tasks/${id}`, '/v1/organization', '/healthz', '/readyz']) {
    await plain.ask(path);
    await plain.ask(path, { method: 'DELETE' });
    await plain.ask(path, { headers: { host: 'evil.example' } });
  }
  await plain.ask('/v1/tasks?limit=0');
  await plain.ask('/v1/tasks/short');
  await plain.ask(paths[1]!);
  await plain.post('{');
  await plain.post({});
  await plain.post({
    ...aListing(),
    agents: [{ ...aListing().agents[0], video_options: { template_id: 'x' } }],
  });
  await plain.post(aListing(), { host: 'evil.example' });
  await plain.accounts.grant('org_default', 0);
  await plain.post(aListing());

  const askBetas = async (api: typeof plain, extra: Readonly<Record<string, string>> = {}): Promise<void> => {
    for (const [method, path, beta] of BETA_REQUESTS) {
      await api.ask(path, { method, headers: { ...extra, 'service-beta': beta } });
    }
  };
  await askBetas(plain);
  await askBetas(plain, { 'content-type': 'image/jpeg' });
  const stored = { kind: 'stored', id: UPLOAD_ID, widthPx: 480, heightPx: 360, expiresMs: 0 } as const;
  const storing = openHarness({ deps: { uploads: { ...plain.deps.uploads!, add: async () => stored } } });
  await storing.ask('/v1/assets', {
    method: 'POST',
    headers: { 'service-beta': 'uploads', 'content-type': 'image/jpeg' },
    body: 'x',
  });
  await askBetas(plain, { 'if-none-match': '*' });
  await askBetas(plain, { host: 'evil.example' });
  for (const [method, path, beta] of BETA_REQUESTS) {
    await plain.ask(path, { method });
    await plain.ask(path, { method: 'DELETE', headers: { 'service-beta': beta } });
  }

  const cancel = (api: typeof plain, task: string) =>
    api.ask(`/v1/tasks/${task}/cancel`, { method: 'POST', headers: { 'service-beta': 'task-cancel' } });
  const follow = { headers: { 'service-beta': 'task-events' } };
  await plain.ask('/v1/tasks/short/events', follow);
  const [, lastEventId = ''] = /^id: (.*)$/m.exec((await plain.ask(`/v1/tasks/${id}/events`, follow)).text)!;
  await plain.ask(`/v1/tasks/${id}/events`, {
    headers: { ...follow.headers, 'last-event-id': lastEventId },
  });
  await cancel(plain, 'short');
  await cancel(plain, id);
  const stopping = openHarness({
    handler: async (task) => {
      await cancel(stopping, task.id);
      return outcomeOf(task.payload.listing);
    },
  });
  await cancel(stopping, await stopping.make());
  await cancel(stopping, (await stopping.post(aListing())).json.id);

  const draining = openHarness();
  draining.state.isDraining = true;
  const keyed = openHarness();
  await keyed.accounts.createKey({ organizationId: 'org_default' });
  const failing = () => Promise.reject(new Error('a bug'));
  const broken = openHarness();
  Object.assign(broken.accounts, { getOrganization: failing, hasEverHadKeys: failing });
  Object.assign(broken.deps.engine, { get: failing, list: failing });
  for (const api of [draining, keyed, broken]) {
    for (const path of paths) await api.ask(path);
    await api.post(aListing());
    await askBetas(api);
  }
  for (const path of ['/healthz', '/readyz']) await broken.ask(path, { headers: { host: 'evil.example' } });
  await draining.ask('/readyz');
  const limited = openHarness({ config: { requestsPerMinute: 1 }, deps: { monotonicMs: () => 0 } });
  const { key } = await limited.accounts.createKey({ organizationId: 'org_default' });
  const headers = { 'x-api-key': key };
  for (const path of [paths[2]!, ...paths]) await limited.ask(path, { headers });
  await limited.post(aListing(), headers);
  await askBetas(limited, headers);

  expect(declaredAnswers().filter((answer) => !reached.has(answer))).toEqual([]);
  expect([...reached].filter((answer) => !declaredAnswers().includes(answer))).toEqual([]);
});

it('an error that has a status below has it here too', async () => {
  for (const [code, status] of [
    ['insufficient_balance', 402],
    ['template_not_found', 404],
    ['store_unwritable', 503],
    ['unavailable', 503],
    ['store_corrupt', 500],
    ['ffmpeg_missing', 500],
    ['internal_error', 500],
  ] as const) {
    const api = openHarness();
    api.accounts.getOrganization = () => Promise.reject(new ListingVideoError(code, 'x'));
    const { app } = api;
    expect((await app.request('/v1/organization')).status).toBe(status);
  }
});

function operations(): { path: string; method: string; operation: AnyJson }[] {
  return Object.entries(apiDocument.paths as AnyJson).flatMap(([path, item]) =>
    Object.entries(item as AnyJson).map(([method, operation]) => ({ path, method, operation })),
  );
}

function walk(node: AnyJson, visit: (node: AnyJson) => void): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}
