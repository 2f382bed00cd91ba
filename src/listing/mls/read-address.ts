/** The address of a property: the street from one text or from its parts. */
import type { Address } from '../listing.ts';
import { cityWords } from '../words/city-words.ts';
import { stateCode, US_STATES } from '../words/us-states.ts';
import type { FindingsCollector } from './findings.ts';
import { flagOf, type MlsRecord, textOf } from './mls-record.ts';

const PARTS = [
  'StreetDirPrefix',
  'StreetName',
  'StreetSuffix',
  'StreetSuffixModifier',
  'StreetDirSuffix',
] as const;

/** @returns Null when there is nothing of it, or when its seller does not want it shown. */
export function readAddress(record: MlsRecord, findings: FindingsCollector): Address | null {
  if (flagOf(record, 'InternetAddressDisplayYN') === false) {
    findings.leaveOut(
      'UnparsedAddress',
      'InternetAddressDisplayYN is false: the seller does not want it shown',
    );
    return null;
  }
  const unparsed = textOf(record, 'UnparsedAddress');
  const cities = new Map<string, string>();
  for (const field of ['City', 'PostalCity']) {
    const given = textOf(record, field);
    if (given === null) continue;
    const { words, isGuess } = cityWords(given, unparsed);
    // The first is shown.
    if (isGuess && cities.size === 0)
      findings.note(`${field} is "${given}", one word: the video says "${words}"`);
    cities.set(field, words);
  }
  const street = readStreet(record, cities, findings);
  if (street === null) findings.missing('address.street', 'UnparsedAddress', 'StreetNumber', 'StreetName');
  const part = (field: string, ...names: readonly string[]): string | null => {
    const name = names.find((each) => textOf(record, each) !== null);
    if (name === undefined) findings.missing(`address.${field}`, ...names);
    else findings.from(`address.${field}`, name);
    return name === undefined ? null : (cities.get(name) ?? textOf(record, name));
  };
  const city = part('city', 'City', 'PostalCity');
  const state = part('state', 'StateOrProvince');
  const postalCode = part('postal_code', 'PostalCode');
  const place = city ?? state ?? postalCode;
  if (street === null && place === null) return null;
  if (street === null) findings.note(`there is no street: the video shows only the rest of the address`);
  return {
    // A listing needs the field; nothing is shown of an empty one.
    street: street ?? '',
    ...(city !== null && { city }),
    ...(state !== null && { state }),
    ...(postalCode !== null && { postal_code: postalCode }),
  };
}

/** @param cities - In words, by their fields. */
function readStreet(
  record: MlsRecord,
  cities: ReadonlyMap<string, string>,
  findings: FindingsCollector,
): string | null {
  const unparsed = textOf(record, 'UnparsedAddress');
  const street = unparsed === null ? null : withoutPlace(unparsed, record, cities);
  const unit = textOf(record, 'UnitNumber');
  if (street !== null) {
    const isUnitMissing = unit !== null && !hasWord(street, unit.replace(/^\W*(?:[a-z]+\.?\s)?#?/i, ''));
    findings.from('address.street', 'UnparsedAddress', ...(isUnitMissing ? ['UnitNumber'] : []));
    return isUnitMissing ? `${street}, ${unitWords(unit)}` : street;
  }
  const number = ['StreetNumber', 'StreetNumberNumeric'].find((name) => textOf(record, name) !== null);
  // A number alone is no street.
  if (textOf(record, 'StreetName') === null) return null;
  const used = [number, ...PARTS].filter(
    (name) => name !== undefined && textOf(record, name) !== null,
  ) as string[];
  const words = used.map((name) => textOf(record, name)).join(' ');
  findings.from('address.street', ...used, ...(unit === null ? [] : ['UnitNumber']));
  return unit === null ? words : `${words}, ${unitWords(unit)}`;
}

/** `#4B` for `4B`; what already says what it is stays: `Unit 4B`. */
function unitWords(unit: string): string {
  return /^#|^[a-z]{2,}\.?\s/i.test(unit) ? unit : `#${unit}`;
}

function hasWord(text: string, word: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return word
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .every((each) => words.includes(each));
}

/**
 * The dictionary allows city, state, postal code and country in `UnparsedAddress`. They are removed from its end
 * where the record has them as values of their own. A city is removed only after a comma or a state, so that `100
 * Portland` keeps it.
 */
function withoutPlace(
  unparsed: string,
  record: MlsRecord,
  cities: ReadonlyMap<string, string>,
): string | null {
  let rest = unparsed;
  const removed: string[] = [];
  for (const name of ['Country', 'PostalCode', 'StateOrProvince', 'City', 'PostalCity']) {
    for (const word of placeWords(name, cities.get(name) ?? textOf(record, name), unparsed, cities)) {
      // All of it is the place.
      if (removed.length > 0 && rest.toLowerCase() === word.toLowerCase()) return null;
      if (rest.length <= word.length) continue;
      const start = rest.length - word.length;
      const before = rest.slice(0, start);
      if (rest.slice(start).toLowerCase() !== word.toLowerCase() || !/[\s,]$/.test(before)) continue;
      const isPlace = removed.length > 0 || /,\s*$/.test(before);
      if (!isPlace && name !== 'PostalCode') continue;
      rest = before.replace(/[\s,]+$/, '');
      removed.push(name);
      break;
    }
  }
  return /[\p{L}\p{N}]/u.test(rest) ? rest : null;
}

/** How an address can write a part of the place. */
function placeWords(
  name: string,
  value: string | null,
  unparsed: string,
  cities: ReadonlyMap<string, string>,
): string[] {
  if (value === null) return [];
  if (name === 'Country' && value === 'US') return ['US', 'USA', 'United States'];
  if (name === 'PostalCode') {
    const zip = value.replace(/-\d{4}$/, '');
    const longest = unparsed.split(/[\s,]/).find((word) => word.startsWith(`${zip}-`));
    return [...(longest === undefined ? [] : [longest]), zip];
  }
  const state = US_STATES.find(({ code }) => name === 'StateOrProvince' && code === stateCode(value));
  if (state === undefined) return [value];
  // Streets are named for states too: its name stands after a comma or the city.
  const isWritten = [',', ...cities.values()].some((before) =>
    unparsed.toLowerCase().includes(`${before} ${state.name}`.toLowerCase()),
  );
  return isWritten ? [state.name, state.code] : [state.code];
}
