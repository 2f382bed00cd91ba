/**
 * A small JSON reader that knows where everything stands: finds the first fault of a text, and the characters that a
 * violation's loc is about. Pure; used for showing places only, values are read by `JSON.parse`.
 */

/** As deep as the service reads. */
const MAX_DEPTH = 200;

/**
 * @returns `{root}`, a tree of `{start, end, items?, members?}` in UTF-16 offsets, or `{fault: {offset, message}}`.
 */
export function readJson(text) {
  let at = 0;
  try {
    skipSpace();
    const root = readValue(0);
    skipSpace();
    if (at < text.length) fail('there is more after the end of the listing');
    return { root };
  } catch (error) {
    if (error instanceof JsonFault) return { fault: { offset: error.offset, message: error.message } };
    throw error;
  }

  function readValue(depth) {
    if (depth > MAX_DEPTH) fail('nested too deeply');
    const character = text[at];
    if (character === '{') return readObject(depth);
    if (character === '[') return readArray(depth);
    if (character === '"') return readString();
    if (character === '-' || isDigit(character)) return readNumber();
    for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return span(word.length);
    return fail(
      at >= text.length ? 'the text ends where a value is expected' : `a value is expected, not ${shown()}`,
    );
  }

  function readObject(depth) {
    const node = { start: at++, end: 0, members: new Map() };
    skipSpace();
    while (text[at] !== '}') {
      if (text[at] !== '"') fail(`a property name in double quotes is expected, not ${shown()}`);
      const key = readString();
      skipSpace();
      expect(':', 'after the property name');
      skipSpace();
      const value = readValue(depth + 1);
      // Of duplicate keys the last one counts, as in JSON.parse.
      node.members.set(JSON.parse(text.slice(key.start, key.end)), { key, value });
      skipSpace();
      if (!readComma('}')) break;
    }
    node.end = ++at;
    return node;
  }

  function readArray(depth) {
    const node = { start: at++, end: 0, items: [] };
    skipSpace();
    while (text[at] !== ']') {
      node.items.push(readValue(depth + 1));
      skipSpace();
      if (!readComma(']')) break;
    }
    node.end = ++at;
    return node;
  }

  /** True when another entry follows. */
  function readComma(close) {
    if (text[at] === close) return false;
    expect(',', `or ${close} is`);
    const comma = at - 1;
    skipSpace();
    if (text[at] === close) fail(`a comma before ${close}`, comma);
    return true;
  }

  function readString() {
    const start = at++;
    while (text[at] !== '"') {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code) || code === 10 || code === 13) fail('this string is not closed', start);
      if (code < 32) fail('a control character stands in a string: write it as an escape');
      if (code === 92) readEscape();
      else at++;
    }
    return { start, end: ++at };
  }

  function readEscape() {
    const kind = text[at + 1];
    if (kind === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) fail('\\u wants four hexadecimal digits');
      at += 6;
    } else if (kind !== undefined && '"\\/bfnrt'.includes(kind)) at += 2;
    else fail(`\\${kind ?? ''} is no escape`);
  }

  function readNumber() {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) fail('this is no number');
    const node = span(match[0].length);
    if (/[\d.eE+-]/.test(text[at] ?? '')) fail('this is no number', node.start);
    return node;
  }

  function span(length) {
    const start = at;
    at += length;
    return { start, end: at };
  }

  function expect(character, where) {
    if (text[at] !== character) fail(`${character} ${where} expected, not ${shown()}`);
    at++;
  }

  function shown() {
    if (at >= text.length) return 'the end of the text';
    return text[at] === '\n' || text[at] === '\r' ? 'the end of the line' : text[at];
  }

  function skipSpace() {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at++;
  }

  function fail(message, offset = at) {
    throw new JsonFault(message, offset);
  }
}

class JsonFault extends Error {
  constructor(message, offset) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The span of the value a loc points at; of a loc that ends with `"[key]"`, the key; of an absent property, the opening
 * bracket of the object it is missing from.
 *
 * @param root - Of {@link readJson}.
 * @param loc - With its leading `"body"`.
 * @returns `{start, end}`, or null when there is no such place.
 */
export function locate(root, loc) {
  let node = root;
  let key = null;
  const steps = loc.slice(1);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const child = typeof step === 'number' ? itemOf(node, step) : node.members?.get(step);
    if (child === undefined) {
      if (!isLast) return null;
      if (step === '[key]' && key !== null) return { start: key.start, end: key.end };
      return node.members === undefined ? null : { start: node.start, end: node.start + 1 };
    }
    key = child.key;
    node = child.value;
  }
  return { start: node.start, end: node.end };
}

function itemOf(node, index) {
  const value = node.items?.[index];
  return value === undefined ? undefined : { key: null, value };
}

/** Line and column of an offset, both from 1. */
export function placeAt(text, offset) {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

function isDigit(character) {
  return character !== undefined && character >= '0' && character <= '9';
}
