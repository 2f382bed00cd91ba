/**
 * The data about languages inside Node's program, of which the program needs those of English: a quarter of Node's size is about others.
 * What stays is what Node's own build `--with-intl=small-icu` has, with the breaks of words and lines of all scripts.
 */

/** Of ICU's package of data: see `udata.h` and `ucmndata.h` of ICU. All offsets in its list are from the list's start. */
const FORMAT = Buffer.from('CmnD');
const FORMAT_AT = 12;
const MAGIC = 0x27da;
const MAGIC_AT = 2;
const ENTRY_BYTES = 8;
const ALIGNMENT = 16;
/** ICU has others, of a few bytes, for its own tests. */
const MIN_ITEMS = 100;

/** `sv` writes a date as 2026-01-31. The names of all places are below the folder of the data's version. */
const LANGUAGES = /^(?:en|sv)(?:_|\.)/;
const LOCALE = /^(?!res_index)[a-z]{2,3}(?:_\w+)?\.res$/;
/** Of UTF-8, UTF-16 and Latin-1, code is in Node; this table is of Windows-1252. */
const CONVERTER = /(?<!ibm-5348_P100-1997)\.cnv$/;
/** Spelled numbers, transliterations, names of characters, and confusable ones: JavaScript reaches none of them. */
const UNREACHED = /^(?:rbnf|translit)\/|^unames\.icu$|\.cfu$/;

/**
 * Takes out what is needless. Data that stays moves to the front; its place in memory stays.
 *
 * @param {Buffer} program - Changed.
 * @returns {{ start: number, end: number }} Offsets of the bytes that are no longer used.
 * @throws Error when there is not exactly one package of data.
 */
export function trimIcuData(program) {
  const list = findList(program);
  const items = readItems(program, list);
  const last = items.at(-1);
  // Where the last one ends is nowhere said.
  const kept = items.filter((item) => item !== last && isNeeded(item.name));
  if (isNeeded(last.name)) throw new Error(`${last.name} would be lost`);
  const names = Buffer.from(kept.map(({ name, folder }) => `${folder}/${name}\0`).join(''), 'latin1');
  const head = Buffer.alloc(4 + ENTRY_BYTES * kept.length);
  let nameAt = head.length;
  let dataAt = align(head.length + names.length);
  const start = dataAt;
  head.writeUInt32LE(kept.length, 0);
  for (const [index, { folder, name, bytes }] of kept.entries()) {
    head.writeUInt32LE(nameAt, 4 + ENTRY_BYTES * index);
    head.writeUInt32LE(dataAt, 4 + ENTRY_BYTES * index + 4);
    nameAt += folder.length + 1 + name.length + 1;
    dataAt = align(dataAt + bytes.length);
  }
  const packed = Buffer.alloc(dataAt);
  head.copy(packed);
  names.copy(packed, head.length);
  let at = start;
  for (const { bytes } of kept) {
    bytes.copy(packed, at);
    at = align(at + bytes.length);
  }
  packed.copy(program, list);
  return { start: list + packed.length, end: list + last.offset };
}

/** Such as `curr/de.res`. */
export function isNeeded(name) {
  if (CONVERTER.test(name) || UNREACHED.test(name)) return false;
  const file = name.slice(name.lastIndexOf('/') + 1);
  // Breaks of Thai or Japanese text do not depend on the language of the program.
  return name.startsWith('brkitr/') || !LOCALE.test(file) || LANGUAGES.test(file);
}

/** Where the list of the data starts. */
function findList(program) {
  const lists = [];
  for (let at = program.indexOf(FORMAT); at >= 0; at = program.indexOf(FORMAT, at + 1)) {
    const header = at - FORMAT_AT;
    if (header < 0 || program.readUInt16LE(header + MAGIC_AT) !== MAGIC) continue;
    const list = header + program.readUInt16LE(header);
    if (program.readUInt32LE(list) >= MIN_ITEMS) lists.push(list);
  }
  if (lists.length !== 1) throw new Error(`the program has ${lists.length} packages of ICU's data`);
  return lists[0];
}

function readItems(program, list) {
  const count = program.readUInt32LE(list);
  const read = (index) => {
    const entry = list + 4 + ENTRY_BYTES * index;
    const [nameAt, offset] = [entry, entry + 4].map((at) => program.readUInt32LE(at));
    const place = program.toString('latin1', list + nameAt, program.indexOf(0, list + nameAt));
    const [, folder, name] = /^([^/]+)\/(.+)$/.exec(place);
    return { folder, name, offset };
  };
  const items = Array.from({ length: count }, (_, index) => read(index));
  return items.map((item, index) => {
    const end = items[index + 1]?.offset ?? item.offset;
    return { ...item, bytes: Buffer.from(program.subarray(list + item.offset, list + end)) };
  });
}

function align(offset) {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
