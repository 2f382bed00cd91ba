/** What a listing announces: headline, status, open house, price and link, in every template and both ratios. */
import { describe, expect, it } from 'vitest';
import { lintAddress, lintQrCodes } from '../../../../src/design/storyboard/lint-announcements.ts';
import type { Layer, Scene } from '../../../../src/design/storyboard/storyboard.ts';
import { fixture, fromOpening, RATIOS, sampleStoryboard, templates } from '../sample.ts';

const [june, marcus] = fixture.agents;
const DATA = {
  headline: 'The Harbor Pine House',
  status: 'Price improved',
  open_house: 'Saturday 12 December, 1 to 4 pm',
  price: '1250000',
  link: 'https://www.harborpine.example/128/',
};
/** Plates show capitals. */
const bare = (text: string) => text.replace(/[\s\u200b]+/g, '').toLowerCase();
const read = ({ layers }: Scene) =>
  bare(layers.map((layer) => (layer.type === 'text' ? layer.reads : '')).join(''));
const ids = ({ layers }: Scene) => layers.map(({ id }) => id.replace(/-\d+$/, ''));
const codes = ({ layers }: Scene) =>
  layers.flatMap((layer) => (layer.type === 'mark' && layer.qr ? [layer.qr] : []));

describe.each(templates.map((template) => [template.id, template] as const))('%s', (_, template) => {
  describe.each(RATIOS)('in %s', (ratio) => {
    const board = (data: Record<string, string>, agent = june!) =>
      sampleStoryboard({ template, ratio, data, agent });

    it('shows every announcement in opening and facts, with an address that stays', () => {
      const { scenes, title } = board(DATA);
      const opening = read(fromOpening({ scenes })[0]!);
      for (const words of [DATA.headline, DATA.status, '128 Harbor Pine Lane', 'Portland, OR', '$1,250,000'])
        expect(opening).toContain(bare(words));
      const [headline, address] = ['headline', 'address'].map(
        (id) =>
          fromOpening({ scenes })[0]!.layers.find(
            (layer): layer is Layer & { type: 'text' } => layer.type === 'text' && layer.id.startsWith(id),
          )!,
      );
      if (headline && address) {
        expect(address.box.y).toBeLessThan(headline.box.y);
        expect(address.style.sizePx).toBeGreaterThanOrEqual(headline.style.sizePx);
      }
      expect(title).toMatch(/^128 Harbor Pine Lane, Portland, OR/);
      expect(lintAddress({ scenes }, fixture)).toEqual([]);
    });

    it('shows a long link whole, and breaks it after its host', () => {
      const link = 'https://www.harborpine.example/homes/128-harbor-pine-lane';
      const lines = board({ link }).scenes.flatMap(({ layers }) =>
        layers.flatMap((layer) => (layer.type === 'text' && layer.id.startsWith('link') ? layer.lines : [])),
      );
      const words = lines.map(({ text }) => text);
      expect(words.join('')).toBe('harborpine.example/homes/128-harbor-pine-lane');
      expect(words[0]).toMatch(/^harborpine\.example(?:\/|$)/);
    });

    it('says the open house beside the facts, and in the opening of a video without them', () => {
      const saying = (data: Record<string, string>) =>
        board({ ...DATA, ...data }).scenes.filter((scene) => read(scene).includes(bare(DATA.open_house)));
      const usual = saying({}).map(({ kind }) => kind);
      expect(usual.slice(0, -1)).toEqual(['facts']);
      expect(saying({ show_facts: 'false' }).map(({ kind }) => kind)).toEqual(['hero', usual.at(-1)]);
    });

    it('shows open house and link again on the last scene, and nothing of the agent before it', () => {
      const [a, b] = [board(DATA), board(DATA, marcus)];
      const ending = a.scenes.at(-1)!;
      expect(read(ending)).toContain(bare('Open house · Saturday 12 December, 1 to 4 pm'));
      expect(read(ending)).toContain('harborpine.example/128');
      expect(codes(ending)).toEqual([{ url: DATA.link, modules: 29 }]);
      expect(a.scenes.slice(0, -1).flatMap(codes)).toEqual([]);
      expect(JSON.stringify(b.scenes.slice(0, -1))).toBe(JSON.stringify(a.scenes.slice(0, -1)));
    });

    it('leaves no hole where nothing is announced', () => {
      const { scenes } = board({});
      const all = scenes.flatMap(ids);
      for (const id of [
        'headline',
        'status',
        'open-house',
        'status-rule',
        'open-house-rule',
        'link',
        'qr',
        'qr-plate',
      ])
        expect(all).not.toContain(id);
    });
  });
});

describe('announcements', () => {
  const warnings = (data: Record<string, string>) => sampleStoryboard({ data }).warnings;
  const facts = (data: Record<string, string>) =>
    read(sampleStoryboard({ data }).scenes.find(({ kind }) => kind === 'facts')!);

  it('say "open house" once', () => {
    expect(facts({ open_house: 'Sunday' })).toContain('openhouse·sunday');
    expect(facts({ open_house: 'Sunday', status: 'Open House' })).not.toContain('·sunday');
    expect(facts({ open_house: 'Open house on Sunday' })).not.toContain('·open');
    expect(facts({ open_house: 'Sonntag', label_open_house: 'Besichtigung' })).toContain(
      'besichtigung·sonntag',
    );
  });

  it('read in the direction of the date, also behind an English label', () => {
    expect(facts({ open_house: 'שבת 28 בנובמבר, 13:00–15:00' })).toContain('\u200fopenhouse·שבת');
  });

  it('say a website once that is also the link', () => {
    const card = (data: Record<string, string>) => ids(sampleStoryboard({ data }).scenes.at(-1)!);
    expect(card({ link: 'harborpine.example', website: 'www.harborpine.example/' })).not.toContain('website');
    expect(card({ link: 'harborpine.example/128', website: 'harborpine.example' })).toContain('website');
  });

  it('say the host of a website that no card shows whole', () => {
    const card = (website: string) => read(sampleStoryboard({ data: { website } }).scenes.at(-1)!);
    expect(card('https://www.harborpine.example/portland')).toMatch(/www\.harborpine\.example(?!\/)/);
    expect(card('harborpine.example/portland')).toContain('harborpine.example/portland');
  });

  it.each([
    ['link', 'javascript:alert(1)'],
    ['link', `https://harborpine.example/${'x'.repeat(90)}`],
    ['link', `https://harborpine.example/${'x'.repeat(3000)}`],
    ['link', 'harborpine.example/\u202egpj.exe'],
    ['price', '-500000'],
    ['price', '9'.repeat(40)],
  ])('that cannot be shown are left out with a warning: %s %s', (layer, value) => {
    expect(warnings({ [layer]: value })).toEqual([expect.stringContaining(`template data "${layer}"`)]);
    expect(codes(sampleStoryboard({ data: { [layer]: value } }).scenes.at(-1)!)).toEqual([]);
  });

  it('without a place in the template are named in a warning', () => {
    const bareCard = JSON.parse(JSON.stringify(templates.find(({ id }) => id === 'classic')));
    for (const ratio of RATIOS)
      for (const variants of Object.values<
        { elements: { id: string; type: string; items?: { id: string }[] }[] }[]
      >(bareCard.ratios[ratio].scenes))
        for (const variant of variants) {
          variant.elements = variant.elements.filter(({ id, type }) => type !== 'qr' && id !== 'status');
          for (const element of variant.elements)
            element.items = element.items?.filter(
              ({ id }) => !['headline', 'status', 'open-house'].includes(id),
            ) as never;
        }
    const { warnings: named } = sampleStoryboard({ template: bareCard, data: DATA });
    expect(named.filter((line) => line.includes('has no place'))).toEqual([
      expect.stringContaining('headline'),
      expect.stringContaining('status'),
      expect.stringContaining('open house'),
      expect.stringContaining('link'),
    ]);
  });

  it('in an unbranded video keep dates, times and prices, which are no phone numbers', () => {
    const template = templates.find(({ id }) => id === 'unbranded')!;
    const data = { price: '12500000', open_house: '12/12/2026, 13:00-16:00' };
    expect(sampleStoryboard({ template, data }).warnings).toEqual([]);
    expect(sampleStoryboard({ template, data: { open_house: 'Call 503 555 0128' } }).warnings).toHaveLength(
      1,
    );
  });
});

describe('the lint of a code', () => {
  it('finds small modules, weak contrast and words too near', () => {
    const scene = sampleStoryboard({ data: { link: 'harborpine.example' } }).scenes.at(-1)!;
    const found = (change: (code: Layer & { type: 'mark' }) => object) => {
      const rules: string[] = [];
      const layers = scene.layers.map((layer) =>
        layer.type === 'mark' && layer.qr ? { ...layer, ...change(layer) } : layer,
      );
      lintQrCodes({ ...scene, layers }, { ratio: '1920:1080' }, (rule) => rules.push(rule));
      return rules;
    };
    expect(found(() => ({}))).toEqual([]);
    expect(found(({ box }) => ({ box: { ...box, w: 100, h: 100 } }))).toContain('qr-size');
    expect(found(() => ({ color: '#E0D8C8' }))).toEqual(['qr-contrast']);
    expect(found(({ box }) => ({ box: { ...box, x: 800 } }))).toEqual(['qr-quiet-zone']);
  });
});
