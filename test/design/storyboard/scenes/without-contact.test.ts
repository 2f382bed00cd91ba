/** A video without branding: no contact in any text that a scene reads, and what `unbrandedKeep` says of the rest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OptionalText } from '../../../../src/design/storyboard/scenes/without-contact.ts';
import { toUnbrandedTexts } from '../../../../src/design/storyboard/scenes/without-contact.ts';
import type { Storyboard } from '../../../../src/design/storyboard/storyboard.ts';
import { fillDataLayers } from '../../../../src/design/template/data-layers.ts';
import type { Template } from '../../../../src/design/template/template.ts';
import type { Asset } from '../../../../src/listing/listing.ts';
import { alteredLabel } from '../../../../src/listing/words/altered-label.ts';
import { createContactCheck } from '../../../../src/listing/words/contact/contact.ts';
import { fixture, RATIOS, samplePhotos, sampleStoryboard, templates } from '../sample.ts';

const unbranded = templates.find(({ branding }) => branding === 'none')!;
/** With a text of its own in the opening. */
const withTagline: Template = {
  ...unbranded,
  dataLayers: [
    ...unbranded.dataLayers,
    { name: 'tagline', type: 'text', description: 'A line.', default: '', example: 'A garden' },
  ],
};
const { agents } = fixture;
const [agent] = agents;
const NAME = `${agent!.first_name} ${agent!.last_name}`;

/** The listing and data that a storyboard is made of. */
function texts(data: Record<string, string>, kept?: readonly OptionalText[], assets: readonly Asset[] = []) {
  const { dataLayers, withoutLayers } = withTagline;
  const listing = { ...fixture, assets };
  return toUnbrandedTexts(
    { listing, template: withTagline },
    fillDataLayers(dataLayers, data, withoutLayers),
    kept,
  );
}

function readsOf({ scenes }: Storyboard): string[] {
  return scenes.flatMap(({ layers }) =>
    layers.flatMap((layer) => (layer.type === 'text' ? [layer.reads] : [])),
  );
}

const hasCode = ({ scenes }: Storyboard) =>
  scenes.some(({ layers }) => layers.some((layer) => layer.type === 'mark' && layer.qr));

describe('every text', () => {
  const DATA_LAYERS = withTagline.dataLayers.flatMap(({ name, type }) =>
    type === 'text' && !['music', 'link', 'originals_url'].includes(name) ? [name] : [],
  );

  it('passes one check: each layer, each label too', () => {
    expect(DATA_LAYERS).toEqual(
      expect.arrayContaining(['label_open_house', 'label_beds', 'tagline', 'caption_07']),
    );
    for (const name of DATA_LAYERS) {
      const { data, warnings } = texts({ [name]: 'Garden jane@doe.com 503-555-0142' });
      expect([name, data.values[name]]).toEqual([name, 'Garden']);
      expect(warnings).toEqual([
        `template data "${name}" names "jane@doe.com" and "503-555-0142"; a video without branding leaves that out`,
      ]);
    }
  });

  it('of which nothing is left goes: a label is then the usual one', () => {
    const { data, listing, warnings } = texts(
      { label_open_house: 'jane@doe.com 503-555-0142', tagline: NAME, status: `Call ${NAME}` },
      undefined,
      [
        { url: 'a', altered: 'janedoe.ca', caption: 'janedoe.ca' },
        { url: 'b', altered: `Virtually staged by ${NAME}, 503-555-0142` },
        { url: 'c', altered: true, caption: 'The kitchen' },
      ],
    );
    const { label_open_house, tagline, status } = data.values;
    expect([label_open_house, tagline, status]).toEqual(['Open house', '', '']);
    expect(listing.assets.map(alteredLabel)).toEqual([
      'Digitally altered',
      `Virtually staged by ${NAME}`,
      'Digitally altered',
    ]);
    expect(listing.assets.map(({ caption }) => caption)).toEqual([undefined, undefined, 'The kitchen']);
    expect(warnings.slice(3)).toEqual([
      'the caption of photo 1 names "janedoe.ca"; a video without branding leaves the text out',
      'the label of photo 1 names "janedoe.ca"; a video without branding leaves the text out',
      'the label of photo 2 names "503-555-0142"; a video without branding leaves that out',
    ]);
  });

  it('for uploads keeps its lines, and contact that is broken over two goes too', () => {
    const given = (video_description: string) => texts({ video_description }).data.values.video_description;
    expect(given('A garden.\n\nQuiet.')).toBe('A garden.\n\nQuiet.');
    expect(given(`A garden.\n\nCall ${NAME} now.`)).toMatch(/^A garden\.\n\n/);
    expect(given('Call 503\n555-0142 today')).not.toMatch(/503|555/);
    expect(given(`A garden.\n\nCall ${NAME} now.`)).not.toContain(NAME);
    const title = `A garden home with ${NAME}`;
    const made = sampleStoryboard({ template: unbranded, data: { video_title: title } });
    expect(made.title).not.toContain(NAME);
    expect(made.title).toContain('A garden home');
    const branded = templates.find(({ branding }) => branding !== 'none')!;
    expect(sampleStoryboard({ template: branded, data: { video_title: title } }).title).toBe(title);
  });

  it('of the law stays a sentence, with its names', () => {
    const disclosure = `Virtually staged by ${NAME}. Originals at https://janedoe.ca/o or 503-555-0142.`;
    expect(texts({ disclosure }).data.values.disclosure).toBe(`Virtually staged by ${NAME}. Originals.`);
  });

  it('reads without contact in any scene, whatever the listing says', () => {
    const said = fc
      .array(
        fc.constantFrom(
          ...['jane@doe.com', '(503) 555-0142', 'JaneDoe.ca', NAME, agent!.offices![0]!.name!, '@janedoe'],
          ...['Garden', 'call', 'the', 'view', 'at', '|', '2018-2023', '$1,250,000', '(', ')', ','],
        ),
        { maxLength: 5 },
      )
      .map((words) => words.join(' '));
    const layers = [
      'headline',
      'status',
      'open_house',
      'price',
      'disclosure',
      'label_beds',
      'label_open_house',
    ];
    const record = fc.dictionary(
      fc.constantFrom(...layers, 'label_sqft', 'caption_02', 'caption_05', 'link'),
      said,
    );
    const check = createContactCheck(fixture);
    fc.assert(
      fc.property(record, said, said, fc.constantFrom(...RATIOS), (data, street, caption, ratio) => {
        const photos = samplePhotos(6);
        const listing = {
          assets: photos.map(({ url }) => ({ url, caption })),
          address: { street, city: `Portland ${street}`, state: 'OR' },
        };
        const made = sampleStoryboard({
          template: unbranded,
          data,
          photos,
          listing,
          ratio,
          unbrandedKeep: ['price', 'status', 'open_house'],
        });
        for (const text of [...readsOf(made), made.title, made.comment])
          expect(check.cutOut(text, { isByLaw: true })).toEqual({ text, cut: [] });
        expect(hasCode(made)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});

describe('what is kept', () => {
  const DATA = {
    headline: 'A garden',
    status: 'Just listed',
    price: '500000',
    open_house: 'Saturday, 1 to 4 pm',
    link: 'harbor.example',
  };
  const shown = (kept?: readonly OptionalText[]) => {
    const made = sampleStoryboard({ template: unbranded, data: DATA, ...(kept && { unbrandedKeep: kept }) });
    const words = readsOf(made).join('\n').replaceAll('\u00a0', ' ');
    const said = { status: /just listed/i, price: /\$500,000/, open_house: /Saturday, 1 to 4 pm/i };
    const names = Object.entries(said).flatMap(([name, pattern]) => (pattern.test(words) ? [name] : []));
    return [...names, ...(hasCode(made) ? ['link'] : [])];
  };

  it.each<[OptionalText[]]>([
    [[]],
    [['price', 'status']],
    [['open_house']],
    [['link']],
    [['status', 'open_house', 'link']],
  ])('of %j is no more than that', (kept) => {
    expect(shown(kept).sort()).toEqual([...kept].sort());
  });

  it('is everything where nothing is said', () => {
    expect(shown()).toEqual(['status', 'price', 'open_house', 'link']);
  });

  it('is noted only for what was given', () => {
    expect(texts({ headline: 'A garden' }, []).warnings).toEqual([]);
    expect(texts(DATA, ['price', 'status']).warnings).toEqual([
      expect.stringContaining('"open_house" is left out'),
      expect.stringContaining('"link" is left out'),
    ]);
  });

  it('also decides about a headline of the open house', () => {
    const data = { headline: 'Open house Saturday' };
    expect(texts(data, ['open_house']).data.values.headline).toBe('Open house Saturday');
    const { data: without, warnings } = texts(data, ['price']);
    expect([without.values.headline, warnings]).toEqual([
      '',
      [expect.stringContaining('about the open house')],
    ]);
  });
});
