/**
 * Where a text stops being JSON (RFC 8259), and why, in words for the person who wrote it.
 *
 * `JSON.parse` decides the same question, but says only an offset at best, in words that change with every Node. This
 * scanner builds nothing and does not recurse, so neither size nor depth can harm it.
 */

export interface JsonFault {
  /** In UTF-16 code units. */
  readonly offset: number;
  /** Length of the offending part, at least 1; it may point just past the end of the text. */
  readonly length: number;
  /** A clause such as `expected a comma or ] after this value, found "x"`. */
  readonly message: string;
  readonly hint?: string;
}

type Expectation =
  | 'value'
  | 'value or ]'
  | 'key'
  | 'key or }'
  | 'colon'
  | 'comma or ]'
  | 'comma or }'
  | 'end';

const EXPECTED: Readonly<Record<Expectation, string>> = {
  value: 'expected a value',
  'value or ]': 'expected a value or ]',
  key: 'expected a property name in double quotes',
  'key or }': 'expected a property name in double quotes or }',
  colon: 'expected a colon after the property name',
  'comma or ]': 'expected a comma or ] after the value',
  'comma or }': 'expected a comma or } after the value',
  end: 'expected nothing more after the value',
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
const SPACE = /[ \t\n\r]*/y;
/** A run of string characters that need no look: not a quote, a backslash or a control. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The first fault of a text, or null when it is JSON and nested no deeper than `maxDepth` brackets.
 */
export function findJsonFault(text: string, maxDepth: number): JsonFault | null {
  const scan = new Scanner(text, maxDepth);
  return scan.run();
}

class Scanner {
  readonly #text: string;
  readonly #maxDepth: number;
  /** The open brackets, outermost first, with their offsets. */
  readonly #open: { readonly bracket: '[' | '{'; readonly offset: number }[] = [];
  #offset = 0;
  #expectation: Expectation = 'value';
  /** Offset of the last comma, to recognise one too many. */
  #commaOffset = -1;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  run(): JsonFault | null {
    for (;;) {
      this.#skip(SPACE);
      if (this.#offset === this.#text.length)
        return this.#expectation === 'end' ? null : this.#unexpectedEnd();
      const fault = this.#step(this.#text[this.#offset]!);
      if (fault !== null) return fault;
    }
  }

  /** Takes one token. */
  #step(character: string): JsonFault | null {
    switch (this.#expectation) {
      case 'value or ]':
        return character === ']' ? this.#close() : this.#value(character);
      case 'value':
        return this.#value(character);
      case 'key or }':
        return character === '}' ? this.#close() : this.#key(character);
      case 'key':
        return this.#key(character);
      case 'colon':
        return character === ':' ? this.#take('value') : this.#unexpected();
      case 'comma or ]':
        if (character === ']') return this.#close();
        return character === ',' ? this.#comma('value') : this.#unexpected();
      case 'comma or }':
        if (character === '}') return this.#close();
        return character === ',' ? this.#comma('key') : this.#unexpected();
      case 'end':
        return this.#unexpected();
    }
  }

  #value(character: string): JsonFault | null {
    if (character === '{' || character === '[') return this.#openBracket(character);
    if (character === '"') return this.#string() ?? this.#valueDone();
    for (const word of ['true', 'false', 'null']) {
      if (this.#text.startsWith(word, this.#offset) && this.#wordLength() === word.length) {
        this.#offset += word.length;
        return this.#valueDone();
      }
    }
    const length = this.#matchLength(NUMBER);
    if (length === 0) return this.#unexpected();
    if (length < this.#wordLength()) return this.#badNumber();
    this.#offset += length;
    return this.#valueDone();
  }

  #key(character: string): JsonFault | null {
    if (character !== '"') return this.#unexpected();
    const fault = this.#string();
    if (fault === null) this.#expectation = 'colon';
    return fault;
  }

  #string(): JsonFault | null {
    const start = this.#offset++;
    for (;;) {
      this.#skip(PLAIN);
      const character = this.#text[this.#offset];
      if (character === '"') {
        this.#offset++;
        return null;
      }
      if (character === '\\') {
        const length = this.#matchLength(ESCAPE);
        if (length === 0) return this.#badEscape();
        this.#offset += length;
        continue;
      }
      if (character === undefined || character === '\n' || character === '\r') {
        return this.#fault(start, this.#offset - start, 'the string that begins here has no closing quote');
      }
      return this.#fault(
        this.#offset,
        1,
        `a string cannot hold the control character ${showCode(character)} as it is`,
        `write it as ${character === '\t' ? '\\t' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`}`,
      );
    }
  }

  #openBracket(bracket: '[' | '{'): JsonFault | null {
    if (this.#open.length === this.#maxDepth) {
      return this.#fault(this.#offset, 1, `nested deeper than ${this.#maxDepth} levels`);
    }
    this.#open.push({ bracket, offset: this.#offset });
    return this.#take(bracket === '[' ? 'value or ]' : 'key or }');
  }

  #close(): JsonFault | null {
    this.#open.pop();
    this.#offset++;
    return this.#valueDone();
  }

  #comma(next: Expectation): JsonFault | null {
    this.#commaOffset = this.#offset;
    return this.#take(next);
  }

  #take(next: Expectation): null {
    this.#offset++;
    this.#expectation = next;
    return null;
  }

  #valueDone(): null {
    const parent = this.#open.at(-1)?.bracket;
    this.#expectation = parent === undefined ? 'end' : parent === '[' ? 'comma or ]' : 'comma or }';
    return null;
  }

  #badNumber(): JsonFault {
    const word = this.#text.slice(this.#offset, this.#offset + this.#wordLength());
    const hint = /^-?0\d/.test(word)
      ? 'a number cannot begin with 0; put it in quotes if it is not a quantity'
      : 'put it in double quotes if it is text';
    return this.#fault(this.#offset, word.length, `${show(word)} is not a number`, hint);
  }

  #badEscape(): JsonFault {
    const next = this.#text.slice(this.#offset, this.#offset + 2);
    return this.#fault(
      this.#offset,
      Math.max(1, next.length),
      `a string cannot hold the escape ${show(next)}`,
      'write a backslash as \\\\',
    );
  }

  #unexpected(): JsonFault {
    const rest = this.#text.slice(this.#offset, this.#offset + 2);
    const character = rest.charAt(0);
    if ((character === ']' || character === '}') && this.#commaOffset >= 0 && this.#onlySpaceSinceComma()) {
      return this.#fault(this.#commaOffset, 1, `one comma too many before ${character}`, 'remove the comma');
    }
    const length = Math.max(1, this.#wordLength(), /^[\ud800-\udbff][\udc00-\udfff]/.test(rest) ? 2 : 1);
    const found = show(this.#text.slice(this.#offset, this.#offset + length));
    const message = `${EXPECTED[this.#expectation]}, found ${found}`;
    return this.#fault(this.#offset, length, message, hintFor(rest, this.#expectation));
  }

  #unexpectedEnd(): JsonFault {
    const open = this.#open.at(-1);
    if (open === undefined) return this.#fault(this.#offset, 1, 'there is nothing in it');
    return this.#fault(
      this.#offset,
      1,
      `it ends before the ${open.bracket} of line ${lineOf(this.#text, open.offset)} is closed`,
      `${EXPECTED[this.#expectation]}; perhaps the file was cut off`,
    );
  }

  #onlySpaceSinceComma(): boolean {
    return this.#text.slice(this.#commaOffset + 1, this.#offset).trim() === '';
  }

  #wordLength(): number {
    return this.#matchLength(WORD);
  }

  #matchLength(pattern: RegExp): number {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0].length ?? 0;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#offset;
    pattern.test(this.#text);
    this.#offset = pattern.lastIndex;
  }

  #fault(offset: number, length: number, message: string, hint?: string): JsonFault {
    return { offset, length: Math.max(1, length), message, ...(hint === undefined ? {} : { hint }) };
  }
}

function hintFor(rest: string, expectation: Expectation): string | undefined {
  if (rest === '//' || rest === '/*' || rest.startsWith('#')) return 'JSON has no comments';
  if (/^['`\u2018\u2019\u201c\u201d]/.test(rest)) return 'use straight double quotes';
  if (expectation.startsWith('key') && /^[\p{L}_$]/u.test(rest)) return 'put the name in double quotes';
  if (expectation.startsWith('value') && /^[\p{L}_$]/u.test(rest)) return 'put text in double quotes';
  if (expectation.startsWith('comma') && /^["{[\d-]/.test(rest)) return 'put a comma between the two';
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

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
