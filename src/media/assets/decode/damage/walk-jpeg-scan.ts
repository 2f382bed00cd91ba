/**
 * Reads the compressed data of a baseline JPEG symbol by symbol, and of a progressive one what is read first: the mean
 * of each block. Decodes no pixel. Pure.
 *
 * After a hole in the data (a bad disk block, a badly resumed download) libjpeg paints stripes, stops at the last row
 * and does not notice the data that is left over. Only counting the symbols finds it. And each mean is stored as the
 * difference from the one before, so that damage makes all others brighter or darker, up to what no picture can be.
 */

/** Some encoders leave a few bytes at the end of a scan; damage leaves hundreds. */
const MAX_LEFTOVER_BYTES = 16;

/** Of a mean, that is eight times a sample of -128 to 127. Some encoders make white a little whiter. */
const MAX_MEAN = 1024 + 256;

interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  readonly quantizer: number;
}

interface Frame {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly isProgressive: boolean;
  readonly maxMean: number;
  readonly maxH: number;
  readonly maxV: number;
  readonly components: readonly Component[];
}

/** Thrown only in this file, when the data is invalid. */
class BrokenScan extends Error {}

/**
 * True when the image data is damaged. False when it is valid, or of a kind that is not read here (arithmetic, several
 * scans that are not progressive), for which libjpeg's warnings are enough.
 *
 * @param source - A JPEG that `inspectJpeg` accepted.
 */
export function isJpegScanBroken(source: Uint8Array): boolean {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const tables = new Map<number, Buffer>();
  const quantizers = new Map<number, number>();
  let frame: Frame | null = null;
  let restartInterval = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff || bytes[at + 1] === 0xff) {
      at += 1;
      continue;
    }
    const marker = bytes[at + 1]!;
    if (isAlone(marker)) {
      at += 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xc4) readTables(body, tables);
    else if (marker === 0xdb) readQuantizers(body, quantizers);
    else if (marker >= 0xc0 && marker <= 0xc2) frame = readFrame(body, marker === 0xc2);
    else if (marker === 0xd9) return false;
    else if (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc8 && marker !== 0xcc) return false;
    else if (marker === 0xdd && body.length >= 2) restartInterval = body.readUInt16BE(0);
    else if (marker === 0xda) {
      if (frame === null) return false;
      // Later scans of a progressive picture add to the means and to the other values.
      const isFirst = !frame.isProgressive || (body[body.length - 3] === 0 && body.at(-1)! < 16);
      const data = bytes.subarray(at + 2 + length);
      if (isFirst && isScanBroken(frame, quantizers, body, tables, restartInterval, data)) return true;
      if (!frame.isProgressive) return false;
    }
    at += 2 + length;
  }
  return false;
}

/** RST0 to RST7, SOI, TEM and a stuffed zero have no length behind them. */
function isAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01 || marker === 0x00;
}

/** ITU-T T.81, B.2.4.2: finds the counts and symbols of each table. A file can define a slot thousands of times. */
function readTables(body: Buffer, tables: Map<number, Buffer>): void {
  let at = 0;
  while (at + 17 <= body.length) {
    const counts = body.subarray(at + 1, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    // Four slots for DC, four for AC.
    if ((body[at]! & 0xec) === 0) tables.set(body[at]!, body.subarray(at + 1, end));
    at = end;
  }
}

/** ITU-T T.81, B.2.4.1: the first value of each table, that of the mean. */
function readQuantizers(body: Buffer, quantizers: Map<number, number>): void {
  for (let at = 0; at + 65 <= body.length; ) {
    const isLong = body[at]! >= 16;
    quantizers.set(body[at]! & 15, isLong ? body.readUInt16BE(at + 1) : body[at + 1]!);
    at += isLong ? 129 : 65;
  }
}

/** A table that maps the next 16 bits to the code's length (high byte) and its symbol (low byte): 128 kB. */
function toTable(definition: Buffer): Uint16Array {
  const table = new Uint16Array(65536);
  let symbolAt = 16;
  let code = 0;
  for (let length = 1; length <= 16; length += 1) {
    for (let count = definition[length - 1]!; count > 0; count -= 1) {
      const first = code << (16 - length);
      table.fill((length << 8) | (definition[symbolAt] ?? 0), first, first + (1 << (16 - length)));
      symbolAt += 1;
      code += 1;
    }
    code <<= 1;
  }
  return table;
}

/** ITU-T T.81, B.2.2. */
function readFrame(body: Buffer, isProgressive: boolean): Frame | null {
  const count = body[5] ?? 0;
  if (body.length < 6 + 3 * count || count === 0) return null;
  const parts = Array.from({ length: count }, (_, index) => {
    const sampling = body[7 + 3 * index]!;
    return { id: body[6 + 3 * index]!, h: sampling >> 4, v: sampling & 15, quantizer: body[8 + 3 * index]! };
  });
  // Other factors are invalid (T.81, B.2.2), and without blocks the walk would not end.
  if (parts.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) return null;
  return {
    heightPx: body.readUInt16BE(1),
    widthPx: body.readUInt16BE(3),
    isProgressive,
    maxMean: MAX_MEAN * 2 ** (body[0]! - 8),
    maxH: Math.max(...parts.map(({ h }) => h)),
    maxV: Math.max(...parts.map(({ v }) => v)),
    components: parts,
  };
}

interface Part {
  readonly dc: Uint16Array;
  /** Null where only the means are stored. */
  readonly ac: Uint16Array | null;
  readonly maxMean: number;
  /** Before it is multiplied by the quantizer. */
  mean: number;
}

function isScanBroken(
  frame: Frame,
  quantizers: ReadonlyMap<number, number>,
  header: Buffer,
  definitions: ReadonlyMap<number, Buffer>,
  restartInterval: number,
  data: Buffer,
): boolean {
  const count = header[0] ?? 0;
  const { components, isProgressive, maxH, maxV } = frame;
  // Several scans, or a height that comes later (DNL): rare, so libjpeg decides.
  if ((count !== components.length && !isProgressive) || count === 0 || frame.heightPx === 0) return false;
  const tables = new Map<number, Uint16Array>();
  const tableOf = (slot: number): Uint16Array | undefined => {
    const definition = definitions.get(slot);
    if (definition !== undefined && !tables.has(slot)) tables.set(slot, toTable(definition));
    return tables.get(slot);
  };
  const shift = isProgressive ? header.at(-1)! & 15 : 0;
  const order: Part[] = [];
  let mcus = 0;
  for (let index = 0; index < count; index += 1) {
    const component = components.find(({ id }) => id === header[1 + 2 * index]);
    const slots = header[2 + 2 * index] ?? 0;
    const [dc, ac] = [tableOf(slots >> 4), isProgressive ? null : tableOf(0x10 | (slots & 15))];
    // Abbreviated streams (motion JPEG) omit the standard tables, which libjpeg has built in.
    if (component === undefined || dc === undefined || ac === undefined) return false;
    // A component alone in its scan is not interleaved: its MCU is one block (T.81, A.2.2).
    const [h, v] = count === 1 ? [1, 1] : [component.h, component.v];
    const [width, height] = [8 * h * (maxH / component.h), 8 * v * (maxV / component.v)];
    mcus = Math.ceil(frame.widthPx / width) * Math.ceil(frame.heightPx / height);
    const quantizer = (quantizers.get(component.quantizer) ?? 0) << shift;
    const part = { dc, ac, maxMean: quantizer === 0 ? Infinity : frame.maxMean / quantizer + 1, mean: 0 };
    for (let block = 0; block < h * v; block += 1) order.push(part);
  }
  const bits = new BitReader(data);
  try {
    for (let mcu = 0; mcu < mcus; mcu += 1) {
      if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0) {
        bits.passRestart();
        for (const part of order) part.mean = 0;
      }
      for (const part of order) bits.passBlock(part);
    }
    return bits.countLeftover() > MAX_LEFTOVER_BYTES;
  } catch (error) {
    if (error instanceof BrokenScan) return true;
    throw error;
  }
}

/** Reads the bits of a scan, most significant first, without stuffed zeros, up to the first marker. */
class BitReader {
  readonly #data: Buffer;
  #at = 0;
  #bits = 0;
  #count = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** One DC and up to 63 AC coefficients (ITU-T T.81, F.2.2). */
  passBlock(part: Part): void {
    part.mean += this.#difference(this.#symbol(part.dc));
    if (Math.abs(part.mean) > part.maxMean) throw new BrokenScan();
    const { ac } = part;
    if (ac === null) return;
    for (let index = 1; index < 64; index += 1) {
      const symbol = this.#symbol(ac);
      const size = symbol & 15;
      if (size === 0) {
        if (symbol !== 0xf0) return;
        index += 15;
      } else {
        index += symbol >> 4;
        this.#skip(size);
      }
      if (index > 63) throw new BrokenScan();
    }
  }

  passRestart(): void {
    if (this.countLeftover() > MAX_LEFTOVER_BYTES) throw new BrokenScan();
    const marker = this.#data[this.#at + 1] ?? 0;
    if (marker < 0xd0 || marker > 0xd7) throw new BrokenScan();
    this.#at += 2;
  }

  /** Skips the rest before the next marker and counts its bytes, except zeros, which are padding. */
  countLeftover(): number {
    let leftover = Math.floor(this.#count / 8);
    this.#bits = 0;
    this.#count = 0;
    for (;;) {
      const byte = this.#data[this.#at];
      if (byte === undefined) throw new BrokenScan();
      if (byte === 0xff && this.#data[this.#at + 1] === 0xff) {
        this.#at += 1;
        continue;
      }
      if (byte === 0xff && this.#data[this.#at + 1] !== 0) return leftover;
      this.#at += byte === 0xff ? 2 : 1;
      if (byte !== 0) leftover += 1;
    }
  }

  #symbol(table: Uint16Array): number {
    if (this.#count < 16) this.#fill();
    const ahead = this.#count >= 16 ? this.#bits >>> (this.#count - 16) : this.#bits << (16 - this.#count);
    const entry = table[ahead & 0xffff]!;
    this.#count -= entry >> 8;
    if (entry === 0 || this.#count < 0) throw new BrokenScan();
    return entry & 0xff;
  }

  /** F.2.2.1: a first bit of 0 means a negative number. */
  #difference(size: number): number {
    this.#skip(size);
    const value = (this.#bits >>> this.#count) & ((1 << size) - 1);
    return size > 0 && value >> (size - 1) === 0 ? value - (1 << size) + 1 : value;
  }

  #skip(size: number): void {
    if (this.#count < size) this.#fill();
    this.#count -= size;
    if (this.#count < 0 || size > 16) throw new BrokenScan();
  }

  /** Fetches at least 16 bits, or all that are left; `#symbol` then pads them with zeros that it must not use. */
  #fill(): void {
    const data = this.#data;
    while (this.#count <= 16) {
      const byte = data[this.#at];
      if (byte === undefined || (byte === 0xff && data[this.#at + 1] !== 0)) break;
      this.#at += byte === 0xff ? 2 : 1;
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }
}
