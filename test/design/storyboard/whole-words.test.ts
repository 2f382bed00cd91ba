/** Names are never cut, and no word of a headline is broken: more lines, smaller type, then mixed case. */
import { describe, expect, it } from 'vitest';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { fixture, RATIOS, samplePhotos, sampleStoryboard, templates } from './sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const NAME = ['Maximilian Bartholomew', 'Featherstonehaugh-Cholmondeley'] as const;
const EMAIL = 'maximilian.featherstonehaugh-montgomery@example.com';
const OFFICE = 'Featherstonehaugh & Konstantinopoulou International Residential Real Estate Brokerage';
const HEADLINE = 'A craftsman home with a studio, an orchard, and a view of Mount Hood in winter';
const OPEN_HOUSE = 'Saturday, December 5, 1 to 4 pm';
const TWO_OPEN_HOUSES = 'Saturday 12 December, 1 to 4 pm, and Sunday 13 December, 11 am to 2 pm';
const bare = (text: string) => text.replace(/[\s\u200e\u200f]/g, '').toLowerCase();

/** All that a scene says, without spaces and capitals. */
function wordsOf(board: Storyboard, kind: string): string {
  return bare(
    board.scenes
      .filter((scene) => scene.kind === kind)
      .flatMap(({ layers }) => layers)
      .flatMap((layer) => (layer.type === 'text' ? layer.lines.map(({ text }) => text) : []))
      .join(''),
  );
}

describe.each(VIDEOS)('%s in %s', (_, ratio, template) => {
  it.runIf(template.branding !== 'none')('shows whole names of agent and office', () => {
    const [agent] = fixture.agents;
    const board = sampleStoryboard({
      template,
      ratio,
      agent: {
        ...agent!,
        first_name: NAME[0],
        last_name: NAME[1],
        offices: [{ ...agent!.offices![0]!, name: OFFICE }],
      },
    });
    const words = wordsOf(board, 'card');
    for (const part of [...NAME, OFFICE]) expect(words).toContain(bare(part));
    expect(board.warnings.filter((warning) => /ellipsis/.test(warning))).toEqual([]);
  });

  it.each([
    [1920, 1280],
    [1024, 768],
    [900, 900],
  ])('shows a long headline whole over the address, beside a photo of %d x %d', (widthPx, heightPx) => {
    // In social an open house has its place.
    const others = template.id === 'social' ? {} : { open_house: OPEN_HOUSE };
    const data = { headline: HEADLINE, status: 'Just listed', price: '1285000', ...others };
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(9, widthPx, heightPx), data });
    expect(wordsOf(board, 'hero')).toContain(bare(HEADLINE));
  });

  it.each([
    { price: '$1,275,000', open_house: TWO_OPEN_HOUSES },
    { price: '¥8,600,000', label_beds: '卧室', label_baths: '浴室', label_sqft: '平方英尺' },
  ])('shows the price and the open houses of the facts whole: %o', (data) => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(12, 1024, 683), data });
    const words = wordsOf(board, 'facts');
    expect(words).toContain(bare(data.price));
    const isSaid = data.open_house !== undefined && template.branding !== 'none';
    if (isSaid) expect(words).toContain(bare(data.open_house));
  });

  it('breaks no word of a headline', () => {
    const headline = 'Architecturally uncompromising Mediterranean-revival waterfront extraordinarinesses';
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(9), data: { headline } });
    expect(wordsOf(board, 'hero')).toContain(bare(headline));
  });

  it.runIf(template.branding !== 'none')('cuts no e-mail address and no title of an agent', () => {
    const [agent] = fixture.agents;
    const board = sampleStoryboard({
      template,
      ratio,
      data: { link: 'https://harborandpine.example/128', cta: 'Private showings by appointment' },
      agent: {
        ...agent!,
        first_name: NAME[0],
        last_name: NAME[1],
        emails: [{ address: EMAIL }],
        designation: 'Certified Residential Specialist, Senior Global Real Estate Advisor',
      },
    });
    const card = board.scenes.filter(({ kind }) => kind === 'card').flatMap(({ layers }) => layers);
    const linesOf = (id: string) =>
      card.flatMap((layer) => (layer.type === 'text' && layer.id === id ? layer.lines : []));
    expect(wordsOf(board, 'card')).not.toContain('…');
    for (const { text } of linesOf('email')) expect([EMAIL, ...EMAIL.split(/(?=@)/)]).toContain(text);
    expect(wordsOf(board, 'card').includes(bare(EMAIL)) || board.warnings.join().includes(EMAIL)).toBe(true);
  });

  it.runIf(template.branding !== 'none')('shows a name of 118 letters whole, on a full card too', () => {
    const [agent] = fixture.agents;
    const name = [
      'Maximiliana Alexandrina Josephine Bartholomea Wilhelmina Ann',
      'Konstantinopoulou-Featherstonehaugh-Montgomery van der Berg',
    ] as const;
    for (const data of [
      {},
      { link: 'https://harborpine.example/128', open_house: OPEN_HOUSE, cta: 'Call me' },
    ]) {
      const named = { ...agent!, first_name: name[0], last_name: name[1] };
      const board = sampleStoryboard({ template, ratio, data, agent: named });
      for (const part of name) expect(wordsOf(board, 'card')).toContain(bare(part));
    }
  });

  it('says whole facts of a house with two half baths over a long headline', () => {
    const data = { headline: HEADLINE, status: 'Just listed', price: '1285000', open_house: OPEN_HOUSE };
    const listing = { bedrooms: 5, bathrooms: 5, half_bathrooms: 2, interior_square_footage: 6240 };
    const board = sampleStoryboard({ template, ratio, data, listing });
    for (const kind of ['hero', 'facts']) expect(wordsOf(board, kind)).not.toContain('…');
    expect(wordsOf(board, 'facts')).toMatch(/5ba(ths)?,2half|5full,2halfbaths/);
  });

  it('says no “offered at” before a price in words, nor in English among labels of another script', () => {
    const said = (data: Record<string, string>) => {
      const board = sampleStoryboard({ template, ratio, data });
      return board.scenes.map(({ kind }) => wordsOf(board, kind)).join(' ');
    };
    expect(said({ price: 'Price on request' })).toContain('priceonrequest');
    expect(said({ price: 'Price on request' })).not.toContain('offeredat');
    expect(said({ price: '¥8,600,000', label_beds: '卧室' })).not.toContain('offeredat');
  });
});
