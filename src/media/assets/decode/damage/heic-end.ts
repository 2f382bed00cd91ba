/**
 * Changes the end of a coded HEVC picture inside its file. A sound picture needs its last bytes, and none after them:
 * one that was decoded past a hole stops before its end, or reads beyond it, and the decoder does not say so. Pure.
 */

/** Where the units of a picture are in its file, each after a length of four bytes. */
export interface CodedPlace {
  readonly at: number;
  readonly size: number;
}

const CHANGED_BYTES = 16;
/** Types of units from here on have no picture. */
const FIRST_OTHER_TYPE = 32;

/** The last unit of the picture: its length field, and where its data ends. Null if it is too short to be changed. */
function findLastUnit(file: Buffer, { at, size }: CodedPlace): { lengthAt: number; end: number } | null {
  let last: { lengthAt: number; end: number } | null = null;
  for (let next = at; next + 6 <= at + size; ) {
    const end = next + 4 + file.readUInt32BE(next);
    if (end > at + size) return null;
    if (((file[next + 4]! >> 1) & 63) < FIRST_OTHER_TYPE) last = { lengthAt: next, end };
    next = end;
  }
  return last !== null && last.end - last.lengthAt > 4 * CHANGED_BYTES ? last : null;
}

/** A copy whose last bytes of the picture are others. */
export function withOtherEnd(file: Buffer, place: CodedPlace): Buffer | null {
  const unit = findLastUnit(file, place);
  if (unit === null) return null;
  const copy = Buffer.from(file);
  for (let at = unit.end - CHANGED_BYTES; at < unit.end; at += 1) copy[at]! ^= 0xff;
  return copy;
}

/** A copy whose picture is some bytes longer; those behind it are lost. Null if the file does not name its size once. */
export function withLongerEnd(file: Buffer, place: CodedPlace): Buffer | null {
  const unit = findLastUnit(file, place);
  const inTable = Buffer.alloc(4);
  inTable.writeUInt32BE(place.size);
  const header = file.subarray(0, place.at);
  const tableAt = header.indexOf(inTable);
  if (unit === null || unit.end !== place.at + place.size) return null;
  if (tableAt === -1 || header.indexOf(inTable, tableAt + 1) !== -1) return null;
  const copy = Buffer.concat([file, Buffer.alloc(Math.max(0, unit.end + CHANGED_BYTES - file.length))]);
  copy.fill(0xff, unit.end, unit.end + CHANGED_BYTES);
  copy.writeUInt32BE(place.size + CHANGED_BYTES, tableAt);
  copy.writeUInt32BE(unit.end - unit.lengthAt - 4 + CHANGED_BYTES, unit.lengthAt);
  return copy;
}
