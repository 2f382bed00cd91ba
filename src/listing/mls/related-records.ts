/** Media, Member, Office and OpenHouse records of files beside the properties, found by the keys that lead to them. */
import { isRecord, type MlsRecord, textOf } from './mls-record.ts';

export type RelatedResource = 'Media' | 'Member' | 'Office' | 'OpenHouse';
type MediaOwner = 'Property' | 'Member' | 'Office';

/** All that is read of a Media record: a feed has dozens of them for each property, and they stay in memory. */
const MEDIA_FIELDS = [
  'ImageOf',
  'ImageSizeDescription',
  'ImageWidth',
  'LongDescription',
  'MediaAlteration',
  'MediaCategory',
  'MediaObjectID',
  'MediaStatus',
  'MediaType',
  'MediaURL',
  'MimeType',
  'Order',
  'Permission',
  'PreferredPhotoYN',
  'ShortDescription',
];
/** Where a Media record names its owner: the keys of the dictionary, then those of older feeds. */
const OWNER_KEYS: Readonly<Record<MediaOwner, readonly string[]>> = {
  Property: ['ResourceRecordKey', 'ListingKey', 'ResourceRecordID', 'ListingId'],
  Member: ['ResourceRecordKey', 'MemberKey', 'ResourceRecordID', 'MemberMlsId'],
  Office: ['ResourceRecordKey', 'OfficeKey', 'ResourceRecordID', 'OfficeMlsId'],
};

export class RelatedRecords {
  readonly #media = new Map<string, MlsRecord[]>();
  readonly #records = new Map<string, MlsRecord>();
  readonly #openHouses = new Map<string, MlsRecord[]>();

  /** @returns False for a record that names no owner or has no key: nothing leads to it. */
  add(resource: RelatedResource, record: unknown): boolean {
    if (!isRecord(record)) return false;
    if (resource === 'OpenHouse') return this.#addOpenHouse(record);
    return resource === 'Media' ? this.#addMedia(record) : this.#addRecord(resource, record);
  }

  /** Media of the first key that has some, in the order of their file. */
  mediaOf(owner: MediaOwner, keys: readonly (string | null)[]): readonly MlsRecord[] {
    for (const key of keys) {
      const found = key === null ? undefined : this.#media.get(`${owner} ${key}`);
      if (found !== undefined) return found;
    }
    return [];
  }

  /** The member or office with the first key that is known. */
  find(resource: 'Member' | 'Office', keys: readonly (string | null)[]): MlsRecord | null {
    for (const key of keys) {
      const found = key === null ? undefined : this.#records.get(`${resource} ${key}`);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Open houses of the property with these keys, in the order of their file. */
  openHousesOf(keys: readonly (string | null)[]): readonly MlsRecord[] {
    const key = keys.find((each) => each !== null && this.#openHouses.has(each));
    return key == null ? [] : this.#openHouses.get(key)!;
  }

  #addOpenHouse(record: MlsRecord): boolean {
    const key = textOf(record, 'ListingKey') ?? textOf(record, 'ListingId');
    if (key === null) return false;
    const known = this.#openHouses.get(key);
    if (known === undefined) this.#openHouses.set(key, [record]);
    else known.push(record);
    return true;
  }

  #addMedia(record: MlsRecord): boolean {
    const owner = ownerOf(record);
    const key = OWNER_KEYS[owner].map((name) => textOf(record, name)).find((found) => found !== null);
    if (key === undefined) return false;
    const entry = `${owner} ${key}`;
    const kept = Object.fromEntries(
      MEDIA_FIELDS.flatMap((name) =>
        Object.hasOwn(record, name) && record[name] !== null ? [[name, record[name]]] : [],
      ),
    );
    const known = this.#media.get(entry);
    if (known === undefined) this.#media.set(entry, [kept]);
    else known.push(kept);
    return true;
  }

  #addRecord(resource: 'Member' | 'Office', record: MlsRecord): boolean {
    const keys = [`${resource}Key`, `${resource}MlsId`].flatMap((name) => textOf(record, name) ?? []);
    for (const key of keys) {
      const entry = `${resource} ${key}`;
      if (!this.#records.has(entry)) this.#records.set(entry, record);
    }
    return keys.length > 0;
  }
}

/** `ResourceName`, else the resource whose key the record has, else a property. */
function ownerOf(record: MlsRecord): MediaOwner {
  const name = textOf(record, 'ResourceName')?.toLowerCase();
  if (name === 'member' || name === 'agent') return 'Member';
  if (name === 'office') return 'Office';
  if (name !== undefined || textOf(record, 'ResourceRecordKey') !== null) return 'Property';
  if (textOf(record, 'ListingKey') !== null) return 'Property';
  if (textOf(record, 'MemberKey') !== null) return 'Member';
  return textOf(record, 'OfficeKey') === null ? 'Property' : 'Office';
}
