/** Real-estate licenses as people type them, and as a card prints them: as commissions require. */

import type { License } from '../listing.ts';
import { displayText } from './display-text.ts';
import { stateCode } from './us-states.ts';

/**
 * One text for each license: `OR 201250142`, or `CA DRE #01234567` in California. A single license becomes
 * `OR Lic. 201250128`. The one of the listing's state comes first, the others keep their order, repeats are left out.
 */
export function licenseWords(
  licenses: readonly License[],
  listingState: string | null | undefined,
): string[] {
  const listed = stateCode(displayText(listingState ?? ''));
  const clean = licenses
    .map(({ number, state }) => toClean(number, stateCode(displayText(state))))
    .filter(({ number }) => number !== '');
  const ordered = [
    ...clean.filter(({ state }) => state === listed),
    ...clean.filter(({ state }) => state !== listed),
  ];
  const isAlone = new Set(ordered.map(({ state, number }) => `${state} ${number}`)).size === 1;
  return [...new Set(ordered.map(({ number, state }) => spell(number, state, isAlone)))];
}

/** Clients write `Lic. #201250128`, `OR 201250128` or `DRE# 01234567`. The card adds these words itself. */
function toClean(number: string, state: string): { readonly number: string; readonly state: string } {
  let bare = displayText(number);
  if (state !== '' && bare.toLowerCase().startsWith(`${state.toLowerCase()} `))
    bare = bare.slice(state.length + 1);
  bare = bare
    .replace(/^(?:cal\s?)?(?:dre|bre)\b[\s.:#]*|^lic(?:en[sc]e)?\b[\s.:#]*(?:no\b[\s.:#]*)?|^[#\s]+/i, '')
    .trim();
  return { number: bare, state };
}

function spell(number: string, state: string, isAlone: boolean): string {
  if (state === 'CA') return `CA DRE #${number}`;
  return [state, isAlone ? 'Lic.' : '', number].filter((word) => word !== '').join(' ');
}

/**
 * `OR 201234567` or `New York 1040`: the state, then the number. Null for a text without one of them.
 *
 * @param otherState - That of a number alone.
 */
export function parseLicense(text: string, otherState: string | null): License | null {
  const [, said, number = ''] = /^(?:(.*\S)\s+)?(\S+)$/.exec(text.trim()) ?? [];
  const state = said === undefined ? otherState : stateCode(said);
  return state === null || !/\d/.test(number) ? null : { state, number };
}
