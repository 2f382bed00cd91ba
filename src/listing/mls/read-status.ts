/** The status of a property: what viewers read, and whether it is to have a video at all. */
import type { FindingsCollector } from './findings.ts';
import { flagOf, lookupKey, type MlsRecord, textOf } from './mls-record.ts';

/** The values of `StandardStatus` in the RESO Data Dictionary 2.0. */
export const STANDARD_STATUSES = [
  'Active',
  'Active Under Contract',
  'Canceled',
  'Closed',
  'Coming Soon',
  'Delete',
  'Expired',
  'Hold',
  'Incomplete',
  'Pending',
  'Withdrawn',
] as const;
export type StandardStatus = (typeof STANDARD_STATUSES)[number];

const OTHER_NAMES: Readonly<Record<string, StandardStatus>> = {
  cancelled: 'Canceled',
  contingent: 'Active Under Contract',
  deleted: 'Delete',
  forsale: 'Active',
  leased: 'Closed',
  rented: 'Closed',
  sold: 'Closed',
  temporarilyoffmarket: 'Hold',
  undercontract: 'Active Under Contract',
};

/** For sale, and for lease. A status without words is off the market. */
const WORDS: Readonly<Partial<Record<StandardStatus, readonly [sale: string, lease: string]>>> = {
  Active: ['For sale', 'For lease'],
  'Active Under Contract': ['Under contract', 'Under contract'],
  Closed: ['Sold', 'Leased'],
  'Coming Soon': ['Coming soon', 'Coming soon'],
  Pending: ['Pending', 'Pending'],
};

/** Those that a video of a house on the market can show. */
export const SHOWN_STATUSES = STANDARD_STATUSES.filter((status) => WORDS[status] !== undefined);

export interface RecordFilter {
  /** Also those that are off the market or withheld. */
  readonly all: boolean;
  /** Only these; null for all. */
  readonly statuses: readonly StandardStatus[] | null;
}

/** The status of the dictionary that a text names; null for one that it does not know. */
export function parseStatus(text: string): StandardStatus | null {
  const key = lookupKey(text);
  const own = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  return own ?? STANDARD_STATUSES.find((status) => lookupKey(status) === key) ?? null;
}

/** The status that a record has, from the first of both fields that names one. */
export function statusOf(record: MlsRecord): { field: string; status: StandardStatus } | null {
  for (const field of ['StandardStatus', 'MlsStatus']) {
    const status = parseStatus(textOf(record, field) ?? '');
    if (status !== null) return { field, status };
  }
  return null;
}

export function isLease(record: MlsRecord): boolean {
  return /lease|rental/.test(lookupKey(textOf(record, 'PropertyType') ?? ''));
}

export function reasonToSkip(record: MlsRecord, { all, statuses }: RecordFilter): string | null {
  const found = statusOf(record);
  if (statuses !== null && (found === null || !statuses.includes(found.status)))
    return `its status is ${found?.status ?? textOf(record, 'StandardStatus') ?? 'unknown'}`;
  if (all) return null;
  if (flagOf(record, 'MlgCanView') === false) return 'MlgCanView is false: the MLS wants the record removed';
  if (flagOf(record, 'InternetEntireListingDisplayYN') === false)
    return 'InternetEntireListingDisplayYN is false: the seller does not want it on the internet';
  const isNamed = statuses !== null;
  if (found !== null && !isNamed && WORDS[found.status] === undefined)
    return `it is off the market: its status is ${found.status}`;
  return null;
}

/** @param adviceOn - What to do about a value of a field that nothing knows; empty where nothing can be done. */
export function readStatus(
  record: MlsRecord,
  adviceOn: (field: string, value: string) => string,
  findings: FindingsCollector,
): string | null {
  const found = statusOf(record);
  const words = found === null ? undefined : WORDS[found.status]?.[isLease(record) ? 1 : 0];
  if (found !== null && words !== undefined) {
    findings.from('status', found.field);
    return words;
  }
  const given = ['StandardStatus', 'MlsStatus'].find((name) => textOf(record, name) !== null);
  if (given === undefined) {
    findings.missing('status', 'StandardStatus');
    return null;
  }
  const text = textOf(record, given)!;
  const isUnknown = found === null;
  const advice = isUnknown ? adviceOn(given, text) : '';
  const reason = isUnknown ? 'is not a known status' : 'has no words for viewers';
  findings.leaveOut(given, `${JSON.stringify(text)} ${reason}${advice === '' ? '' : `: ${advice}`}`);
  return null;
}
