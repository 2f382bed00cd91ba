/** What a request says that no listing has, as warnings of its task. Pure. */
import { locWords } from '../../../listing/rules/loc-words.ts';
import { findUnknownProperties } from '../../../listing/rules/unknown-properties.ts';

/** Lists read them with every task. */
const MAX_SHOWN = 5;

/** @param body - Parsed JSON. @returns Sentences with their places, the last one the number of the rest. */
export function describeIgnored(body: unknown): string[] {
  const found = findUnknownProperties(body);
  const shown = found.slice(0, MAX_SHOWN).map(({ loc, message }) => {
    const holder = locWords(loc.slice(0, -1));
    return holder === '' ? message : `${holder}: ${message}`;
  });
  return found.length > MAX_SHOWN ? [...shown, 'more unknown properties are ignored'] : shown;
}
