/** The photos of a property from its Media records: only photos, the preferred one first, then by their order. */
import type { Asset } from '../listing.ts';
import { URL_MAX_LENGTH } from '../rules/agent-schema.ts';
import { LISTING_SCHEMA } from '../rules/schema.ts';
import { validateUrl } from '../rules/validate-url.ts';
import { countWords } from '../words/count-words.ts';
import type { FindingsCollector } from './findings.ts';
import { flagOf, lookupKey, type MlsRecord, numberOf, textOf, textsOf, urlOf } from './mls-record.ts';

const { maxItems: MAX_PHOTOS } = (LISTING_SCHEMA.properties as { assets: { maxItems: number } }).assets;
const MAX_CAPTION_LENGTH = 120;
/** What cameras and uploads write where a caption belongs: `IMG_2231`, `kitchen1.jpg`, `Photo 3`, `12`. */
const NO_CAPTION =
  /^(?:\S+\.(?:jpe?g|png|webp|hei[cf]|tiff?)|(?:img|dsc[nf]?|dji|pxl|image|photo|picture|pic)?[\s_#-]*[\d_-]+)$/i;
const OF_OTHERS = /^(?:agent|member|office|team|floorplan|document|map)/;
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
    const reason = reasonToLeaveOut(record, ['photo']);
    if (reason === null) usable.push({ source, record, url: urlOf(record, 'MediaURL')! });
    else findings.leaveOut(source, reason);
  }
  const ordered = inOrder(largestOfEach(usable, findings));
  const photos = withoutRepeats(ordered, findings);
  for (const { source } of photos.slice(MAX_PHOTOS))
    findings.leaveOut(source, `a listing has at most ${MAX_PHOTOS} photos`);
  const shown = photos.slice(0, MAX_PHOTOS);
  const altered = shown.filter(({ record }) =>
    textsOf(record, 'MediaAlteration').some((text) => text !== 'None'),
  );
  if (altered.length > 0)
    findings.note(
      `MediaAlteration says that ${countWords(altered.length, 'photo')} were altered: the data layer disclosure can say so`,
    );
  if (shown.length > 0) findings.from('assets', 'MediaURL', 'Order');
  const assets = shown.map(({ source, record, url }) => {
    const caption = readCaption(source, record, findings);
    return { url, ...(caption !== null && { caption }) };
  });
  if (assets.some(({ caption }) => caption !== undefined))
    findings.from('assets.caption', 'ShortDescription');
  return assets;
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
  return /(?:photo|image|picture)s?$/.test(key) && !OF_OTHERS.test(key) ? 'photo' : key;
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
function readCaption(source: string, record: MlsRecord, findings: FindingsCollector): string | null {
  const caption = textOf(record, 'ShortDescription');
  const length = caption === null ? 0 : [...caption].length;
  if (caption !== null && NO_CAPTION.test(caption)) {
    findings.leaveOut(`${source}.ShortDescription`, 'it is the name or number of a file, not a caption');
    return null;
  }
  if (length <= MAX_CAPTION_LENGTH) return caption;
  findings.leaveOut(
    `${source}.ShortDescription`,
    `a caption has at most ${MAX_CAPTION_LENGTH} characters, this one has ${length}`,
  );
  return null;
}
