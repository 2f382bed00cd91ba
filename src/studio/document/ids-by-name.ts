/**
 * The ids of a listing and its agents name its folder and files. While nobody typed them, they are made of the address
 * and the names, as `init` makes them. Pure.
 */
import { toId, unusedId } from '../../listing/words/to-id.ts';
import { presetId } from '../../video/photos/preset-id.ts';
import type { PatchOperation } from '../editor/protocol.ts';
import { type ListingObject, valueAt } from './json.ts';

/** Of an agent whom nobody named yet. */
const PLACEHOLDER = /^agent-\d+$/;

/**
 * The listing after an edit, whose id follows the address. At once, because the id decides between several soundtracks:
 * the person hears the one that is rendered.
 *
 * @param folder - Of the listing file, absolute.
 */
export function followAddress(before: ListingObject, after: ListingObject, folder: string): ListingObject {
  const { id } = after;
  if (id !== before.id || !isIdByAddress(before, folder)) return after;
  const next = idByAddress(after, folder);
  return isIdByAddress(after, folder) ? after : { ...after, id: next };
}

/** True if nobody typed the id of the listing. */
export function isIdByAddress(document: ListingObject, folder: string): boolean {
  return isMadeOf(document.id, idByAddress(document, folder));
}

function idByAddress(document: ListingObject, folder: string): string {
  return presetId(textAt(document, ['address', 'street']), folder);
}

/** The ids that are made of the names of their agents. */
export function agentsByName(document: ListingObject): string[] {
  return agentsOf(document).flatMap((agent) => {
    const name = nameId(agent);
    const id = textAt(agent, ['id']);
    return name !== '' && isMadeOf(id, name) ? [id] : [];
  });
}

export interface NewAgentIds {
  /** New ids by the earlier ones. */
  readonly agents: ReadonlyMap<string, string>;
  readonly patch: readonly PatchOperation[];
}

/** @param given - Ids that were made of names. */
export function newAgentIds(document: ListingObject, given: readonly unknown[]): NewAgentIds {
  const patch: PatchOperation[] = [];
  const agents = new Map<string, string>();
  const listed = agentsOf(document);
  const ids = listed.map((agent) => textAt(agent, ['id']));
  for (const [index, agent] of listed.entries()) {
    const own = ids[index]!;
    const name = nameId(agent);
    if (name === '' || isMadeOf(own, name) || !(PLACEHOLDER.test(own) || given.includes(own))) continue;
    const next = unusedId(name, ids);
    ids[index] = next;
    agents.set(own, next);
    patch.push({ op: 'replace', path: `/agents/${index}/id`, value: next });
  }
  return { agents, patch };
}

/** `june-takemori`, or with a number because another one has it. */
function isMadeOf(id: unknown, base: string): boolean {
  return (
    id === base ||
    (typeof id === 'string' && id.startsWith(`${base}-`) && /^\d+$/.test(id.slice(base.length + 1)))
  );
}

function agentsOf({ agents }: ListingObject): readonly unknown[] {
  return Array.isArray(agents) ? agents : [];
}

function nameId(agent: unknown): string {
  return toId(`${textAt(agent, ['first_name'])} ${textAt(agent, ['last_name'])}`);
}

function textAt(value: unknown, path: readonly string[]): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}
