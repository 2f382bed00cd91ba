/**
 * Places in a JSON text (RFC 8259): where each value stands, or where the text stops being JSON and why. `JSON.parse`
 * reads the values. Browsers load this file too.
 *
 * jsonc-parser walks the text; what it calls an error is put into words here, since its own say neither what was
 * found nor what to do. It recurses, so the walk ends at {@link MAX_DEPTH}.
 */
import { type JSONVisitor, type Node, parseTree, visit } from 'jsonc-parser';

/** Far beyond any listing (7 levels), far below what recursion over a value can take. */
export const MAX_DEPTH = 200;

/** A part of a text, half-open, in UTF-16 code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A part of a text as editors count. */
export interface TextPlace {
  /** From 1. Lines end with LF, CR LF or CR. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** UTF-16 code units on that line, at least 1. */
  readonly length: number;
}

/** Why a text is not JSON: a clause such as `expected a comma or ] after the value, found “x”`. */
export class JsonFault extends Error {
  /** In UTF-16 code units; can be the text's length. */
  readonly offset: number;
  /** Length of the offending part, at least 1. */
  readonly length: number;
  /** What to do, where that is clear. */
  readonly hint: string | undefined;

  constructor(offset: number, length: number, message: string, hint?: string) {
    super(message);
    this.offset = offset;
    this.length = length;
    this.hint = hint;
  }
}

/**
 * The first fault of a text, or null when it is JSON and nested no deeper than {@link MAX_DEPTH} brackets.
 *
 * @param firstLine - Line of the file that the text begins with, for messages that name a line.
 */
export function findJsonFault(text: string, firstLine = 1): JsonFault | null {
  const stop = findStop(text);
  return stop === null ? null : toFault(text, stop, firstLine);
}

/** The last text and its values, so that many places in one file cost one parse. */
let lastRead: { readonly text: string; readonly root: Node | undefined } | undefined;

function rootOf(text: string): Node | undefined {
  if (lastRead?.text !== text)
    lastRead = { text, root: findJsonFault(text) === null ? parseTree(text) : undefined };
  return lastRead.root;
}

function spanOf({ offset, length }: Node): TextSpan {
  return { start: offset, end: offset + length };
}

/**
 * The span of the value a loc points at; of the key, for a loc that ends with `"[key]"`; of the opening bracket of the
 * parent, for an absent property. Of duplicate keys the last counts, as in `JSON.parse`.
 *
 * @param text - Without byte order mark.
 * @param loc - With its leading `"body"`.
 * @returns null when the text is not JSON or has no such place.
 */
export function locateSpan(text: string, loc: readonly (string | number)[]): TextSpan | null {
  let node = rootOf(text);
  let key: Node | undefined;
  for (const [index, step] of loc.slice(1).entries()) {
    if (node === undefined) return null;
    const [ownKey, child] = partOf(node, step);
    if (child === undefined) {
      if (index < loc.length - 2) return null;
      if (step === '[key]' && key !== undefined) return spanOf(key);
      return node.type === 'object' ? { start: node.offset, end: node.offset + 1 } : null;
    }
    [key, node] = [ownKey, child];
  }
  return node === undefined ? null : spanOf(node);
}

/** The value of a step, after its key in an object. */
function partOf({ type, children = [] }: Node, step: string | number): readonly (Node | undefined)[] {
  if (typeof step === 'number') return [undefined, type === 'array' ? children[step] : undefined];
  const member =
    type === 'object' ? children.findLast((each) => each.children?.[0]?.value === step) : undefined;
  return member?.children ?? [];
}

export function locateInSource(text: string, loc: readonly (string | number)[]): TextPlace | null {
  const span = locateSpan(text, loc);
  return span === null ? null : placeAt(text, span.start, span.end - span.start);
}

/** A part that runs over the end of its line is cut there. @param offset - Can be the text's length. */
export function placeAt(text: string, offset: number, length: number): TextPlace {
  if (lines?.text !== text) lines = { text, starts: lineStarts(text) };
  const { starts } = lines;
  let line = 1;
  for (let above = starts.length; line < above; ) {
    const middle = (line + above + 1) >> 1;
    if (starts[middle - 1]! <= offset) line = middle;
    else above = middle - 1;
  }
  const start = starts[line - 1]!;
  const next = starts[line];
  const lineEnd = next === undefined ? text.length : next - (text.startsWith('\r\n', next - 2) ? 2 : 1);
  return { line, column: offset - start + 1, length: Math.max(1, Math.min(length, lineEnd - offset)) };
}

/** Of the text that was asked about last: a listing can break 20,000 rules in one line. */
let lines: { readonly text: string; readonly starts: readonly number[] } | undefined;

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
}

/** What the grammar allows next. The last character of `…or ]` and `…or }` closes the bracket that is open. */
const EXPECTED = {
  value: 'expected a value',
  'value or ]': 'expected a value or ]',
  key: 'expected a property name in double quotes',
  'key or }': 'expected a property name in double quotes or }',
  colon: 'expected a colon after the property name',
  'comma or ]': 'expected a comma or ] after the value',
  'comma or }': 'expected a comma or } after the value',
  end: 'expected nothing more after the value',
  'less depth': `nested deeper than ${MAX_DEPTH} levels`,
} as const;
type Expected = keyof typeof EXPECTED;

/** Where a text stops being JSON. */
class Stop {
  readonly at: number;
  readonly expected: Expected;
  /** Offset of the innermost bracket that is open there. */
  readonly open: number | undefined;

  constructor(at: number, expected: Expected, open: number | undefined) {
    this.at = at;
    this.expected = expected;
    this.open = open;
  }
}

/** Null for JSON. What is thrown ends the walk. */
function findStop(text: string): Stop | null {
  const open: number[] = [];
  let expected: Expected = 'value';
  const isInArray = () => text[open.at(-1) ?? -1] === '[';
  const stopAt = (offset: number) => new Stop(offset, expected, open.at(-1));
  const enter = (next: Expected) => (offset: number) => {
    if (open.length === MAX_DEPTH) throw new Stop(offset, 'less depth', undefined);
    open.push(offset);
    expected = next;
  };
  const endValue = () => {
    expected = open.length === 0 ? 'end' : isInArray() ? 'comma or ]' : 'comma or }';
  };
  const leave = (offset: number) => {
    // The library also closes what the end of the text leaves open.
    if (offset === text.length) throw stopAt(offset);
    open.pop();
    endValue();
  };
  const visitor: JSONVisitor = {
    onObjectBegin: enter('key or }'),
    onArrayBegin: enter('value or ]'),
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: () => {
      expected = 'colon';
    },
    onSeparator: (sign) => {
      expected = sign === ':' || isInArray() ? 'value' : 'key';
    },
    onLiteralValue: (value, offset, length) => {
      // The library reads 01 as 0 and 1.
      if (typeof value === 'number' && lengthOf(WORD, text, offset) > length) throw stopAt(offset);
      endValue();
    },
    onError: (_, offset) => {
      // The library takes a sign after a word for a part of it, as in `true#`.
      const word = text.slice(offset, offset + lengthOf(WORD, text, offset));
      const isValue = expected.startsWith('value') && /^(?:true|false|null)$/.test(word);
      if (isValue) endValue();
      throw stopAt(isValue ? offset + word.length : offset);
    },
  };
  try {
    visit(text, visitor, { disallowComments: true });
    return null;
  } catch (stop) {
    if (stop instanceof Stop) return stop;
    throw stop;
  }
}

const WORD = /[\p{L}\p{N}_$.+-]+/uy;
/** A run of string characters without quotes, backslashes and controls. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** How many code units a sticky pattern matches. */
function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

// Bodies of /v1 have these messages, so they do not change.
function toFault(text: string, { at, expected, open }: Stop, firstLine: number): JsonFault {
  if (expected === 'less depth') return new JsonFault(at, 1, EXPECTED[expected]);
  const rest = text.slice(at, at + 2);
  if (rest === '') {
    if (open === undefined) return new JsonFault(at, 1, 'there is nothing in it');
    const line = firstLine + placeAt(text, open, 1).line - 1;
    const message = `it ends before the ${text[open]} of line ${line} is closed`;
    return new JsonFault(at, 1, message, `${EXPECTED[expected]}; perhaps the file was cut off`);
  }
  if (/^(?:value|key)/.test(expected) && rest.startsWith('"')) return badString(text, at);
  const word = text.slice(at, at + lengthOf(WORD, text, at));
  if (expected.startsWith('value') && /^-?\d/.test(word)) {
    const hint = /^-?0\d/.test(word)
      ? 'a number cannot begin with 0; put it in quotes if it is not a quantity'
      : 'put it in double quotes if it is text';
    return new JsonFault(at, word.length, `${show(word)} is not a number`, hint);
  }
  const before = /^[\]}]/.test(rest) ? text.slice(0, at).trimEnd() : '';
  if (before.endsWith(','))
    return new JsonFault(before.length - 1, 1, `one comma too many before ${rest[0]}`, 'remove the comma');
  const found = word || String.fromCodePoint(text.codePointAt(at)!);
  return new JsonFault(
    at,
    found.length,
    `${EXPECTED[expected]}, found ${show(found)}`,
    hintFor(rest, expected),
  );
}

function badString(text: string, start: number): JsonFault {
  let at = start + 1;
  for (let length = 1; length > 0; at += length) {
    at += lengthOf(PLAIN, text, at);
    length = lengthOf(ESCAPE, text, at);
  }
  const found = text.slice(at, at + 2);
  if (/^[\n\r]?$/.test(found.charAt(0)))
    return new JsonFault(start, at - start, 'the string that begins here has no closing quote');
  if (found.startsWith('\\')) {
    const message = `a string cannot hold the escape ${show(found)}`;
    return new JsonFault(at, found.length, message, 'write a backslash as \\\\');
  }
  const code = showCode(found);
  const escaped = code === 'U+0009' ? '\\t' : code.toLowerCase().replace('u+', '\\u');
  const message = `a string cannot hold the control character ${code} as it is`;
  return new JsonFault(at, 1, message, `write it as ${escaped}`);
}

function hintFor(rest: string, expected: string): string | undefined {
  if (rest === '//' || rest === '/*' || rest.startsWith('#')) return 'JSON has no comments';
  if (/^['`\u2018\u2019\u201c\u201d]/.test(rest)) return 'use straight double quotes';
  const isWord = /^[\p{L}_$]/u.test(rest);
  if (expected.startsWith('key') && isWord) return 'put the name in double quotes';
  if (expected.startsWith('value') && isWord) return 'put text in double quotes';
  if (expected.startsWith('comma') && /^["{[\d-]/.test(rest)) return 'put a comma between the two';
  return undefined;
}

/** A piece of the text fit for a message: short, in quotes, nothing invisible. */
function show(text: string): string {
  const short = text.length > 24 ? `${text.slice(0, 24)}…` : text;
  const isPlain = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(short);
  return isPlain ? `“${short}”` : [...short].map(showCode).slice(0, 3).join(' ');
}

function showCode(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
