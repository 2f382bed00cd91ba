/** Gives what was found in a listing its place in the file and the words for people. */
import { locateInSource, type TextPlace } from '../../listing/json/json-places.ts';
import type { ListingWarning, Violation } from '../../listing/listing.ts';
import { explainViolation } from '../../listing/rules/explain-violation.ts';

export interface PlacedViolation extends Violation {
  /** `msg` in the words of the command line. */
  readonly message: string;
  /** In the text of its source; null where the text has no such place, or is not kept. */
  readonly place: TextPlace | null;
}

export interface PlacedWarning extends ListingWarning {
  readonly place: TextPlace | null;
}

/**
 * @param text - Of the listing, without byte order mark; null when there is none.
 * @param unknown - The unknown properties of the same text: a required property is probably one of them, misspelled.
 */
export function placeViolations(
  violations: readonly Violation[],
  text: string | null,
  unknown: readonly ListingWarning[] = [],
): PlacedViolation[] {
  return violations.map((violation) => {
    const misspelled = violation.type === 'missing' ? findMisspelled(violation, unknown) : undefined;
    const message = explainViolation(violation);
    if (misspelled === undefined) return { ...violation, message, place: placeOf(violation.loc, text) };
    return {
      ...violation,
      message: `${message}: rename ${JSON.stringify(String(misspelled.loc.at(-1)))}`,
      place: placeOf([...misspelled.loc, '[key]'], text),
    };
  });
}

/** @param unknown - Unknown properties: the key is marked, for its value is not wrong. */
export function placeUnknown(unknown: readonly ListingWarning[], text: string): PlacedWarning[] {
  return unknown.map((warning) => {
    const loc = warning.loc.length > 1 ? [...warning.loc, '[key]'] : warning.loc;
    return { ...warning, place: placeOf(loc, text) };
  });
}

export function placeWarnings(warnings: readonly ListingWarning[], text: string | null): PlacedWarning[] {
  return warnings.map((warning) => ({ ...warning, place: placeOf(warning.loc, text) }));
}

function placeOf(loc: Violation['loc'], text: string | null): TextPlace | null {
  return text === null ? null : locateInSource(text, loc);
}

function findMisspelled({ loc }: Violation, unknown: readonly ListingWarning[]): ListingWarning | undefined {
  const parent = JSON.stringify(loc.slice(0, -1));
  return unknown.find(
    (other) => other.suggestion === loc.at(-1) && JSON.stringify(other.loc.slice(0, -1)) === parent,
  );
}
