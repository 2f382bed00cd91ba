/**
 * When a photo was taken, from its Exif block: JPEG, HEIC, PNG, WebP and TIFF keep the same block in different
 * wrappers.
 */
import { open, stat } from 'node:fs/promises';

/** Exif comes first in a JPEG, in a segment of at most 64 KiB; other formats can have it at their end. */
const JPEG_HEAD_BYTES = 256 * 1024;
const MAX_BYTES = 25 * 1024 * 1024;

/** How an Exif block begins: a TIFF header of either byte order, with the first directory right after it. */
const HEADERS = ['II*\0\b\0\0\0', 'MM\0*\0\0\0\b'];
/** Notes of the camera's maker can have such headers too. */
const MAX_BLOCKS = 64;

/**
 * The wall-clock time at the camera, as milliseconds since 1970 if it were UTC (Exif seldom has a zone); null when the
 * file has none or cannot be read.
 *
 * @param file - Absolute.
 */
export async function readCaptureTime(file: string): Promise<number | null> {
  const bytes = await readHead(file).catch(() => null);
  return bytes === null ? null : parseCaptureTime(bytes);
}

async function readHead(file: string): Promise<Buffer | null> {
  const stats = await stat(file);
  // Opening a pipe would wait for its writer.
  if (!stats.isFile()) return null;
  const handle = await open(file);
  try {
    const head = Buffer.alloc(Math.min(stats.size, JPEG_HEAD_BYTES));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    const isJpeg = head[0] === 0xff && head[1] === 0xd8;
    if (isJpeg || bytesRead >= stats.size) return head.subarray(0, bytesRead);
    const whole = Buffer.alloc(Math.min(stats.size, MAX_BYTES));
    return whole.subarray(0, (await handle.read(whole, 0, whole.length, 0)).bytesRead);
  } finally {
    await handle.close();
  }
}

/** As {@link readCaptureTime}, from the bytes of a file. */
export function parseCaptureTime(bytes: Buffer): number | null {
  for (const start of findBlocks(bytes)) {
    const time = readTiff(bytes.subarray(start));
    if (time !== null) return time;
  }
  return null;
}

/** Every wrapper has the block as it is, so that no wrapper needs to be read. A TIFF file is itself the block. */
function findBlocks(bytes: Buffer): number[] {
  const starts = [0];
  for (const header of HEADERS) {
    for (let at = bytes.indexOf(header, 1, 'latin1'); at >= 0; at = bytes.indexOf(header, at + 1, 'latin1')) {
      if (starts.length >= MAX_BLOCKS) return starts;
      starts.push(at);
    }
  }
  return starts;
}

/** Tags of Exif 2.32. */
const EXIF_IFD = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const SUB_SEC_TIME_ORIGINAL = 0x9291;

function readTiff(tiff: Buffer): number | null {
  const order = tiff.toString('latin1', 0, 4);
  const isLittle = order === 'II*\0';
  if (!isLittle && order !== 'MM\0*') return null;
  const reader: TiffReader = {
    u16: (at) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)),
    u32: (at) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)),
  };
  const pointer = findEntry(reader, reader.u32(4), EXIF_IFD);
  if (pointer === null) return null;
  const folder = reader.u32(pointer + 8);
  const text = (tag: number): string => {
    const entry = findEntry(reader, folder, tag);
    if (entry === null) return '';
    const length = Math.min(reader.u32(entry + 4), 32);
    const at = length <= 4 ? entry + 8 : reader.u32(entry + 8);
    return tiff.toString('latin1', at, Math.min(at + length, tiff.length));
  };
  return toTime(text(DATE_TIME_ORIGINAL), text(SUB_SEC_TIME_ORIGINAL));
}

/** Numbers of the block; 0 past its end. */
interface TiffReader {
  u16(at: number): number;
  u32(at: number): number;
}

/** Offset of the 12 bytes of an entry in the directory at `folder`. */
function findEntry({ u16 }: TiffReader, folder: number, tag: number): number | null {
  const count = u16(folder);
  for (let index = 0; index < count; index += 1) {
    const at = folder + 2 + index * 12;
    if (u16(at) === tag) return at;
  }
  return null;
}

/**
 * `2026:11:22 10:30:05`; a camera without a clock writes zeros, spaces or a day that is none. `fraction` tells a burst
 * apart.
 */
function toTime(text: string, fraction: string): number | null {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text);
  if (match === null) return null;
  const [, year, month, day, clock] = match;
  const written = `${year}-${month}-${day}T${clock}.000Z`;
  const time = Date.parse(written);
  // A day that its month does not have is read as one of the next month.
  if (!(time >= 0) || new Date(time).toISOString() !== written) return null;
  const milliseconds = Number(`0.${/^\d+/.exec(fraction)?.[0] ?? '0'}`) * 1000;
  return time + milliseconds;
}
