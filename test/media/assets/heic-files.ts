/**
 * Writes HEIC files around the coded pictures of the samples: turned, with a profile, as a grid, or as an attacker
 * would.
 */
import { readFileSync } from 'node:fs';

export interface CodedPicture {
  /** The whole `hvcC` box. */
  readonly hvcC: Buffer;
  /** HEVC units, each after its length. */
  readonly units: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
}

const sample = (name: string): Buffer => readFileSync(new URL(`heic/${name}.heic`, import.meta.url));

/** `heif-enc` puts the picture into the last box, `mdat`. */
function takeApart(file: Buffer, widthPx: number, heightPx: number): CodedPicture {
  const at = file.indexOf('hvcC') - 4;
  return {
    hvcC: file.subarray(at, at + file.readUInt32BE(at)),
    units: file.subarray(file.indexOf('mdat') + 4),
    widthPx,
    heightPx,
  };
}

export const QUARTERS_FILE = sample('quarters');
export const QUARTERS = takeApart(QUARTERS_FILE, 480, 360);
export const TILE = takeApart(sample('tile'), 64, 64);

export const u8 = (...values: number[]): Buffer => Buffer.from(values);
export const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((v) => [v >>> 8, v & 0xff]));
export const u32 = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((v) => [v >>> 24, (v >>> 16) & 0xff, (v >>> 8) & 0xff, v & 0xff]));

/** A box of ISO/IEC 14496-12. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** A box with a version and flags. */
const full = (type: string, version: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, u8(version, 0, 0, 0), ...parts);

export const ispe = (widthPx: number, heightPx: number): Buffer => full('ispe', 0, u32(widthPx, heightPx));
/** Turned by this many quarters, anticlockwise. */
export const irot = (quarters: number): Buffer => box('irot', u8(quarters));
/** Axis 1 exchanges left and right. */
export const imir = (axis: 0 | 1): Buffer => box('imir', u8(axis));
export const iccProfile = (icc: Buffer): Buffer => box('colr', Buffer.from('prof'), icc);
export const codePoints = (primaries: number, transfer: number): Buffer =>
  box('colr', Buffer.from('nclx'), u16(primaries, transfer, 6), u8(0x80));

interface Item {
  readonly type: string;
  readonly properties: readonly Buffer[];
  readonly data: Buffer;
  /** Items that it is derived from. */
  readonly from?: readonly number[];
  /** The item whose transparency it is. */
  readonly alphaOf?: number;
}

/** Says that a picture is the transparency of another. */
export const ALPHA = full('auxC', 0, Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0'));

/** A file of these items with the ids 1, 2, …; the first is the primary one. Equal data is stored once. */
export function heicOf(items: readonly Item[], brands: readonly string[] = ['heic', 'mif1', 'heic']): Buffer {
  const [major = 'heic', ...compatible] = brands;
  const ftyp = box('ftyp', Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1'));
  const places = new Map<Buffer, number>();
  let end = 0;
  for (const { data } of items) {
    if (places.has(data)) continue;
    places.set(data, end);
    end += data.length;
  }
  const meta = (start: number) => metaBox(items, (data) => start + places.get(data)!);
  const start = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(start), box('mdat', ...places.keys())]);
}

function metaBox(items: readonly Item[], placeOf: (data: Buffer) => number): Buffer {
  const properties = [...new Set(items.flatMap((item) => item.properties))];
  const references = items.flatMap(({ from, alphaOf }, index) => [
    ...(from ? [box('dimg', u16(index + 1, from.length, ...from))] : []),
    ...(alphaOf ? [box('auxl', u16(index + 1, 1, alphaOf))] : []),
  ]);
  const index = (property: Buffer) => 0x8000 | (properties.indexOf(property) + 1);
  return full(
    'meta',
    0,
    full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
    full('pitm', 0, u16(1)),
    full(
      'iinf',
      0,
      u16(items.length),
      ...items.map(({ type }, at) => full('infe', 2, u16(at + 1, 0), Buffer.from(`${type}\0`, 'latin1'))),
    ),
    ...(references.length === 0 ? [] : [full('iref', 0, ...references)]),
    box(
      'iprp',
      box('ipco', ...properties),
      box(
        'ipma',
        u8(0, 0, 0, 1),
        u32(items.length),
        ...items.map((item, at) =>
          Buffer.concat([u16(at + 1), u8(item.properties.length), u16(...item.properties.map(index))]),
        ),
      ),
    ),
    full(
      'iloc',
      0,
      u8(0x44, 0),
      u16(items.length),
      ...items.map(({ data }, at) => Buffer.concat([u16(at + 1, 0, 1), u32(placeOf(data), data.length)])),
    ),
  );
}

/** One coded picture with these further properties, in their order. */
export function heic(picture: CodedPicture, ...properties: readonly Buffer[]): Buffer {
  const { hvcC, units, widthPx, heightPx } = picture;
  return heicOf([{ type: 'hvc1', properties: [hvcC, ispe(widthPx, heightPx), ...properties], data: units }]);
}

/** The data of a `grid` item: at most 256 rows and columns. */
export const gridData = (columns: number, rows: number, widthPx: number, heightPx: number): Buffer =>
  Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(widthPx, heightPx)]);

/** A grid of one picture again and again, as phones write theirs. `widthPx` and `heightPx` can cut its last tiles. */
export function heicGrid(
  picture: CodedPicture,
  columns: number,
  rows: number,
  {
    widthPx = columns * picture.widthPx,
    heightPx = rows * picture.heightPx,
    properties = [] as readonly Buffer[],
  } = {},
): Buffer {
  const tile = {
    type: 'hvc1',
    properties: [picture.hvcC, ispe(picture.widthPx, picture.heightPx)],
    data: picture.units,
  };
  const from = Array.from({ length: columns * rows }, (_, index) => index + 2);
  const grid = gridData(columns, rows, widthPx, heightPx);
  return heicOf([
    { type: 'grid', properties: [ispe(widthPx, heightPx), ...properties], data: grid, from },
    ...from.map(() => tile),
  ]);
}
