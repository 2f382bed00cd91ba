/**
 * The places that videos are made for, and what each asks of a file. One row a place, every figure with the page that
 * says it and the day on which that page, or a copy of it, was read. A figure without such a page is not here: Google
 * states no loudness for YouTube, and TikTok no audio bit rate.
 */
import type { AspectRatio } from '../../listing/listing.ts';

/** Where a figure comes from. */
export interface FigureSource {
  readonly url: string;
  /** ISO 8601. */
  readonly readOn: string;
}

/** A figure or a rule, and its source. */
export interface Figure<T> {
  readonly value: T;
  readonly source: FigureSource;
}

/** What one place asks for. What is absent is left to the user and to the usual file. */
export interface Destination {
  /** As people write it. */
  readonly title: string;
  /** The shape that the place recommends; it shows others too. */
  readonly ratio?: Figure<AspectRatio>;
  readonly minSec?: Figure<number>;
  readonly maxSec?: Figure<number>;
  readonly maxBytes?: Figure<number>;
  /** Of picture and sound together, the mean of the file, bit/s. */
  readonly maxBitRate?: Figure<number>;
  /** Bit/s. */
  readonly maxAudioBitRate?: Figure<number>;
  readonly minFps?: Figure<number>;
  readonly maxFps?: Figure<number>;
  /** Of the shorter side. */
  readonly minSidePx?: Figure<number>;
  readonly refusesEditLists?: Figure<true>;
  /** No agent, no office: each MLS has its own rules, and the fields for videos of RESO are named for this one. */
  readonly isUnbranded?: true;
  /** Parts of a 9:16 frame that buttons and words of the place can cover. */
  readonly coveredParts?: Figure<CoveredParts>;
  /** Of the image that is uploaded beside the video. */
  readonly poster?: Figure<PosterRule>;
  /** Of the times in a description that become chapters; without it any times are welcome. */
  readonly chapters?: Figure<ChapterRule>;
  /** A smaller file beside each that is larger, see {@link SMALL_VIDEO}: no place asks for it, but slow lines do. */
  readonly wantsSmallVideo?: true;
}

/** Shares of the height (top, bottom) and of the width. */
export interface CoveredParts {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface PosterRule {
  /** Of a poster of this shape; one of another shape keeps its size. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly maxBytes: number;
}

/** What makes YouTube show chapters; the first begins at 0:00. */
export interface ChapterRule {
  readonly minCount: number;
  readonly minSec: number;
}

/** Limits of a smaller file. */
export interface SmallVideoRule {
  readonly shortSidePx: number;
  readonly maxBytes: number;
}

const MB = 1_000_000;

/** Our own choice: what a phone shows sharply, and 13 seconds of a 5 Mbit/s line. */
export const SMALL_VIDEO: SmallVideoRule = { shortSidePx: 720, maxBytes: 8 * MB };

const READ_ON = '2026-11-28';

/** Figures of one page. */
function from(url: string) {
  const source: FigureSource = { url, readOn: READ_ON };
  return <const T>(value: T): Figure<T> => ({ value, source });
}

const youtubeEncoding = from('https://support.google.com/youtube/answer/1722171');
const youtubeLengths = from('https://support.google.com/youtube/answer/71673');
const youtubeThumbnails = from('https://support.google.com/youtube/answer/72431');
const youtubeChapters = from('https://support.google.com/youtube/answer/9884579');
const youtubeShapes = from('https://support.google.com/youtube/answer/6375112');
const instagramReels = from('https://developers.facebook.com/docs/instagram-api/reference/ig-user/media');
const instagramSizes = from('https://www.ayrshare.com/docs/media-guidelines/instagram.md');
const facebookReels = from('https://developers.facebook.com/docs/video-api/guides/reels-publishing');
const metaAds = from('https://www.facebook.com/business/ads-guide/update/video/facebook-facebook-reels');
const tiktokTransfer = from('https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide');
const tiktokLengths = from('https://docs.getlate.dev/resources/media-guidelines/tiktok');
const googleBusiness = from('https://support.google.com/business/answer/6103862');

const META_COVERED: CoveredParts = { top: 0.14, bottom: 0.35, left: 0.06, right: 0.06 };

/** In the order in which they are named. */
export const DESTINATIONS = {
  youtube: {
    title: 'YouTube',
    ratio: youtubeShapes('1920:1080'),
    // Of an account that is not verified; verified ones have 12 hours.
    maxSec: youtubeLengths(15 * 60),
    maxBytes: youtubeLengths(256_000 * MB),
    refusesEditLists: youtubeEncoding(true),
    // The limit of an upload from a phone; other devices have more.
    poster: youtubeThumbnails({ widthPx: 1280, heightPx: 720, maxBytes: 2 * MB }),
    chapters: youtubeChapters({ minCount: 3, minSec: 10 }),
  },
  'instagram-reels': {
    title: 'Instagram Reels',
    ratio: instagramReels('1080:1920'),
    minSec: instagramReels(3),
    maxSec: instagramReels(15 * 60),
    // Meta's page said 1 GB before: the smaller figure holds.
    maxBytes: instagramSizes(300 * MB),
    maxBitRate: instagramReels(25_000_000),
    maxAudioBitRate: instagramReels(128_000),
    minFps: instagramReels(23),
    maxFps: instagramReels(60),
    refusesEditLists: instagramReels(true),
    coveredParts: metaAds(META_COVERED),
    poster: instagramReels({ widthPx: 1080, heightPx: 1920, maxBytes: 8 * MB }),
  },
  tiktok: {
    title: 'TikTok',
    ratio: tiktokLengths('1080:1920'),
    minSec: tiktokLengths(3),
    maxSec: tiktokTransfer(10 * 60),
    maxBytes: tiktokTransfer(4_000 * MB),
    minFps: tiktokTransfer(23),
    maxFps: tiktokTransfer(60),
    minSidePx: tiktokTransfer(360),
  },
  facebook: {
    title: 'Facebook',
    ratio: metaAds('1080:1920'),
    minSec: facebookReels(3),
    // Of a Reel; Facebook's ads guide has no limit. The smaller figure holds.
    maxSec: facebookReels(90),
    maxBytes: metaAds(4_000 * MB),
    refusesEditLists: metaAds(true),
    coveredParts: metaAds(META_COVERED),
  },
  'google-business': {
    title: 'Google Business',
    maxSec: googleBusiness(30),
    maxBytes: googleBusiness(75 * MB),
    minSidePx: googleBusiness(720),
  },
  mls: {
    title: 'MLS',
    isUnbranded: true,
  },
  web: { title: 'web page', wantsSmallVideo: true },
} as const satisfies Readonly<Record<string, Destination>>;

export type DestinationName = keyof typeof DESTINATIONS;

export const DESTINATION_NAMES = Object.keys(DESTINATIONS) as DestinationName[];

export function destinationOf(name: DestinationName): Destination {
  return DESTINATIONS[name];
}

/** Its file is the video without branding. */
export function isUnbrandedPlace(name: DestinationName): boolean {
  return destinationOf(name).isUnbranded !== undefined;
}

/** Options of a task for these places: one without branding needs the video without branding. */
export function toPlaceOptions(names: readonly DestinationName[] = []) {
  return {
    ...(names.length > 0 ? { destinations: names } : {}),
    ...(names.some(isUnbrandedPlace) ? { alsoUnbranded: true } : {}),
  };
}
