/**
 * The list of functions that Node's program offers to native addons. Those of V8, Node and ICU in C++ are a tenth of the program, and no
 * addon of this package uses them: sharp is written for Node-API, which is C. See elf(5), and "GNU hash ELF sections" for the table.
 */

const NEEDLESS = /^_Z.*(?:\dv8|4node|icu_\d|_\d\dP|5cppgc|4absl|7simdutf)/;
/** What the entries of the dynamic part are about, by number. */
const [NEEDED, CALLS_SIZE, STRINGS, SYMBOLS, RELOCATIONS, RELOCATIONS_SIZE, STRINGS_SIZE, CALLS] = [
  1, 2, 5, 6, 7, 8, 10, 23,
];
const [HASH, VERSIONS, NEEDED_VERSIONS] = [0x6ffffef5, 0x6ffffff0, 0x6ffffffe];
const ENTRY_BYTES = 16;
/** Both of a symbol and of a relocation. */
const RECORD_BYTES = 24;
const ALIGNMENT = 8;

/**
 * Takes out what is needless. The tables that stay move to the place of the first of them.
 *
 * @param {Buffer} program - Changed.
 * @param {{ offset: number, size: number }} dynamic - The dynamic part, which says where each table is.
 * @param {number} base - What an address in the part with the tables is more than its offset.
 * @returns {{ start: number, end: number }} Offsets of the bytes that are no longer used.
 */
export function trimExports(program, dynamic, base) {
  const entries = readEntries(program, dynamic);
  const numberOf = (tag) => Number(program.readBigUInt64LE(entries.get(tag)));
  const offsetOf = (tag) => numberOf(tag) - base;
  const [hash, symbols, names, versions] = [HASH, SYMBOLS, STRINGS, VERSIONS].map(offsetOf);
  if (!(hash < symbols && symbols < names && names < versions))
    throw new Error('its tables are in another order');
  const relocations = [
    ...listRecords(offsetOf(RELOCATIONS), numberOf(RELOCATIONS_SIZE)),
    ...listRecords(offsetOf(CALLS), numberOf(CALLS_SIZE)),
  ].map((at) => at + 12);
  const used = new Set(relocations.map((at) => program.readUInt32LE(at)));
  const strings = makeStrings(program.subarray(names, versions));
  // Symbols of other libraries come first. The table of hashes has none of them.
  const firstOwn = program.readUInt32LE(hash + 4);
  const all = listRecords(symbols, names - symbols - ((names - symbols) % RECORD_BYTES)).map((at, index) => ({
    index,
    name: strings.read(program.readUInt32LE(at)),
    record: Buffer.from(program.subarray(at, at + RECORD_BYTES)),
    version: program.readUInt16LE(versions + 2 * index),
  }));
  const own = all.slice(firstOwn).filter(({ index, name }) => used.has(index) || !NEEDLESS.test(name));
  const table = makeHashTable(own, firstOwn);
  const kept = [...all.slice(0, firstOwn), ...table.symbols];
  const places = new Map(kept.map(({ index }, place) => [index, place]));
  for (const at of relocations) program.writeUInt32LE(places.get(program.readUInt32LE(at)), at);
  for (const { record, name } of kept) record.writeUInt32LE(strings.add(name), 0);
  for (const at of listNames(program, { entries, neededVersions: offsetOf(NEEDED_VERSIONS) }))
    program.writeUInt32LE(strings.add(strings.read(program.readUInt32LE(at))), at);
  const keptVersions = Buffer.alloc(2 * kept.length);
  for (const [place, { version }] of kept.entries()) keptVersions.writeUInt16LE(version, 2 * place);
  let end = hash;
  for (const [tag, bytes] of [
    [HASH, table.bytes],
    [SYMBOLS, Buffer.concat(kept.map(({ record }) => record))],
    [VERSIONS, keptVersions],
    [STRINGS, strings.bytes()],
  ]) {
    bytes.copy(program, end);
    program.writeBigUInt64LE(BigInt(end + base), entries.get(tag));
    if (tag === STRINGS) program.writeBigUInt64LE(BigInt(bytes.length), entries.get(STRINGS_SIZE));
    end = Math.ceil((end + bytes.length) / ALIGNMENT) * ALIGNMENT;
  }
  return { start: end, end: versions };
}

/** By what they are about: where the value is. Of several, such as the names of libraries, the numbers are in a list under -1. */
function readEntries(program, { offset, size }) {
  const entries = new Map([[-1, []]]);
  for (let at = offset; at < offset + size; at += ENTRY_BYTES) {
    const tag = Number(program.readBigUInt64LE(at));
    if (tag === NEEDED) entries.get(-1).push(at + 8);
    else if (tag !== 0) entries.set(tag, at + 8);
  }
  return entries;
}

function listRecords(offset, bytes) {
  return Array.from({ length: bytes / RECORD_BYTES }, (_, index) => offset + RECORD_BYTES * index);
}

/** Where offsets of names are, besides those of symbols: names of libraries, and of the versions that are needed of them. */
function listNames(program, { entries, neededVersions }) {
  const places = [...entries.get(-1)];
  let library = neededVersions;
  for (;;) {
    places.push(library + 4);
    let version = library + program.readUInt32LE(library + 8);
    for (let count = program.readUInt16LE(library + 2); count > 0; count--) {
      places.push(version + 8);
      version += program.readUInt32LE(version + 12);
    }
    const next = program.readUInt32LE(library + 12);
    if (next === 0) return places;
    library += next;
  }
}

/** The names that stay, each once. */
function makeStrings(table) {
  const original = Buffer.from(table);
  const places = new Map([['', 0]]);
  const parts = ['\0'];
  let length = 1;
  return {
    read: (at) => original.toString('latin1', at, original.indexOf(0, at)),
    add: (name) => {
      const known = places.get(name);
      if (known !== undefined) return known;
      const place = length;
      places.set(name, place);
      parts.push(`${name}\0`);
      length += name.length + 1;
      return place;
    },
    bytes: () => Buffer.from(parts.join(''), 'latin1'),
  };
}

/** @returns The table, and the symbols in its order. Its filter lets all names through. */
function makeHashTable(own, first) {
  const buckets = Math.ceil(own.length / 4);
  const hashed = own.map((symbol) => ({ ...symbol, hash: hashOf(symbol.name) }));
  const symbols = hashed.sort((a, b) => (a.hash % buckets) - (b.hash % buckets) || a.index - b.index);
  const bytes = Buffer.alloc(16 + 8 + 4 * (buckets + symbols.length));
  for (const [index, number] of [buckets, first, 1, 6].entries()) bytes.writeUInt32LE(number, 4 * index);
  bytes.fill(0xff, 16, 24);
  for (const [index, { hash }] of symbols.entries()) {
    const bucket = 24 + 4 * (hash % buckets);
    if (bytes.readUInt32LE(bucket) === 0) bytes.writeUInt32LE(first + index, bucket);
    const next = symbols[index + 1];
    const isLast = next === undefined || next.hash % buckets !== hash % buckets;
    bytes.writeUInt32LE(((hash & ~1) | (isLast ? 1 : 0)) >>> 0, 24 + 4 * (buckets + index));
  }
  return { bytes, symbols };
}

function hashOf(name) {
  let hash = 5381;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 33) + name.charCodeAt(at)) >>> 0;
  return hash;
}
