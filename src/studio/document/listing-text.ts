/**
 * Writes an edited listing into its text with as few changes as possible, so that the layout of the file and its
 * unknown fields stay. Pure; browsers load this file too.
 */
import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  type JSONPath,
  modify,
  parseTree,
} from 'jsonc-parser';
import { isObject, isSame, type ListingObject } from './json.ts';

/**
 * The text of `after`: `text` where nothing changed.
 *
 * @param text - The text of `before`.
 */
export function writeListingText(text: string, before: ListingObject, after: ListingObject): string {
  const formattingOptions = formatOf(text);
  let changed = text;
  for (const { path, value, isInsertion } of differences(before, after, [])) {
    const extended = isInsertion ? null : extendLine(changed, path, value);
    if (extended !== null) {
      changed = extended;
      continue;
    }
    // A layout of its own, which also reaches the neighbors, only where something is new.
    const options = value === undefined ? {} : { formattingOptions, isArrayInsertion: isInsertion };
    changed = applyEdits(changed, modify(changed, path, value, options));
  }
  // Keys that a file has twice are one in the document.
  return isWritten(changed, after) ? changed : formatWhole(after, text);
}

/** A new text or number in an object that is on one line stays on that line. Null for any other change. */
function extendLine(text: string, path: JSONPath, value: unknown): string | null {
  if (value === undefined || (typeof value === 'object' && value !== null)) return null;
  const root = parseTree(text);
  const [parent, known] = [path.slice(0, -1), path].map((at) => root && findNodeAtLocation(root, at));
  const last = parent?.type === 'object' ? parent.children?.at(-1) : undefined;
  if (parent === undefined || last === undefined || known !== undefined) return null;
  if (text.slice(parent.offset, parent.offset + parent.length).includes('\n')) return null;
  const end = last.offset + last.length;
  return `${text.slice(0, end)}, ${JSON.stringify(path.at(-1))}: ${JSON.stringify(value)}${text.slice(end)}`;
}

function isWritten(text: string, document: ListingObject): boolean {
  try {
    // Also the order of the keys, which undo brings back.
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(document);
  } catch {
    return false;
  }
}

interface Difference {
  readonly path: JSONPath;
  /** Undefined: removed. */
  readonly value: unknown;
  /** Puts a new item before the one at `path`. */
  readonly isInsertion: boolean;
}

/** Fields that differ, and items that were added or removed, in the order in which the text is changed. */
function differences(before: unknown, after: unknown, path: JSONPath): Difference[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ path, value: after, isInsertion: false }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(before[key], after[key], [...path, key]),
  );
}

/** Between the items that are equal at both ends. */
function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  path: JSONPath,
): Difference[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const kept = shorter - end;
  const found: Difference[] = [];
  for (let index = start; index < kept; index += 1)
    found.push(...differences(before[index], after[index], [...path, index]));
  for (let index = before.length - end - 1; index >= kept; index -= 1)
    found.push({ path: [...path, index], value: undefined, isInsertion: false });
  for (let index = kept; index < after.length - end; index += 1)
    found.push({ path: [...path, index], value: after[index], isInsertion: true });
  return found;
}

function formatWhole(document: ListingObject, text: string): string {
  const { insertSpaces, tabSize = 2, eol = '\n' } = formatOf(text);
  const json = JSON.stringify(document, null, insertSpaces === true ? tabSize : '\t');
  const end = /\n\s*$/.test(text) ? '\n' : '';
  return `${json}${end}`.replaceAll('\n', eol);
}

/** The indentation of the first indented line; 2 spaces where there is none. */
function formatOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : Math.min(8, indent.length),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
