/**
 * Recognizes camera originals, most of which are TIFF files. Their first picture is a small thumbnail, so decoding one
 * as a TIFF would show that thumbnail. Pure.
 */

/** Tags of TIFF 6.0, TIFF/EP (ISO 12234-2) and the DNG specification. */
const TAG = {
  newSubfileType: 254,
  compression: 259,
  photometric: 262,
  make: 271,
  subIfds: 330,
  dngVersion: 50706,
} as const;
/** Photometric interpretations of sensor data: a color filter array (TIFF/EP) and linear raw (DNG). */
const SENSOR_DATA = [32803, 34892];
/** Compressions of camera makers: Sony, Epson, Samsung, Nikon, Pentax and Kodak. */
const CAMERA_COMPRESSIONS = [32767, 32769, 32770, 34713, 65535, 65000];
/** The usual ending of a maker's TIFF-based files. A maker that is not here is named without it. */
const ENDING_OF_MAKE: readonly (readonly [make: RegExp, ending: string])[] = [
  [/^nikon/i, 'NEF'],
  [/^sony/i, 'ARW'],
  [/^(pentax|ricoh)/i, 'PEF'],
  [/^samsung/i, 'SRW'],
  [/^hasselblad/i, '3FR'],
  [/^canon/i, 'CR2'],
  [/^(eastman )?kodak/i, 'DCR'],
  [/^seiko epson/i, 'ERF'],
  [/^mamiya/i, 'MEF'],
  [/^phase one/i, 'IIQ'],
  [/^leica/i, 'DNG'],
];
/** Directories of cameras have 20 to 70 entries. */
const MAX_ENTRIES = 512;

/**
 * The kind of camera original that a TIFF file is, such as `NEF`; `` (empty) if its maker is unknown; null for a TIFF
 * that is a picture.
 *
 * @param tiff - The file, or its first bytes: cameras write the first directory there, at most 16 bytes from the start.
 */
export function findCameraRaw(tiff: Buffer): string | null {
  const tags = readFirstDirectory(tiff);
  if (tags === null) return null;
  if (tags.has(TAG.dngVersion)) return 'DNG';
  // The picture of a plain TIFF is its first one, at full size. Cameras put the sensor data into a directory below it.
  const isThumbnail = ((tags.get(TAG.newSubfileType)?.value ?? 0) & 1) === 1 && tags.has(TAG.subIfds);
  const isSensorData =
    SENSOR_DATA.includes(tags.get(TAG.photometric)?.value ?? 0) ||
    CAMERA_COMPRESSIONS.includes(tags.get(TAG.compression)?.value ?? 0);
  if (!isThumbnail && !isSensorData) return null;
  const make = tags.get(TAG.make)?.text ?? '';
  return ENDING_OF_MAKE.find(([pattern]) => pattern.test(make))?.[1] ?? '';
}

interface Entry {
  readonly value: number;
  /** The text of an ASCII entry, as far as the bytes have it; otherwise empty. */
  readonly text: string;
}

/** TIFF 6.0, section 2. Null if the bytes do not hold the beginning of a directory. */
function readFirstDirectory(tiff: Buffer): ReadonlyMap<number, Entry> | null {
  if (tiff.length < 8) return null;
  const isBig = tiff[0] === 0x4d;
  const u16 = (at: number) => (isBig ? tiff.readUInt16BE(at) : tiff.readUInt16LE(at));
  const u32 = (at: number) => (isBig ? tiff.readUInt32BE(at) : tiff.readUInt32LE(at));
  if (u16(2) !== 42) return null;
  const start = u32(4);
  if (start + 2 > tiff.length) return null;
  const tags = new Map<number, Entry>();
  const count = Math.min(u16(start), MAX_ENTRIES);
  for (let at = start + 2; at < start + 2 + 12 * count && at + 12 <= tiff.length; at += 12) {
    const [type, length] = [u16(at + 2), u32(at + 4)];
    const value = type === 3 ? u16(at + 8) : u32(at + 8);
    const from = length <= 4 ? at + 8 : value;
    const text = type === 2 ? tiff.toString('latin1', from, from + Math.min(length, 64)) : '';
    tags.set(u16(at), { value, text });
  }
  return tags;
}
