/** Reads the first directory of a TIFF file (TIFF 6.0, section 2; BigTIFF). Pure. */

/** Bytes of a value of each type; those of other types are not read. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8 };
const ASCII = 2;
/** Directories of cameras have 20 to 70 entries. */
const MAX_ENTRIES = 512;

export class TiffDirectory {
  readonly #file: Buffer;
  readonly #entries = new Map<number, { type: number; count: number; at: number }>();
  readonly #isBigEndian: boolean;

  /** Null if the bytes do not hold the beginning of a directory. @param tiff - The file, or its first bytes. */
  static open(tiff: Buffer): TiffDirectory | null {
    return tiff.length < 16 ? null : new TiffDirectory(tiff).#read();
  }

  private constructor(tiff: Buffer) {
    this.#file = tiff;
    this.#isBigEndian = tiff[0] === 0x4d;
  }

  has(tag: number): boolean {
    return this.#entries.has(tag);
  }

  /** The first number of an entry. */
  number(tag: number): number | undefined {
    return this.numbers(tag, 1)[0];
  }

  /** The numbers of an entry, as far as the bytes have them; empty without the entry. */
  numbers(tag: number, limit = Number.POSITIVE_INFINITY): number[] {
    const entry = this.#entries.get(tag);
    const size = TYPE_BYTES[entry?.type ?? 0];
    if (entry === undefined || size === undefined) return [];
    const held = Math.floor((this.#file.length - entry.at) / size);
    const count = Math.max(0, Math.min(entry.count, held, limit));
    return Array.from({ length: count }, (_, index) => this.#unsigned(entry.at + size * index, size));
  }

  bytes(tag: number): Buffer {
    const entry = this.#entries.get(tag);
    return entry === undefined ? Buffer.alloc(0) : this.#file.subarray(entry.at, entry.at + entry.count);
  }

  /** Up to 64 letters of an ASCII entry; otherwise empty. */
  text(tag: number): string {
    return this.#entries.get(tag)?.type === ASCII ? this.bytes(tag).toString('latin1', 0, 64) : '';
  }

  #read(): TiffDirectory | null {
    const version = this.#unsigned(2, 2);
    if (version !== 42 && version !== 43) return null;
    const [width, countBytes] = version === 43 ? [8, 8] : [4, 2];
    const start = this.#unsigned(version === 43 ? 8 : 4, width);
    if (start + countBytes > this.#file.length) return null;
    const count = Math.min(this.#unsigned(start, countBytes), MAX_ENTRIES);
    const entryBytes = 4 + 2 * width;
    for (let index = 0; index < count; index += 1) {
      const at = start + countBytes + entryBytes * index;
      if (at + entryBytes > this.#file.length) break;
      const [type, values] = [this.#unsigned(at + 2, 2), this.#unsigned(at + 4, width)];
      const isInside = values * (TYPE_BYTES[type] ?? 8) <= width;
      const valueAt = at + 4 + width;
      const place = isInside ? valueAt : this.#unsigned(valueAt, width);
      this.#entries.set(this.#unsigned(at, 2), { type, count: values, at: place });
    }
    return this;
  }

  #unsigned(at: number, size: number): number {
    if (size > 4) {
      const [high, low] = this.#isBigEndian ? [at, at + 4] : [at + 4, at];
      return this.#unsigned(high, 4) * 2 ** 32 + this.#unsigned(low, 4);
    }
    if (at + size > this.#file.length) return 0;
    return this.#isBigEndian ? this.#file.readUIntBE(at, size) : this.#file.readUIntLE(at, size);
  }
}
