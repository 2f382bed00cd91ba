/** Altered photos with their labels and originals, floor plans, and captions of the opening: which scenes show what. */
import { describe, expect, it } from 'vitest';
import type { ListingPhoto, Photo } from '../../../src/design/photo.ts';
import { contains, overlaps } from '../../../src/design/storyboard/box.ts';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import type { PhotoLayer, Scene, Storyboard, TextLayer } from '../../../src/design/storyboard/storyboard.ts';
import type { Asset } from '../../../src/listing/listing.ts';
import {
  fromOpening,
  photoMap,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  templates,
} from './sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
type Size = readonly [widthPx: number, heightPx: number];
const WIDE: Size = [1920, 1280];
const ADDRESS = { originals_url: 'https://harborpine.example/128/originals' };

const photosIn = ({ layers }: Scene) =>
  layers.filter((layer): layer is PhotoLayer => layer.type === 'photo' && layer.id !== 'portrait');
const readsIn = ({ layers }: Scene) =>
  layers.filter((layer): layer is TextLayer => layer.type === 'text').map(({ reads }) => reads);
const scenesOf = ({ scenes }: Storyboard, digest: string) =>
  scenes.filter((scene) => photosIn(scene).some((photo) => photo.digest === digest));

/**
 * @param changes - By the index of the photo.
 * @param more.size - Of the photos that have an original, px.
 * @param more.ofOriginal - Of their originals; default the same.
 */
function made(
  template: (typeof templates)[number],
  ratio: (typeof RATIOS)[number],
  changes: Readonly<Record<number, Omit<Asset, 'url'>>>,
  {
    count = 12,
    data = {},
    size = WIDE,
    ofOriginal = size,
  }: {
    readonly count?: number;
    readonly data?: Record<string, string>;
    readonly size?: Size;
    readonly ofOriginal?: Size;
  } = {},
) {
  const photos = samplePhotos(count).map((photo, index): Photo & Partial<ListingPhoto> => {
    if (changes[index]?.original === undefined) return photo;
    const original = samplePhoto(`original-${index + 1}`, ...ofOriginal);
    return { ...samplePhoto(`photo-${index + 1}`, ...size), original };
  });
  const assets = photos.map(({ url }, index) => ({ url, ...changes[index] }));
  const board = sampleStoryboard({ template, ratio, photos, data, listing: { assets } });
  const originals = photos.flatMap(({ original }) => original ?? []);
  return { board, photos: photoMap([...photos, ...originals]) };
}

describe.each(VIDEOS)('%s %s', (_, ratio, template) => {
  it('shows an altered photo as the room that the name of its original says: a bed with its foot, no part of it', () => {
    const original = samplePhoto('03-bedroom.jpg', 1024, 683);
    const photos = samplePhotos(9, 1024, 683).map((photo, index) =>
      index === 3 ? { ...photo, original } : photo,
    );
    const assets = photos.map(({ url }, index) =>
      index === 3 ? { url, altered: 'Virtually staged', original: original.url } : { url },
    );
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const [altered] = photosIn(scenesOf(board, 'digest-photo-4')[0]!);
    expect(altered!.box.h / altered!.box.w).toBeLessThan(1.6);
  });

  it('shows an altered photo with its label, and its original right after it in the same place', () => {
    const { board, photos } = made(
      template,
      ratio,
      { 3: { altered: 'Virtually staged', original: 'original-4' }, 7: { altered: true } },
      { data: ADDRESS, size: ratio === '1080:1920' ? [1280, 1920] : WIDE },
    );
    const [pair, ...more] = scenesOf(board, 'digest-photo-4');
    expect(more).toEqual([]);
    const [altered, original] = photosIn(pair!);
    expect([altered!.digest, original!.digest]).toEqual(['digest-photo-4', 'digest-original-4']);
    expect([original!.box, original!.camera]).toEqual([altered!.box, altered!.camera]);
    // They are compared, so neither moves.
    expect(altered!.camera.to).toEqual(altered!.camera.from);
    expect(readsIn(pair!)).toEqual(expect.arrayContaining(['Virtually staged', 'Original photo']));
    const wipe = original!.tracks!.find(({ property }) => property === 'clipRight')!;
    // Among quick cuts each label stands as long, the wipe included.
    const [alone, after] = template.id === 'social' ? [0.9, 0.85] : [1.4, 1.2];
    expect(wipe.startFrame).toBeGreaterThanOrEqual(alone * board.fps);
    expect(wipe.endFrame).toBeGreaterThanOrEqual(1.4 * board.fps);
    expect(pair!.durationFrames - wipe.endFrame).toBeGreaterThanOrEqual(after * board.fps);
    for (const scene of scenesOf(board, 'digest-photo-8'))
      expect(readsIn(scene)).toContain('Digitally altered');
    expect(board.altered.map(({ label, originalUrl }) => [label, originalUrl])).toEqual([
      ['Virtually staged', 'original-4'],
      ['Digitally altered', null],
    ]);
    expect(lintStoryboard(board, photos)).toEqual([]);
  });

  it('puts a label at the edge of its photo, not in the middle', () => {
    const captions = Object.fromEntries(
      samplePhotos(12).map((_, index) => [`caption_${String(index + 1).padStart(2, '0')}`, 'Bath']),
    );
    for (const data of [{}, captions]) {
      const { board } = made(
        template,
        ratio,
        { 3: { altered: 'Virtually staged' }, 7: { altered: true } },
        { data },
      );
      const labels = board.scenes.flatMap(({ layers }) =>
        layers
          .filter(({ id }) => id.startsWith('notice-') && id.endsWith('-plate'))
          .map((plate) => ({
            plate: plate.box,
            photo: layers.find(({ id }) => plate.id === `notice-${id}-plate`)!.box,
          })),
      );
      expect(labels.length).toBeGreaterThan(1);
      for (const { plate, photo } of labels) {
        const fromTop = plate.y - photo.y;
        const fromFoot = photo.y + photo.h - plate.y - plate.h;
        expect(Math.min(fromTop, fromFoot) / board.heightPx).toBeLessThan(0.26);
      }
    }
  });

  it('comes to altered photos and leaves them with a cut', () => {
    const { board } = made(template, ratio, { 3: { altered: 'Rendering' } });
    board.scenes.forEach((scene, index) => {
      if (!photosIn(scene).some(({ digest }) => digest === 'digest-photo-4')) return;
      expect([board.scenes[index - 1]?.transition.kind ?? 'cut', scene.transition.kind]).toEqual([
        'cut',
        'cut',
      ]);
    });
  });

  it('shows the original of the first photo right after the opening', () => {
    const { board } = made(template, ratio, { 0: { altered: 'Sky replaced', original: 'original-1' } });
    const [hero, next] = fromOpening(board);
    expect(photosIn(hero!)[0]!.digest).toBe('digest-photo-1');
    expect(readsIn(hero!)).toContain('Sky replaced');
    expect(photosIn(next!).map(({ digest }) => digest)).toEqual(['digest-photo-1', 'digest-original-1']);
  });

  it('says where the originals are, for three seconds and as a code', () => {
    const { board } = made(template, ratio, {}, { data: ADDRESS });
    const scene = board.scenes.at(-2)!;
    expect(scene.kind).toBe('originals');
    expect(readsIn(scene).join(' ').replaceAll('\u200b', '')).toBe(
      'See the original photos: harborpine.example/128/originals',
    );
    const code = scene.layers.find((layer) => layer.type === 'mark');
    expect(code?.type === 'mark' && code.qr?.url).toBe(ADDRESS.originals_url);
    expect((scene.durationFrames - scene.transition.durationFrames) / board.fps).toBeGreaterThanOrEqual(3);
  });

  it('opens with another view of the house where the first photo is altered, which then stands once', () => {
    const names = ['front', 'kitchen', 'bedroom', 'bath', 'kitchen', 'bedroom', 'bath', 'exterior', 'den'];
    const original = samplePhoto('original-front.jpg');
    const photos = names.map((name, index) => ({
      ...samplePhoto(`${index + 1}-${name}.jpg`),
      ...(index === 0 && { original }),
    }));
    const assets = photos.map(({ url }, index) =>
      index === 0 ? { url, altered: 'Sky replaced', original: original.url } : { url },
    );
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const [opening, ...others] = fromOpening(board);
    expect(photosIn(opening!)[0]!.digest).toBe('digest-8-exterior.jpg');
    expect(readsIn(opening!)).not.toContain('Sky replaced');
    expect(others.filter((scene) => readsIn(scene).includes('Sky replaced'))).toHaveLength(1);
  });

  it('keeps every altered photo with its label where all are altered', () => {
    const all = Object.fromEntries(samplePhotos(30).map((_, index) => [index, { altered: 'Rendering' }]));
    const { board } = made(template, ratio, all, { count: 30 });
    const shown = new Set(board.scenes.flatMap((scene) => photosIn(scene).map(({ digest }) => digest)));
    expect(shown.size).toBe(30);
    for (const scene of board.scenes) {
      const labels = readsIn(scene).filter((reads) => reads === 'Rendering');
      expect(labels).toHaveLength(photosIn(scene).length);
    }
  });

  it('shows every altered photo long enough to read its label, in a short video too', () => {
    const { board } = made(
      template,
      ratio,
      { 3: { altered: true }, 7: { altered: 'Virtually staged' } },
      { count: 30 },
    );
    for (const digest of ['digest-photo-4', 'digest-photo-8'])
      for (const { durationFrames } of scenesOf(board, digest))
        expect(durationFrames / board.fps).toBeGreaterThanOrEqual(1.5);
  });

  it('keeps to its greatest length with three originals and their address', () => {
    const staged = { altered: 'Virtually staged', original: 'original' };
    const { board } = made(template, ratio, { 2: staged, 6: staged, 7: staged }, { data: ADDRESS });
    const { capSec } = template.ratios[ratio].pacing;
    const frames = board.scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
    expect(frames / board.fps).toBeLessThanOrEqual(capSec + 0.05);
    expect(board.scenes.some(({ kind }) => kind === 'hook')).toBe(true);
  });

  it('shows a floor plan whole, still and alone, after all photos', () => {
    const { board, photos } = made(template, ratio, { 0: { kind: 'floor_plan' }, 5: { kind: 'floor_plan' } });
    for (const digest of ['digest-photo-1', 'digest-photo-6']) {
      const [scene, ...more] = scenesOf(board, digest);
      expect([scene!.kind, more]).toEqual(['floor_plan', []]);
      const [plan, ...others] = photosIn(scene!);
      expect(others).toEqual([]);
      expect(plan!.camera.from).toEqual(plan!.camera.to);
      expect(plan!.camera.from.span).toBeCloseTo(1, 2);
      const { widthPx, heightPx } = photos.get(digest)!;
      expect(plan!.box.w / plan!.box.h).toBeCloseTo(widthPx / heightPx, 1);
      if (ratio === '1080:1920') expect(plan!.box.w).toBe(1080);
      // It stands in the middle of its sheet, which goes on to the frame's edges.
      const sheet = scene!.layers.find(({ id }) => id === 'sheet-mat')!.box;
      const middle = (box: typeof sheet) => [box.x + box.w / 2, box.y + box.h / 2];
      for (const [at, own] of middle(plan!.box).entries())
        expect(Math.abs(own - middle(sheet)[at]!)).toBeLessThan(3);
      expect([sheet.x + sheet.w, sheet.y + sheet.h]).toEqual([board.widthPx, board.heightPx]);
      const least = template.id === 'social' ? 3.3 : 4;
      expect(scene!.durationFrames).toBeGreaterThanOrEqual(least * board.fps);
    }
    const kinds = board.scenes.map(({ kind }) => kind);
    expect(kinds.slice(-3)).toEqual([
      'floor_plan',
      'floor_plan',
      template.branding === 'none' ? 'closing' : 'card',
    ]);
    expect(lintStoryboard(board, photos)).toEqual([]);
  });

  it('shows a floor plan with its caption and the disclosure beside it', () => {
    const disclosure = 'Some photos were edited. Buyers should verify all facts.';
    const plan = { 5: { kind: 'floor_plan', caption: 'Upper level' } } as const;
    const { board } = made(template, ratio, plan, { data: { disclosure } });
    const [scene] = scenesOf(board, 'digest-photo-6');
    const texts = scene!.layers.filter((layer): layer is TextLayer => layer.type === 'text');
    expect(texts.map(({ reads }) => reads).toSorted()).toEqual([disclosure, 'Upper level']);
    const { box } = photosIn(scene!)[0]!;
    expect(texts.filter((text) => overlaps(text.box, box))).toEqual([]);
  });

  it('shows the caption of the first photo, with its photo', () => {
    const { board } = made(template, ratio, { 0: { caption: 'A porch over the garden' } });
    const scene = board.scenes.find((each) => readsIn(each).join(' ').toLowerCase().includes('porch over'))!;
    expect(photosIn(scene).map(({ digest }) => digest)).toContain('digest-photo-1');
    expect(board.missingCaptions).toEqual([]);
  });
});

const STAGED = { altered: 'Virtually staged', original: 'original-4' };
/** Of a phone, both photos; others fill it. Their labels stand in a band between them. */
const SHARES = new Map([
  ['classic', 0.94],
  ['luxury', 0.9],
]);

describe.each(templates.map((template) => [template.id, template] as const))(
  '%s on a phone',
  (id, template) => {
    const phone = (asset: Omit<Asset, 'url'>, size: Size = WIDE, ofOriginal = size) =>
      made(template, '1080:1920', { 3: asset }, { data: ADDRESS, size, ofOriginal });

    it.each(['', 'The living room, staged'])(
      'stands an altered photo over its original, both alike and each with its label, captioned "%s"',
      (caption) => {
        const { board, photos } = phone({ ...STAGED, ...(caption && { caption }) });
        const [scene, ...more] = scenesOf(board, 'digest-photo-4');
        expect(more).toEqual([]);
        const [upper, lower, ...others] = photosIn(scene!);
        expect([upper!.digest, lower!.digest, others]).toEqual(['digest-photo-4', 'digest-original-4', []]);
        expect(lower!.box.y).toBeGreaterThanOrEqual(upper!.box.y + upper!.box.h + 12);
        expect([lower!.box.w, lower!.camera.from.span]).toEqual([upper!.box.w, upper!.camera.from.span]);
        expect(Math.abs(lower!.box.h - upper!.box.h)).toBeLessThanOrEqual(1);
        const area = 2 * upper!.box.w * upper!.box.h;
        expect(area / (board.widthPx * board.heightPx)).toBeGreaterThan(
          caption ? 0.8 : (SHARES.get(id) ?? 0.98),
        );
        for (const { camera, tracks } of [upper!, lower!]) {
          expect(camera.to).toEqual(camera.from);
          expect(tracks).toBeUndefined();
        }
        for (const [photo, label] of [
          [upper!, 'Virtually staged'],
          [lower!, 'Original photo'],
        ] as const) {
          const words = scene!.layers.find((layer) => layer.type === 'text' && layer.reads === label)!;
          expect(contains(photo.box, words.box)).toBe(true);
          expect(words.tracks).toBeUndefined();
        }
        if (caption) expect(readsIn(scene!)).toContain(caption);
        const sec = scene!.durationFrames / board.fps;
        const [least, most] = id === 'social' ? [2.3, 3.5] : [3.4, 4.5];
        expect(sec).toBeGreaterThan(least);
        expect(sec).toBeLessThan(most);
        expect(
          board.altered.map(({ label, digest, originalDigest }) => [label, digest, originalDigest]),
        ).toEqual([['Virtually staged', 'digest-photo-4', 'digest-original-4']]);
        expect(lintStoryboard(board, photos)).toEqual([]);
      },
    );

    it.each<[string, Size, Size?]>([
      ['an upright photo', [1280, 1920]],
      ['a panorama', [3000, 1000]],
      ['a small original', WIDE, [360, 240]],
      ['an original of another shape', WIDE, [1600, 1200]],
    ])('lets the original of %s follow it', (_, ...sizes) => {
      const { board } = phone(STAGED, ...sizes);
      const [scene] = scenesOf(board, 'digest-photo-4');
      const [altered, original] = photosIn(scene!);
      expect(original!.digest).toBe('digest-original-4');
      expect(overlaps(altered!.box, original!.box)).toBe(true);
      expect(original!.tracks!.map(({ property }) => property)).toContain('clipRight');
    });
  },
);

it.each(RATIOS)('a %s video that originals make too long keeps its hook, of unaltered photos', (ratio) => {
  const social = templates.find(({ id }) => id === 'social')!;
  const pair = (photo: number) => ({ altered: 'Virtually staged', original: `original-${photo}` });
  const changes = { 1: pair(2), 3: pair(4), 5: pair(6) };
  const { board } = made(social, ratio, changes, { count: 8, data: ADDRESS });
  const hook = board.scenes.filter(({ kind }) => kind === 'hook');
  expect(hook.length).toBeGreaterThan(0);
  expect(hook.flatMap(photosIn).map(({ digest }) => digest)).not.toContain('digest-photo-2');
});
