/** GET /v1/templates and the pictures that it names. The templates are those of this package. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readTemplates } from '../../../src/wiring/read-templates.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type AnyJson, openHarness } from './harness.ts';

const BETA = { 'service-beta': 'templates' };
const folder = temporaryFolder();

function open(broken: string[] = []) {
  const read = readTemplates({ templatesDirs: [folder] }, (id) => broken.push(id));
  return openHarness({ deps: { templates: () => read } });
}

it('lists every template with its data layers, their types, defaults and limits', async () => {
  const api = open();
  const { json, headers } = await api.ask('/v1/templates', { headers: BETA });
  expect(json.has_more).toBe(false);
  expect(json.data.map(({ id }: AnyJson) => id)).toEqual([
    'classic',
    'luxury',
    'modern',
    'social',
    'unbranded',
  ]);
  const [classic] = json.data;
  expect(classic).toMatchObject({ name: 'Classic', branding: 'agent', ratios: ['1920:1080', '1080:1920'] });
  const layers = new Map(classic.data_layers.map((layer: AnyJson) => [layer.name, layer]));
  expect(layers.get('pace')).toMatchObject({ type: 'number', default: '1', min: 0.8, max: 1.25 });
  expect(layers.get('grade')).toMatchObject({
    type: 'choice',
    default: 'gentle',
    options: ['none', 'gentle'],
  });
  expect(layers.get('logo')).toMatchObject({ type: 'image', default: '' });
  expect(json.data.at(-1)).toMatchObject({ id: 'unbranded', branding: 'none' });
  expect(headers.get('service-beta')).toBe('templates');
});

it('can be cached: for a minute without a request, and then without a body', async () => {
  const api = open();
  const { headers } = await api.ask('/v1/templates', { headers: BETA });
  expect(headers.get('cache-control')).toBe('private, max-age=60');
  expect(headers.get('vary')).toBe('service-beta, authorization, x-api-key');
  const etag = headers.get('etag')!;
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const again = await api.ask('/v1/templates', { headers: { ...BETA, 'if-none-match': tag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  }
  expect((await api.ask('/v1/templates', { headers: { ...BETA, 'if-none-match': '"x"' } })).status).toBe(200);
});

it('names a picture that everyone who knows its URL can see, also from another site', async () => {
  const api = open();
  await api.accounts.createKey({ organizationId: 'org_default' });
  const { key } = await api.accounts.createKey({ organizationId: 'org_default' });
  const { json } = await api.ask('/v1/templates', { headers: { ...BETA, 'x-api-key': key } });
  for (const { sheet_url } of json.data) {
    const url = sheet_url.replace('https://videos.example/base', '');
    expect(url).toMatch(/^\/templates\/[a-z]+\/sheet-[\w-]{22}\.jpg$/);
    const picture = await api.app.request(url);
    const bytes = new Uint8Array(await picture.arrayBuffer());
    expect([picture.status, picture.headers.get('content-type'), [...bytes.slice(0, 3)]]).toEqual([
      200,
      'image/jpeg',
      [0xff, 0xd8, 0xff],
    ]);
    expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await api.ask(url, { method: 'POST' })).status).toBe(405);
  }
});

it.each([
  'classic/sheet.jpg',
  'classic/template.json',
  'classic/sheet-AAAAAAAAAAAAAAAAAAAAAA.jpg',
  'classic/..%2f..%2fpackage.json',
  '..%2f..%2fpackage.json/sheet-x.jpg',
  'nobody/sheet-AAAAAAAAAAAAAAAAAAAAAA.jpg',
])('there is nothing else beside the pictures: %s', async (name) => {
  for (const method of ['GET', 'POST']) {
    expect((await open().ask(`/templates/${name}`, { method })).json.code).toBe('not_found');
  }
});

it('leaves out a template of the operator that cannot be used, and takes no picture that is none', async () => {
  const broken: string[] = [];
  await mkdir(path.join(folder, 'broken'), { recursive: true });
  await writeFile(path.join(folder, 'broken', 'template.json'), '{');
  const own = path.join(folder, 'own');
  await mkdir(own, { recursive: true });
  const source = new URL('../../../templates/classic/template.json', import.meta.url);
  await writeFile(
    path.join(own, 'template.json'),
    JSON.stringify({ ...JSON.parse(await readFile(source, 'utf8')), id: 'own', $schema: undefined }),
  );
  await writeFile(path.join(own, 'sheet.jpg'), '<svg onload="alert(1)"/>');
  const { json } = await open(broken).ask('/v1/templates', { headers: BETA });
  expect(broken).toEqual(['broken']);
  expect(json.data.find(({ id }: AnyJson) => id === 'own')).toMatchObject({ sheet_url: null });
  expect(json.data.map(({ id }: AnyJson) => id)).not.toContain('broken');
});
