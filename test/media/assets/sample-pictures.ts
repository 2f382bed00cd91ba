/** Pictures for tests, made on the spot. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';

export type Rgb = readonly [number, number, number];

/**
 * A picture of four colours: red top left, green top right, blue bottom left, white bottom right. Every mirrored or
 * turned version of it differs.
 */
export function quarters(widthPx = 480, heightPx = 360): Sharp {
  const data = Buffer.alloc(widthPx * heightPx * 3);
  const colors: Rgb[] = [
    [200, 30, 30],
    [30, 160, 60],
    [40, 60, 190],
    [240, 240, 240],
  ];
  for (let y = 0; y < heightPx; y += 1) {
    for (let x = 0; x < widthPx; x += 1) {
      const color = colors[(y < heightPx / 2 ? 0 : 2) + (x < widthPx / 2 ? 0 : 1)]!;
      data.set(color, 3 * (y * widthPx + x));
    }
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } });
}

/** A picture with detail everywhere, the same for the same seed, so that damage anywhere shows. */
export function texture(seed: number, widthPx = 400, heightPx = 330): Sharp {
  const data = Buffer.alloc(widthPx * heightPx * 3);
  let state = seed * 2654435761 + 1;
  const waves = Array.from({ length: 6 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return { fx: (state % 17) / 60, fy: ((state >> 8) % 19) / 70, channel: (state >> 16) % 3 };
  });
  for (let y = 0; y < heightPx; y += 1) {
    for (let x = 0; x < widthPx; x += 1) {
      const at = 3 * (y * widthPx + x);
      for (const { fx, fy, channel } of waves)
        data[at + channel]! += 20 + 20 * Math.sin(x * fx + y * fy + seed);
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[at + 1]! += state >>> 28;
    }
  }
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } });
}

/** A progressive JPEG whose last scan comes again and again: each costs a pass over the whole picture. */
export async function manyScans(scans: number, widthPx: number, heightPx: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#888' } })
    .jpeg({ progressive: true, optimiseScans: false })
    .toBuffer();
  const lastScan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const end = jpeg.length - 2;
  const scan = jpeg.subarray(lastScan, end);
  return Buffer.concat([
    jpeg.subarray(0, end),
    ...Array.from({ length: scans }, () => scan),
    jpeg.subarray(end),
  ]);
}

/**
 * A JPEG of two pictures, as phones and stereo cameras write them (CIPA DC-007): `quarters()`, then a grey one. A
 * phone's second picture is a gain map, which says how much brighter each part is on a display for HDR.
 */
export async function multiPicture(): Promise<Buffer> {
  const first = await quarters().jpeg({ quality: 95 }).toBuffer();
  const second = await sharp({ create: { width: 240, height: 180, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>';
  const xmpSegment = jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`));
  // Sizes and places of both pictures; places count from the byte order mark in this segment.
  const mpfBytes = 4 + 4 + 82;
  const rest = Buffer.concat([xmpSegment, first.subarray(2)]);
  const firstBytes = 2 + mpfBytes + rest.length;
  const mpf = Buffer.alloc(82);
  mpf.write('II*\0\x08\0\0\0\x03\0', 0, 'latin1');
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    mpf.writeUInt16LE(tag, at);
    mpf.writeUInt16LE(type, at + 2);
    mpf.writeUInt32LE(count, at + 4);
    mpf.writeUInt32LE(value, at + 8);
  };
  entry(10, 0xb000, 7, 4, 0x30303130);
  entry(22, 0xb001, 4, 1, 2);
  entry(34, 0xb002, 7, 32, 50);
  mpf.writeUInt32LE(0x20030000, 50);
  mpf.writeUInt32LE(firstBytes, 54);
  mpf.writeUInt32LE(second.length, 70);
  mpf.writeUInt32LE(firstBytes - 10, 74);
  const mpfSegment = jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), mpf]));
  return Buffer.concat([first.subarray(0, 2), mpfSegment, rest, second]);
}

function jpegSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** A PNG that says it is larger than anything, in a few bytes. */
export async function bombPng(widthPx: number, heightPx: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(widthPx, 16);
  png.writeUInt32BE(heightPx, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The entries of a TIFF directory: a tag, and a number or text. */
export type TiffTags = Readonly<Record<number, number | string>>;

/** A TIFF file of one directory at its start, without pixels. Texts follow the directory. */
export function tiff(tags: TiffTags, order: 'II' | 'MM' = 'II'): Buffer {
  const entries = Object.entries(tags);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  const u16 = (value: number, at: number) =>
    order === 'II' ? directory.writeUInt16LE(value, at) : directory.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    order === 'II' ? directory.writeUInt32LE(value, at) : directory.writeUInt32BE(value, at);
  u16(entries.length, 0);
  let texts = Buffer.alloc(0);
  entries.forEach(([tag, value], index) => {
    const at = 2 + 12 * index;
    u16(Number(tag), at);
    u16(typeof value === 'string' ? 2 : 3, at + 2);
    u32(typeof value === 'string' ? value.length + 1 : 1, at + 4);
    if (typeof value === 'number') {
      u16(value, at + 8);
      return;
    }
    u32(8 + directory.length + texts.length, at + 8);
    texts = Buffer.concat([texts, Buffer.from(`${value}\0`)]);
  });
  const start = order === 'II' ? 'II*\0\x08\0\0\0' : 'MM\0*\0\0\0\x08';
  return Buffer.concat([Buffer.from(start, 'latin1'), directory, texts]);
}

/** The first bytes of a DNG of a phone. */
export const dng = (): Buffer => tiff({ 254: 0, 262: 2, 271: 'Google', 50706: 1 });
