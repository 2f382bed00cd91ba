/**
 * Reads coded HEVC pictures once more, with a decoder that withholds those with errors: libheif shows them, with noise
 * from the damage on. Not for their pixels.
 */
import type { LibHeif } from '../libheif.ts';

/** Of `de265_param`: pictures with errors are not given out, and filters that change pixels alone are left out. */
const [WITHOUT_FAULTY, WITHOUT_DEBLOCKING, WITHOUT_SAO] = [6, 7, 8] as const;
/** Rows and bytes of a chroma plane at its end. */
const CORNER = 4;
/** A photo of a phone can have others for its thumbnail, depth and brightness. */
const MAX_HEADERS = 8;

/** Of a unit with picture data, that surely has its header. Types from 32 on have no picture. */
const START_BYTES = 128;
const FIRST_OTHER_TYPE = 32;

/**
 * True when a picture does not end where its data ends, or before its last block: after damage an arithmetic decoder
 * paints noise, and the mark of the end comes in the wrong place.
 *
 * @param coded - HEVC units, each after its length of four bytes.
 * @param source - The file, whose boxes `hvcC` have the headers: mostly one for all pictures.
 */
export function isHevcFaulty(heif: LibHeif, coded: Buffer, source: Buffer): boolean {
  const units = splitUnits(coded);
  return findHeaders(source).every((headers) => !isWhole(heif, [...headers, ...units]));
}

/** What is not decoded shows what was in the memory. So this is made zero, with a picture that takes the same place. */
function isWhole(heif: LibHeif, units: readonly Buffer[]): boolean {
  const starts = units.map((unit) => {
    const isPicture = ((unit[0]! >> 1) & 63) < FIRST_OTHER_TYPE && unit.length > START_BYTES;
    return isPicture ? Buffer.concat([unit.subarray(0, START_BYTES)], unit.length) : unit;
  });
  decode(heif, starts, false, (picture) => {
    for (const row of rowsOfChroma(heif, picture)) row.fill(0);
  });
  return decode(heif, units, true, (picture) => {
    const rows = rowsOfChroma(heif, picture);
    const isNone = (row: Buffer) => row.subarray(-CORNER).every((sample) => sample === 0);
    return rows.length === 0 || !rows.every(isNone);
  });
}

/** Calls `use` with the first picture, if there is one. */
function decode<T>(
  heif: LibHeif,
  units: readonly Buffer[],
  withoutFaulty: boolean,
  use: (picture: number) => T,
): T | false {
  const { call } = heif;
  const decoder = call._de265_new_decoder();
  const result = call._malloc(4);
  try {
    call._de265_set_parameter_bool(decoder, WITHOUT_FAULTY, Number(withoutFaulty));
    for (const each of [WITHOUT_DEBLOCKING, WITHOUT_SAO]) call._de265_set_parameter_bool(decoder, each, 1);
    for (const unit of units) {
      const at = call._malloc(unit.length);
      if (at === 0) throw new RangeError('The limit of memory is reached.');
      heif.bytes().set(unit, at);
      call._de265_push_NAL(decoder, at, unit.length, 0, 0, 0);
      call._free(at);
    }
    call._de265_flush_data(decoder);
    for (let steps = 0; steps < 2 * units.length + 4; steps += 1) {
      if (call._de265_decode(decoder, result) !== 0) return false;
      const picture = call._de265_get_next_picture(decoder);
      if (picture !== 0) return use(picture);
    }
    return false;
  } finally {
    call._free(result);
    call._de265_free_decoder(decoder);
  }
}

/** The ends of the last rows of both chroma planes: zero in both is no color. */
function rowsOfChroma({ call, bytes }: LibHeif, picture: number): Buffer[] {
  if (call._de265_get_chroma_format(picture) === 0) return [];
  const result = call._malloc(4);
  const rows = [1, 2].flatMap((plane) => {
    const isWide = call._de265_get_bits_per_pixel(picture, plane) > 8;
    const length = call._de265_get_image_width(picture, plane) * (isWide ? 2 : 1);
    const height = call._de265_get_image_height(picture, plane);
    const at = call._de265_get_image_plane(picture, plane, result);
    const memory = bytes();
    const stride = memory.readUInt32LE(result);
    const last = Array.from({ length: Math.min(CORNER, height) }, (_, index) => height - 1 - index);
    return last.map((y) => memory.subarray(at + y * stride, at + y * stride + length));
  });
  call._free(result);
  return rows;
}

function splitUnits(units: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= units.length; ) {
    const end = at + 4 + units.readUInt32BE(at);
    parts.push(units.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

/** The units of each box `hvcC` (ISO/IEC 14496-15, 8.3.3.1.2). */
function findHeaders(source: Buffer): Buffer[][] {
  const all: Buffer[][] = [];
  for (
    let box = source.indexOf('hvcC');
    box !== -1 && all.length < MAX_HEADERS;
    box = source.indexOf('hvcC', box + 4)
  ) {
    const content = source.subarray(box + 4, Math.max(box, box - 4 + source.readUInt32BE(box - 4)));
    const units: Buffer[] = [];
    let at = 23;
    for (let arrays = content[22] ?? 0; arrays > 0 && at + 3 <= content.length; arrays -= 1) {
      let count = content.readUInt16BE(at + 1);
      at += 3;
      for (; count > 0 && at + 2 <= content.length; count -= 1) {
        const end = at + 2 + content.readUInt16BE(at);
        units.push(content.subarray(at + 2, end));
        at = end;
      }
    }
    all.push(units);
  }
  return all;
}
