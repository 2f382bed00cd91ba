/**
 * Places in a JSON text (RFC 8259): where each value stands, or where the text stops being JSON and why. `JSON.parse` reads
 * the values. Browsers load this file too, so it imports nothing.
 *
 * No library, as measured: momoa 3.3 accepts a raw tab in a string, jsonc-parser 3.3 reports a bad escape at the start of
 * its string, and 100,000 open brackets overflow the stack of both.
 */

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
  const result = new JsonReader(text, false, firstLine).read();
  return result instanceof JsonFault ? result : null;
}

/** The last text and its values, so that many places in one file cost one parse. */
let lastRead: { readonly text: string; readonly root: JsonNode | null } | undefined;

/**
 * The span of the value a loc points at; of the key, for a loc that ends with `"[key]"`; of the opening bracket of the
 * parent, for an absent property. Of duplicate keys the last counts, as in `JSON.parse`.
 *
 * @param text - Without byte order mark.
 * @param loc - With its leading `"body"`.
 * @returns null when the text is not JSON or has no such place.
 */
export function locateSpan(text: string, loc: readonly (string | number)[]): TextSpan | null {
  if (lastRead?.text !== text) {
    const result = new JsonReader(text, true).read();
    lastRead = { text, root: result instanceof JsonFault ? null : result };
  }
  let node = lastRead.root;
  let key: TextSpan | null = null;
  for (const [index, step] of loc.slice(1).entries()) {
    if (node === null) return null;
    const member = typeof step === 'string' ? node.members?.get(step) : undefined;
    const child = typeof step === 'number' ? node.items?.[step] : member?.value;
    if (child === undefined) {
      if (index < loc.length - 2) return null;
      if (step === '[key]' && key !== null) return key;
      return node.members === undefined ? null : { start: node.start, end: node.start + 1 };
    }
    key = member?.key ?? null;
    node = child;
  }
  return node === null ? null : { start: node.start, end: node.end };
}

/** {@link locateSpan} by line and column. */
export function locateInSource(text: string, loc: readonly (string | number)[]): TextPlace | null {
  const span = locateSpan(text, loc);
  return span === null ? null : placeAt(text, span.start, span.end - span.start);
}

/**
 * The place of a part of a text. A part that runs over the end of its line is cut there.
 *
 * @param offset - In UTF-16 code units from the start; can be the text's length.
 */
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

interface JsonNode {
  readonly start: number;
  end: number;
  /** Of an array. */
  readonly items?: JsonNode[];
  /** Of an object. */
  readonly members?: Map<string, { readonly key: TextSpan; readonly value: JsonNode }>;
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
} as const;

const SPACE = /[ \t\n\r]*/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A run of string characters without quotes, backslashes and controls. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Does not recurse, so depth cannot harm it. */
class JsonReader {
  readonly #text: string;
  /** False builds no nodes: 4 MiB of `[0,0,…` would become 2 million. */
  readonly #keepsNodes: boolean;
  readonly #firstLine: number;
  /** The arrays and objects that are not closed yet, outermost first. */
  readonly #open: JsonNode[] = [];
  #root: JsonNode | null = null;
  #key: TextSpan = { start: 0, end: 0 };
  #at = 0;
  #expected: keyof typeof EXPECTED = 'value';
  /** Offset of the last comma, to recognise one too many. */
  #commaAt = -1;

  constructor(text: string, keepsNodes: boolean, firstLine = 1) {
    this.#text = text;
    this.#keepsNodes = keepsNodes;
    this.#firstLine = firstLine;
  }

  /** The root, null without nodes, or the first fault. */
  read(): JsonNode | JsonFault | null {
    try {
      for (;;) {
        this.#at += this.#match(SPACE);
        if (this.#at === this.#text.length) break;
        this.#readToken(this.#text[this.#at]!);
      }
      if (this.#expected !== 'end') throw this.#unexpectedEnd();
      return this.#root;
    } catch (error) {
      if (error instanceof JsonFault) return error;
      throw error;
    }
  }

  #readToken(character: string): void {
    const expected = this.#expected;
    if (character === ']' || character === '}') {
      if (!expected.endsWith(character)) throw this.#unexpected();
      this.#at++;
      this.#open.pop()!.end = this.#at;
      this.#expectAfterValue();
    } else if (expected.startsWith('value')) {
      this.#readValue(character);
    } else if (expected.startsWith('key') && character === '"') {
      const start = this.#at;
      this.#at += this.#stringLength();
      this.#key = { start, end: this.#at };
      this.#expected = 'colon';
    } else if (expected === 'colon' && character === ':') {
      this.#at++;
      this.#expected = 'value';
    } else if (expected.startsWith('comma') && character === ',') {
      this.#commaAt = this.#at++;
      this.#expected = expected === 'comma or ]' ? 'value' : 'key';
    } else throw this.#unexpected();
  }

  #readValue(character: string): void {
    const start = this.#at;
    if (character !== '[' && character !== '{') {
      this.#at += character === '"' ? this.#stringLength() : this.#scalarLength();
      if (this.#keepsNodes) this.#add({ start, end: this.#at });
      this.#expectAfterValue();
      return;
    }
    if (this.#open.length === MAX_DEPTH) {
      throw new JsonFault(start, 1, `nested deeper than ${MAX_DEPTH} levels`);
    }
    this.#at++;
    const node = character === '[' ? { start, end: 0, items: [] } : { start, end: 0, members: new Map() };
    if (this.#keepsNodes) this.#add(node);
    this.#open.push(node);
    this.#expected = character === '[' ? 'value or ]' : 'key or }';
  }

  #add(node: JsonNode): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = node;
    else if (parent.items !== undefined) parent.items.push(node);
    else {
      const name = JSON.parse(this.#text.slice(this.#key.start, this.#key.end)) as string;
      parent.members!.set(name, { key: this.#key, value: node });
    }
  }

  #expectAfterValue(): void {
    const parent = this.#open.at(-1);
    this.#expected = parent === undefined ? 'end' : parent.items === undefined ? 'comma or }' : 'comma or ]';
  }

  #scalarLength(): number {
    const length = this.#match(SCALAR);
    const word = this.#text.slice(this.#at, this.#at + this.#match(WORD));
    if (length > 0 && length === word.length) return length;
    if (length === 0 || !/^[-\d]/.test(word)) throw this.#unexpected();
    const hint = /^-?0\d/.test(word)
      ? 'a number cannot begin with 0; put it in quotes if it is not a quantity'
      : 'put it in double quotes if it is text';
    throw new JsonFault(this.#at, word.length, `${show(word)} is not a number`, hint);
  }

  /** With both quotes. */
  #stringLength(): number {
    let at = this.#at + 1;
    for (;;) {
      at += this.#match(PLAIN, at);
      if (this.#text[at] === '"') return at + 1 - this.#at;
      const length = this.#match(ESCAPE, at);
      if (length === 0) throw this.#badString(at);
      at += length;
    }
  }

  #badString(at: number): JsonFault {
    const found = this.#text.slice(at, at + 2);
    if (/^[\n\r]?$/.test(found.charAt(0))) {
      return new JsonFault(this.#at, at - this.#at, 'the string that begins here has no closing quote');
    }
    if (found.startsWith('\\')) {
      const message = `a string cannot hold the escape ${show(found)}`;
      return new JsonFault(at, found.length, message, 'write a backslash as \\\\');
    }
    const code = showCode(found);
    const escaped = code === 'U+0009' ? '\\t' : code.toLowerCase().replace('u+', '\\u');
    const message = `a string cannot hold the control character ${code} as it is`;
    return new JsonFault(at, 1, message, `write it as ${escaped}`);
  }

  #unexpected(): JsonFault {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    const isClosing = rest.startsWith(']') || rest.startsWith('}');
    if (isClosing && this.#commaAt >= 0 && this.#text.slice(this.#commaAt + 1, this.#at).trim() === '') {
      return new JsonFault(
        this.#commaAt,
        1,
        `one comma too many before ${rest.charAt(0)}`,
        'remove the comma',
      );
    }
    const length = Math.max(this.#match(WORD), /^[\ud800-\udbff][\udc00-\udfff]/.test(rest) ? 2 : 1);
    const message = `${EXPECTED[this.#expected]}, found ${show(this.#text.slice(this.#at, this.#at + length))}`;
    return new JsonFault(this.#at, length, message, hintFor(rest, this.#expected));
  }

  // Bodies of /v1 have these messages, so they do not change.
  #unexpectedEnd(): JsonFault {
    const open = this.#open.at(-1);
    if (open === undefined) return new JsonFault(this.#at, 1, 'there is nothing in it');
    const bracket = this.#text[open.start];
    const { line } = placeAt(this.#text, open.start, 1);
    const message = `it ends before the ${bracket} of line ${this.#firstLine + line - 1} is closed`;
    return new JsonFault(this.#at, 1, message, `${EXPECTED[this.#expected]}; perhaps the file was cut off`);
  }

  /** How many code units a sticky pattern matches. */
  #match(pattern: RegExp, at = this.#at): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex - at : 0;
  }
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
