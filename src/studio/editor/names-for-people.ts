/**
 * The ids of a listing and its agents name its folder and files. While nobody typed them, they are made of the address
 * and the names, as `init` makes them. Pure.
 */
import { toId, unusedId } from '../../listing/words/to-id.ts';
import { presetId } from '../../video/photos/preset-id.ts';
import { isObject, type ListingObject, valueAt } from '../document/json.ts';
import type { PatchOperation } from './protocol.ts';

/** Ids that the studio gave, so nobody typed them. */
export interface GivenIds {
  readonly listing: string | null;
  readonly agents: readonly string[];
}

export interface NewNames {
  /** Null: it keeps its id. */
  readonly listing: string | null;
  /** New ids by the earlier ones. */
  readonly agents: ReadonlyMap<string, string>;
  readonly patch: readonly PatchOperation[];
}

/** Of an agent whom nobody named yet. */
const PLACEHOLDER = /^agent-\d+$/;

/** The id that the listing would have by its address. Null: somebody typed its id. @param folder - Of its file. */
export function idByAddress(document: ListingObject, folder: string, given: GivenIds): string | null {
  const { id } = document;
  const isGiven = id === presetId(null, folder) || (id !== undefined && id === given.listing);
  return isGiven ? presetId(textAt(document, ['address', 'street']), folder) : null;
}

/** @param listing - New id of the listing; null: it keeps its own. */
export function newNames(document: ListingObject, listing: string | null, given: GivenIds): NewNames {
  const patch: PatchOperation[] =
    listing === null ? [] : [{ op: 'replace', path: '/id', value: listing }];
  const agents = new Map<string, string>();
  const listed: readonly unknown[] = Array.isArray(document.agents) ? document.agents : [];
  const ids = listed.map((agent) => textAt(agent, ['id']));
  for (const [index, agent] of listed.entries()) {
    const own = ids[index]!;
    if (!PLACEHOLDER.test(own) && !given.agents.includes(own)) continue;
    const name = toId(`${textAt(agent, ['first_name'])} ${textAt(agent, ['last_name'])}`);
    const others = ids.filter((_, place) => place !== index);
    const next = name === '' ? own : unusedId(name, others);
    if (next === own) continue;
    ids[index] = next;
    agents.set(own, next);
    patch.push({ op: 'replace', path: `/agents/${index}/id`, value: next });
  }
  return { listing, agents, patch };
}

/** After the new names are there: all ids that nobody typed. */
export function givenAfter(given: GivenIds, { listing, agents }: NewNames): GivenIds {
  const kept = given.agents.filter((id) => !agents.has(id));
  return { listing: listing ?? given.listing, agents: [...new Set([...kept, ...agents.values()])] };
}

/** As it was remembered: anything can be in it. */
export function readGivenIds(value: unknown): GivenIds {
  const { listing, agents } = isObject(value) ? value : {};
  const isText = (id: unknown): id is string => typeof id === 'string';
  return {
    listing: isText(listing) ? listing : null,
    agents: Array.isArray(agents) ? agents.filter(isText) : [],
  };
}

function textAt(value: unknown, path: readonly string[]): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}
