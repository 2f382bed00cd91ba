/**
 * Reads from an MP4 what a player will go by: tracks, tables, tags and the order of its parts. It judges nothing, and
 * shares no code with what writes our MP4s.
 */
import { type FileHandle, open } from 'node:fs/promises';

export interface Mp4Track {
  /** `vide` or `soun`. */
  readonly handler: string;
  /** Type of the sample entry, such as `avc1`. */
  readonly codec: string;
  /** Boxes inside the sample entry, such as `avcC`, `colr`, `esds`. */
  readonly codecBoxes: ReadonlyMap<string, Buffer>;
  /** From the sample entry; 0 for sound. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** From the sample entry; 0 for pictures. */
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly packetCount: number;
  /** When each packet is shown, s, after the edit list; in file order. */
  readonly timesSec: readonly number[];
  /** How long the track plays after its edit list, s. */
  readonly durationSec: number;
  /** Packets that can be decoded by themselves; undefined when all can. */
  readonly syncPackets: readonly number[] | undefined;
  /** Where each packet lies: offset and size, bytes. */
  readonly packets: readonly { readonly offset: number; readonly sizeBytes: number }[];
}

export interface Mp4 {
  readonly sizeBytes: number;
  /** Types of the outermost boxes, in order. */
  readonly parts: readonly string[];
  readonly durationSec: number;
  readonly tracks: readonly Mp4Track[];
  /** Text tags, such as `©nam` for the title. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Our longest videos have a `moov` of some hundred kB. */
const MAX_MOOV_BYTES = 64 << 20;

/**
 * @throws Error when the file is no MP4 that can be read.
 */
export async function readMp4(path: string): Promise<Mp4> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const parts: string[] = [];
    let moov: Buffer | undefined;
    for (let offset = 0; offset < size; ) {
      const { type, sizeBytes, headerBytes } = await readHeader(file, offset, size);
      parts.push(type);
      if (type === 'moov') {
        if (sizeBytes > MAX_MOOV_BYTES) throw new Error('moov is too large');
        moov = Buffer.alloc(sizeBytes - headerBytes);
        await file.read(moov, 0, moov.length, offset + headerBytes);
      }
      offset += sizeBytes;
    }
    if (moov === undefined) throw new Error('there is no moov');
    return { sizeBytes: size, parts, ...parseMoov(moov) };
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, offset: number, fileBytes: number) {
  const header = Buffer.alloc(16);
  const { bytesRead } = await file.read(header, 0, 16, offset);
  if (bytesRead < 8) throw new Error(`a box is cut short at byte ${offset}`);
  const shortSize = header.readUInt32BE(0);
  const sizeBytes = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize;
  const headerBytes = shortSize === 1 ? 16 : 8;
  if (sizeBytes < headerBytes || offset + sizeBytes > fileBytes) {
    throw new Error(`a box of ${sizeBytes} bytes at byte ${offset} does not fit into ${fileBytes} bytes`);
  }
  return { type: header.toString('latin1', 4, 8), sizeBytes, headerBytes };
}

function parseMoov(moov: Buffer): Pick<Mp4, 'durationSec' | 'tracks' | 'tags'> {
  const mvhd = find(moov, 'mvhd');
  const timescale = mvhd.readUInt32BE(12);
  return {
    durationSec: mvhd.readUInt32BE(16) / timescale,
    tracks: [...boxesIn(moov)]
      .filter(([type]) => type === 'trak')
      .map(([, trak]) => parseTrack(trak, timescale)),
    tags: parseTags(moov),
  };
}

function parseTrack(trak: Buffer, movieTimescale: number): Mp4Track {
  const stbl = find(trak, 'mdia', 'minf', 'stbl');
  const timescale = find(trak, 'mdia', 'mdhd').readUInt32BE(12);
  const elst = find(trak, 'edts', 'elst');
  const editedSec = elst.readUInt32BE(8) / movieTimescale;
  const skippedUnits = elst.readUInt32BE(12);
  const sizes = parseSizes(find(stbl, 'stsz'));
  const shifts = tryFind(stbl, 'ctts');
  const decodeUnits = accumulate(expandRuns(find(stbl, 'stts')));
  const shiftUnits = shifts === undefined ? sizes.map(() => 0) : expandRuns(shifts);
  const stss = tryFind(stbl, 'stss');
  return {
    handler: find(trak, 'mdia', 'hdlr').toString('latin1', 8, 12),
    ...parseSampleEntry(find(stbl, 'stsd')),
    packetCount: sizes.length,
    timesSec: decodeUnits.map((units, i) => (units + shiftUnits[i]! - skippedUnits) / timescale),
    durationSec: editedSec,
    syncPackets:
      stss === undefined ? undefined : readList(stss, 8, stss.readUInt32BE(4), 4).map((n) => n - 1),
    packets: locatePackets(sizes, stbl),
  };
}

/** 14496-12, 12.1.3 and 12.2.3: after the fixed fields of pictures (78 bytes) or sound (28) come boxes. */
function parseSampleEntry(stsd: Buffer) {
  const [codec, entry] = [...boxesIn(stsd.subarray(8))][0] ?? [];
  if (codec === undefined || entry === undefined) throw new Error('a track without a sample entry');
  const isSound = codec === 'mp4a';
  return {
    codec,
    codecBoxes: new Map(boxesIn(entry.subarray(isSound ? 28 : 78))),
    widthPx: isSound ? 0 : entry.readUInt16BE(24),
    heightPx: isSound ? 0 : entry.readUInt16BE(26),
    sampleRateHz: isSound ? entry.readUInt32BE(24) / 0x10000 : 0,
    channels: isSound ? entry.readUInt16BE(16) : 0,
  };
}

function parseSizes(stsz: Buffer): number[] {
  const count = stsz.readUInt32BE(8);
  const sameSize = stsz.readUInt32BE(4);
  return sameSize > 0 ? Array<number>(count).fill(sameSize) : readList(stsz, 12, count, 4);
}

function locatePackets(sizes: readonly number[], stbl: Buffer): { offset: number; sizeBytes: number }[] {
  const wide = tryFind(stbl, 'co64');
  const table = wide ?? find(stbl, 'stco');
  const chunks = readList(table, 8, table.readUInt32BE(4), wide === undefined ? 4 : 8);
  const stsc = find(stbl, 'stsc');
  const groups = readList(stsc, 8, stsc.readUInt32BE(4) * 3, 4);
  const packets: { offset: number; sizeBytes: number }[] = [];
  let group = 0;
  for (const [chunk, start] of chunks.entries()) {
    if (groups[(group + 1) * 3] === chunk + 1) group++;
    let offset = start;
    for (let i = 0; i < (groups[group * 3 + 1] ?? 0); i++) {
      const sizeBytes = sizes[packets.length];
      if (sizeBytes === undefined) throw new Error('chunks hold more packets than there are');
      packets.push({ offset, sizeBytes });
      offset += sizeBytes;
    }
  }
  return packets;
}

function parseTags(moov: Buffer): Record<string, string> {
  const meta = tryFind(moov, 'udta', 'meta');
  const ilst = meta === undefined ? undefined : tryFind(meta.subarray(4), 'ilst');
  if (ilst === undefined) return {};
  return Object.fromEntries(
    [...boxesIn(ilst)].map(([name, tag]) => [name, find(tag, 'data').toString('utf8', 8)]),
  );
}

function expandRuns(table: Buffer): number[] {
  const pairs = readList(table, 8, table.readUInt32BE(4) * 2, 4);
  const values: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    for (let n = 0; n < pairs[i]!; n++) values.push(pairs[i + 1]!);
  }
  return values;
}

function accumulate(durations: readonly number[]): number[] {
  let time = 0;
  return durations.map((duration) => {
    time += duration;
    return time - duration;
  });
}

function readList(bytes: Buffer, start: number, count: number, width: 4 | 8): number[] {
  if (start + count * width > bytes.length) throw new Error('a table is cut short');
  return Array.from({ length: count }, (_, i) =>
    width === 4 ? bytes.readUInt32BE(start + i * 4) : Number(bytes.readBigUInt64BE(start + i * 8)),
  );
}

function find(bytes: Buffer, ...path: readonly string[]): Buffer {
  const found = tryFind(bytes, ...path);
  if (found === undefined) throw new Error(`there is no ${path.join('/')}`);
  return found;
}

function tryFind(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let current: Buffer | undefined = bytes;
  for (const wanted of path) {
    if (current === undefined) return undefined;
    current = [...boxesIn(current)].find(([type]) => type === wanted)?.[1];
  }
  return current;
}

function* boxesIn(bytes: Buffer): Generator<[type: string, content: Buffer]> {
  for (let offset = 0; offset + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(offset);
    if (size < 8 || offset + size > bytes.length)
      throw new Error('a box does not fit into the one around it');
    yield [bytes.toString('latin1', offset + 4, offset + 8), bytes.subarray(offset + 8, offset + size)];
    offset += size;
  }
}
