/** Finds the values of an agent or an office, in the fields of the property and in the record of their own. */
import { type MlsRecord, recordsOf, textOf } from './mls-record.ts';
import type { RelatedRecords } from './related-records.ts';

const NOTHING: MlsRecord = {};

export interface Lookup {
  readonly flat: MlsRecord;
  readonly own: MlsRecord;
  /** `ListAgent` or `CoListOffice`; with the prefix of `own`: `Member`, `Office`. */
  readonly prefix: string;
  readonly ownPrefix: string;
}

export interface Found {
  readonly text: string;
  readonly field: string;
}

/** The value of the property, else that of the own record. */
export function look({ flat, own, prefix, ownPrefix }: Lookup, name: string): Found | null {
  const field = `${prefix}${name}`;
  const text = textOf(flat, field);
  if (text !== null) return { text, field };
  const ownText = textOf(own, `${ownPrefix}${name}`);
  return ownText === null ? null : { text: ownText, field: `${prefix}.${ownPrefix}${name}` };
}

export function keysOf(record: MlsRecord, prefix: string): (string | null)[] {
  return [textOf(record, `${prefix}Key`), textOf(record, `${prefix}MlsId`)];
}

/**
 * The Member or Office record: expanded under the name of its role, under its own name with one of the keys, in
 * `near`, or in a file.
 *
 * @returns A record without fields when there is none.
 */
export function findOwn(
  record: MlsRecord,
  role: string,
  resource: 'Member' | 'Office',
  keys: readonly (string | null)[],
  { related, near }: { readonly related: RelatedRecords; readonly near?: MlsRecord },
): MlsRecord {
  return (
    recordsOf(record, role)[0] ??
    recordsOf(record, resource).find((each) =>
      keysOf(each, resource).some((key) => key !== null && keys.includes(key)),
    ) ??
    (near === undefined ? undefined : recordsOf(near, resource)[0]) ??
    related.find(resource, keys) ??
    NOTHING
  );
}

/** Media of a person or an office: expanded in its own record, else of a file. */
export function mediaOf(
  own: MlsRecord,
  resource: 'Member' | 'Office',
  keys: readonly (string | null)[],
  related: RelatedRecords,
): readonly MlsRecord[] {
  const expanded = recordsOf(own, 'Media');
  const ownKeys = keysOf(own, resource);
  return expanded.length > 0 ? expanded : related.mediaOf(resource, [...ownKeys, ...keys]);
}
