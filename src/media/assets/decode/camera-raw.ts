/**
 * Recognizes camera originals, most of which are TIFF files. Their first picture is a small thumbnail, so decoding one
 * as a TIFF would show that thumbnail. Pure.
 */
import { TiffDirectory } from './tiff-directory.ts';

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

/**
 * The kind of camera original that a TIFF file is, such as `NEF`; `` (empty) if its maker is unknown; null for a TIFF
 * that is a picture.
 *
 * @param tiff - The file, or its first bytes: cameras write the first directory there, at most 16 bytes from the start.
 */
export function findCameraRaw(tiff: Buffer): string | null {
  const tags = TiffDirectory.open(tiff);
  if (tags === null) return null;
  if (tags.has(TAG.dngVersion)) return 'DNG';
  // The picture of a plain TIFF is its first one, at full size. Cameras put the sensor data into a directory below it.
  const isThumbnail = ((tags.number(TAG.newSubfileType) ?? 0) & 1) === 1 && tags.has(TAG.subIfds);
  const isSensorData =
    SENSOR_DATA.includes(tags.number(TAG.photometric) ?? 0) ||
    CAMERA_COMPRESSIONS.includes(tags.number(TAG.compression) ?? 0);
  if (!isThumbnail && !isSensorData) return null;
  const make = tags.text(TAG.make);
  return ENDING_OF_MAKE.find(([pattern]) => pattern.test(make))?.[1] ?? '';
}
