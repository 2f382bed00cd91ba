/** Patches of the list of agents. Pure. */

import { isObject, type ListingObject, toPointer, valueAt } from '../../document/json.ts';
import type { ListingPath, PatchOperation } from '../../editor/protocol.ts';
import { agentPlaces } from './listing-edits.ts';

export const MAX_AGENTS = 20;

/** A new agent at the end, with the look that all others have in common. */
export function addAgent(listing: ListingObject): PatchOperation[] {
  const used = agentPlaces(listing).map((place) => valueAt(listing, ['agents', place, 'id']));
  let number = used.length + 1;
  while (used.includes(`agent-${number}`)) number += 1;
  const options = commonOptions(listing);
  const agent = {
    id: `agent-${number}`,
    first_name: '',
    last_name: '',
    ...(options === null ? {} : { video_options: options }),
  };
  return addItem(listing, ['agents'], agent);
}

/** Adds to a list, and makes the list when there is none. Empty when something else is in its place. */
export function addItem(listing: ListingObject, path: ListingPath, item: object): PatchOperation[] {
  const list = valueAt(listing, path) ?? null;
  if (list === null) return [{ op: 'add', path: toPointer(path), value: [item] }];
  return Array.isArray(list) ? [{ op: 'add', path: `${toPointer(path)}/-`, value: item }] : [];
}

export function removeItem(path: ListingPath): PatchOperation[] {
  return [{ op: 'remove', path: toPointer(path) }];
}

export function moveAgent(from: number, to: number): PatchOperation[] {
  return [{ op: 'move', from: `/agents/${from}`, path: `/agents/${to}` }];
}

/** Without `metadata`, which is about one agent. Null when the agents have nothing in common. */
function commonOptions(listing: ListingObject): Record<string, unknown> | null {
  const all = agentPlaces(listing).map((place) => valueAt(listing, ['agents', place, 'video_options']));
  const { metadata: _, template_data: data, ...common } = inCommon(all);
  const shared = inCommon(all.map((options) => valueAt(options, ['template_data'])));
  const result =
    isObject(data) || Object.keys(shared).length > 0 ? { ...common, template_data: shared } : common;
  return Object.keys(result).length === 0 ? null : result;
}

/** The properties that all have, with the same value. */
function inCommon(objects: readonly unknown[]): Record<string, unknown> {
  const [first, ...others] = objects;
  if (!isObject(first)) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) =>
      others.every((other) => JSON.stringify(valueAt(other, [name])) === JSON.stringify(value)),
    ),
  );
}
