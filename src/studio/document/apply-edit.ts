/** Applies the patch of an edit to a copy of the listing. A patch from a hostile page does no harm. Pure. */
import { MAX_DEPTH } from '../../listing/json/json-places.ts';
import { MAX_LISTING_VALUES } from '../../listing/json/parse-json.ts';
import type { PatchOperation } from '../editor/protocol.ts';
import { applyOperation, isObject, type ListingObject, pointerSteps } from './json.ts';

/** What an edit made, or why it cannot be made. */
export type EditResult =
  | { readonly ok: true; readonly document: ListingObject }
  | { readonly ok: false; readonly problem: string };

/** Names that reach the prototypes of JavaScript. No field of a listing has one. */
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_OPERATIONS = 1_000;

/** The document itself does not change. Either all operations apply or none. */
export function applyEdit(document: ListingObject, patch: readonly PatchOperation[]): EditResult {
  if (patch.length > MAX_OPERATIONS) return refuse(`an edit can have ${MAX_OPERATIONS} operations at most`);
  const copy: { root: unknown } = { root: structuredClone(document) };
  for (const operation of patch) {
    const problem = findProblem(operation);
    if (problem !== null) return refuse(problem);
    try {
      applyOperation(copy, operation);
    } catch {
      return refuse(`the edit does not fit the listing: ${operation.op} ${operation.path}`);
    }
    // A patch of copies could double its result with each operation.
    if (measure(copy.root, MAX_DEPTH) > MAX_LISTING_VALUES)
      return refuse(`a listing can have ${MAX_LISTING_VALUES} values at most`);
  }
  return isObject(copy.root) ? { ok: true, document: copy.root } : refuse('a listing must stay an object');
}

/** The number of values; infinity for a value that is too deep. Stops soon after the limit. */
function measure(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === 0) return Number.POSITIVE_INFINITY;
  let count = 1;
  for (const inner of Object.values(value)) {
    count += measure(inner, depth - 1);
    if (count > MAX_LISTING_VALUES) break;
  }
  return count;
}

function findProblem(operation: PatchOperation): string | null {
  const pointers = 'from' in operation ? [operation.path, operation.from] : [operation.path];
  for (const pointer of pointers) {
    if (pointer !== '' && !pointer.startsWith('/')) return `not a JSON pointer: ${pointer}`;
    if (pointerSteps(pointer).some((step) => HOSTILE.has(step)))
      return `not a field of a listing: ${pointer}`;
  }
  return 'value' in operation && holdsHostileKey(operation.value) ? 'the value has a forbidden key' : null;
}

function holdsHostileKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => HOSTILE.has(key) || holdsHostileKey(inner));
}

function refuse(problem: string): EditResult {
  return { ok: false, problem };
}
