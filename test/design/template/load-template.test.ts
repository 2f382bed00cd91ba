/** Finding templates, and refusing invalid ones. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_TEMPLATES_DIR,
  findTemplates,
  listTemplates,
  loadTemplate,
} from '../../../src/design/template/load-template.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

const dir = temporaryFolder();

async function put(id: string, content: string): Promise<void> {
  await mkdir(join(dir, id), { recursive: true });
  await writeFile(join(dir, id, 'template.json'), content);
}

async function failure(promise: Promise<unknown>): Promise<ListingVideoError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ListingVideoError);
  return error as ListingVideoError;
}

describe('loadTemplate', () => {
  it('finds classic', async () => {
    expect((await loadTemplate('classic')).name).toBe('Classic');
    expect(await listTemplates()).toContain('classic');
  });

  it.each(['modrn', '', '../classic', 'Classic', 'a/b'])('knows no "%s"', async (id) => {
    const error = await failure(loadTemplate(id, { agentId: 'june' }));
    expect(error.code).toBe('template_not_found');
    expect(error.context).toMatchObject({
      agent_id: 'june',
      template_id: id,
      available: expect.arrayContaining(['classic']),
    });
  });

  it('uses an own template before the built-in one', async () => {
    const own = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8'));
    await put('classic', JSON.stringify({ ...own, name: 'Mine' }));
    expect((await loadTemplate('classic', { templatesDirs: [dir] })).name).toBe('Mine');
  });

  it('finds own and built-in templates; a folder of soundtracks is not a template', async () => {
    const own = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8'));
    await put('harbor', JSON.stringify({ ...own, id: 'harbor' }));
    await put('soundtracks', JSON.stringify({ ...own, id: 'soundtracks' }));
    const found = await findTemplates({ templatesDirs: [dir] });
    expect(found).toContainEqual({
      id: 'harbor',
      file: join(dir, 'harbor/template.json'),
      isBuiltIn: false,
    });
    expect(found).toContainEqual(expect.objectContaining({ id: 'luxury', isBuiltIn: true }));
    expect(found.map(({ id }) => id)).not.toContain('soundtracks');
  });

  it('refuses a template whose id is not its folder', async () => {
    const own = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8'));
    await put('renamed', JSON.stringify(own));
    const error = await failure(loadTemplate('renamed', { templatesDirs: [dir] }));
    expect(error.context!.faults).toEqual([
      { path: '$.id', problem: 'is "classic", but the folder of the template is "renamed"' },
    ]);
  });

  it('validates own templates against the published schema', async () => {
    const own = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8'));
    await put('odd', JSON.stringify({ ...own, id: 'odd', camera: { ...own.camera, speedPerSec: 'fast' } }));
    const error = await failure(loadTemplate('odd', { templatesDirs: [dir] }));
    expect(error.context!.faults).toEqual([{ path: '$.camera.speedPerSec', problem: 'is not a number' }]);
  });

  it('reports every fault of an invalid template', async () => {
    const broken = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8'));
    broken.id = 'broken';
    broken.palette.ink = 'black';
    broken.ratios['1920:1080'].scenes.hero[0].elements[0].type = 'picture';
    broken.ratios['1080:1920'].scenes.facts = [];
    await put('broken', JSON.stringify(broken));
    const error = await failure(loadTemplate('broken', { templatesDirs: [dir] }));
    expect(error.code).toBe('template_invalid');
    expect((error.context!.faults as { path: string }[]).map(({ path }) => path)).toEqual([
      '$.palette.ink',
      '$.ratios["1920:1080"].scenes.hero[0].elements[0].type',
      '$.ratios["1080:1920"].scenes.facts',
    ]);
    await put('nojson', '{');
    expect((await failure(loadTemplate('nojson', { templatesDirs: [dir] }))).code).toBe('template_invalid');
  });
});

describe('the published schema', () => {
  it('accepts every built-in template, and refuses an unknown field', async () => {
    const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js');
    const schema = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, 'template.schema.json'), 'utf8'));
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const id of await listTemplates()) {
      const template = JSON.parse(await readFile(join(BUILT_IN_TEMPLATES_DIR, id, 'template.json'), 'utf8'));
      validate(template);
      expect(validate.errors ?? []).toEqual([]);
      template.ratios['1080:1920'].scenes.facts.find(
        ({ elements }: { elements?: object[] }) => elements,
      ).elements[0].boxx = [0, 0, 1, 1];
      expect(validate(template)).toBe(false);
    }
  });
});
