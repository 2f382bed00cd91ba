/** Says in words what differs between two versions of a listing. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { ListingPath } from '../editor/protocol.ts';
import type { ListingDocument } from './apply-edit.ts';

const MAX_CHANGES = 20;
const MAX_SHOWN_CHARS = 60;

/** Lines such as `bedrooms: 3 is now 4`, at most 21. Empty for equal versions. */
export function describeChanges(before: ListingDocument, after: ListingDocument): string[] {
  const changes: string[] = [];
  collect(before, after, [], changes);
  const rest = changes.length - MAX_CHANGES;
  return rest <= 0 ? changes : [...changes.slice(0, MAX_CHANGES), `and ${rest} more`];
}

/** Lines such as `bedrooms: 3 here, 4 in the file`. */
export function describeConflicts(
  paths: readonly ListingPath[],
  mine: ListingDocument,
  theirs: ListingDocument,
): string[] {
  return paths.map((path) => {
    const [here, there] = [valueAt(mine, path), valueAt(theirs, path)];
    return `${placeName(path)}: ${describe(here)} here, ${describe(there)} in the file`;
  });
}

function collect(before: unknown, after: unknown, path: ListingPath, changes: string[]): void {
  if (isDeepStrictEqual(before, after)) return;
  const isOpen = isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after);
  if (!isOpen || (Array.isArray(before) && before.length !== after.length)) {
    changes.push(`${placeName(path)}: ${describe(before)} is now ${describe(after)}`);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const step = Array.isArray(before) ? Number(key) : key;
    collect(before[key], after[key], [...path, step], changes);
  }
}

/** `photo 3, caption`; `agent 1, emails 2, address`. */
function placeName(path: ListingPath): string {
  if (path.length === 0) return 'the listing';
  const words: string[] = [];
  for (const step of path) {
    if (typeof step === 'number' && words.length > 0) words.push(`${words.pop()} ${step + 1}`);
    else words.push(String(step).replaceAll('_', ' '));
  }
  const [first = '', ...rest] = words;
  return [first.replace(/^assets\b/, 'photo').replace(/^agents (?=\d)/, 'agent '), ...rest].join(', ');
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `${value.length} item${value.length === 1 ? '' : 's'}`;
  if (typeof value === 'object') return 'other fields';
  const text = typeof value === 'string' ? `“${value}”` : String(value);
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}

function valueAt(document: ListingDocument, path: ListingPath): unknown {
  return path.reduce<unknown>((at, step) => (isContainer(at) ? at[step] : undefined), document);
}

function isContainer(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
