/**
 * Reads what a user's font file says about itself: format, family, weights, italic. Pure; HarfBuzz is not asked,
 * because it takes any bytes for an empty font. The file is hostile: every offset is checked.
 */
import { readWoff2 } from './read-woff2.ts';

export interface FontFile {
  /** The OpenType file, with TrueType (`glyf`) or PostScript (`CFF`) outlines. Not copied unless it was packed. */
  readonly openType: Buffer;
  /** As the font calls its family; null when it does not say. */
  readonly familyName: string | null;
  /** 1 to 1000; equal in a font of one weight. */
  readonly minWeight: number;
  readonly maxWeight: number;
  readonly isItalic: boolean;
}

const NEEDED_TABLES = ['head', 'hhea', 'hmtx', 'maxp', 'cmap'];
const OUTLINES = ['glyf', 'CFF ', 'CFF2'];
const EXPECTED = 'expected a TTF, OTF or WOFF2 file';

/** The file, or what is wrong with it: continues its name. */
export function readFontFile(bytes: Buffer): FontFile | { readonly problem: string } {
  const signature = bytes.toString('latin1', 0, 4);
  if (signature === 'wOFF') return { problem: 'is a WOFF file of version 1: save it as WOFF2, TTF or OTF' };
  if (signature === 'ttcf')
    return { problem: 'is a collection of fonts: save each font as a file of its own' };
  if (signature === 'wOF2' && bytes.toString('latin1', 4, 8) === 'ttcf')
    return { problem: 'is a collection of fonts: save each font as a file of its own' };
  if (!['OTTO', 'true', '\0\x01\0\0', 'wOF2'].includes(signature))
    return { problem: `is not a font: ${EXPECTED}` };
  try {
    return describeFont(signature === 'wOF2' ? readWoff2(bytes) : bytes);
  } catch {
    // RangeError of a read behind the end, or zlib's: both mean the same to the owner of the file.
    return { problem: 'is damaged: get the font again from where it came' };
  }
}

function describeFont(openType: Buffer): FontFile | { readonly problem: string } {
  const tables = readTables(openType);
  const missing = NEEDED_TABLES.filter((tag) => !tables.has(tag));
  if (missing.length > 0) return { problem: `is not a complete font: it has no table ${missing.join(', ')}` };
  if (!OUTLINES.some((tag) => tables.has(tag)))
    return { problem: 'has no outlines: fonts of images, such as emoji in color, cannot be used' };
  const weight = weightOf(tables);
  const axis = weightAxis(tables.get('fvar'));
  return {
    openType,
    familyName: familyNameOf(tables.get('name')),
    minWeight: axis?.min ?? weight,
    maxWeight: axis?.max ?? weight,
    isItalic: isItalic(tables),
  };
}

type Tables = ReadonlyMap<string, Buffer>;

/** @throws RangeError for a table that leaves the file. */
function readTables(file: Buffer): Tables {
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + 16 * index;
    const [offset, length] = [file.readUInt32BE(entry + 8), file.readUInt32BE(entry + 12)];
    if (offset + length > file.length) throw new RangeError('a table leaves the file');
    if (length > 0)
      tables.set(file.toString('latin1', entry, entry + 4), file.subarray(offset, offset + length));
  }
  return tables;
}

/** OpenType, "OS/2": usWeightClass. Some old fonts count from 1 to 9. */
function weightOf(tables: Tables): number {
  const os2 = tables.get('OS/2');
  const weight = os2 === undefined || os2.length < 6 ? 400 : os2.readUInt16BE(4);
  return clampWeight(weight < 10 ? weight * 100 : weight);
}

function clampWeight(weight: number): number {
  return Math.min(1000, Math.max(1, weight));
}

/** OpenType, "fvar": the range of the weight axis. */
function weightAxis(fvar: Buffer | undefined): { readonly min: number; readonly max: number } | undefined {
  if (fvar === undefined) return undefined;
  const [start, count, size] = [fvar.readUInt16BE(4), fvar.readUInt16BE(8), fvar.readUInt16BE(10)];
  for (let index = 0; index < count; index += 1) {
    const at = start + index * size;
    if (fvar.toString('latin1', at, at + 4) !== 'wght') continue;
    const [min, max] = [4, 12].map((offset) => clampWeight(fvar.readInt32BE(at + offset) / 65536)) as [
      number,
      number,
    ];
    return min <= max ? { min, max } : undefined;
  }
  return undefined;
}

const ITALIC_OR_OBLIQUE = 0x0201;
const MAC_ITALIC = 0x0002;

function isItalic(tables: Tables): boolean {
  const os2 = tables.get('OS/2');
  if (os2 !== undefined && os2.length >= 64) return (os2.readUInt16BE(62) & ITALIC_OR_OBLIQUE) !== 0;
  return (tables.get('head')!.readUInt16BE(44) & MAC_ITALIC) !== 0;
}

const ENGLISH = 0x0409;

/** OpenType, "name": the typographic family (16) before the family of four styles (1), English first. */
function familyNameOf(name: Buffer | undefined): string | null {
  if (name === undefined) return null;
  const [count, storage] = [name.readUInt16BE(2), name.readUInt16BE(4)];
  let best: { readonly rank: number; readonly text: string } | undefined;
  for (let index = 0; index < count; index += 1) {
    const at = 6 + 12 * index;
    const [platform, language, id] = [
      name.readUInt16BE(at),
      name.readUInt16BE(at + 4),
      name.readUInt16BE(at + 6),
    ];
    if (id !== 1 && id !== 16) continue;
    const start = storage + name.readUInt16BE(at + 10);
    const text = decodeName(name.subarray(start, start + name.readUInt16BE(at + 8)), platform === 1);
    const rank = (id === 16 ? 2 : 0) + (language === ENGLISH ? 1 : 0);
    if (text !== '' && (best === undefined || rank > best.rank)) best = { rank, text };
  }
  return best?.text ?? null;
}

/** Mac names are single bytes; all others UTF-16, high byte first. */
function decodeName(bytes: Buffer, isMac: boolean): string {
  if (isMac) return bytes.toString('latin1').trim();
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return even.swap16().toString('utf16le').trim();
}
