/** The state that a text was probably meant to be. Pure. */
import { nearestName } from '../../platform/nearest-name.ts';
import { readPlaces, US_STATES } from '../words/us-states.ts';

/** Places that grant no license of the US, whose names are right all the same. */
const OTHERS = readPlaces(`
  AS American Samoa, MP Northern Mariana Islands,
  AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
  NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon`);

const PLACES = [...US_STATES, ...OTHERS];
const NICKNAMES = ['Washington DC', 'Virgin Islands', 'Newfoundland', 'Yukon Territory'];
const KNOWN = new Set(
  [...PLACES.flatMap(({ code, name }) => [code, name]), ...NICKNAMES].map((name) => toComparable(name)),
);

/**
 * `California` for `Californa`, `OR` for `RO`.
 *
 * @returns null for a state, territory or province of the US and Canada, and for a text that resembles none: states of
 *   other countries are not known.
 */
export function misspelledState(state: string): string | null {
  const word = toComparable(state);
  if (KNOWN.has(word)) return null;
  const names = PLACES.map(({ name }) => name);
  if (word.length > 3) return nearestName(state.replace(/\p{P}/gu, '').trim(), names) ?? null;
  if (word.length !== 2) return null;
  const codes = PLACES.map(({ code }) => code);
  const isSwapped = (code: string): boolean => toComparable(code) === word[1]! + word[0]!;
  const isNear = (code: string): boolean => [...toComparable(code)].some((letter, at) => letter === word[at]);
  return codes.find(isSwapped) ?? codes.find(isNear) ?? null;
}

/** `D.C.` is `DC`, `Québec` is `Quebec`. */
function toComparable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
