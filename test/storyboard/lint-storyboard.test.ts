/** Every listing there can be keeps the laws of the look book, in both ratios. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent, AspectRatio } from '../../src/listing/listing.ts';
import { lintStoryboard } from '../../src/storyboard/lint-storyboard.ts';
import type { Scene, Storyboard, TextLayer } from '../../src/storyboard/storyboard.ts';
import { photoMap, RATIOS, type Sample, samplePhoto, samplePhotos, sampleStoryboard } from './sample.ts';

const LONG_NAME = 'Maximiliana Alexandrina Konstantinopoulou-Featherstonehaugh '.repeat(5).slice(0, 255);
const LICENCES = Array.from({ length: 20 }, (_, index) => ({
  number: String(201250142 + index * 7919),
  state: ['OR', 'WA', 'CA', 'ID', 'NV', 'AZ', 'UT', 'CO', 'MT', 'WY'][index % 10]!,
}));
const OFFICE = {
  name: 'Harbor & Pine Realty',
  address: { street: '40 Wharf Street, Suite 210', city: 'Portland', state: 'OR', postal_code: '97205' },
  phone_number: { number: '(503) 555-0100' },
};

function agent(over: Partial<Agent> = {}): Agent {
  return { id: 'a', first_name: 'June', last_name: 'Takemori', ...over };
}

const TORTURES: Record<string, Sample> = {
  'a 255-character name and twenty licences': {
    agent: agent({
      first_name: LONG_NAME,
      last_name: LONG_NAME,
      designation: LONG_NAME,
      licenses: LICENCES,
      phones: [{ number: '5035550142', type: 'mobile' }],
      emails: [{ address: 'maximiliana.featherstonehaugh@residential.example.com' }],
      offices: [OFFICE],
    }),
    picture: null,
  },
  'no phone, no office, no licence': { agent: agent() },
  'eight phones': {
    agent: agent({
      phones: Array.from({ length: 8 }, (_, index) => ({
        number: `503555010${index}`,
        type: 'mobile' as const,
      })),
      offices: [OFFICE],
    }),
  },
  'no address': { listing: { address: undefined as never } },
  'no facts': { listing: { bedrooms: null, bathrooms: null, interior_square_footage: null } },
  'one fact': { listing: { bedrooms: null, bathrooms: null } },
  'neither address nor facts': {
    listing: { address: undefined as never, bedrooms: null, bathrooms: null, interior_square_footage: null },
  },
  'a studio': { listing: { bedrooms: 0, bathrooms: 1, half_bathrooms: 0, interior_square_footage: 540 } },
  'a long street': {
    listing: {
      address: {
        street: '1600 Pennsylvania Avenue Northwest, Apartment 1204, Building C',
        city: 'Washington',
        state: 'DC',
      },
    },
  },
  'an Arabic name': {
    agent: agent({
      first_name: 'ليلى',
      last_name: 'الحسيني',
      designation: 'وسيطة عقارية معتمدة',
      offices: [OFFICE],
    }),
    picture: null,
  },
  'every data layer': {
    data: {
      price: '$1,250,000',
      status: 'Just listed',
      headline: 'The Harbor Pine House',
      disclosure: 'Virtually staged',
      caption_02: 'The living room, with a gas fireplace and oak built-ins',
      caption_04: 'The kitchen, with a marble waterfall island',
      website: 'harborpine.example',
      cta: 'Private showings by appointment',
    },
    logo: { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 },
  },
  'a dark paper': { data: { paper: '#12233A', accent: '#1F5C4D', ink: '#101010' } },
  'one photo': { photos: samplePhotos(1) },
  'two photos': { photos: samplePhotos(2) },
  'a hundred photos': { photos: samplePhotos(100) },
  'portrait-format photos': { photos: samplePhotos(12, 1280, 1920) },
  panoramas: { photos: samplePhotos(12, 2560, 800) },
  'tiny photos': { photos: samplePhotos(12, 480, 320) },
  'square photos': { photos: samplePhotos(14, 1400, 1400) },
};

describe.each(RATIOS)('classic in %s keeps the laws with', (ratio) => {
  it.each(Object.entries(TORTURES))('%s', (_, sample) => {
    expect(lint(sample, ratio)).toEqual([]);
  });
});

describe('any listing', () => {
  it('keeps the laws', () => {
    fc.assert(
      fc.property(anySample(), fc.constantFrom(...RATIOS), (sample, ratio) => {
        expect(lint(sample, ratio)).toEqual([]);
      }),
      { numRuns: 120, seed: 20261121 },
    );
  });
});

describe('lint', () => {
  const board = sampleStoryboard({ data: { caption_02: 'The entry' } });
  const card = board.scenes.length - 1;

  it('finds a text outside the safe area', () => {
    expect(rulesOf(withText(board, card, 'name', { box: { x: 20, y: 20, w: 200, h: 60 } }))).toContain(
      'safe-area',
    );
  });
  it('finds two texts on each other', () => {
    const name = textOf(board.scenes[card]!, 'name');
    expect(rulesOf(withText(board, card, 'phone', { box: name.box }))).toContain('overlap');
  });
  it('finds type that is too small, a licence that is, and an office that is', () => {
    const small = (id: string, sizePx: number) =>
      rulesOf(withText(board, card, id, { style: { ...textOf(board.scenes[card]!, id).style, sizePx } }));
    expect(small('email', 20)).toContain('min-size');
    expect(small('licenses', 34)).toContain('licence-size');
    expect(small('office', 50)).toContain('office-size');
  });
  it('finds pale type and type on a bare photo', () => {
    expect(rulesOf(withText(board, card, 'name', { color: '#D9D2C4' }))).toContain('contrast');
    const bare: Storyboard = {
      ...board,
      scenes: board.scenes.map((scene) => ({
        ...scene,
        layers: scene.layers.filter((layer) => layer.id !== 'caption-plate'),
      })),
    };
    expect(rulesOf(bare)).toContain('bare-photo');
  });
  it('finds a broken phone, a card that is too short, and a move made twice', () => {
    const phone = textOf(board.scenes[card]!, 'phone');
    expect(rulesOf(withText(board, card, 'phone', { lines: [...phone.lines, ...phone.lines] }))).toContain(
      'broken-word',
    );
    expect(rulesOf(withScene(board, card, (scene) => ({ ...scene, durationFrames: 90 })))).toContain(
      'card-rest',
    );
    const hero = board.scenes[0]!.layers.find((layer) => layer.type === 'photo')!;
    const again = withScene(board, 1, (scene) => ({
      ...scene,
      layers: scene.layers.map((layer) =>
        layer.type === 'photo' && hero.type === 'photo' ? { ...layer, camera: hero.camera } : layer,
      ),
    }));
    expect(rulesOf(again)).toContain('same-move');
  });
});

function lint(sample: Sample, ratio: AspectRatio): string[] {
  const photos = sample.photos ?? samplePhotos(12);
  return lintStoryboard(sampleStoryboard({ ...sample, photos, ratio }), photoMap(photos)).map(
    ({ rule, scene, layer, message }) => `${rule} ${scene} ${layer}: ${message}`,
  );
}

function rulesOf(board: Storyboard): string[] {
  return lintStoryboard(board, photoMap(samplePhotos(12))).map(({ rule }) => rule);
}

function textOf(scene: Scene, id: string): TextLayer {
  const layer = scene.layers.find((candidate) => candidate.id === id);
  if (layer?.type !== 'text') throw new Error(`no text ${id}`);
  return layer;
}

function withScene(board: Storyboard, index: number, change: (scene: Scene) => Scene): Storyboard {
  return { ...board, scenes: board.scenes.map((scene, at) => (at === index ? change(scene) : scene)) };
}

function withText(board: Storyboard, index: number, id: string, over: Partial<TextLayer>): Storyboard {
  return withScene(board, index, (scene) => ({
    ...scene,
    layers: scene.layers.map((layer) =>
      layer.id === id && layer.type === 'text' ? { ...layer, ...over } : layer,
    ),
  }));
}

function anySample(): fc.Arbitrary<Sample> {
  const name = fc.oneof(
    fc.constantFrom(
      'June',
      'O’Hara-Lindqvist',
      'Łukasz',
      'Νικόλαος',
      'Юлия',
      'ليلى',
      'נועה',
      'Nguyễn Thị Ánh',
    ),
    fc.string({ minLength: 1, maxLength: 255 }),
  );
  const word = fc.oneof(fc.constant(''), fc.lorem({ maxCount: 12 }));
  const photo = fc.constantFrom(
    [1920, 1280],
    [1600, 1200],
    [2560, 1440],
    [1280, 1920],
    [1400, 1400],
    [2560, 800],
    [640, 427],
    [480, 320],
  );
  return fc.record({
    listing: fc.record({
      bedrooms: fc.option(fc.nat(30)),
      bathrooms: fc.option(fc.nat(30)),
      half_bathrooms: fc.option(fc.nat(5)),
      interior_square_footage: fc.option(fc.double({ min: 1, max: 900_000, noNaN: true })),
      address: fc.record({
        street: fc.oneof(word, fc.string({ maxLength: 120 })),
        city: word,
        state: fc.constantFrom('OR', 'California', null),
      }),
    }),
    agent: fc.record({
      id: fc.constant('a'),
      first_name: name,
      last_name: name,
      designation: fc.option(word),
      phones: fc.array(
        fc.record({
          number: fc.constantFrom(
            '5035550101',
            '+442079460167',
            '1-800-FLOWERS',
            'call me',
            '(503) 555-0100 ext. 1234',
          ),
        }),
        { maxLength: 4 },
      ),
      emails: fc.array(
        fc.record({
          address: fc.constantFrom(
            'a@b.co',
            'maximiliana.featherstonehaugh.konstantinopoulou@residential.example.com',
          ),
        }),
        { maxLength: 2 },
      ),
      licenses: fc.array(
        fc.record({
          number: fc.stringMatching(/^[A-Z0-9.]{3,14}$/),
          state: fc.constantFrom('OR', 'CA', 'New South Wales'),
        }),
        { maxLength: 12 },
      ),
      offices: fc.array(
        fc.record({
          name: fc.option(
            fc.oneof(
              word,
              fc.constant('Windermere Harbor & Pine International Realty Group of Greater Portland'),
            ),
          ),
          phone_number: fc.option(fc.record({ number: fc.constant('5035550100') })),
        }),
        { maxLength: 2 },
      ),
    }),
    data: fc.record(
      {
        headline: word,
        status: word,
        price: fc.constantFrom('', '$1,250,000', 'Price upon request'),
        caption_02: word,
        caption_05: word,
        disclosure: fc.constantFrom('', 'Virtually staged'),
        cta: word,
        website: fc.constantFrom('', 'harborpine.example'),
        pace: fc.constantFrom('0.8', '1', '1.25'),
        accent: fc.constantFrom('#FFFFFF', '#1F5C4D', '#FFD400'),
        paper: fc.constantFrom('#FFFFFF', '#12233A', '#808080'),
      },
      { requiredKeys: [] },
    ),
    photos: fc
      .array(photo, { minLength: 1, maxLength: 40 })
      .map((sizes) =>
        sizes.map(([w, h], index) =>
          samplePhoto(`photo-${index + 1}`, w, h, { x: (index * 0.37) % 1, y: (index * 0.61) % 1 }),
        ),
      ),
    picture: fc.constantFrom(null, samplePhoto('portrait', 800, 800), samplePhoto('portrait', 120, 90)),
  }) as fc.Arbitrary<Sample>;
}
