/** A valid template lays out plain and hard listings; a finding names its scene and listing. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { BUILT_IN_TEMPLATES_DIR } from '../../src/design/template/load-template.ts';
import { lintTemplate } from '../../src/video/templates/lint-template.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { renderDepsIn } from './render-deps.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small', import.meta.url));

const folder = temporaryFolder();
beforeAll(async () => {
  const text = await readFile(path.join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8');
  const template = JSON.parse(text);
  template.id = 'small-print';
  template.ratios['1920:1080'].styles.small.size = 20;
  await mkdir(path.join(folder, 'small-print'));
  await writeFile(path.join(folder, 'small-print/template.json'), JSON.stringify(template));
});

it('lays out the listing and its variations in both ratios, and finds small print', async () => {
  const { findings, videoCount } = await lintTemplate(
    {
      templateId: 'small-print',
      templatesDirs: [folder],
      listings: [
        {
          name: 'sample',
          hasStressCases: true,
          baseDir: SMALL,
          listing: {
            id: 'small',
            address: { street: '128 Harbor Pine Lane', city: 'Portland' },
            bedrooms: 4,
            assets: ['front', 'living-room', 'kitchen', 'bedroom', 'pool'].map((name) => ({
              url: `photos/${name}.jpg`,
            })),
            agents: [
              { id: 'ada', first_name: 'Ada', last_name: 'Byron', licenses: [{ state: 'OR', number: '1' }] },
            ],
          },
        },
      ],
    },
    renderDepsIn(path.join(folder, 'home')),
    { signal: new AbortController().signal },
  );
  expect(videoCount).toBe(2 * 21);
  expect(findings).toContainEqual(
    expect.objectContaining({
      ...{ listing: 'sample', video: 'ada', ratio: '1920:1080', rule: 'licence-size', layer: 'licenses' },
      at_sec: expect.any(Number),
    }),
  );
  // The other ratio keeps its sizes.
  expect(findings.filter(({ ratio, video }) => ratio === '1080:1920' && video === 'ada')).toEqual([]);
});
