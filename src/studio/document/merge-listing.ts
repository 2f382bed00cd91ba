/**
 * Merges two changes of one listing field by field: what the studio has, and what another program wrote. Pure.
 *
 * Photos are matched by their addresses, agents by their ids, other items of lists by their places.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ListingPath } from '../editor/protocol.ts';
import type { ListingDocument } from './apply-edit.ts';

export type Side = 'mine' | 'theirs';

export interface MergedListing {
  readonly document: ListingDocument;
  /** Places that both changed, each in another way. */
  readonly conflicts: readonly ListingPath[];
}

/**
 * @param base - What both began with.
 * @param preferred - Whose value a conflict gets.
 */
export function mergeListing(
  base: ListingDocument,
  mine: ListingDocument,
  theirs: ListingDocument,
  preferred: Side,
): MergedListing {
  const conflicts: ListingPath[] = [];
  const merged = mergeValue({ base, mine, theirs }, [], { preferred, conflicts });
  return { document: merged as ListingDocument, conflicts };
}

/** The three versions of one value; undefined where it is absent. */
interface Versions<T = unknown> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

interface Merge {
  readonly preferred: Side;
  readonly conflicts: ListingPath[];
}

type Item = Readonly<Record<string, unknown>>;

function mergeValue(versions: Versions, path: ListingPath, merge: Merge): unknown {
  const { base, mine, theirs } = versions;
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(base, theirs)) return mine;
  if (isDeepStrictEqual(base, mine)) return theirs;
  if (isObject(mine) && isObject(theirs)) {
    return mergeObject({ base: isObject(base) ? base : {}, mine, theirs }, path, merge);
  }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    return mergeList({ base, mine, theirs }, path, merge);
  }
  return conflict(versions, path, merge);
}

function conflict(versions: Versions, path: ListingPath, { preferred, conflicts }: Merge): unknown {
  conflicts.push(path);
  return versions[preferred];
}

/** In the order of mine; what only they have follows. */
function mergeObject({ base, mine, theirs }: Versions<Item>, path: ListingPath, merge: Merge): unknown {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const own = (object: Item, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
  const entries = keys.map((key): [string, unknown] => [
    key,
    mergeValue(
      { base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) },
      [...path, key],
      merge,
    ),
  ]);
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function mergeList(versions: Versions<readonly unknown[]>, path: ListingPath, merge: Merge): unknown {
  const { base, mine, theirs } = versions;
  const keys = { base: keysOf(base), mine: keysOf(mine), theirs: keysOf(theirs) };
  if (keys.base === null || keys.mine === null || keys.theirs === null) {
    if (base.length !== mine.length || base.length !== theirs.length) return conflict(versions, path, merge);
    return mine.map((item, index) =>
      mergeValue({ base: base[index], mine: item, theirs: theirs[index] }, [...path, index], merge),
    );
  }
  const order = mergeOrder(keys as Versions<readonly string[]>);
  if (order === null) return conflict(versions, path, merge);
  const find = (items: readonly unknown[], names: readonly string[], key: string): unknown =>
    items[names.indexOf(key)];
  const itemsOf = (key: string): Versions => ({
    base: find(base, keys.base!, key),
    mine: find(mine, keys.mine!, key),
    theirs: find(theirs, keys.theirs!, key),
  });
  // An item that one side removed and the other changed.
  const isLost = keys.base.some((key) => {
    const item = itemsOf(key);
    const kept = item.mine ?? item.theirs;
    return !order.includes(key) && kept !== undefined && !isDeepStrictEqual(kept, item.base);
  });
  if (isLost) return conflict(versions, path, merge);
  return order.map((key, index) => mergeValue(itemsOf(key), [...path, index], merge));
}

/** The keys in their merged order; null when both sides added, removed or moved items. */
function mergeOrder({ base, mine, theirs }: Versions<readonly string[]>): readonly string[] | null {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(base, theirs)) return mine;
  return isDeepStrictEqual(base, mine) ? theirs : null;
}

/** What the items of a list are called; null when not all have a name of their own. */
function keysOf(items: readonly unknown[]): readonly string[] | null {
  const keys = items.map((item) => {
    if (!isObject(item)) return null;
    const key = item.url ?? item.id;
    return typeof key === 'string' ? key : null;
  });
  const isNamed = keys.every((key) => key !== null) && new Set(keys).size === keys.length;
  return isNamed ? (keys as string[]) : null;
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
