/** Applies the patch of an edit (RFC 6902) to a copy of the listing. A patch from a hostile page does no harm. Pure. */
import { applyPatch, type Operation } from 'rfc6902';
import { MAX_DEPTH } from '../../listing/json/json-places.ts';
import { MAX_LISTING_VALUES } from '../../listing/json/parse-json.ts';
import type { PatchOperation } from '../editor/protocol.ts';

/** The root of a listing file: an object that can break every rule. */
export type ListingDocument = Readonly<Record<string, unknown>>;

/** What an edit made, or why it cannot be made. */
export type EditResult =
  | { readonly ok: true; readonly document: ListingDocument }
  | { readonly ok: false; readonly problem: string };

/** Names that reach the prototypes of JavaScript. No field of a listing has one. */
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_OPERATIONS = 1_000;

/** The document itself does not change. Either all operations apply or none. */
export function applyEdit(document: ListingDocument, patch: readonly PatchOperation[]): EditResult {
  if (patch.length > MAX_OPERATIONS) return refuse(`an edit can have ${MAX_OPERATIONS} operations at most`);
  const copy: { root: unknown } = { root: structuredClone(document) };
  for (const operation of patch) {
    const problem = findProblem(operation) ?? applyOne(copy, operation);
    if (problem !== null) return refuse(problem);
    // A patch of copies could double its result with each operation.
    if (measure(copy.root, MAX_DEPTH) > MAX_LISTING_VALUES)
      return refuse(`a listing can have ${MAX_LISTING_VALUES} values at most`);
  }
  const { root } = copy;
  if (typeof root !== 'object' || root === null || Array.isArray(root))
    return refuse('a listing must stay an object');
  return { ok: true, document: root as ListingDocument };
}

/** Keys of a JSON pointer, such as `['assets', '3', 'caption']`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The root is inside an object, so that a pointer can name it too. */
function applyOne(copy: { root: unknown }, operation: PatchOperation): string | null {
  const moved = {
    ...operation,
    path: `/root${operation.path}`,
    ...('from' in operation && { from: `/root${operation.from}` }),
  };
  try {
    const [error] = applyPatch(copy, [moved as Operation]);
    return error ? doesNotFit(operation) : null;
  } catch {
    // The library throws for a pointer into a text or number.
    return doesNotFit(operation);
  }
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

function doesNotFit({ op, path }: PatchOperation): string {
  return `the edit does not fit the listing: ${op} ${path}`;
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
