/**
 * Takes out of Node's program for Linux what the program of this package never reads: symbols for debuggers, a seventh of it, and data about
 * other languages, a quarter, and functions for addons, a tenth. Needs no tool, so the result is the same on each machine and for each processor.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { trimIcuData } from './icu-data.js';
import { trimExports } from './trim-exports.js';

/** Offsets in the header of a 64-bit ELF file, which is little-endian here, and in a program header: see elf(5). */
const PROGRAM_HEADERS_AT = 0x20;
const SECTION_HEADERS_AT = 0x28;
const PROGRAM_HEADER_SIZE = 0x36;
const PROGRAM_HEADER_COUNT = 0x38;
const SECTION_HEADER_COUNT = 0x3c;
const ELF_64_LITTLE_ENDIAN = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const OFFSET = 0x08;
/** Both kinds of addresses. */
const ADDRESSES = [0x10, 0x18];
/** In the file, and in memory. */
const SIZES = [0x20, 0x28];
/** Kinds of parts. */
const LOAD = 1;
const DYNAMIC = 2;
const LOADER = 3;
/** The build's number, which only debuggers read. */
const NOTE = 4;
/** The headers themselves. */
const TABLE = 6;
/** Of memory, with all processors and kernels. */
const PAGE = 0x10000;

/** @throws Error when `file` is no such program. */
export function stripNode(file) {
  const program = readFileSync(file);
  const headers = readHeaders(program);
  const dynamic = headers.find((header) => header.readUInt32LE(0) === DYNAMIC);
  const tables = headers.find((header) => header.readUInt32LE(0) === LOAD);
  const needless = [
    trimExports(
      program,
      { offset: read(dynamic, OFFSET), size: read(dynamic, SIZES[0]) },
      read(tables, ADDRESSES[0]) - read(tables, OFFSET),
    ),
    trimIcuData(program),
  ];
  writeFileSync(file, strip(program, needless));
}

/**
 * @param {Buffer} program
 * @param {readonly { start: number, end: number }[]} [needless] - Bytes of loaded parts that nothing reads, ascending. Whole pages of them are
 *   left out.
 * @returns {Buffer} What its program headers name, without sections: only linkers and debuggers read those.
 */
export function strip(program, needless = []) {
  const headers = readHeaders(program);
  const table = Number(program.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const end = Math.max(
    table + Buffer.concat(headers).length,
    ...headers.map((header) => read(header, OFFSET) + read(header, SIZES[0])),
  );
  const kept = Buffer.from(program.subarray(0, end));
  kept.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  // The count and the index of the section with the names.
  kept.writeUInt32LE(0, SECTION_HEADER_COUNT);
  const holes = needless.map(({ start, end }) => ({
    start: Math.ceil(start / PAGE) * PAGE,
    end: Math.floor(end / PAGE) * PAGE,
  }));
  if (holes.length === 0) return kept;
  // From the last one on, so that the offsets of the others stay.
  const [cutHeaders, cut] = holes.reduceRight(
    ([before, bytes], hole) => [
      leaveOut(before, hole),
      Buffer.concat([bytes.subarray(0, hole.start), bytes.subarray(hole.end)]),
    ],
    [headers, kept],
  );
  writeHeaders(cut, cutHeaders, table);
  return cut;
}

/** Copies. */
function readHeaders(program) {
  if (!program.subarray(0, 6).equals(ELF_64_LITTLE_ENDIAN)) throw new Error('not a 64-bit program for Linux');
  const first = Number(program.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const size = program.readUInt16LE(PROGRAM_HEADER_SIZE);
  return Array.from({ length: program.readUInt16LE(PROGRAM_HEADER_COUNT) }, (_, index) =>
    Buffer.from(program.subarray(first + size * index, first + size * (index + 1))),
  );
}

/** The headers for a program without the bytes of `hole`: the part around it becomes two. */
function leaveOut(headers, hole) {
  const around = headers.findIndex(
    (header) =>
      isLoaded(header) &&
      read(header, OFFSET) < hole.start &&
      hole.end < read(header, OFFSET) + read(header, SIZES[0]),
  );
  if (around < 0) throw new Error('the program has needless bytes in no part that is loaded');
  return headers.flatMap((header, index) => {
    const offset = read(header, OFFSET);
    const removed = offset >= hole.end ? hole.start - hole.end : 0;
    if (index !== around) return [change(header, { [OFFSET]: removed })];
    const skipped = hole.end - offset;
    return [
      change(header, {
        [SIZES[0]]: hole.start - offset - read(header, SIZES[0]),
        [SIZES[1]]: hole.start - offset - read(header, SIZES[1]),
      }),
      change(header, {
        [OFFSET]: hole.start - offset,
        ...Object.fromEntries(ADDRESSES.map((at) => [at, skipped])),
        ...Object.fromEntries(SIZES.map((at) => [at, -skipped])),
      }),
    ];
  });
}

/**
 * Writes one header more than before in the place of the note, which goes: the name of the loader before it moves to the note's end.
 */
function writeHeaders(program, headers, table) {
  const kindOf = (header) => header.readUInt32LE(0);
  const [note, name] = [NOTE, LOADER].map((kind) => headers.find((header) => kindOf(header) === kind));
  const [noteAt, nameAt] = [note, name].map((header) => read(header, OFFSET));
  const nameBytes = Buffer.from(program.subarray(nameAt, nameAt + read(name, SIZES[0])));
  const moved = noteAt + read(note, SIZES[0]) - nameBytes.length;
  const kept = headers.filter((header) => header !== note);
  const size = Buffer.concat(kept).length;
  if (nameAt > noteAt || table + size > moved)
    throw new Error('there is no room for the headers of the parts');
  const changed = kept.map((header) => {
    if (kindOf(header) === LOADER)
      return change(header, Object.fromEntries([OFFSET, ...ADDRESSES].map((at) => [at, moved - nameAt])));
    if (kindOf(header) !== TABLE) return header;
    return change(header, Object.fromEntries(SIZES.map((at) => [at, size - read(header, at)])));
  });
  nameBytes.copy(program, moved);
  Buffer.concat(changed).copy(program, table);
  program.writeUInt16LE(changed.length, PROGRAM_HEADER_COUNT);
}

function isLoaded(header) {
  return header.readUInt32LE(0) === LOAD;
}

function read(header, at) {
  return Number(header.readBigUInt64LE(at));
}

/** @returns A copy. @param more - What is added, by place. */
function change(header, more) {
  const changed = Buffer.from(header);
  for (const [at, number] of Object.entries(more))
    changed.writeBigUInt64LE(changed.readBigUInt64LE(Number(at)) + BigInt(number), Number(at));
  return changed;
}
