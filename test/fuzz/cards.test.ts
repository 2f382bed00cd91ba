/** Of a random agent's card nothing overlaps, and everything is shown or a warning names it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findOverlaps, paintedLayers } from '../../src/design/storyboard/scenes/overlaps.ts';
import type { Agent } from '../../src/listing/listing.ts';
import { lintOverlaps } from '../../src/video/templates/lint-overlaps.ts';
import {
  photoMap,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  templates,
} from '../design/storyboard/sample.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';

const PORTRAIT = samplePhoto('portrait', 800, 800);
const LOGO = { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 };
const OPEN_HOUSE = 'Saturday 12 and Sunday 13 December, 10.30 am to 4.30 pm';
const CTA = 'Private showings by appointment, also in the evening';
const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const cards = fc.record({
  template: some(...templates.filter(({ branding }) => branding !== 'none')),
  ratio: some(...RATIOS),
  portrait: some(PORTRAIT, null),
  logo: some(LOGO, null),
  agent: fc.record({
    id: fc.constant('a'),
    first_name: some('June', 'Maximilian Bartholomew'),
    last_name: some('Takemori', 'Featherstonehaugh-Cholmondeley'),
    designation: some(null, 'Broker', 'Associate Broker, Certified Residential Specialist'),
    phones: fc.subarray([{ number: '(503) 555-0142' }, { number: '(503) 555-0143' }]),
    emails: fc.subarray([{ address: 'maximilian.featherstonehaugh@residential.example.com' }]),
    licenses: fc.subarray([
      { number: '201250142', state: 'OR' },
      { number: '118034', state: 'WA' },
      { number: '01234567', state: 'CA' },
    ]),
    offices: fc.subarray([
      {
        name: 'Windermere Harbor & Pine Realty Group of Portland',
        address: {
          street: '40 Wharf Street, Suite 210',
          city: 'Portland',
          state: 'OR',
          postal_code: '97205',
        },
        phone_number: { number: '(503) 555-0100' },
      },
    ]),
  }) as fc.Arbitrary<Agent>,
  data: fc.record({
    open_house: some('', OPEN_HOUSE),
    cta: some('', CTA),
    website: some('', 'june-takemori.example'),
    link: some('', 'https://harborpine.example/homes/128-harbor-pine-lane'),
  }),
});

it(
  'shows or names everything, and nothing meets',
  () => {
    fc.assert(
      fc.property(cards, ({ agent, data, ...sample }) => {
        const photos = samplePhotos(5);
        const board = sampleStoryboard({ ...sample, agent, data, photos });
        const pages = board.scenes.filter(({ kind }) => kind === 'card');
        for (const { layers } of pages) expect(findOverlaps(paintedLayers(layers))).toEqual([]);
        expect(lintOverlaps({ ...board, scenes: pages }, photoMap([...photos, PORTRAIT]))).toEqual([]);
        const [first, second = first] = pages.map((page) =>
          page.layers.flatMap(({ id, box }) =>
            /^(portrait|name|equal-housing|logo|qr)/.test(id) ? [{ id, box }] : [],
          ),
        );
        expect(second).toEqual(first);
        expect(pages.length === 1 || pages.every(({ durationFrames }) => durationFrames >= 60)).toBe(true);
        const layers = pages.flatMap((page) => page.layers);
        const read = letters(layers.map((layer) => (layer.type === 'text' ? layer.reads : '')).join(' '));
        const warned = letters(board.warnings.join(' '));
        const [office] = agent.offices ?? [];
        const given = [
          agent.first_name,
          agent.last_name,
          agent.designation,
          ...(agent.phones ?? []).map(({ number }) => number),
          ...(agent.emails ?? []).map(({ address }) => address),
          ...(agent.licenses ?? []).map(({ number }) => number),
          ...[
            office?.name,
            office?.address?.street,
            office?.address?.postal_code,
            office?.phone_number?.number,
          ],
          ...[data.open_house, data.cta, data.website],
        ];
        for (const text of given) {
          const wanted = letters(text ?? '');
          if (!read.includes(wanted)) expect(warned).toContain(wanted);
        }
        if (data.link && !layers.some((layer) => layer.type === 'mark' && layer.qr))
          expect(warned).toContain('link');
        if (sample.logo && !layers.some(({ id }) => id === 'logo')) expect(warned).toContain('logo');
      }),
      fuzz(12),
    );
  },
  FUZZ_TIMEOUT_MS,
);

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
