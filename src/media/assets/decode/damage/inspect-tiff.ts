/**
 * Unpacks the strips or tiles of a TIFF, one after the other, to find damage that its decoder does not report: it stops
 * at the last pixel of a strip, so that it sees neither what is left over nor a checksum. Pure.
 */
import { inflateSync, constants as zlib } from 'node:zlib';
import { TiffDirectory } from '../tiff-directory.ts';
import { hasForeignRows } from './foreign-rows.ts';
import { isJpegScanBroken } from './walk-jpeg-scan.ts';
import { walkLzw } from './walk-lzw.ts';

/** Tags of TIFF 6.0 and of its technical note about JPEG. */
const TAG = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  jpegTables: 347,
} as const;
const YCBCR = 6;
const COMPRESSION = { none: 1, lzw: 5, jpeg: 7, deflate: 8, oldDeflate: 32946, packBits: 32773 } as const;

/** Larger ones, unpacked, are left to the decoder, so that they are not in memory twice. */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** True when a strip or tile of the first picture is damaged. Other compressions are left to the decoder. */
export function isTiffBroken(tiff: Buffer): boolean {
  const directory = TiffDirectory.open(tiff);
  // Bits from right to left: no program of today writes them.
  if (directory === null || directory.number(TAG.fillOrder) === 2) return false;
  const tables = directory.bytes(TAG.jpegTables);
  const parts = partsOf(directory);
  // A few bytes can claim to be many large parts.
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) > tiff.length) return false;
  if (isUnpackedBroken(tiff, directory, parts)) return true;
  return parts.some(({ offset, bytes, sizes }) => {
    if (sizes[0]! > MAX_PART_BYTES) return false;
    const data = tiff.subarray(offset, offset + bytes);
    switch (directory.number(TAG.compression) ?? COMPRESSION.none) {
      case COMPRESSION.lzw:
        return isLzwBroken(data, sizes);
      case COMPRESSION.deflate:
      case COMPRESSION.oldDeflate:
        return isDeflateBroken(data, sizes);
      case COMPRESSION.packBits:
        return !sizes.includes(countPackBits(data));
      case COMPRESSION.jpeg:
        return isJpegBroken(data, tables);
      default:
        return false;
    }
  });
}

/** Only strips of 8-bit samples, one behind the other. */
function isUnpackedBroken(tiff: Buffer, directory: TiffDirectory, parts: readonly Part[]): boolean {
  const [first] = parts;
  const isPlain = (directory.number(TAG.compression) ?? COMPRESSION.none) === COMPRESSION.none;
  const isFitting = directory.number(TAG.bitsPerSample) === 8 && !directory.has(TAG.tileOffsets);
  if (first === undefined || !isPlain || !isFitting || directory.number(TAG.planes) === 2) return false;
  const end = parts.reduce((at, { offset, bytes }) => (at === offset ? at + bytes : -1), first.offset);
  const rowBytes = (directory.number(TAG.width) ?? 0) * (directory.number(TAG.samplesPerPixel) ?? 1);
  return end > 0 && hasForeignRows(tiff.subarray(first.offset, end), rowBytes);
}

/** A strip or a tile. */
interface Part {
  readonly offset: number;
  readonly bytes: number;
  /** The bytes that it can have when it is unpacked: a last strip can be as long as the others, or cut. */
  readonly sizes: readonly [full: number, last: number];
}

function partsOf(directory: TiffDirectory): Part[] {
  const number = (tag: number, otherwise: number) => directory.number(tag) ?? otherwise;
  const [width, height] = [number(TAG.width, 0), number(TAG.height, 0)];
  const samples = number(TAG.samplesPerPixel, 1);
  const isTiled = directory.has(TAG.tileOffsets);
  const bits = number(TAG.bitsPerSample, 1) * (number(TAG.planes, 1) === 2 ? 1 : samples);
  // In blocks of several pixels, which no photo has that is not a JPEG inside.
  const isBlocks = number(TAG.photometric, 0) === YCBCR && number(TAG.compression, 1) !== COMPRESSION.jpeg;
  if (isBlocks) return [];
  const rows = isTiled ? number(TAG.tileHeight, 0) : Math.min(height, number(TAG.rowsPerStrip, height));
  const rowBytes = Math.ceil(((isTiled ? number(TAG.tileWidth, 0) : width) * bits) / 8);
  const counts = directory.numbers(isTiled ? TAG.tileBytes : TAG.stripBytes);
  const last = isTiled || rows === 0 ? rows : height % rows || rows;
  return directory.numbers(isTiled ? TAG.tileOffsets : TAG.stripOffsets).map((offset, index) => ({
    offset,
    bytes: counts[index] ?? 0,
    sizes: [rows * rowBytes, last * rowBytes],
  }));
}

/** Old files have their bits in another order. */
function isLzwBroken(data: Buffer, sizes: readonly number[]): boolean {
  if (data[0] === 0 && (data[1]! & 1) === 1) return false;
  const end = walkLzw(data, 8, 'tiff');
  return end === null || !sizes.includes(end.count);
}

/** A stream without its checksum is sound. */
function isDeflateBroken(data: Buffer, sizes: readonly number[]): boolean {
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, ...sizes) };
    return !sizes.includes(inflateSync(data, options).length);
  } catch {
    return true;
  }
}

/** How many bytes a strip stands for (TIFF 6.0, section 9). */
function countPackBits(data: Buffer): number {
  let count = 0;
  for (let at = 0; at < data.length; ) {
    const control = data.readInt8(at);
    if (control >= 0) at += control + 2;
    else at += control === -128 ? 1 : 2;
    if (control !== -128) count += control < 0 ? 1 - control : control + 1;
    if (at > data.length) return -1;
  }
  return count;
}

/** All parts share the tables, which are a JPEG without a picture. */
function isJpegBroken(data: Buffer, tables: Buffer): boolean {
  if (data.length < 4) return true;
  const hasTables = tables.length > 4;
  return isJpegScanBroken(hasTables ? Buffer.concat([tables.subarray(0, -2), data.subarray(2)]) : data);
}
