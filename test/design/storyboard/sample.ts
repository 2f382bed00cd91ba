/** Listings, photos and a measurer for storyboard tests. Fonts are real: a fit with made-up widths proves nothing. */
import { readFileSync } from 'node:fs';
import type { Graphic, ListingPhoto, Photo } from '../../../src/design/photo.ts';
import type { PhotoLight } from '../../../src/design/storyboard/elements/scene-context.ts';
import type { PhotoTone } from '../../../src/design/storyboard/grade-photos.ts';
import { makeStoryboard } from '../../../src/design/storyboard/make-storyboard.ts';
import type { SharedScenes } from '../../../src/design/storyboard/scenes/shared-scenes.ts';
import type { OptionalText } from '../../../src/design/storyboard/scenes/without-contact.ts';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import type { BeatGrid } from '../../../src/design/storyboard/timing/snap-to-beats.ts';
import { listTemplates, loadTemplate } from '../../../src/design/template/load-template.ts';
import type { Template } from '../../../src/design/template/template.ts';
import { createTextMeasurer } from '../../../src/design/text/text-measurer.ts';
import { makeTimeline } from '../../../src/design/timeline/make-timeline.ts';
import type { Timeline } from '../../../src/design/timeline/timeline.ts';
import type { Agent, AspectRatio, Listing } from '../../../src/listing/listing.ts';
import { transitionDrawer } from '../../../src/media/render/draw-transitions.ts';

export const RATIOS = ['1920:1080', '1080:1920'] as const satisfies readonly AspectRatio[];
/** Every template that ships. */
export const templates: readonly Template[] = await Promise.all(
  (await listTemplates()).map((id) => loadTemplate(id)),
);
export const classic = await loadTemplate('classic');
const phone = classic.ratios['1080:1920'];
/** Classic with two photos in the opening of a phone. */
export const withTwoInOpening: Template = {
  ...classic,
  ratios: {
    ...classic.ratios,
    '1080:1920': {
      ...phone,
      heroPhotos: 2,
      factsPhotos: 1,
      scenes: { ...phone.scenes, hero: phone.scenes.pair },
    },
  },
};
export const measurer = await createTextMeasurer();
export const fixture = JSON.parse(
  readFileSync(new URL('../../../fixtures/listing.json', import.meta.url), 'utf8'),
) as Listing;

/** A photo that was never decoded: the storyboard knows its size and attention only. */
export function samplePhoto(
  name: string,
  widthPx = 1920,
  heightPx = 1280,
  focus = { x: 0.45, y: 0.55 },
): Photo {
  return {
    digest: `digest-${name}`,
    url: name,
    masterPath: '/nowhere',
    widthPx,
    heightPx,
    sourceWidthPx: widthPx,
    sourceHeightPx: heightPx,
    focus,
  };
}

export function samplePhotos(count: number, widthPx = 1920, heightPx = 1280): Photo[] {
  return Array.from({ length: count }, (_, index) => samplePhoto(`photo-${index + 1}`, widthPx, heightPx));
}

/** The photos as those of a listing's assets, in their order. */
export function listed(photos: readonly (Photo & Partial<ListingPhoto>)[]): ListingPhoto[] {
  return photos.map((photo, assetIndex) => ({ assetIndex, ...photo }));
}

export interface Sample {
  /** Default: classic. */
  readonly template?: Template;
  readonly lightOf?: (photo: Photo) => PhotoLight | undefined;
  readonly toneOf?: (photo: Photo) => PhotoTone | undefined;
  readonly listing?: Partial<Listing>;
  readonly agent?: Agent;
  readonly data?: Record<string, string>;
  readonly ratio?: AspectRatio;
  readonly photos?: readonly (Photo & Partial<ListingPhoto>)[];
  readonly portrait?: Photo | null;
  readonly logo?: Graphic | null;
  readonly unbrandedKeep?: readonly OptionalText[];
  readonly beats?: BeatGrid;
  readonly cutOf?: string;
  readonly shared?: SharedScenes;
}

/** The fixture listing with what the test changes. Assets follow the photos, so that captions find them. */
export function sampleStoryboard(sample: Sample = {}): Storyboard {
  const photos = sample.photos ?? samplePhotos(12);
  const listing: Listing = {
    ...fixture,
    assets: photos.map(({ url }) => ({ url })),
    ...sample.listing,
  };
  return makeStoryboard({
    listing,
    agent: sample.agent ?? fixture.agents[0]!,
    template: sample.template ?? classic,
    templateData: sample.data ?? {},
    ratio: sample.ratio ?? '1920:1080',
    photos: listed(photos),
    portrait: sample.portrait === undefined ? samplePhoto('portrait', 800, 800) : sample.portrait,
    logo: sample.logo ?? null,
    measurer,
    ...(sample.unbrandedKeep ? { unbrandedKeep: sample.unbrandedKeep } : {}),
    ...(sample.shared ? { shared: sample.shared } : {}),
    ...(sample.beats ? { beats: sample.beats } : {}),
    ...(sample.cutOf === undefined ? {} : { cutOf: sample.cutOf }),
    ...(sample.lightOf ? { lightOf: sample.lightOf } : {}),
    ...(sample.toneOf ? { toneOf: sample.toneOf } : {}),
  });
}

/** The same caption for each photo. */
export function withCaptions(count: number, caption: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`caption_${String(at + 1).padStart(2, '0')}`, caption]),
  );
}

/** By digest, as lint takes them. */
export function photoMap(photos: readonly Photo[]): Map<string, Photo> {
  return new Map(photos.map((photo) => [photo.digest, photo]));
}

/** The timeline of a sample storyboard: all its photos have one size. */
export function sampleTimeline(board: Storyboard, fingerprint = 'test', whole?: Timeline): Timeline {
  const of = whole && { timeline: whole, groupFrames: 6 };
  return makeTimeline(board, transitionDrawer(SAMPLE_SIZES), fingerprint, of);
}

export const SAMPLE_SIZES = { get: () => ({ widthPx: 1920, heightPx: 1280 }) };

/** The scenes from the opening on: without the hook. */
export function fromOpening({ scenes }: Pick<Storyboard, 'scenes'>): readonly Storyboard['scenes'][number][] {
  return scenes.filter(({ kind }) => kind !== 'hook');
}

/** With two long names, an office of two lines and all that an agent can have. */
export const CROWDED_AGENT = {
  ...{ id: 'c', first_name: 'Maximilian Bartholomew', last_name: 'Featherstonehaugh-Montgomery' },
  designation: 'Global Luxury Specialist, CRS, ABR, SRES, GRI',
  phones: ['(949) 555-0128', '(949) 555-0129'].map((number) => ({ number, type: 'direct' as const })),
  emails: [{ address: 'maximilian.featherstonehaugh@harringtonlowell.example.com' }],
  licenses: [{ number: '01987654', state: 'CA' }],
  offices: [
    {
      name: 'Harrington, Featherstone & Lowell Christie’s International Real Estate',
      address: {
        ...{ street: '1200 North Commonwealth Avenue, Suite 1450', city: 'San Juan Capistrano' },
        ...{ state: 'CA', postal_code: '92675' },
      },
      phone_number: { number: '(949) 555-0100', type: 'office' as const },
    },
  ],
};
