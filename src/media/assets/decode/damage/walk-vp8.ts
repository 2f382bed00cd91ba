/**
 * Reads a VP8 key frame (RFC 6386), the picture of a lossy WebP, symbol by symbol, without decoding a pixel. Pure.
 *
 * Any bytes are a valid picture for an arithmetic decoder: after a hole it paints noise. But then it does not end where
 * the data ends. libwebp notices when data lacks, not when it is left over.
 */
import { SUBMODE_PROBABILITIES, TOKEN_PROBABILITIES, TOKEN_UPDATES } from './vp8-tables.ts';

/** Encoders end each partition within two bytes; a few more do no harm. */
const MAX_LEFTOVER_BYTES = 8;
const HEADER_BYTES = 10;

/** Probabilities of coefficients of four categories (section 13.2), and of the two small ones. */
const CATEGORIES = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
].map((each) => Uint8Array.from(each));
const BANDS = Uint8Array.of(0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0);
/** Kinds of blocks. */
const LUMA_AFTER_DC = 0;
const LUMA_DC = 1;
const CHROMA = 2;
const LUMA = 3;
/** The mode of all blocks of a macroblock as one of the modes of single blocks: DC, TM, VE, HE. */
const [DC, TM, VE, HE, RD, VR, LD, VL, HD, HU] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/**
 * True when the data is damaged. False also for a frame that is not read here, which libwebp refuses.
 *
 * @param frame - The content of a chunk `VP8 `.
 */
export function isVp8Broken(frame: Buffer): boolean {
  if (frame.length < HEADER_BYTES || (frame[0]! & 1) !== 0) return false;
  const firstBytes = (frame[0]! | (frame[1]! << 8) | (frame[2]! << 16)) >>> 5;
  const [width, height] = [frame.readUInt16LE(6) & 0x3fff, frame.readUInt16LE(8) & 0x3fff];
  const end = HEADER_BYTES + firstBytes;
  if (end > frame.length) return true;
  const walk = new FrameWalk(frame.subarray(HEADER_BYTES, end), frame.subarray(end));
  return walk.isBroken((width + 15) >> 4, (height + 15) >> 4);
}

class FrameWalk {
  readonly #first: BoolReader;
  readonly #probabilities = Uint8Array.from(TOKEN_PROBABILITIES);
  readonly #partitions: readonly BoolReader[];
  /** Of the three segment bits, if each macroblock names its segment. */
  readonly #segments: readonly number[] | null;
  readonly #skip: number | null;

  constructor(first: Buffer, rest: Buffer) {
    const bits = new BoolReader(first);
    this.#first = bits;
    bits.number(2);
    this.#segments = readSegments(bits);
    readFilter(bits);
    this.#partitions = openPartitions(rest, 1 << bits.number(2));
    bits.number(7);
    for (let index = 0; index < 5; index += 1) bits.optional(4);
    bits.number(1);
    for (let index = 0; index < TOKEN_UPDATES.length; index += 1) {
      if (bits.bit(TOKEN_UPDATES[index]!)) this.#probabilities[index] = bits.number(8);
    }
    this.#skip = bits.number(1) ? bits.number(8) : null;
  }

  isBroken(columns: number, rows: number): boolean {
    const above = Array.from({ length: columns }, () => new Neighbor());
    for (let row = 0; row < rows; row += 1) {
      const partition = this.#partitions[row & (this.#partitions.length - 1)]!;
      const left = new Neighbor();
      for (const each of above) this.#passMacroblock(partition, left, each);
      if (partition.isOverrun || this.#first.isOverrun) return true;
    }
    return [this.#first, ...this.#partitions].some((each) => each.leftover > MAX_LEFTOVER_BYTES);
  }

  #passMacroblock(tokens: BoolReader, left: Neighbor, above: Neighbor): void {
    const bits = this.#first;
    if (this.#segments !== null) bits.bit(this.#segments[bits.bit(this.#segments[0]!) ? 2 : 1]!);
    const isSkipped = this.#skip !== null && bits.bit(this.#skip) === 1;
    const isWhole = bits.bit(145) === 1;
    if (isWhole) {
      const mode = bits.bit(156) ? (bits.bit(128) ? TM : HE) : bits.bit(163) ? VE : DC;
      left.modes.fill(mode);
      above.modes.fill(mode);
    } else passSubmodes(bits, left.modes, above.modes);
    if (bits.bit(142) && bits.bit(114)) bits.bit(183);
    if (!isSkipped) this.#passTokens(tokens, isWhole, left, above);
    else {
      for (const each of [left, above]) {
        each.luma.fill(0);
        each.chroma.fill(0);
        if (isWhole) each.dc = 0;
      }
    }
  }

  #passTokens(tokens: BoolReader, isWhole: boolean, left: Neighbor, above: Neighbor): void {
    const probabilities = this.#probabilities;
    if (isWhole) {
      const has = passBlock(tokens, probabilities, LUMA_DC, left.dc + above.dc);
      left.dc = has;
      above.dc = has;
    }
    const kind = isWhole ? LUMA_AFTER_DC : LUMA;
    for (let y = 0; y < 4; y += 1) {
      for (let x = 0; x < 4; x += 1) {
        const has = passBlock(tokens, probabilities, kind, left.luma[y]! + above.luma[x]!);
        left.luma[y] = has;
        above.luma[x] = has;
      }
    }
    for (let plane = 0; plane < 4; plane += 2) {
      for (let block = 0; block < 4; block += 1) {
        const [x, y] = [plane + (block & 1), plane + (block >> 1)];
        const has = passBlock(tokens, probabilities, CHROMA, left.chroma[y]! + above.chroma[x]!);
        left.chroma[y] = has;
        above.chroma[x] = has;
      }
    }
  }
}

/** What a macroblock leaves to the next one and to the one below: modes, and which blocks have coefficients. */
class Neighbor {
  readonly modes = new Uint8Array(4);
  readonly luma = new Uint8Array(4);
  readonly chroma = new Uint8Array(4);
  dc = 0;
}

/** Section 9.3. */
function readSegments(bits: BoolReader): number[] | null {
  if (!bits.number(1)) return null;
  const isMapped = bits.number(1);
  if (bits.number(1)) {
    bits.number(1);
    for (let index = 0; index < 4; index += 1) bits.optional(7);
    for (let index = 0; index < 4; index += 1) bits.optional(6);
  }
  return isMapped ? [0, 1, 2].map(() => (bits.number(1) ? bits.number(8) : 255)) : null;
}

/** Section 9.6. */
function readFilter(bits: BoolReader): void {
  bits.number(10);
  if (!bits.number(1) || !bits.number(1)) return;
  for (let index = 0; index < 8; index += 1) bits.optional(6);
}

/** Section 9.5: the lengths of all partitions but the last one come first. */
function openPartitions(rest: Buffer, count: number): BoolReader[] {
  let at = 3 * (count - 1);
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const length = isLast || 3 * index + 3 > rest.length ? rest.length : rest.readUIntLE(3 * index, 3);
    const part = rest.subarray(at, at + length);
    at += length;
    return new BoolReader(part);
  });
}

/** Section 11.2. */
function passSubmodes(bits: BoolReader, left: Uint8Array, above: Uint8Array): void {
  for (let y = 0; y < 4; y += 1) {
    for (let x = 0; x < 4; x += 1) {
      const mode = readSubmode(bits, 9 * (10 * above[x]! + left[y]!));
      left[y] = mode;
      above[x] = mode;
    }
  }
}

function readSubmode(bits: BoolReader, at: number): number {
  const next = (index: number) => bits.bit(SUBMODE_PROBABILITIES[at + index]!);
  if (!next(0)) return DC;
  if (!next(1)) return TM;
  if (!next(2)) return VE;
  if (!next(3)) return next(4) ? (next(5) ? VR : RD) : HE;
  if (!next(6)) return LD;
  if (!next(7)) return VL;
  return next(8) ? HU : HD;
}

/** Section 13. @returns 1 if the block has coefficients. */
function passBlock(bits: BoolReader, probabilities: Uint8Array, kind: number, context: number): number {
  let index = kind === LUMA_AFTER_DC ? 1 : 0;
  let at = 11 * (3 * (8 * kind + BANDS[index]!) + context);
  if (!bits.bit(probabilities[at]!)) return 0;
  for (;;) {
    index += 1;
    const next = 33 * (8 * kind + BANDS[index]!);
    if (!bits.bit(probabilities[at + 1]!)) {
      if (index === 16) return 1;
      at = next;
      continue;
    }
    if (bits.bit(probabilities[at + 2]!)) {
      passLarge(bits, probabilities, at);
      at = next + 22;
    } else at = next + 11;
    bits.bit(128);
    if (index === 16 || !bits.bit(probabilities[at]!)) return 1;
  }
}

/** A coefficient of 2 or more, without its sign. */
function passLarge(bits: BoolReader, probabilities: Uint8Array, at: number): void {
  if (!bits.bit(probabilities[at + 3]!)) {
    if (bits.bit(probabilities[at + 4]!)) bits.bit(probabilities[at + 5]!);
  } else if (!bits.bit(probabilities[at + 6]!)) {
    if (!bits.bit(probabilities[at + 7]!)) bits.bit(159);
    else {
      bits.bit(165);
      bits.bit(145);
    }
  } else {
    const high = bits.bit(probabilities[at + 8]!);
    const low = bits.bit(probabilities[at + 9 + high]!);
    for (const probability of CATEGORIES[2 * high + low]!) bits.bit(probability);
  }
}

/** Section 7: the arithmetic decoder. It fetches a byte only when a bit depends on it, as libwebp does. */
class BoolReader {
  readonly #data: Buffer;
  #at = 0;
  #value = 0;
  #range = 254;
  #bits = -8;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** @param probability - That it is 0, out of 256. */
  bit(probability: number): 0 | 1 {
    if (this.#bits < 0) {
      this.#value = (this.#value << 8) | (this.#data[this.#at] ?? 0);
      this.#at += 1;
      this.#bits += 8;
    }
    const split = (this.#range * probability) >> 8;
    const isOne = this.#value >> this.#bits > split;
    const range = isOne ? this.#range - split : split + 1;
    if (isOne) this.#value -= (split + 1) << this.#bits;
    const shift = Math.clz32(range) - 24;
    this.#range = (range << shift) - 1;
    this.#bits -= shift;
    return isOne ? 1 : 0;
  }

  number(bits: number): number {
    let value = 0;
    for (let count = bits; count > 0; count -= 1) value = 2 * value + this.bit(128);
    return value;
  }

  /** A number with a sign that is there only if its first bit says so. */
  optional(bits: number): void {
    if (this.number(1)) this.number(bits + 1);
  }

  get isOverrun(): boolean {
    return this.#at > this.#data.length;
  }

  get leftover(): number {
    return this.#data.length - this.#at;
  }
}
