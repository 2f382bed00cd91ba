/** The part of a document that can be planned while a person still types: values that break a rule are left out. */
import type { Listing, Violation } from '../../listing/listing.ts';
import { explainViolation } from '../../listing/rules/explain-violation.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';

export type UsableListing =
  | {
      readonly ok: true;
      readonly listing: Listing;
      /** For each asset of `listing` its index in the document. */
      readonly assetIndexes: readonly number[];
      /** For each agent of `listing` its index in the document. */
      readonly agentIndexes: readonly number[];
    }
  | { readonly ok: false; readonly problem: string };

/** A value without its wrong part can break another rule, such as an e-mail without its address. */
const ROUNDS = 4;

/** The fewest photos of a valid listing. A person who adds the first ones sees their video already. */
const MIN_ASSETS = 5;
const FILLER = { url: 'https://example.invalid/filler.jpg' };

type Container = Record<string | number, unknown>;

/** Values that a missing required field gets; without one, what the field belongs to is left out. */
const STAND_INS: Readonly<Record<string, string>> = { first_name: '', last_name: '' };

/** @param document - Does not change. */
export function toUsableListing(document: Readonly<Record<string, unknown>>): UsableListing {
  let copy = structuredClone(document) as Container;
  if (typeof copy.id !== 'string') copy = { ...copy, id: 'listing' };
  const [assets, agents] = [indexed(copy.assets), indexed(copy.agents)];
  for (let round = 0; ; round += 1) {
    const validation = validateListing(withFillers(copy), { allowLocalFiles: true });
    if (validation.ok) {
      const { listing } = validation;
      const kept = (places: Map<unknown, number>, values: unknown): number[] =>
        (values as unknown[]).map((value) => places.get(value) ?? 0);
      const assetIndexes = kept(assets, copy.assets);
      return {
        ok: true,
        listing: { ...listing, assets: listing.assets.slice(0, assetIndexes.length) },
        assetIndexes,
        agentIndexes: kept(agents, copy.agents),
      };
    }
    const [first] = validation.violations as [Violation];
    if (round === ROUNDS) return { ok: false, problem: explainViolation(first) };
    const holes = validation.violations.map((violation) => leaveOut(copy, violation.loc.slice(1)));
    if (!holes.includes(true)) return { ok: false, problem: explainViolation(first) };
    copy = withoutHoles(copy) as Container;
  }
}

function withFillers(listing: Container): Container {
  const { assets } = listing;
  if (!Array.isArray(assets) || assets.length === 0 || assets.length >= MIN_ASSETS) return listing;
  return { ...listing, assets: [...assets, ...Array(MIN_ASSETS - assets.length).fill(FILLER)] };
}

/** Items by identity, so that they are found again after others have been removed. */
function indexed(values: unknown): Map<unknown, number> {
  return new Map(Array.isArray(values) ? values.map((value, index) => [value, index]) : []);
}

const HOLE = Symbol('left out');

/**
 * Removes the value at `path`, or what it belongs to where it is missing. False for what a listing cannot do without.
 */
function leaveOut(root: Container, path: readonly (string | number)[]): boolean {
  const key = path.at(-1);
  const isList = path.length === 1 && (key === 'assets' || key === 'agents');
  if (key === undefined || isList) return false;
  let parent: unknown = root;
  for (const step of path.slice(0, -1)) parent = (parent as Container | undefined)?.[step];
  if (typeof parent !== 'object' || parent === null) return false;
  const container = parent as Container;
  if (typeof key === 'number') container[key] = HOLE;
  else if (Object.hasOwn(STAND_INS, key) && path[0] === 'agents' && path.length === 3)
    container[key] = STAND_INS[key];
  else if (Object.hasOwn(container, key)) delete container[key];
  else return leaveOut(root, path.slice(0, -1));
  return true;
}

/** Objects keep their identity. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== HOLE).map(withoutHoles);
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Container;
  for (const key of Object.keys(container)) container[key] = withoutHoles(container[key]);
  return container;
}
