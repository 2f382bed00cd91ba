/**
 * The photos of a property from its Media records: only photos and floor plans, the preferred one first, then by what
 * they show or by their order.
 */
import type { Asset } from '../listing.ts';
import { URL_MAX_LENGTH } from '../rules/agent-schema.ts';
import { LISTING_SCHEMA } from '../rules/schema.ts';
import { validateUrl } from '../rules/validate-url.ts';
import type { FindingsCollector } from './findings.ts';
import { OTHER_PLACE, PLAN_PLACE, readImageOf } from './image-of.ts';
import { flagOf, lookupKey, type MlsRecord, numberOf, textOf, textsOf, urlOf } from './mls-record.ts';
import { pairOriginals, readAlteration, saysOnlyChange } from './read-alteration.ts';

const { maxItems: MAX_PHOTOS } = (LISTING_SCHEMA.properties as { assets: { maxItems: number } }).assets;
const MAX_CAPTION_LENGTH = 120;
/** What cameras and uploads write where a caption belongs: `IMG_2231`, `kitchen1.jpg`, `Photo 3`, `12`. */
const NO_CAPTION =
  /^(?:\S+\.(?:jpe?g|png|webp|hei[cf]|tiff?)|(?:img|dsc[nf]?|dji|pxl|image|photo|picture|pic)?[\s_#-]*[\d_-]+)$/i;
const OF_OTHERS = /^(?:agent|member|office|team|document|map)/;
const IMAGE_TYPE = /^(?:image|photo|picture)|^(?:jpe?g|png|webp|avif|hei[cf]|gif|tiff?)$/;
/** Readers of a feed can be shown these; without a permission everything is public. */
const OPEN_PERMISSIONS = new Set(['public', 'idx', 'vow', 'all']);
/** Vendors send one photo in several sizes (PropTx), with these names, largest first. */
const SIZES = ['largest', 'xlarge', 'large', 'medium', 'small', 'thumbnail', 'thumb'];

interface Photo {
  readonly source: string;
  readonly record: MlsRecord;
  readonly url: string;
}

export function readPhotos(media: readonly MlsRecord[], findings: FindingsCollector): Asset[] {
  const usable: Photo[] = [];
  for (const [index, record] of media.entries()) {
    const source = `Media[${index}]`;
    const reason = reasonToLeaveOut(record, ['photo', 'floorplan']);
    if (reason === null) usable.push({ source, record, url: urlOf(record, 'MediaURL')! });
    else findings.leaveOut(source, reason);
  }
  const single = withoutRepeats(inOrder(largestOfEach(usable, findings)), findings);
  const originals = findOriginals(single, findings);
  const notShown = new Set(originals.values());
  const photos = single.filter((photo) => !notShown.has(photo));
  const isSorted = photos.filter(({ record }) => readImageOf(record) !== null).length * 2 > photos.length;
  const ordered = isSorted ? byImageOf(photos) : plansLast(photos);
  for (const { source } of ordered.slice(MAX_PHOTOS))
    findings.leaveOut(source, `a listing has at most ${MAX_PHOTOS} photos`);
  const sources = { caption: new Set<string>(), altered: new Set<string>(), kind: new Set<string>() };
  const assets = ordered.slice(0, MAX_PHOTOS).map((photo): Asset => {
    const { record, url } = photo;
    const caption = readCaption(photo, findings);
    const altered = readAlteration(record);
    const original = originals.get(photo);
    if (caption !== null) sources.caption.add(caption.source);
    if (altered !== null) sources.altered.add(altered.source);
    if (isPlan(photo)) sources.kind.add(isPlanCategory(record) ? 'MediaCategory' : 'ImageOf');
    return {
      url,
      ...(caption !== null && { caption: caption.text }),
      ...(altered !== null && { altered: altered.label }),
      ...(original !== undefined && { original: original.url }),
      ...(isPlan(photo) && { kind: 'floor_plan' }),
    };
  });
  if (assets.length > 0) findings.from('assets', 'MediaURL', isSorted ? 'ImageOf' : 'Order');
  for (const [field, found] of Object.entries(sources))
    if (found.size > 0) findings.from(`assets.${field}`, ...found);
  return assets;
}

/** Originals by their altered photo. They are no photos of their own. */
function findOriginals(photos: readonly Photo[], findings: FindingsCollector): ReadonlyMap<Photo, Photo> {
  const rank = ({ record }: Photo) => numberOf(record, 'Order') ?? Number.MAX_VALUE;
  // As the feed has them: the preferred photo stands beside its original there.
  const listed = [...photos].sort((a, b) => rank(a) - rank(b));
  const originals = new Map<Photo, Photo>();
  for (const [index, altered] of pairOriginals(listed.map(({ record }) => record))) {
    const original = listed[index]!;
    if (altered === null)
      findings.note(
        `${original.source} says that it is an original, but no photo beside it says that it is altered`,
      );
    else {
      originals.set(listed[altered]!, original);
      findings.note(`${original.source} is shown only as the original of ${listed[altered]!.source}`);
    }
  }
  return originals;
}

function isPlanCategory(record: MlsRecord): boolean {
  return categoryKey(textOf(record, 'MediaCategory') ?? '') === 'floorplan';
}

function isPlan({ record }: Photo): boolean {
  return isPlanCategory(record) || readImageOf(record)?.place === PLAN_PLACE;
}

function plansLast(photos: readonly Photo[]): Photo[] {
  return [...photos.filter((photo) => !isPlan(photo)), ...photos.filter(isPlan)];
}

/** The preferred photo opens the video, whatever it shows. */
function byImageOf(photos: readonly Photo[]): Photo[] {
  const place = (photo: Photo): number => {
    if (flagOf(photo.record, 'PreferredPhotoYN') === true) return -1;
    return readImageOf(photo.record)?.place ?? OTHER_PLACE;
  };
  return plansLast([...photos].sort((a, b) => place(a) - place(b)));
}

/** The first of these media that shows a person or a logo; null when there is none. */
export function readImage(media: readonly MlsRecord[], categories: readonly string[]): string | null {
  const usable = media.flatMap((record, index) => {
    if (reasonToLeaveOut(record, categories) !== null) return [];
    return [{ source: `Media[${index}]`, record, url: urlOf(record, 'MediaURL')! }];
  });
  return inOrder(usable)[0]?.url ?? null;
}

/** @param categories - Keys of the values of `MediaCategory` that are wanted. */
function reasonToLeaveOut(record: MlsRecord, categories: readonly string[]): string | null {
  const category = textOf(record, 'MediaCategory');
  const type = textOf(record, 'MediaType') ?? textOf(record, 'MimeType');
  if (category !== null && !categories.includes(categoryKey(category))) return `MediaCategory is ${category}`;
  if (type !== null && !IMAGE_TYPE.test(type.toLowerCase())) return `MediaType is ${type}`;
  if (lookupKey(textOf(record, 'MediaStatus') ?? '') === 'deleted') return 'MediaStatus is Deleted';
  const permissions = textsOf(record, 'Permission').flatMap((text) => text.split(','));
  if (permissions.length > 0 && !permissions.some((each) => OPEN_PERMISSIONS.has(lookupKey(each))))
    return `Permission is ${permissions.join(', ')}`;
  const url = urlOf(record, 'MediaURL');
  if (url === null) return 'MediaURL is missing';
  if (url.length > URL_MAX_LENGTH) return `MediaURL is longer than ${URL_MAX_LENGTH} characters`;
  return validateUrl(url, false) === null ? null : 'MediaURL is no http or https URL';
}

/** `Photo`, `Primary Photo`, `Images` and `Property Picture` are one category; a photo of something else is its own. */
function categoryKey(category: string): string {
  const key = lookupKey(category);
  if (key.startsWith('floorplan')) return 'floorplan';
  return /(?:photo|image|picture|rendering)s?$/.test(key) && !OF_OTHERS.test(key) ? 'photo' : key;
}

function largestOfEach(photos: readonly Photo[], findings: FindingsCollector): Photo[] {
  const sizes = new Set(photos.map(({ record }) => textOf(record, 'ImageSizeDescription')));
  if (sizes.size < 2) return [...photos];
  const largest = new Map<string, Photo>();
  for (const photo of photos) {
    const key = textOf(photo.record, 'MediaObjectID') ?? textOf(photo.record, 'Order') ?? photo.source;
    const other = largest.get(key);
    const isLarger = other === undefined || sizeRank(photo.record) < sizeRank(other.record);
    if (isLarger) largest.set(key, photo);
    const smaller = isLarger ? other : photo;
    if (smaller !== undefined) findings.leaveOut(smaller.source, 'it is a smaller size of another photo');
  }
  const kept = new Set(largest.values());
  return photos.filter((photo) => kept.has(photo));
}

function sizeRank(record: MlsRecord): number {
  const rank = SIZES.indexOf(lookupKey(textOf(record, 'ImageSizeDescription') ?? ''));
  return rank < 0 ? SIZES.length : rank;
}

/** Media without an order come last, as the feed has them. */
function inOrder(photos: readonly Photo[]): Photo[] {
  const rank = ({ record }: Photo) => numberOf(record, 'Order') ?? Number.MAX_VALUE;
  const preferred = ({ record }: Photo) => (flagOf(record, 'PreferredPhotoYN') === true ? 0 : 1);
  return [...photos].sort((a, b) => preferred(a) - preferred(b) || rank(a) - rank(b));
}

function withoutRepeats(photos: readonly Photo[], findings: FindingsCollector): Photo[] {
  const seen = new Set<string>();
  return photos.filter(({ source, url }) => {
    const isRepeat = seen.has(url);
    if (isRepeat) findings.leaveOut(source, 'its MediaURL is that of an earlier photo');
    seen.add(url);
    return !isRepeat;
  });
}

/** A caption that is too long is left out and reported: a cut one could say something else. */
function readCaption(
  { source, record }: Photo,
  findings: FindingsCollector,
): { readonly text: string; readonly source: string } | null {
  for (const field of ['ShortDescription', 'LongDescription']) {
    const text = textOf(record, field);
    // The label says it, in the place for labels.
    if (text === null || saysOnlyChange(text)) continue;
    const length = [...text].length;
    if (NO_CAPTION.test(text))
      findings.leaveOut(`${source}.${field}`, 'it is the name or number of a file, not a caption');
    else if (length > MAX_CAPTION_LENGTH)
      findings.leaveOut(
        `${source}.${field}`,
        `a caption has at most ${MAX_CAPTION_LENGTH} characters, this one has ${length}`,
      );
    else return { text, source: field };
  }
  const usual = readImageOf(record)?.caption ?? null;
  return usual === null ? null : { text: usual, source: 'ImageOf' };
}
