/** A card with all that an agent can have: nothing is left out, logo and code stand on every page, each page can be read. */
import { expect, it } from 'vitest';
import { CROWDED_AGENT, RATIOS, samplePhotos, sampleStoryboard, templates } from '../sample.ts';

const CARDS = templates
  .filter(({ branding }) => branding !== 'none')
  .flatMap((template) => RATIOS.map((ratio) => [template.id, ratio, template] as const));
const agent = {
  id: 'a',
  first_name: 'Alexandria Persephone',
  last_name: 'Konstantinopoulos-Vandersteen',
  designation: 'Global Real Estate Advisor, Estates Director',
  phones: [{ number: '(760) 555-0187', type: 'direct' as const }],
  emails: [{ address: 'alexandria@harrington-whitfield.example.com' }],
  licenses: [{ number: '01934872', state: 'CA' }],
  offices: [
    {
      name: 'Harrington, Whitfield & Montgomery International Realty of the Greater San Diego Coast',
      address: {
        street: '2100 Rancho Santa Fe Boulevard, Suite 400',
        city: 'Rancho Santa Fe',
        state: 'CA',
        postal_code: '92067',
      },
      phone_number: { number: '(760) 555-0100', type: 'office' as const },
    },
  ],
};
const data = {
  open_house: 'Saturday 12 December and Sunday 13 December, 1 to 4 pm',
  link: 'https://harringtonwhitfield.example/17400-via-del-alba',
  website: 'harringtonwhitfield.example',
  cta: 'Private showings by appointment, seven days a week',
};
const logo = { digest: 'logo', widthPx: 480, heightPx: 130, url: 'logo.png' };

it.each(CARDS)('%s %s', (_, ratio, template) => {
  const board = sampleStoryboard({
    ...{ template, ratio, agent, data, logo: logo as never },
    listing: { agents: [agent] },
  });
  expect(board.warnings.filter((warning) => /card|logo/.test(warning))).toEqual([]);
  const pages = board.scenes.filter(({ kind }) => kind === 'card');
  for (const { layers } of pages) {
    expect(layers.some(({ id }) => id === 'logo')).toBe(true);
    expect(layers.some((layer) => layer.type === 'mark' && layer.qr)).toBe(true);
  }
  // A phone has no room for an office of three lines on both pages.
  const [first, ...others] = pages.map(({ layers }) => layers.map(({ id }) => id));
  for (const ids of ratio === '1920:1080' ? [first, ...others] : [first]) expect(ids).toContain('office');
  expect(first).toContain('licenses');
  const lines = pages.map(({ layers }) =>
    layers.reduce((sum, layer) => sum + (layer.type === 'text' ? layer.lines.length : 0), 0),
  );
  expect(Math.max(...lines) - Math.min(...lines)).toBeLessThanOrEqual(4);
  for (const { layers } of pages) {
    const sizes = layers.flatMap((layer) => (layer.type === 'text' ? [[layer.id, layer.style.sizePx]] : []));
    const { name = 0, office = 0 } = Object.fromEntries(sizes);
    expect(office).toBeLessThanOrEqual(name || office);
  }
});

/** Codes of 25 to 41 modules: the larger the modules, the more free space a code needs beside the words. */
it.each(CARDS)('%s %s shows the code of a link of any length', (_, ratio, template) => {
  const usual = { ...agent, first_name: 'Ana', last_name: 'Ortiz', designation: 'Listing Agent' };
  for (const length of [4, 20, 34, 52, 79]) {
    const link = `https://harborpine.example/${'x'.repeat(length)}`;
    const board = sampleStoryboard({
      template,
      ratio,
      agent: usual,
      data: { link },
      listing: { agents: [usual] },
    });
    const pages = board.scenes.filter(({ kind }) => kind === 'card');
    for (const { layers } of pages) {
      expect(layers.some((layer) => layer.type === 'mark' && layer.qr)).toBe(true);
      expect(layers.map(({ id }) => id)).toContain('designation');
    }
  }
});

/** With 60 photos the time is short: what comes before gives way. */
it.each(CARDS.flatMap((card) => [12, 60].map((count) => [...card, count] as const)))(
  'pages in %s %s stand 3 s',
  (id, ratio, template, count) => {
    const board = sampleStoryboard({
      ...{ template, ratio, agent, data, logo: logo as never, photos: samplePhotos(count) },
      listing: { agents: [agent] },
      beats: { bpm: 124, beatsPerBar: 4 },
    });
    const pages = board.scenes.filter(({ kind }) => kind === 'card');
    for (const { durationFrames } of pages) expect(durationFrames).toBeGreaterThanOrEqual(3 * board.fps);
    const frames = board.scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
    // The opening says the facts where they have no scene.
    const saying = board.scenes.filter(
      ({ kind, layers }) => kind === 'facts' || layers.some(({ id }) => id === 'facts'),
    );
    expect(saying.length).toBeGreaterThan(0);
    if (id === 'social') expect(frames).toBeLessThanOrEqual(24 * board.fps);
  },
);

const crowded = [agent, CROWDED_AGENT];

it.each(CARDS.flatMap((card) => crowded.map((one) => [...card, one] as const)))(
  'each page of %s in %s names office and license',
  (_, ratio, template, one) => {
    const board = sampleStoryboard({
      ...{ template, ratio, agent: one, logo: logo as never, listing: { agents: [one] } },
      data: { ...data, open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM' },
    });
    const pages = board.scenes.filter(({ kind }) => kind === 'card');
    for (const { layers } of pages)
      expect(layers.map(({ id }) => id)).toEqual(expect.arrayContaining(['office', 'licenses']));
  },
);

it('the open house of classic is on both pages; words of the first alone leave before those of the second come', () => {
  const licenses = Array.from({ length: 4 }, (_, at) => ({ number: `0198765${at}`, state: 'CA' }));
  const agent = { ...CROWDED_AGENT, licenses };
  const { scenes } = sampleStoryboard({
    ...{ ratio: '1080:1920', agent, logo: logo as never },
    listing: { agents: [agent] },
    data: { ...data, open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM' },
  });
  const [first, second] = scenes.filter(({ kind }) => kind === 'card');
  expect(first!.layers.map(({ id }) => id)).toContain('open-house');
  expect(second!.layers.map(({ id }) => id)).toEqual(expect.arrayContaining(['open-house', 'cta']));
  expect(first!.transition.kind).toBe('cut');
  const tracksOf = ({ layers }: typeof first & {}, of: string) =>
    layers.find(({ id }) => id === of)!.tracks ?? [];
  const end = first!.durationFrames;
  expect(tracksOf(first!, 'email')).toContainEqual(expect.objectContaining({ to: 0, endFrame: end }));
  expect(tracksOf(second!, 'cta')).toEqual([
    expect.objectContaining({ property: 'opacity', from: 0, startFrame: 0 }),
  ]);
  expect(tracksOf(second!, 'name')).toEqual([]);
});

it('a crowded tall card of modern says all on one page', () => {
  const [office] = agent.offices;
  const one = {
    ...agent,
    offices: [{ ...office!, name: 'Harrington, Whitfield & Montgomery International Realty' }],
  };
  const { scenes } = sampleStoryboard({
    ...{
      template: templates.find(({ id }) => id === 'modern')!,
      ratio: '1080:1920',
      data,
      logo: logo as never,
    },
    ...{ agent: one, listing: { agents: [one] } },
  });
  const pages = scenes.filter(({ kind }) => kind === 'card');
  expect(pages).toHaveLength(1);
  const ids = pages[0]!.layers.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining([
      'name',
      'phone',
      'email',
      'website',
      'office',
      'licenses',
      'open-house',
      'cta',
      'link',
      'qr',
    ]),
  );
});

const short = {
  ...{ id: 'b', first_name: 'Ana', last_name: 'Ortiz', designation: 'Realtor' },
  phones: [{ number: '(949) 555-0142', type: 'direct' as const }],
  licenses: [{ number: '02011222', state: 'CA' }],
  offices: [{ name: 'Lowell Realty' }],
};
const cardOf = (template: (typeof CARDS)[number][2], ratio: (typeof RATIOS)[number], link?: string) =>
  sampleStoryboard({ template, ratio, agent: short, data: link ? { link } : {} }).scenes.at(-1)!;

// In a wide modern card the office has the width that its name needs, and the phone the rest.
it.each(CARDS.filter(([id, ratio]) => id !== 'social' && !(id === 'modern' && ratio === '1920:1080')))(
  'a short card of %s in %s grows as a whole',
  (id, ratio, template) => {
    const sizes = new Map(
      cardOf(template, ratio).layers.flatMap((layer) =>
        layer.type === 'text' ? [[layer.id, layer.style.sizePx] as const] : [],
      ),
    );
    const { styles } = template.ratios[ratio];
    const phone = id === 'modern' ? 'phoneLarge' : 'phone';
    const growth = [sizes.get('phone')! / styles[phone]!.size, sizes.get('office')! / styles.office!.size];
    expect(growth[0]).toBeGreaterThan(1.08);
    expect(Math.abs(growth[0]! - growth[1]!)).toBeLessThan(0.03);
  },
);

it.each(['classic', 'luxury'])('portrait, name and lines of a tall card of %s stand on one axis', (id) => {
  const template = templates.find((each) => each.id === id)!;
  const { layers } = cardOf(template, '1080:1920', 'https://lowell.example/7');
  const boxOf = (name: string) => layers.find((layer) => layer.id === name)!.box;
  for (const name of ['name', 'phone', 'office', 'licenses'])
    expect(Math.abs(boxOf(name).x - boxOf('portrait').x)).toBeLessThan(12);
  expect(boxOf('portrait').w).toBeGreaterThan(430);
});

it.each(RATIOS)('the card of modern in %s comes with a cut, and stands as a whole by 0.3 s', (ratio) => {
  const template = templates.find(({ id }) => id === 'modern')!;
  const { scenes, fps } = sampleStoryboard({ template, ratio, agent, data, listing: { agents: [agent] } });
  const at = scenes.findIndex(({ kind }) => kind === 'card');
  expect(scenes[at - 1]!.transition.kind).toBe('cut');
  const tracks = scenes[at]!.layers.flatMap((layer) => layer.tracks ?? []);
  const ends = tracks.map(({ to, endFrame, property }) =>
    property === 'opacity' && to === 0 ? 0 : endFrame,
  );
  expect(Math.max(...ends)).toBeLessThanOrEqual(0.3 * fps);
});
