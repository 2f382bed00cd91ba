/**
 * Unpacks a WOFF2 font file into the OpenType file that HarfBuzz reads (W3C, WOFF File Format 2.0). A damaged or
 * hostile file throws, after work and memory in proportion to its size.
 *
 * This is our own code because measuring is synchronous, and the packages that unpack WOFF2 are not: they wrap Google's
 * library as half a megabyte of WebAssembly. Node has the Brotli part.
 */
import { brotliDecompressSync } from 'node:zlib';

/** Section 4.1: tags by their number. */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '));

/** Tables that nothing here uses: hints, names of glyphs, legacy kerning and the signature (which unpacking breaks). */
const UNUSED_TABLES = new Set(['cvt ', 'fpgm', 'prep', 'gasp', 'post', 'DSIG', 'STAT', 'hdmx', 'VDMX']);

/** Far above any font: the largest of the packages unpacks to 1.2 MB. A small Brotli stream can unpack to gigabytes. */
const MAX_STREAM_BYTES = 32 << 20;

interface Table {
  readonly tag: string;
  readonly data: Buffer;
  readonly isTransformed: boolean;
}

/** The OpenType file. @throws RangeError, or Error of zlib, for a file that is not valid WOFF2. */
export function readWoff2(file: Buffer): Buffer {
  const header = new Reader(file);
  if (header.u32() !== 0x774f4632) throw new RangeError('not a WOFF2 file');
  const flavor = header.u32();
  header.skip(4);
  const tableCount = header.u16();
  header.skip(6);
  const compressedSize = header.u32();
  header.skip(24);
  const directory = Array.from({ length: tableCount }, () => readDirectoryEntry(header));
  const streamSize = directory.reduce((sum, { size }) => sum + size, 0);
  if (streamSize > MAX_STREAM_BYTES) throw invalid();
  // One byte more, so that a stream that is too long is found instead of cut.
  const stream = new Reader(
    brotliDecompressSync(header.bytes(compressedSize), { maxOutputLength: streamSize + 1 }),
  );
  const tables = new Map<string, Table>();
  for (const { tag, size, isTransformed } of directory) {
    tables.set(tag, { tag, data: stream.bytes(size), isTransformed });
  }
  if (!stream.isAtEnd) throw invalid();
  return writeOpenType(flavor, restoreTables(tables));
}

function readDirectoryEntry(header: Reader): { tag: string; size: number; isTransformed: boolean } {
  const flags = header.u8();
  const known = flags & 63;
  const tag = known === 63 ? header.text(4) : KNOWN_TAGS[known]!;
  const version = flags >> 6;
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
  const plainSize = header.base128();
  return { tag, isTransformed, size: isTransformed ? header.base128() : plainSize };
}

function restoreTables(tables: ReadonlyMap<string, Table>): Map<string, Buffer> {
  const plain = new Map<string, Buffer>();
  for (const { tag, data } of tables.values()) if (!UNUSED_TABLES.has(tag)) plain.set(tag, data);
  const glyf = tables.get('glyf');
  if (glyf?.isTransformed) {
    const glyphs = restoreGlyphs(glyf.data);
    plain.set('glyf', glyphs.glyf);
    plain.set('loca', glyphs.loca);
    // Offsets are always written long.
    const head = Buffer.from(plain.get('head') ?? throwInvalid());
    head.writeInt16BE(1, 50);
    plain.set('head', head);
    const hmtx = tables.get('hmtx');
    if (hmtx?.isTransformed) {
      const metricCount = (plain.get('hhea') ?? throwInvalid()).readUInt16BE(34);
      plain.set('hmtx', restoreMetrics(hmtx.data, metricCount, glyphs.leftEdges));
    }
  }
  return plain;
}

const MORE_COMPONENTS = 0x20;
const HAS_INSTRUCTIONS = 0x100;

/** Section 5.1: outlines, whose coordinates lie in separate streams. Instructions are skipped. */
function restoreGlyphs(data: Buffer): { glyf: Buffer; loca: Buffer; leftEdges: Int16Array } {
  const header = new Reader(data);
  header.skip(4);
  const glyphCount = header.u16();
  header.skip(2);
  const sizes = Array.from({ length: 7 }, () => header.u32());
  const streams = sizes.map((size) => new Reader(header.bytes(size)));
  const [contours, pointCounts, flags, glyphs, composites, boxes] = streams as [
    Reader,
    Reader,
    Reader,
    Reader,
    Reader,
    Reader,
  ];
  const boxBitmap = boxes.bytes(((glyphCount + 31) >> 5) << 2);
  const loca = Buffer.alloc((glyphCount + 1) * 4);
  const leftEdges = new Int16Array(glyphCount);
  const glyf = new Writer(data.length * 2);
  for (let glyph = 0; glyph < glyphCount; glyph += 1) {
    const start = glyf.position;
    loca.writeUInt32BE(start, glyph * 4);
    const contourCount = contours.i16();
    if (contourCount === 0) continue;
    glyf.i16(contourCount);
    const hasBox = (boxBitmap[glyph >> 3]! & (0x80 >> (glyph & 7))) !== 0;
    for (let edge = 0; edge < 4; edge += 1) glyf.i16(hasBox ? boxes.i16() : 0);
    if (contourCount < 0) {
      copyComposite(composites, glyphs, glyf);
    } else {
      const box = copySimple(contourCount, pointCounts, flags, glyphs, glyf);
      if (!hasBox) glyf.patch(start + 2, box);
    }
    leftEdges[glyph] = glyf.i16At(start + 2);
    glyf.pad();
  }
  loca.writeUInt32BE(glyf.position, glyphCount * 4);
  return { glyf: glyf.written(), loca, leftEdges };
}

function copyComposite(composites: Reader, glyphs: Reader, glyf: Writer): void {
  let hasInstructions = false;
  for (let flags = MORE_COMPONENTS; (flags & MORE_COMPONENTS) !== 0; ) {
    flags = composites.u16();
    hasInstructions ||= (flags & HAS_INSTRUCTIONS) !== 0;
    // Instructions are not copied, so no component must announce them.
    glyf.i16(flags & ~HAS_INSTRUCTIONS);
    const argumentBytes = (flags & 1) !== 0 ? 4 : 2;
    const scaleBytes = (flags & 8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
    for (let words = (2 + argumentBytes + scaleBytes) / 2; words > 0; words -= 1) glyf.i16(composites.i16());
  }
  if (hasInstructions) glyphs.short255();
}

function copySimple(
  contourCount: number,
  pointCounts: Reader,
  flags: Reader,
  glyphs: Reader,
  glyf: Writer,
): [number, number, number, number] {
  let pointCount = 0;
  for (let contour = 0; contour < contourCount; contour += 1) {
    pointCount += pointCounts.short255();
    glyf.i16(pointCount - 1);
  }
  glyf.i16(0);
  const flagBytes = flags.bytes(pointCount);
  const steps = new Int16Array(pointCount * 2);
  let [x, y, left, bottom, right, top] = [0, 0, 32767, 32767, -32768, -32768];
  for (let point = 0; point < pointCount; point += 1) {
    const flag = flagBytes[point]!;
    readStep(flag & 127, glyphs, steps, point * 2);
    x += steps[point * 2]!;
    y += steps[point * 2 + 1]!;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
    glyf.u8(flag >> 7 === 0 ? 1 : 0);
  }
  for (let point = 0; point < pointCount; point += 1) glyf.i16(steps[point * 2]!);
  for (let point = 0; point < pointCount; point += 1) glyf.i16(steps[point * 2 + 1]!);
  glyphs.short255();
  return [left, bottom, right, top];
}

/** Section 5.2, "Triplet Encoding": reads the step from one point to the next into `steps`, as x and y. */
function readStep(code: number, glyphs: Reader, steps: Int16Array, at: number): void {
  const a = glyphs.u8();
  let dx = 0;
  let dy = 0;
  let signs = code;
  if (code < 10) {
    dy = ((code & 14) << 7) + a;
    signs = code << 1;
  } else if (code < 20) {
    dx = (((code - 10) & 14) << 7) + a;
  } else if (code < 84) {
    const high = code - 20;
    dx = 1 + (high & 0x30) + (a >> 4);
    dy = 1 + ((high & 12) << 2) + (a & 15);
  } else if (code < 120) {
    const high = code - 84;
    dx = 1 + (Math.floor(high / 12) << 8) + a;
    dy = 1 + (((high % 12) >> 2) << 8) + glyphs.u8();
  } else if (code < 124) {
    const b = glyphs.u8();
    dx = (a << 4) + (b >> 4);
    dy = ((b & 15) << 8) + glyphs.u8();
  } else {
    dx = (a << 8) + glyphs.u8();
    dy = glyphs.u16();
  }
  steps[at] = (signs & 1) !== 0 ? dx : -dx;
  steps[at + 1] = (signs & 2) !== 0 ? dy : -dy;
}

/** Section 5.4: the file omits side bearings that equal the left edges of the outlines. */
function restoreMetrics(data: Buffer, metricCount: number, leftEdges: Int16Array): Buffer {
  const reader = new Reader(data);
  const flags = reader.u8();
  const advances = reader.bytes(metricCount * 2);
  const hmtx = Buffer.alloc(metricCount * 4 + (leftEdges.length - metricCount) * 2);
  for (let glyph = 0; glyph < leftEdges.length; glyph += 1) {
    const isProportional = glyph < metricCount;
    const isLeftOut = (flags & (isProportional ? 1 : 2)) !== 0;
    const bearing = isLeftOut ? leftEdges[glyph]! : reader.i16();
    if (isProportional) advances.copy(hmtx, glyph * 4, glyph * 2, glyph * 2 + 2);
    hmtx.writeInt16BE(bearing, isProportional ? glyph * 4 + 2 : metricCount * 2 + glyph * 2);
  }
  return hmtx;
}

function writeOpenType(flavor: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(12 + sorted.length * 16);
  head.writeUInt32BE(flavor, 0);
  head.writeUInt16BE(sorted.length, 4);
  let offset = head.length;
  const parts: Buffer[] = [head];
  for (const [index, [tag, data]] of sorted.entries()) {
    // Checksums and the search fields of the header stay 0: HarfBuzz reads neither.
    head.write(tag, 12 + index * 16, 'latin1');
    head.writeUInt32BE(offset, 12 + index * 16 + 8);
    head.writeUInt32BE(data.length, 12 + index * 16 + 12);
    const part = padded([data]);
    parts.push(part);
    offset += part.length;
  }
  return Buffer.concat(parts);
}

function padded(parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat(parts, (size + 3) & ~3);
}

function invalid(): RangeError {
  return new RangeError('not a valid WOFF2 file');
}

function throwInvalid(): never {
  throw invalid();
}

/** Writes big-endian numbers one after the other into memory that grows. */
class Writer {
  position = 0;
  #data: Buffer;

  constructor(sizeGuess: number) {
    this.#data = Buffer.alloc(Math.max(64, sizeGuess));
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#data[this.position] = value;
    this.position += 1;
  }

  i16(value: number): void {
    this.#reserve(2);
    this.#data[this.position] = value >> 8;
    this.#data[this.position + 1] = value;
    this.position += 2;
  }

  i16At(position: number): number {
    return this.#data.readInt16BE(position);
  }

  patch(position: number, values: readonly number[]): void {
    for (const [index, value] of values.entries()) this.#data.writeInt16BE(value, position + index * 2);
  }

  pad(): void {
    while ((this.position & 3) !== 0) this.u8(0);
  }

  written(): Buffer {
    return this.#data.subarray(0, this.position);
  }

  #reserve(byteCount: number): void {
    if (this.position + byteCount <= this.#data.length) return;
    this.#data = Buffer.concat([this.#data], this.#data.length * 2);
  }
}

class Reader {
  position = 0;
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  skip(byteCount: number): void {
    this.position += byteCount;
  }

  get isAtEnd(): boolean {
    return this.position === this.#data.length;
  }

  /** A view, never shorter than asked for. So nobody allocates for a count that the file only claims. */
  bytes(count: number): Buffer {
    if (this.position + count > this.#data.length) throw invalid();
    this.position += count;
    return this.#data.subarray(this.position - count, this.position);
  }

  text(count: number): string {
    return this.bytes(count).toString('latin1');
  }

  u8(): number {
    const byte = this.#data[this.position];
    if (byte === undefined) throw invalid();
    this.position += 1;
    return byte;
  }

  u16(): number {
    return (this.u8() << 8) | this.u8();
  }

  i16(): number {
    return (this.u16() << 16) >> 16;
  }

  u32(): number {
    this.position += 4;
    return this.#data.readUInt32BE(this.position - 4);
  }

  /** Section 4.1, `UIntBase128`. */
  base128(): number {
    let value = 0;
    for (let count = 0; count < 5; count += 1) {
      const byte = this.u8();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw invalid();
  }

  /** Section 4.1, `255UInt16`. */
  short255(): number {
    const code = this.u8();
    if (code === 253) return this.u16();
    if (code === 255) return this.u8() + 253;
    if (code === 254) return this.u8() + 506;
    return code;
  }
}
