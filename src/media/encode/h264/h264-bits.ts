/** Reads and writes the bits of H.264 parameter sets and slice headers. Pure. ITU-T H.264, 7.2, 7.4.1, 9.1. */

/** Reads the payload of a NAL unit without emulation prevention. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bits read so far. */
  get position(): number {
    return this.#position;
  }

  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#position++) {
      const byte = this.#bytes[this.#position >> 3];
      if (byte === undefined) throw new Error('parameter set is cut short');
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1);
    }
    return value;
  }

  /** Exponential-Golomb code (9.1). The standard has none above 2^32 - 2. */
  readUe(): number {
    let zeros = 0;
    while (this.read(1) === 0) zeros++;
    if (zeros > 31) throw new Error('parameter set has a number that is too large');
    return 2 ** zeros - 1 + this.read(zeros);
  }

  /** Signed Exponential-Golomb code (9.1.1). */
  readSe(): number {
    const code = this.readUe();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** Writes bits, most significant first. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #free = 0;

  write(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      if (this.#free === 0) {
        this.#bytes.push(0);
        this.#free = 8;
      }
      this.#free -= 1;
      if (Math.floor(value / 2 ** i) % 2 === 1) this.#bytes[this.#bytes.length - 1]! |= 1 << this.#free;
    }
  }

  /** Exponential-Golomb code (9.1). */
  writeUe(value: number): void {
    const bits = Math.floor(Math.log2(value + 1));
    this.write(0, bits);
    this.write(value + 1, bits + 1);
  }

  /** Signed Exponential-Golomb code (9.1.1). */
  writeSe(value: number): void {
    this.writeUe(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** Fills the last byte with `bit`. */
  align(bit: 0 | 1): void {
    while (this.#free > 0) this.write(bit, 1);
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Removes the 3 of each 0 0 3, which prevents start codes (7.4.1). */
export function withoutEmulation(bytes: Uint8Array): Uint8Array {
  const raw = new Uint8Array(bytes.length);
  let size = 0;
  let zeros = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (zeros < 2 || byte !== 3) raw[size++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return raw.subarray(0, size);
}

/** A picture of one NAL unit, after its length in 4 bytes (ISO/IEC 14496-15). @param nal - Without emulation prevention. */
export function toAccessUnit(nal: Uint8Array): Buffer {
  const escaped = withEmulation(nal);
  const data = Buffer.alloc(4 + escaped.length);
  data.writeUInt32BE(escaped.length, 0);
  data.set(escaped, 4);
  return data;
}

/** The NAL unit with the picture's slice. @throws Error when there is none, or more than one. */
export function sliceOf(accessUnit: Buffer): Buffer {
  const slices: Buffer[] = [];
  for (let at = 0; at + 5 <= accessUnit.length; at += 4 + accessUnit.readUInt32BE(at)) {
    const type = accessUnit[at + 4]! & 31;
    if (type === 1 || type === 5)
      slices.push(accessUnit.subarray(at + 4, at + 4 + accessUnit.readUInt32BE(at)));
  }
  if (slices.length !== 1) throw new Error(`expected a picture of one slice, found ${slices.length}`);
  return slices[0]!;
}

/** Inserts a 3 after each 0 0 that precedes a byte up to 3 (7.4.1). */
export function withEmulation(bytes: Uint8Array): Uint8Array {
  // At most every third byte is added.
  const escaped = new Uint8Array(bytes.length + (bytes.length >> 1));
  let size = 0;
  let zeros = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (zeros >= 2 && byte <= 3) {
      escaped[size++] = 3;
      zeros = 0;
    }
    escaped[size++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return escaped.subarray(0, size);
}
