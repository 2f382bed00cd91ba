/** The focus that a listing gives a photo: it is in view in every frame that shows the photo, whatever the camera does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../src/design/photo.ts';
import type { PhotoLayer } from '../../../src/design/storyboard/storyboard.ts';
import type { Asset } from '../../../src/listing/listing.ts';
import { composeFrame } from '../../../src/media/render/compose/compose-frame.ts';
import type { PhotoView } from '../../../src/media/render/compose/draw-list.ts';
import {
  fromOpening,
  photoMap,
  RATIOS,
  type Sample,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  sampleTimeline,
  templates,
} from './sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const SIZES = [
  [1920, 1280],
  [1024, 683],
  [1280, 1920],
  [2560, 800],
  [1400, 1400],
] as const;
const HOUSE = { left: 0.2, right: 0.75, tip: 0.06, top: 0.2, bottom: 0.7 };

const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.03, 0.97, 1));
const photo = fc.record({
  size: fc.constantFrom(...SIZES),
  focus: fc.record({ x: share, y: share }),
  isOutside: fc.boolean(),
  isAltered: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
});
const listing = fc.record({
  photos: fc.array(photo, { minLength: 5, maxLength: 24 }),
  isCaptioned: fc.boolean(),
  posterFirst: fc.constantFrom('true', 'false'),
});

type Made = (typeof listing extends fc.Arbitrary<infer T> ? T : never)['photos'];

function toSample(made: Made, isCaptioned: boolean): Required<Pick<Sample, 'photos' | 'listing'>> {
  const photos = made.map(({ size: [w, h], isOutside, isAltered }, index) => ({
    ...samplePhoto(`photo-${index}`, w, h),
    ...(isOutside ? { subject: HOUSE } : {}),
    ...(isAltered ? { original: samplePhoto(`original-${index}`, w, h) } : {}),
  }));
  const assets = made.map(
    ({ focus, isAltered }, index): Asset => ({
      url: `photo-${index}`,
      focus,
      ...(isCaptioned && index % 3 === 0 ? { caption: 'The kitchen, with a marble island' } : {}),
      ...(isAltered ? { altered: true, original: `original-${index}` } : {}),
    }),
  );
  return { photos, listing: { assets } };
}

/** @throws An error that names the first frame in which a photo is seen without its focus. */
function requireFocus(sample: Sample): void {
  const assets = sample.listing!.assets!;
  const board = sampleStoryboard(sample);
  const sizes = photoMap([
    ...sample.photos!.flatMap((each) => [each, each.original ?? []].flat()),
    samplePhoto('portrait', 800, 800),
  ]);
  const foci = new Map(assets.map(({ url, focus }) => [`digest-${url}`, focus!]));
  const check = (frame: number, { source, left, top, width, height }: PhotoView) => {
    const focus = foci.get(source.digest.replace('original', 'photo'));
    if (focus === undefined) return;
    const isIn = (at: number, from: number, length: number) =>
      from - 1e-9 <= at && at <= from + length + 1e-9;
    if (isIn(focus.x, left, width) && isIn(focus.y, top, height)) return;
    throw new Error(
      `${board.templateId} ${board.ratio}, frame ${frame}: of ${source.digest} ${JSON.stringify({ focus, left, top, width, height })} is seen`,
    );
  };
  const frames = board.scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
  for (let frame = 0; frame < frames; frame += 1) {
    const { base, over } = composeFrame(board, sizes, frame);
    for (const op of [...base, ...(over?.ops ?? [])]) {
      if (op.op === 'photo') check(frame, op.view);
      if (op.op === 'photo-mix') for (const view of [op.from, op.to]) check(frame, view);
    }
  }
}

describe.each(VIDEOS)('%s %s', (_, ratio, template) => {
  it('keeps it in view in every frame', () => {
    fc.assert(
      fc.property(listing, ({ photos, isCaptioned, posterFirst }) =>
        requireFocus({
          template,
          ratio,
          data: { 'poster-first': posterFirst },
          ...toSample(photos, isCaptioned),
        }),
      ),
      { numRuns: 4 },
    );
  });
});

const layersOf = (
  focus: Asset['focus'],
  { subject, name = 'photo' }: { subject?: Photo['subject']; name?: string },
) => {
  const photos = Array.from({ length: 8 }, (_, index) => ({
    ...samplePhoto(`${name}-${index}`),
    ...(subject ? { subject } : {}),
  }));
  const assets = photos.map(({ url }) => ({ url, ...(focus ? { focus } : {}) }));
  return fromOpening(sampleStoryboard({ ratio: '1080:1920', photos, listing: { assets } })).flatMap(
    ({ layers }) =>
      layers.filter(
        (layer): layer is PhotoLayer => layer.type === 'photo' && layer.digest !== 'digest-portrait',
      ),
  );
};

it('holds for the original that stands on the card in place of an altered photo', () => {
  const photos = Array.from({ length: 5 }, () => ({
    size: [1920, 1280] as const,
    focus: { x: 0, y: 0 },
    isOutside: false,
    isAltered: true,
  }));
  const template = templates.find(({ id }) => id === 'social')!;
  requireFocus({ template, ratio: '1080:1920', ...toSample(photos, false) });
});

it('wins over what decoding found, and over the house under its sky', () => {
  const focus = { x: 0.1, y: 0.9 };
  const name = 'front';
  expect(layersOf(focus, { subject: HOUSE, name })).toEqual(layersOf(focus, { name }));
  expect(layersOf(focus, {})).not.toEqual(layersOf(undefined, {}));
});

it('renders again only what shows its photo, where later cameras keep their direction', () => {
  const photos = samplePhotos(12);
  const timeline = (focus?: Asset['focus']) =>
    sampleTimeline(
      sampleStoryboard({
        photos,
        listing: {
          assets: photos.map(({ url }, index) => ({ url, ...(index === 7 && focus ? { focus } : {}) })),
        },
      }),
    );
  const [before, after] = [timeline(), timeline({ x: 0.5, y: 0.1 })];
  const changed = after.segments.filter(({ key }, index) => key !== before.segments[index]!.key);
  const { scenes } = after.storyboard;
  const shows = after.sceneSpans.filter((_, index) =>
    scenes[index]!.layers.some((layer) => layer.type === 'photo' && layer.digest === 'digest-photo-8'),
  );
  expect(changed.length).toBeGreaterThan(0);
  for (const { startFrame, endFrame } of changed)
    expect(shows.some((span) => span.startFrame <= endFrame && startFrame < span.endFrame)).toBe(true);
});

it('does not stop the camera after the hook', () => {
  for (const x of [0.02, 0.5, 0.98]) {
    for (const { camera } of layersOf({ x, y: 0.5 }, {}).slice(0, -1))
      expect(camera.from).not.toEqual(camera.to);
  }
});

it('is not read from a floor plan, which is seen whole', () => {
  const photos = Array.from({ length: 8 }, (_, index) => samplePhoto(`photo-${index}`));
  const board = (focus: object) =>
    sampleStoryboard({
      photos,
      listing: {
        assets: photos.map(({ url }, index) => ({
          url,
          ...(index === 7 ? { kind: 'floor_plan', ...focus } : {}),
        })),
      },
    });
  expect(board({ focus: { x: 0, y: 0 } })).toEqual(board({}));
});
