/** The arithmetic coder of slices. It writes, and does not read. Pure. ITU-T H.264, 9.3.4. */

/** Table 9-44, rangeTabLPS: four numbers for each state. */
const LPS_RANGES = Uint8Array.from([
  ...[128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205],
  ...[116, 142, 169, 195, 111, 135, 160, 185, 105, 128, 152, 175, 100, 122, 144, 166],
  ...[95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117, 135],
  ...[77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110],
  ...[62, 76, 90, 104, 59, 72, 86, 99, 56, 69, 81, 94, 53, 65, 77, 89],
  ...[51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72],
  ...[41, 50, 59, 69, 39, 48, 56, 65, 37, 45, 54, 62, 35, 43, 51, 59],
  ...[33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48],
  ...[27, 33, 39, 45, 26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39],
  ...[22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31],
  ...[18, 22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25],
  ...[14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15, 18, 21],
  ...[12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17],
  ...[10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12, 14, 8, 10, 12, 14],
  ...[8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11],
  ...[6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2, 2, 2],
]);
/** Table 9-45, transIdxLps. */
const AFTER_LPS = Uint8Array.from([
  ...[
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22,
  ],
  ...[23, 24, 24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35, 35, 35, 36],
  ...[36, 36, 37, 37, 37, 38, 38, 63],
]);
/** The highest state but that of terminate(). */
const LAST_STATE = 62;

/** `m` and `n` of Tables 9-12 to 9-33, by ctxIdx. */
export type Contexts = Readonly<Record<number, readonly [m: number, n: number]>>;

/** Byte-aligned slice data. It follows a header that is padded with ones. */
export class CabacCoder {
  #bytes = new Uint8Array(1024);
  #size = 0;
  #byte = 0;
  #bits = 0;
  #low = 0;
  #range = 510;
  #outstanding = 0;
  #isFirst = true;
  /** For each context twice its state, plus its most probable value. */
  readonly #states = new Uint8Array(1024);

  /** @param qp - SliceQPY, 0 to 51. */
  constructor(contexts: Contexts, qp: number) {
    for (const [index, [m, n]] of Object.entries(contexts)) {
      // 9.3.1.1.
      const state = Math.min(126, Math.max(1, ((m * qp) >> 4) + n));
      this.#states[Number(index)] = state <= 63 ? 2 * (63 - state) : 2 * (state - 64) + 1;
    }
  }

  /** A value of a context. */
  encode(context: number, value: 0 | 1): void {
    const known = this.#states[context]!;
    const state = known >> 1;
    const lpsRange = LPS_RANGES[4 * state + ((this.#range >> 6) & 3)]!;
    this.#range -= lpsRange;
    if (value === (known & 1)) {
      if (state < LAST_STATE) this.#states[context] = known + 2;
    } else {
      this.#low += this.#range;
      this.#range = lpsRange;
      const likely = state === 0 ? 1 - (known & 1) : known & 1;
      this.#states[context] = 2 * AFTER_LPS[state]! + likely;
    }
    this.#renormalize();
  }

  /** A value that is as likely as the other. 9.3.4.4. */
  encodeEven(value: 0 | 1): void {
    this.#low *= 2;
    if (value === 1) this.#low += this.#range;
    if (this.#low >= 1024) {
      this.#low -= 1024;
      this.#put(1);
    } else if (this.#low < 512) this.#put(0);
    else {
      this.#low -= 512;
      this.#outstanding += 1;
    }
  }

  /** end_of_slice_flag 0. */
  encodeNotLast(): void {
    this.#range -= 2;
    this.#renormalize();
  }

  /** end_of_slice_flag 1. The coder is used up. */
  finish(): Uint8Array {
    this.#low += this.#range - 2;
    this.#range = 2;
    this.#renormalize();
    this.#put((this.#low >> 9) & 1);
    // The last of these bits is the stop bit of the slice.
    this.#write((this.#low >> 8) & 1);
    this.#write(1);
    while (this.#bits > 0) this.#write(0);
    return this.#bytes.subarray(0, this.#size);
  }

  #renormalize(): void {
    while (this.#range < 256) {
      if (this.#low < 256) this.#put(0);
      else if (this.#low >= 512) {
        this.#low -= 512;
        this.#put(1);
      } else {
        this.#low -= 256;
        this.#outstanding += 1;
      }
      this.#range *= 2;
      this.#low *= 2;
    }
  }

  #put(bit: number): void {
    if (this.#isFirst) this.#isFirst = false;
    else this.#write(bit);
    for (; this.#outstanding > 0; this.#outstanding--) this.#write(1 - bit);
  }

  #write(bit: number): void {
    this.#byte = 2 * this.#byte + bit;
    this.#bits += 1;
    if (this.#bits < 8) return;
    if (this.#size === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#size);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#size] = this.#byte;
    this.#size += 1;
    this.#byte = 0;
    this.#bits = 0;
  }
}
