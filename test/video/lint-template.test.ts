/** A valid template lays out plain and hard listings; a finding names its scene and listing. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { BUILT_IN_TEMPLATES_DIR, listTemplates } from '../../src/design/template/load-template.ts';
import type { Listing } from '../../src/listing/listing.ts';
import { type ListingToLint, lintTemplate } from '../../src/video/templates/lint-template.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { renderDepsIn } from './render-deps.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** Five small photos. */
const SMALL: Listing = {
  id: 'small',
  address: { street: '128 Harbor Pine Lane', city: 'Portland' },
  bedrooms: 4,
  assets: ['front', 'living-room', 'kitchen', 'bedroom', 'pool'].map((name) => ({
    url: `small/photos/${name}.jpg`,
  })),
  agents: [{ id: 'ada', first_name: 'Ada', last_name: 'Byron', licenses: [{ state: 'OR', number: '1' }] }],
};

const folder = temporaryFolder();
beforeAll(async () => {
  const text = await readFile(path.join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8');
  const template = JSON.parse(text);
  template.id = 'small-print';
  template.ratios['1920:1080'].styles.small.size = 20;
  await mkdir(path.join(folder, 'small-print'));
  await writeFile(path.join(folder, 'small-print/template.json'), JSON.stringify(template));
});

const lint = (
  templateId: string,
  listing: Listing,
  { hasStressCases }: Pick<ListingToLint, 'hasStressCases'>,
) =>
  lintTemplate(
    {
      templateId,
      templatesDirs: [folder],
      listings: [{ name: 'sample', listing, baseDir: FIXTURES, hasStressCases }],
    },
    renderDepsIn(path.join(folder, 'home')),
    { signal: new AbortController().signal },
  );

it('finds small print, and where it is', async () => {
  const { findings } = await lint('small-print', SMALL, { hasStressCases: false });
  expect(findings).toContainEqual(
    expect.objectContaining({
      ...{ listing: 'sample', video: 'ada', ratio: '1920:1080', rule: 'licence-size', layer: 'licenses' },
      at_sec: expect.any(Number),
    }),
  );
  // The other ratio keeps its sizes.
  expect(findings.filter(({ ratio }) => ratio === '1080:1920')).toEqual([]);
});

it('lays out the listing and its variations in both ratios', async () => {
  const { videoCount, findings } = await lint('unbranded', SMALL, { hasStressCases: true });
  expect(videoCount).toBe(2 * 23);
  expect(findings).toEqual([]);
});

it.each(await listTemplates())(
  'finds nothing in the sample listing of %s, for none of its agents',
  async (id) => {
    const listing = JSON.parse(await readFile(path.join(FIXTURES, 'listing.json'), 'utf8'));
    const { videoCount, findings } = await lint(
      id,
      { ...listing, assets: SMALL.assets },
      { hasStressCases: false },
    );
    expect(videoCount).toBe(2 * 3);
    expect(findings).toEqual([]);
  },
);
