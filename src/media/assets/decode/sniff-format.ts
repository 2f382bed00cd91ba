/** The format of a file, from its first bytes only, never from its name or content type. Pure. */

import { findCameraRaw } from './camera-raw.ts';

/** The formats that are decoded. For an animation the first frame counts. */
export type SupportedFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic' | 'gif' | 'tiff';

/** Number of first bytes that `sniffFormat` needs. */
export const SNIFF_BYTES = 4096;

export type SniffedFormat =
  | { readonly kind: 'supported'; readonly format: SupportedFormat }
  /** An image format that we do not decode; `name` is for people, such as `SVG`. */
  | { readonly kind: 'unsupported'; readonly name: string; readonly isCameraRaw?: true }
  /** Not an image; `what` is for people, such as `a PDF document`. */
  | { readonly kind: 'not_an_image'; readonly what: string };

/**
 * Names the format of a file.
 *
 * @param head - The first {@link SNIFF_BYTES} bytes, or all of a shorter file.
 */
export function sniffFormat(head: Uint8Array): SniffedFormat {
  if (head.length === 0) return { kind: 'not_an_image', what: 'no bytes at all' };
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return (
    sniffCameraRaw(bytes) ??
    sniffMagic(bytes) ??
    sniffIsoMedia(bytes) ??
    sniffText(bytes) ??
    unknown('data of an unknown kind')
  );
}

const supported = (format: SupportedFormat): SniffedFormat => ({ kind: 'supported', format });
const unsupported = (name: string): SniffedFormat => ({ kind: 'unsupported', name });
const unknown = (what: string): SniffedFormat => ({ kind: 'not_an_image', what });

/** What is wrong with a file of this format, and what would be right. Null for a format that is decoded. */
export function explainFormat(sniffed: SniffedFormat): string | null {
  if (sniffed.kind === 'supported') return null;
  if (sniffed.kind === 'not_an_image') return sniffed.what;
  return sniffed.isCameraRaw
    ? `${sniffed.name}; export it as JPEG`
    : `${sniffed.name} (JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF wanted)`;
}

/** A camera original. `ending` is that of its kind, such as `NEF`; empty if it is unknown. */
export function cameraRaw(ending: string): SniffedFormat & { readonly kind: 'unsupported' } {
  return {
    kind: 'unsupported',
    name: ending === '' ? 'camera raw' : `camera raw (${ending})`,
    isCameraRaw: true,
  };
}

/** First bytes of camera originals that are not plain TIFF files, Latin-1. */
const CAMERA_RAW: readonly (readonly [bytes: string, ending: string])[] = [
  ['II\x2a\0\x10\0\0\0CR', 'CR2'],
  ['II\x1a\0\0\0HEAPCCDR', 'CRW'],
  ['IIRO', 'ORF'],
  ['IIRS', 'ORF'],
  ['MMOR', 'ORF'],
  ['IIU\0', 'RW2'],
  ['FUJIFILMCCD-RAW', 'RAF'],
  ['II\x2a\0IIII', 'IIQ'],
  ['MM\0\x2aIIII', 'IIQ'],
  ['\0MRM', 'MRW'],
  ['FOVb', 'X3F'],
];

function sniffCameraRaw(bytes: Buffer): SniffedFormat | null {
  const known = CAMERA_RAW.find(([start]) => hasBytes(bytes, 0, start));
  if (known !== undefined) return cameraRaw(known[1]);
  const ending =
    hasBytes(bytes, 0, 'II\x2a\0') || hasBytes(bytes, 0, 'MM\0\x2a') ? findCameraRaw(bytes) : null;
  return ending === null ? null : cameraRaw(ending);
}

interface Magic {
  /** The first bytes, Latin-1. */
  readonly bytes: string;
  /** A second test at its own offset, for containers. */
  readonly and?: { readonly at: number; readonly bytes: string };
  readonly is: SniffedFormat;
}

/** In order: a longer signature before a shorter one with the same start. */
const MAGIC: readonly Magic[] = [
  { bytes: '\xff\xd8\xff', is: supported('jpeg') },
  { bytes: '\x89PNG\r\n\x1a\n', is: supported('png') },
  { bytes: 'GIF87a', is: supported('gif') },
  { bytes: 'GIF89a', is: supported('gif') },
  { bytes: 'RIFF', and: { at: 8, bytes: 'WEBP' }, is: supported('webp') },
  { bytes: 'II\x2a\0', is: supported('tiff') },
  { bytes: 'MM\0\x2a', is: supported('tiff') },
  { bytes: 'II\x2b\0', is: supported('tiff') },
  { bytes: 'MM\0\x2b', is: supported('tiff') },
  { bytes: '\0\0\0\x0cJXL \r\n\x87\n', is: unsupported('JPEG XL') },
  { bytes: '\xff\x0a', is: unsupported('JPEG XL') },
  { bytes: '\0\0\0\x0cjP  \r\n\x87\n', is: unsupported('JPEG 2000') },
  { bytes: '\xff\x4f\xff\x51', is: unsupported('JPEG 2000') },
  { bytes: 'II\xbc', is: unsupported('JPEG XR') },
  { bytes: '8BPS', is: unsupported('Photoshop (PSD)') },
  { bytes: '\0\0\x01\0', is: unsupported('ICO') },
  { bytes: '\0\0\x02\0', is: unsupported('CUR') },
  { bytes: 'qoif', is: unsupported('QOI') },
  { bytes: 'v/1\x01', is: unsupported('OpenEXR') },
  { bytes: '#?RADIANCE', is: unsupported('Radiance HDR') },
  { bytes: 'DDS ', is: unsupported('DDS') },
  { bytes: '\xabKTX ', is: unsupported('KTX') },
  { bytes: 'gimp xcf', is: unsupported('XCF') },
  { bytes: 'BPG\xfb', is: unsupported('BPG') },
  { bytes: 'FLIF', is: unsupported('FLIF') },
  { bytes: 'AT&TFORM', is: unsupported('DjVu') },
  { bytes: '\x1a\x45\xdf\xa3', is: unknown('a video') },
  { bytes: 'FLV\x01', is: unknown('a video') },
  { bytes: 'RIFF', and: { at: 8, bytes: 'AVI ' }, is: unknown('a video') },
  { bytes: 'RIFF', and: { at: 8, bytes: 'WAVE' }, is: unknown('a sound file') },
  { bytes: '\0\0\x01\xba', is: unknown('a video') },
  { bytes: '\0\0\x01\xb3', is: unknown('a video') },
  { bytes: 'OggS', is: unknown('an Ogg file') },
  { bytes: 'ID3', is: unknown('a sound file') },
  { bytes: 'PK\x03\x04', is: unknown('a ZIP archive or Office document') },
  { bytes: '\x1f\x8b', is: unknown('gzip data') },
  { bytes: '7z\xbc\xaf\x27\x1c', is: unknown('a 7z archive') },
  { bytes: 'Rar!', is: unknown('a RAR archive') },
  { bytes: '\xd0\xcf\x11\xe0', is: unknown('an Office document') },
  { bytes: '\x7fELF', is: unknown('a program') },
  { bytes: '%!PS', is: unknown('a PostScript document') },
];

function sniffMagic(bytes: Buffer): SniffedFormat | null {
  for (const magic of MAGIC) {
    if (!hasBytes(bytes, 0, magic.bytes)) continue;
    if (magic.and && !hasBytes(bytes, magic.and.at, magic.and.bytes)) continue;
    return magic.is;
  }
  if (isBmp(bytes)) return unsupported('BMP');
  // "P1" to "P7" and a blank: two letters alone would match too many text files.
  if (
    /^P[1-7][\s#]/.test(bytes.toString('latin1', 0, 3)) &&
    /^P[1-7]\s+[\d#W]/.test(bytes.toString('latin1', 0, 32))
  ) {
    return unsupported('Netpbm');
  }
  // ISO 32000 allows up to 1024 other bytes before the header, and real files have them.
  if (bytes.subarray(0, 1024 + 5).includes('%PDF-')) return unknown('a PDF document');
  return null;
}

/** "BM" alone could be text, so the header's length and its zero words decide. */
function isBmp(bytes: Buffer): boolean {
  if (bytes.length < 26 || !hasBytes(bytes, 0, 'BM')) return false;
  const headerBytes = bytes.readUInt32LE(14);
  return bytes.readUInt32LE(6) === 0 && headerBytes >= 12 && headerBytes <= 124;
}

/** ISO base media files: AVIF, HEIC and MP4 differ by their brands. */
function sniffIsoMedia(bytes: Buffer): SniffedFormat | null {
  if (!hasBytes(bytes, 4, 'ftyp')) return null;
  const boxBytes = Math.min(bytes.readUInt32BE(0), bytes.length);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= boxBytes; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return supported('avif');
  if (brands.some((brand) => /^he(ic|ix|im|is|vc|vx|vm|vs)$/.test(brand))) return supported('heic');
  if (brands.some((brand) => /^(jpeg|jpgs|j2ki|j2is|avci|avcs|vvic|vvis|evbi|evbs)$/.test(brand)))
    return unsupported('HEIF');
  // Brands of the container: the codec shows when it is decoded.
  if (brands.some((brand) => /^(mif[123]|msf1|miaf)$/.test(brand))) return supported('heic');
  if (brands[0] === 'crx ') return cameraRaw('CR3');
  return unknown('a video or sound file');
}

function sniffText(bytes: Buffer): SniffedFormat | null {
  const text = decodeText(bytes);
  if (text === null) return null;
  const start = text
    .replace(/^\ufeff/, '')
    .trimStart()
    .toLowerCase();
  if (start === '') return unknown('blank text');
  if (start.startsWith('<')) {
    // An HTML page can contain an inline SVG, so only the first element counts.
    const root = /<(?:[a-z][\w.-]*:)?([a-z][\w.-]*)[\s/>]/.exec(
      start.replace(/<!--[\s\S]*?(-->|$)|<[?!][^>]*>/g, ''),
    );
    if (root?.[1] === 'svg' || /^<!doctype svg/m.test(start)) return unsupported('SVG');
    if (root?.[1] === 'html' || start.startsWith('<!doctype html')) return unknown('an HTML page');
    return unknown('markup text');
  }
  if (/^\/\* xpm \*\//.test(start)) return unsupported('XPM');
  return unknown('a text file');
}

/** Null for data with control bytes that text does not have. */
function decodeText(bytes: Buffer): string | null {
  if (hasBytes(bytes, 0, '\xff\xfe')) return bytes.toString('utf16le', 2);
  if (hasBytes(bytes, 0, '\xfe\xff'))
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  for (const byte of bytes) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b)
      return null;
  }
  return bytes.toString('utf8');
}

function hasBytes(bytes: Buffer, at: number, expected: string): boolean {
  if (bytes.length < at + expected.length) return false;
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected.charCodeAt(index)) return false;
  }
  return true;
}
