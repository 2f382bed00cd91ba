/** Names of the photos of a feed on this disk: one that is there already is not fetched again. Pure. */
import { createHash } from 'node:crypto';
import { isRecord, type MlsRecord, recordsOf, textOf, urlOf } from '../../../listing/mls/mls-record.ts';
import type { SupportedFormat } from '../../../media/assets/decode/sniff-format.ts';

const MAX_KEY_LENGTH = 40;
const ENDINGS: Readonly<Record<SupportedFormat, string>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  heic: 'heic',
  gif: 'gif',
  tiff: 'tif',
};
/** Names of this file. Others are a person's. */
const OWN_NAME = new RegExp(`^[A-Za-z0-9-]+_[0-9a-f]{16}\\.(?:${Object.values(ENDINGS).join('|')})$`);

/** A Media record, and how reports name it. */
export interface FoundMedia {
  readonly source: string;
  readonly record: MlsRecord;
}

/** The Media records of a property, its agents and its offices, by their URL. */
export function mediaByUrl(property: MlsRecord): ReadonlyMap<string, FoundMedia> {
  const found = new Map<string, FoundMedia>();
  const add = (owner: MlsRecord, name: string): void => {
    for (const [index, record] of recordsOf(owner, 'Media').entries()) {
      const url = urlOf(record, 'MediaURL');
      if (url !== null && !found.has(url)) found.set(url, { source: `${name}Media[${index}]`, record });
    }
  };
  add(property, '');
  for (const [name, value] of Object.entries(property))
    for (const owner of [value].flat().filter(isRecord)) {
      add(owner, `${name}.`);
      for (const office of recordsOf(owner, 'Office')) add(office, `${name}.Office.`);
    }
  return found;
}

/**
 * The name of a photo without its ending: another one after the photo was changed. Without a `MediaKey` the URL is the
 * photo, since many feeds sign their URLs anew for each reader.
 *
 * @param media - The record of the photo; undefined when nothing but the URL is known.
 */
export function photoStem(url: string, media: MlsRecord | undefined, property: MlsRecord): string {
  const key = media === undefined ? null : textOf(media, 'MediaKey');
  const changed =
    media === undefined
      ? null
      : (textOf(media, 'MediaModificationTimestamp') ??
        textOf(media, 'ModificationTimestamp') ??
        textOf(property, 'PhotosChangeTimestamp'));
  const hash = createHash('sha256')
    .update(JSON.stringify([key ?? url, changed]))
    .digest('hex');
  const readable = (key ?? '').replace(/[^A-Za-z0-9]+/g, '-').slice(-MAX_KEY_LENGTH);
  return `${readable.replace(/^-+|-+$/g, '') || 'photo'}_${hash.slice(0, 16)}`;
}

export function photoFileName(stem: string, format: SupportedFormat): string {
  return `${stem}.${ENDINGS[format]}`;
}

/** Own photos of a folder by their stems. */
export function byStem(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    names.filter((name) => OWN_NAME.test(name)).map((name) => [name.slice(0, name.lastIndexOf('.')), name]),
  );
}
