/** Patches that set and remove one value of a listing whose fields can have any type. Pure. */

import { isObject, type ListingObject, toPointer, valueAt } from '../../document/json.ts';
import type { ListingPath, PatchOperation } from '../../editor/protocol.ts';

/**
 * Sets the value, and makes the objects and lists above it that are missing. Undefined removes it. Empty when nothing
 * changes, and when a value above is of another type: that one is never overwritten.
 */
export function putValue(listing: ListingObject, path: ListingPath, value: unknown): PatchOperation[] {
  if (value === undefined) return removeValue(listing, path);
  const holders: PatchOperation[] = [];
  for (let length = 1; length < path.length; length += 1) {
    const above = path.slice(0, length);
    const holder = valueAt(listing, above);
    const isList = typeof path[length] === 'number';
    if (holder === undefined || holder === null)
      holders.push({ op: 'add', path: toPointer(above), value: isList ? [] : {} });
    else if (typeof holder !== 'object' || Array.isArray(holder) !== isList) return [];
  }
  return valueAt(listing, path) === value ? [] : [...holders, { op: 'add', path: toPointer(path), value }];
}

/** Fields whose holders mean nothing when they are empty, or break a rule then. */
const EMPTY_MEANS_NOTHING: readonly (string | number)[] = ['address', 'offices', 'phone_number'];

function removeValue(listing: ListingObject, path: ListingPath): PatchOperation[] {
  if (path.length === 0 || valueAt(listing, path) === undefined) return [];
  const above = path.slice(0, -1);
  const isEmptied =
    sizeOf(valueAt(listing, above)) === 1 && above.some((key) => EMPTY_MEANS_NOTHING.includes(key));
  // Without an item of a list, the next item would be in its place.
  const isBeforeOthers = typeof above.at(-1) === 'number' && sizeOf(valueAt(listing, above.slice(0, -1))) > 1;
  return isEmptied && !isBeforeOthers
    ? removeValue(listing, above)
    : [{ op: 'remove', path: toPointer(path) }];
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The places of the listing's agents that are objects. */
export function agentPlaces(listing: ListingObject): readonly number[] {
  const { agents } = listing;
  return Array.isArray(agents) ? agents.flatMap((agent, index) => (isObject(agent) ? [index] : [])) : [];
}

/** A value as a line of text: text itself, and JSON for what is no text. Empty for none. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `June Takemori`, or else `Agent 2`. */
export function agentTitle(listing: ListingObject, place: number): string {
  const names = ['first_name', 'last_name'].map((field) => valueAt(listing, ['agents', place, field]));
  const title = names
    .filter((name) => typeof name === 'string')
    .join(' ')
    .trim();
  return title === '' ? `Agent ${place + 1}` : title;
}
