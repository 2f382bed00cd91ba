/**
 * Takes the symbols for debuggers out of a program for Linux, which are a seventh of Node's. What is loaded stays as it is, so
 * the program works as before. Needs no tool, so the result is the same on each machine and for each processor.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Offsets in the header of a 64-bit ELF file, which is little-endian here: see elf(5). */
const PROGRAM_HEADERS_AT = 0x20;
const SECTION_HEADERS_AT = 0x28;
const PROGRAM_HEADER_SIZE = 0x36;
const PROGRAM_HEADER_COUNT = 0x38;
const SECTION_HEADER_COUNT = 0x3c;
const ELF_64_LITTLE_ENDIAN = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

/** @throws Error when `file` is no such program. */
export function stripProgram(file) {
  writeFileSync(file, strip(readFileSync(file)));
}

/**
 * @param {Buffer} program
 * @returns {Buffer} What its program headers name, without sections: only linkers and debuggers read those.
 */
export function strip(program) {
  if (!program.subarray(0, 6).equals(ELF_64_LITTLE_ENDIAN)) throw new Error('not a 64-bit program for Linux');
  const first = Number(program.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const size = program.readUInt16LE(PROGRAM_HEADER_SIZE);
  const count = program.readUInt16LE(PROGRAM_HEADER_COUNT);
  let end = first + size * count;
  for (let index = 0; index < count; index++) {
    const header = first + size * index;
    const [offset, length] = [header + 0x08, header + 0x20].map((at) => Number(program.readBigUInt64LE(at)));
    end = Math.max(end, offset + length);
  }
  const kept = Buffer.from(program.subarray(0, end));
  kept.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  // The count and the index of the section with the names.
  kept.writeUInt32LE(0, SECTION_HEADER_COUNT);
  return kept;
}
