/**
 * Unpacks a WOFF2 font file into the OpenType file that HarfBuzz reads (W3C, WOFF File Format 2.0). Reading only, and
 * only files of packages we depend on: a damaged file throws, hostile ones are not its matter.
 *
 * Own code because measuring is synchronous and the packages that unpack WOFF2 are not: they wrap Google's library as
 * WebAssembly of half a megabyte. Node brings the Brotli part.
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

/** Nothing here looks at these: hints, names, legacy kerning and the signature (which unpacking breaks). */
const UNUSED_TABLES = new Set([
  'cvt ',
  'fpgm',
  'prep',
  'gasp',
  'name',
  'post',
  'DSIG',
  'STAT',
  'hdmx',
  'VDMX',
]);

interface Table {
  readonly tag: string;
  readonly data: Buffer;
  readonly isTransformed: boolean;
}

/** @throws RangeError or Error (of zlib) for a file that is not sound WOFF2. */
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
  const stream = brotliDecompressSync(file.subarray(header.position, header.position + compressedSize));
  let at = 0;
  const tables = new Map<string, Table>();
  for (const { tag, size, isTransformed } of directory) {
    tables.set(tag, { tag, data: stream.subarray(at, at + size), isTransformed });
    at += size;
  }
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
    // Offsets are written long, whatever the file had.
    const head = Buffer.from(plain.get('head')!);
    head.writeInt16BE(1, 50);
    plain.set('head', head);
    const hmtx = tables.get('hmtx');
    if (hmtx?.isTransformed) {
      const metricCount = plain.get('hhea')!.readUInt16BE(34);
      plain.set('hmtx', restoreMetrics(hmtx.data, metricCount, glyphs.leftEdges));
    }
  }
  return plain;
}

const MORE_COMPONENTS = 0x20;
const HAS_INSTRUCTIONS = 0x100;

/** Section 5.1: outlines, whose coordinates lie in streams of their own. Instructions are read past and left out. */
function restoreGlyphs(data: Buffer): { glyf: Buffer; loca: Buffer; leftEdges: Int16Array } {
  const header = new Reader(data);
  header.skip(4);
  const glyphCount = header.u16();
  header.skip(2);
  const sizes = Array.from({ length: 7 }, () => header.u32());
  let at = header.position;
  const streams = sizes.map((size) => {
    at += size;
    return new Reader(data.subarray(at - size, at));
  });
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
  const parts: Buffer[] = [];
  let offset = 0;
  for (let glyph = 0; glyph < glyphCount; glyph += 1) {
    loca.writeUInt32BE(offset, glyph * 4);
    const contourCount = contours.i16();
    if (contourCount === 0) continue;
    const hasBox = (boxBitmap[glyph >> 3]! & (0x80 >> (glyph & 7))) !== 0;
    const box = hasBox ? boxes.bytes(8) : undefined;
    const part =
      contourCount < 0
        ? readComposite(composites, glyphs, box)
        : readSimple(contourCount, pointCounts, flags, glyphs, box);
    leftEdges[glyph] = part.readInt16BE(2);
    parts.push(part);
    offset += part.length;
  }
  loca.writeUInt32BE(offset, glyphCount * 4);
  return { glyf: Buffer.concat(parts), loca, leftEdges };
}

function readComposite(composites: Reader, glyphs: Reader, box: Buffer | undefined): Buffer {
  const start = composites.position;
  let flags = MORE_COMPONENTS;
  let hasInstructions = false;
  while ((flags & MORE_COMPONENTS) !== 0) {
    flags = composites.u16();
    hasInstructions ||= (flags & HAS_INSTRUCTIONS) !== 0;
    const argumentBytes = (flags & 1) !== 0 ? 4 : 2;
    const scaleBytes = (flags & 8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
    composites.skip(2 + argumentBytes + scaleBytes);
  }
  if (hasInstructions) glyphs.short255();
  const components = Buffer.from(composites.since(start));
  const head = Buffer.alloc(10);
  head.writeInt16BE(-1, 0);
  box?.copy(head, 2);
  // No instructions follow, so no component may say so.
  for (let at = 0, more = true; more; ) {
    const componentFlags = components.readUInt16BE(at);
    components.writeUInt16BE(componentFlags & ~HAS_INSTRUCTIONS, at);
    const scale =
      (componentFlags & 8) !== 0
        ? 2
        : (componentFlags & 0x40) !== 0
          ? 4
          : (componentFlags & 0x80) !== 0
            ? 8
            : 0;
    at += 4 + ((componentFlags & 1) !== 0 ? 4 : 2) + scale;
    more = (componentFlags & MORE_COMPONENTS) !== 0;
  }
  return padded([head, components]);
}

function readSimple(
  contourCount: number,
  pointCounts: Reader,
  flags: Reader,
  glyphs: Reader,
  box: Buffer | undefined,
): Buffer {
  const head = Buffer.alloc(10 + contourCount * 2 + 2);
  head.writeInt16BE(contourCount, 0);
  let pointCount = 0;
  for (let contour = 0; contour < contourCount; contour += 1) {
    pointCount += pointCounts.short255();
    head.writeUInt16BE(pointCount - 1, 10 + contour * 2);
  }
  const points = Buffer.alloc(pointCount * 5);
  let [x, y, left, top, right, bottom] = [0, 0, 32767, -32768, -32768, 32767];
  for (let point = 0; point < pointCount; point += 1) {
    const flag = flags.u8();
    const { dx, dy } = readStep(flag & 127, glyphs);
    x += dx;
    y += dy;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.max(top, y);
    bottom = Math.min(bottom, y);
    points[point] = flag >> 7 === 0 ? 1 : 0;
    points.writeInt16BE(dx, pointCount + point * 2);
    points.writeInt16BE(dy, pointCount * 3 + point * 2);
  }
  glyphs.short255();
  if (box === undefined) {
    for (const [index, edge] of [left, bottom, right, top].entries()) head.writeInt16BE(edge, 2 + index * 2);
  } else box.copy(head, 2);
  return padded([head, points]);
}

/** Section 5.2, "Triplet Encoding": the way to a point from the one before. */
function readStep(code: number, glyphs: Reader): { dx: number; dy: number } {
  const signed = (bit: number, size: number): number => ((bit & 1) !== 0 ? size : -size);
  const a = glyphs.u8();
  if (code < 10) return { dx: 0, dy: signed(code, ((code & 14) << 7) + a) };
  if (code < 20) return { dx: signed(code, (((code - 10) & 14) << 7) + a), dy: 0 };
  if (code < 84) {
    const high = code - 20;
    return {
      dx: signed(code, 1 + (high & 0x30) + (a >> 4)),
      dy: signed(code >> 1, 1 + ((high & 12) << 2) + (a & 15)),
    };
  }
  const b = glyphs.u8();
  if (code < 120) {
    const high = code - 84;
    return {
      dx: signed(code, 1 + (Math.floor(high / 12) << 8) + a),
      dy: signed(code >> 1, 1 + (((high % 12) >> 2) << 8) + b),
    };
  }
  const c = glyphs.u8();
  if (code < 124) {
    return { dx: signed(code, (a << 4) + (b >> 4)), dy: signed(code >> 1, ((b & 15) << 8) + c) };
  }
  return { dx: signed(code, (a << 8) + b), dy: signed(code >> 1, (c << 8) + glyphs.u8()) };
}

/** Section 5.4: side bearings that equal the left edges of the outlines are left out of the file. */
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

/** Reads big-endian numbers one after the other. */
class Reader {
  position = 0;
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  skip(byteCount: number): void {
    this.position += byteCount;
  }

  since(start: number): Buffer {
    return this.#data.subarray(start, this.position);
  }

  bytes(count: number): Buffer {
    this.position += count;
    return this.#data.subarray(this.position - count, this.position);
  }

  text(count: number): string {
    return this.bytes(count).toString('latin1');
  }

  u8(): number {
    this.position += 1;
    return this.#data.readUInt8(this.position - 1);
  }

  u16(): number {
    this.position += 2;
    return this.#data.readUInt16BE(this.position - 2);
  }

  i16(): number {
    this.position += 2;
    return this.#data.readInt16BE(this.position - 2);
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
    throw new RangeError('not a sound WOFF2 file');
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
