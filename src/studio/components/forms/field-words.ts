/** A field of the listing in the words of the forms: `License of June Takemori: state`. Pure. */
import { fieldWord, ITEM_WORDS } from '../../../listing/field-word.ts';
import { fullName } from '../../../listing/words/agent-name.ts';
import { type ListingObject, valueAt } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

/** Empty for the listing as a whole. */
export function fieldWords(listing: ListingObject, path: ListingPath): string {
  const [first, place, ...rest] = path;
  if (first === 'assets' && typeof place === 'number') return withPart(`Photo ${place + 1}`, rest);
  if (first === 'agents' && typeof place === 'number') return toCapital(ofAgent(listing, place, rest));
  if (first === 'id') return 'Id of the listing';
  return first === undefined ? '' : withPart(toCapital(fieldWord(first)), path.slice(1));
}

/** `June Takemori`, or else `the second agent`. */
export function personWords(listing: ListingObject, place: number): string {
  const text = (field: string): string => {
    const value = valueAt(listing, ['agents', place, field]);
    return typeof value === 'string' ? value.trim() : '';
  };
  return fullName(text('first_name'), text('last_name')) || `the ${ordinal(place)} agent`;
}

function ofAgent(listing: ListingObject, place: number, [field, ...rest]: ListingPath): string {
  const person = personWords(listing, place);
  if (field === undefined) return person;
  const item = ITEM_WORDS[field];
  if (item !== undefined) {
    const [index, ...part] = rest;
    const list = valueAt(listing, ['agents', place, field]);
    const isOneOfMany = typeof index === 'number' && Array.isArray(list) && list.length > 1;
    const which = index === undefined ? `${item}s` : isOneOfMany ? `${ordinal(index)} ${item}` : item;
    return withPart(`${which} of ${person}`, part);
  }
  if (field !== 'video_options') return `${fieldWord(field)} of ${person}`;
  const { agents } = listing;
  const isOnly = Array.isArray(agents) && agents.length === 1;
  return withPart(isOnly ? 'video' : `video of ${person}`, rest);
}

/** The innermost field that a form has a word for. */
function withPart(whole: string, path: ListingPath): string {
  const part = path.findLast((step) => typeof step === 'string');
  return part === undefined || part === 'template_data' ? whole : `${whole}: ${fieldWord(part)}`;
}

function ordinal(index: number): string {
  return ORDINALS[index] ?? `${index + 1}th`;
}

function toCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
