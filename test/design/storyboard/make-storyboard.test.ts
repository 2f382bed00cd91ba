/** What a storyboard says, and of whom. */
import { describe, expect, it } from 'vitest';
import { describeStoryboard } from '../../../src/design/storyboard/describe-storyboard.ts';
import { toQuality } from '../../../src/design/storyboard/scale-storyboard.ts';
import { SharedScenes } from '../../../src/design/storyboard/scenes/shared-scenes.ts';
import type { Scene, Storyboard, TextLayer } from '../../../src/design/storyboard/storyboard.ts';
import { composeFrame } from '../../../src/media/render/compose/compose-frame.ts';
import { fixture, fromOpening, listed, RATIOS, samplePhotos, sampleStoryboard, templates } from './sample.ts';

const [june, marcus] = fixture.agents;

function texts(scene: Scene | undefined): Record<string, string> {
  const layers = (scene?.layers ?? []).filter((layer): layer is TextLayer => layer.type === 'text');
  return Object.fromEntries(layers.map((layer) => [layer.id, layer.reads]));
}

/** More than one page can hold, in every template. */
const FULL_CARD = {
  photos: samplePhotos(1),
  logo: { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 },
  agent: {
    ...june!,
    first_name: 'Maximilian Bartholomew Alexander',
    last_name: 'Featherstonehaugh-Cholmondeley',
    designation: 'Associate Broker, Certified Residential Specialist, Accredited Buyer’s Representative',
    phones: [
      { number: '5035550142', type: 'mobile' as const },
      { number: '5035550143', type: 'office' as const },
    ],
    emails: [{ address: 'maximilian.featherstonehaugh-cholmondeley@residential.example.com' }],
    licenses: ['OR', 'WA', 'CA', 'ID'].map((state) => ({ number: '201250142', state })),
  },
  data: {
    link: 'https://www.harborpine.example/homes/128-harbor-pine-lane',
    cta: 'Private showings by appointment, also in the evening',
    website: 'harborpine.example',
    open_house: 'Saturday 12 and Sunday 13 December, 10.30 am to 4.30 pm',
  },
} satisfies Parameters<typeof sampleStoryboard>[0];

/** Where a frame draws portrait, name, phone, marks and code. */
function standing(board: Storyboard, frame: number): Record<string, unknown> {
  const sizes = { get: () => ({ widthPx: 1920, heightPx: 1280 }) };
  const found: Record<string, unknown> = {};
  for (const op of composeFrame(board, sizes, frame).base) {
    if (op.op === 'photo' && op.view.source.digest === 'digest-portrait') found.portrait = op.rect;
    if (op.op !== 'mask' && op.op !== 'graphic') continue;
    const { id, box } = board.scenes[op.ref.scene]!.layers[op.ref.layer]!;
    if (/^(?:(?:first-|last-)?name|phone|equal-housing|logo|qr|link)/.test(id)) found[id] = box;
  }
  return found;
}

describe.each(RATIOS)('a storyboard in %s', (ratio) => {
  it('is the same for all agents, byte for byte, up to the card', () => {
    const [a, b] = [june!, marcus!].map((agent) => sampleStoryboard({ ratio, agent }));
    expect(JSON.stringify(b!.scenes.slice(0, -1))).toBe(JSON.stringify(a!.scenes.slice(0, -1)));
    expect(JSON.stringify(b!.scenes.at(-1))).not.toBe(JSON.stringify(a!.scenes.at(-1)));
    expect(JSON.stringify(a!.scenes.slice(0, -1))).not.toMatch(/June|Takemori|example\.com|201250128/);
  });

  it.each(templates)('is the same where other agents were planned before: $id', (template) => {
    const data = { caption_01: 'Kitchen \u{F8FF}', caption_03: 'Bath', disclosure: 'Some photos are old.' };
    for (const count of [5, 30]) {
      const shared = new SharedScenes();
      const board = (agent: typeof june, own = {}) =>
        sampleStoryboard({ ratio, template, data, photos: samplePhotos(count), agent: agent!, ...own });
      board(marcus, { shared, portrait: null });
      expect(board(june, { shared })).toEqual(board(june));
    }
  });

  it('opens with address and facts and closes with the agent', () => {
    const board = sampleStoryboard({ ratio });
    expect(texts(fromOpening(board)[0])).toMatchObject({
      city: 'Portland, OR',
      address: '128 Harbor Pine Lane',
      'fact-beds': '4',
      'fact-baths': '3.5',
      'fact-sqft': '2,840',
    });
    expect(texts(board.scenes.at(-1))).toMatchObject({
      name: 'June Takemori',
      designation: 'Listing Agent',
      phone: '(503) 555-0128',
      email: 'june.takemori@example.com',
      licenses: 'OR Lic. 201250128',
      office: 'Harbor & Pine Realty',
    });
    expect(board.title).toBe('128 Harbor Pine Lane, Portland, OR — June Takemori');
    expect(board.comment).toBe('4 bedrooms · 3.5 baths · 2,840 square feet');
  });

  it('lets the words of the opening come line by line, before its poster is taken', () => {
    const hero = fromOpening(sampleStoryboard({ ratio }))[0]!;
    const starts = hero.layers.flatMap(({ id, tracks = [] }) =>
      /^(status|headline|address)/.test(id) ? [Math.min(...tracks.map(({ startFrame }) => startFrame))] : [],
    );
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const { tracks = [] } of hero.layers)
      for (const { endFrame } of tracks) expect(endFrame).toBeLessThanOrEqual(48);
  });

  it('is JSON and nothing else', () => {
    const board = sampleStoryboard({ ratio, photos: samplePhotos(30) });
    expect(JSON.parse(JSON.stringify(board))).toEqual(board);
  });

  it('moves every camera through both transitions, but not while a card is faded over it', () => {
    const classic = templates.find(({ id }) => id === 'classic')!;
    const design = classic.ratios[ratio];
    const fade = { kind: 'crossfade', sec: 0.4, easing: 'linear', to: ['card'] } as const;
    const transitions = [fade, ...design.transitions];
    const template = { ...classic, ratios: { ...classic.ratios, [ratio]: { ...design, transitions } } };
    const { scenes } = sampleStoryboard({ template, ratio });
    scenes.slice(1, -1).forEach((scene, index) => {
      for (const layer of scene.layers) {
        if (layer.type !== 'photo') continue;
        // A view that comes halfway begins then.
        if (!layer.id.endsWith('-next'))
          expect(layer.camera.startFrame).toBe(0 - scenes[index]!.transition.durationFrames);
        const isLast = scene === scenes.at(-2);
        const underCard = isLast ? scene.transition.durationFrames : 0;
        expect(layer.camera.endFrame).toBe(scene.durationFrames - underCard);
        expect(layer.camera.from).not.toEqual(layer.camera.to);
      }
    });
  });

  it('lets nothing move on the card after 0.8 s', () => {
    const card = sampleStoryboard({ ratio }).scenes.at(-1)!;
    for (const layer of card.layers) {
      if (layer.type === 'photo') expect(layer.camera.from).toEqual(layer.camera.to);
      for (const track of layer.tracks ?? []) expect(track.endFrame).toBeLessThanOrEqual(24);
    }
  });

  it('gives each page of a card 3 s, and the first no less time than the second', () => {
    const { scenes } = sampleStoryboard({ ...FULL_CARD, ratio });
    const pages = scenes
      .filter(({ kind }) => kind === 'card')
      .map(({ durationFrames }) => durationFrames / 30);
    // A wide frame holds it all on one page.
    expect(pages).toHaveLength(ratio === '1080:1920' ? 2 : 1);
    expect(pages.at(-1)).toBeGreaterThanOrEqual(3);
    expect(pages[0]).toBeGreaterThanOrEqual(pages.at(-1)!);
  });

  it.each(templates.filter(({ branding }) => branding !== 'none'))(
    'changes only words between the pages of a card: $id',
    (template) => {
      const full = sampleStoryboard({ ...FULL_CARD, template, ratio });
      for (const board of [full, toQuality(full, 'draft')]) {
        const from = board.scenes.findIndex(({ kind }) => kind === 'card');
        const rest = board.scenes.slice(from).map(({ durationFrames }) => durationFrames);
        const start = board.scenes.slice(0, from).reduce((sum, scene) => sum + scene.durationFrames, 0);
        // Wide frames of some templates hold it all on one page.
        expect(rest.length).toBeGreaterThanOrEqual(ratio === '1080:1920' ? 2 : 1);
        const [first, second] = [start + rest[0]! - 1, start + rest[0]! + (rest[1] ?? 0) - 1].map((frame) =>
          standing(board, frame),
        );
        expect(Object.keys(first!).join()).toMatch(/portrait.*name|name.*portrait/);
        // The link has room on one of them.
        expect({ ...first, link: second!.link }).toEqual({ ...second, link: second!.link });
      }
    },
  );

  it('counts the square feet up from nine tenths in at most twelve rasters', () => {
    const facts = sampleStoryboard({ ratio }).scenes.find((scene) => scene.kind === 'facts')!;
    const area = facts.layers.find((layer) => layer.id === 'fact-sqft') as TextLayer;
    const shown = [area.lines, ...area.steps!.map((step) => step.lines)].map(([line]) => line!.text);
    expect(shown.length).toBeLessThanOrEqual(12);
    expect(shown.at(-1)).toBe('2,840');
    expect(shown[0]).toBe('2,556');
    const starts = area.steps!.map((step) => step.startFrame);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('leaves no hole where a text is absent', () => {
    const ids = (scene: Scene | undefined) => scene!.layers.map((layer) => layer.id);
    const bare = sampleStoryboard({
      ratio,
      agent: { id: 'x', first_name: 'Jo', last_name: 'Li' },
      listing: { bedrooms: null, bathrooms: null, interior_square_footage: null },
    });
    expect(bare.scenes.some((scene) => scene.kind === 'facts')).toBe(false);
    expect(ids(bare.scenes.at(-1))).not.toContain('rule');
    expect(ids(bare.scenes.at(-1))).not.toContain('hairline');
    expect(ids(fromOpening(bare)[1])).not.toContain('caption-plate');
  });

  it('shows initials where there is no portrait', () => {
    expect(texts(sampleStoryboard({ ratio, portrait: null }).scenes.at(-1)).initials).toBe('JT');
    expect(texts(sampleStoryboard({ ratio }).scenes.at(-1)).initials).toBeUndefined();
  });
});

describe('data layers', () => {
  it('reach the scenes', () => {
    const board = sampleStoryboard({
      data: {
        headline: 'The Harbor Pine House',
        status: 'Just listed',
        price: '1250000',
        caption_02: 'The entry',
      },
    });
    expect(texts(fromOpening(board)[0])).toMatchObject({
      status: 'Just listed',
      headline: 'The Harbor Pine House',
      address: '128 Harbor Pine Lane',
      city: 'Portland, OR',
      price: '$1,250,000',
    });
    expect(texts(fromOpening(board)[1]).caption).toBe('The entry');
    expect(board.title).toBe('128 Harbor Pine Lane, Portland, OR — June Takemori');
  });

  it('take the caption of an asset, unless a data layer has one for its photo', () => {
    const assets = samplePhotos(9).map(({ url }) => ({ url, caption: `Of the asset ${url}` }));
    const board = sampleStoryboard({
      photos: samplePhotos(9),
      listing: { assets },
      data: { caption_02: 'Of the layer', caption_03: ' ' },
    });
    const shown = board.scenes.map((scene) => texts(scene).caption);
    expect(shown).toContain('Of the layer');
    expect(shown).toContain('Of the asset photo-3');
    expect(shown).not.toContain('Of the asset photo-2');
  });

  it('number captions by the asset, whatever was dropped before it', () => {
    const photos = listed(samplePhotos(12)).slice(1);
    const listing = { assets: samplePhotos(12).map(({ url }) => ({ url })) };
    const board = sampleStoryboard({ data: { caption_03: 'The third' }, photos, listing });
    const withCaption = board.scenes.find((scene) => texts(scene).caption === 'The third');
    expect(withCaption?.layers.find((layer) => layer.type === 'photo')?.digest).toBe('digest-photo-3');
  });

  it('stand beside their own photo of a pair on a phone', () => {
    const luxury = templates.find(({ id }) => id === 'luxury')!;
    const data = Object.fromEntries([4, 5].map((photo) => [`caption_0${photo}`, `Room ${photo}`]));
    const board = sampleStoryboard({ template: luxury, ratio: '1080:1920', data });
    const { layers } = board.scenes.find(({ kind }) => kind === 'pair')!;
    const photos = layers.filter((layer) => layer.type === 'photo');
    const nearest = ['caption', 'caption-2'].map((name) => {
      const { y, h } = layers.find(({ id }) => id === name)!.box;
      const gap = ({ box }: { readonly box: { readonly y: number; readonly h: number } }) =>
        Math.max(box.y - (y + h), y - (box.y + box.h));
      return photos.toSorted((one, other) => gap(one) - gap(other))[0]!.digest;
    });
    expect(nearest).toEqual(['digest-photo-4', 'digest-photo-5']);
  });

  it('can hide the facts and the mark', () => {
    const board = sampleStoryboard({ data: { show_facts: 'false', equal_housing: 'no' } });
    expect(board.scenes.some((scene) => scene.kind === 'facts')).toBe(false);
    expect(board.scenes.at(-1)!.layers.some((layer) => layer.type === 'mark')).toBe(false);
  });

  it('put a disclosure on every scene that shows a photo, whole', () => {
    const disclosure = 'Some photos are virtually staged; the originals are sent on request. '
      .repeat(2)
      .trim();
    for (const template of templates) {
      for (const ratio of RATIOS) {
        for (const { id, layers } of sampleStoryboard({ template, ratio, data: { disclosure } }).scenes) {
          const hasPhoto = layers.some((layer) => layer.type === 'photo' && layer.id !== 'portrait');
          const notice = layers.find((layer) => layer.id === 'notice-disclosure');
          const shown = notice?.type === 'text' ? notice.lines.map(({ text }) => text).join(' ') : undefined;
          expect(shown, `${template.id} ${ratio} ${id}`).toBe(hasPhoto ? disclosure : undefined);
        }
      }
    }
  });

  it('say in the warnings what was wrong and what has no room', () => {
    const agent = {
      ...june!,
      licenses: Array.from({ length: 60 }, (_, index) => ({ number: `20125${index}00`, state: 'OR' })),
    };
    const { warnings } = sampleStoryboard({ agent, data: { accent: 'reddish', captoin_02: 'x' } });
    expect(warnings.join('\n')).toMatch(/accent.*color/);
    expect(warnings.join('\n')).toMatch(/captoin_02.*did you mean "caption_02"/);
    expect(warnings.join('\n')).toMatch(/of 60 licenses have no room/);
  });

  it.each(RATIOS)('say in %s which words of a card end in an ellipsis', (ratio) => {
    const agent = { ...june!, last_name: 'Konstantinopoulou-Featherstonehaugh '.repeat(9) };
    const { warnings } = sampleStoryboard({ ratio, agent });
    expect(warnings.join('\n')).toMatch(/ends in an ellipsis: .*Konstantinopoulou/);
    expect(sampleStoryboard({ ratio }).warnings).toEqual([]);
  });
});

describe('a logo', () => {
  const logo = { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 };

  it('stands beside the mark, under the line of the office, and is never larger than the mark', () => {
    const card = sampleStoryboard({ logo }).scenes.at(-1)!;
    const at = (id: string) => card.layers.find((layer) => layer.id === id)!.box;
    expect(at('logo').h).toBe(at('equal-housing').h);
    expect(at('logo').y).toBe(at('equal-housing').y);
    expect(at('logo').x + at('logo').w).toBeLessThan(at('equal-housing').x);
    expect(at('logo').y).toBeGreaterThan(at('hairline').y);
  });

  it('gets a plate when it cannot be seen on the paper', () => {
    const plate = (medianColor: string) =>
      sampleStoryboard({ logo: { ...logo, medianColor } })
        .scenes.at(-1)!
        .layers.some((layer) => layer.id === 'logo-plate');
    expect(plate('#FFFFFF')).toBe(true);
    expect(plate('#0E3B2E')).toBe(false);
  });

  it.each(['1920:1080', '1080:1920'] as const)(
    'has its plate on the grid in %s, and itself inside the plate',
    (ratio) => {
      const card = sampleStoryboard({ ratio, logo: { ...logo, medianColor: '#FFFFFF' } }).scenes.at(-1)!;
      const at = (id: string) => card.layers.find((layer) => layer.id === id)!.box;
      const [plate, own] = [at('logo-plate'), at('logo')];
      expect([own.x - plate.x, own.y - plate.y]).toEqual([
        own.y - plate.y,
        plate.y + plate.h - (own.y + own.h),
      ]);
      expect(own.h / own.w).toBeCloseTo(logo.heightPx / logo.widthPx, 1);
      if (ratio === '1920:1080') {
        expect(at('equal-housing').x - (plate.x + plate.w)).toBe(40);
        expect(plate.y + plate.h).toBe(at('equal-housing').y + at('equal-housing').h);
      }
    },
  );
});

describe('describeStoryboard', () => {
  it('follows the video without gaps', () => {
    const scenes = describeStoryboard(sampleStoryboard());
    const hook = scenes.filter(({ kind }) => kind === 'hook');
    expect(hook).toHaveLength(2);
    expect(scenes[2]).toMatchObject({
      id: 'scene-03-hero',
      kind: 'hero',
      startSec: 1.7,
      endSec: 5.1,
      transition: 'push',
    });
    for (const [index, scene] of scenes.entries())
      if (index > 0) expect(scene.startSec).toBe(scenes[index - 1]!.endSec);
    expect(scenes.at(-1)!.texts).toContain('June Takemori');
  });
});

describe('Chinese characters', () => {
  const name = { first_name: '直', last_name: '骨' };
  const han = (board: ReturnType<typeof sampleStoryboard>, scene: number, id: string) => {
    const text = fromOpening(board)
      .at(scene)!
      .layers.find((layer) => layer.id === id);
    return (text as TextLayer).style.han;
  };

  it('take the shapes of the country that a phone names, on the card and before it', () => {
    const agent = { id: 'a', ...name, phones: [{ number: '03-1234-5678', region: 'JP' }] };
    const address = { street: '神南一丁目', city: '東京都' };
    const board = sampleStoryboard({ agent, listing: { agents: [agent], address } });
    expect([han(board, 0, 'address'), han(board, -1, 'name')]).toEqual(['jp', 'jp']);
    const elsewhere = sampleStoryboard({ agent: { id: 'a', ...name }, listing: { address } });
    expect([han(elsewhere, 0, 'address'), han(elsewhere, -1, 'name')]).toEqual(['sc', 'sc']);
  });

  it('leave the rest of the type as it is', () => {
    const agent = { ...june!, phones: [{ number: '03-1234-5678', region: 'JP' }] };
    expect(JSON.stringify(sampleStoryboard({ agent }))).not.toContain('"han"');
  });
});

it('sets Greek capitals without accents where a style has capitals', async () => {
  const luxury = templates.find(({ id }) => id === 'luxury')!;
  const data = { status: 'Βίλα Θάλασσα' };
  const board = sampleStoryboard({ template: luxury, data, ratio: '1080:1920' });
  expect(JSON.stringify(fromOpening(board)[0])).toMatch(/ΒΙΛΑ.*ΘΑΛΑΣΣΑ/);
});
