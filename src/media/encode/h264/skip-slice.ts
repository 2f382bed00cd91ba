/**
 * The data of a slice with only skipped macroblocks, which repeats the previous frame. Pure. ITU-T H.264, 7.3.4, 9.3.4.
 */
import { BitWriter } from './h264-bits.ts';

/** The highest QP, at which the initial probability of a skip is highest. It changes no pixel. */
export const SKIP_QP = 51;

/** Table 9-13, ctxIdx 11 at cabac_init_idc 0: mb_skip_flag of a P slice beside skipped macroblocks. */
const SKIP_CONTEXT = { m: 23, n: 33 } as const;

/** Table 9-44, from the initial state at {@link SKIP_QP}. */
const FIRST_STATE = 42;
const LPS_RANGES = [
  [16, 20, 23, 27],
  [15, 19, 22, 25],
  [14, 18, 21, 24],
  [14, 17, 20, 23],
  [13, 16, 19, 22],
  [12, 15, 18, 21],
  [12, 14, 17, 20],
  [11, 14, 16, 19],
  [11, 13, 15, 18],
  [10, 12, 15, 17],
  [10, 12, 14, 16],
  [9, 11, 13, 15],
  [9, 11, 12, 14],
  [8, 10, 12, 14],
  [8, 9, 11, 13],
  [7, 9, 11, 12],
  [7, 9, 10, 12],
  [7, 8, 10, 11],
  [6, 8, 9, 11],
  [6, 7, 9, 10],
  [6, 7, 8, 9],
] as const;
const LAST_STATE = FIRST_STATE + LPS_RANGES.length - 1;

/** Byte-aligned CABAC slice data with its stop bit. It follows a header that is padded with ones. */
export function cabacSkips(macroblocks: number): Uint8Array {
  const coder = new LikelyBitCoder();
  // 9.3.1.1: the distance of the state above 64 is the probability of the most probable value, here "skipped".
  let state = Math.floor((SKIP_CONTEXT.m * SKIP_QP) / 16) + SKIP_CONTEXT.n - 64;
  for (let n = 1; n <= macroblocks; n++) {
    coder.encodeLikely(LPS_RANGES[state - FIRST_STATE]!);
    state = Math.min(LAST_STATE, state + 1);
    if (n < macroblocks) coder.encodeNotLast();
  }
  return coder.finish();
}

/** 9.3.4.2 to 9.3.4.5, for most probable values and end_of_slice_flag alone. */
class LikelyBitCoder {
  readonly #bits = new BitWriter();
  #low = 0;
  #range = 510;
  #outstanding = 0;
  #isFirst = true;

  encodeLikely(lpsRanges: readonly number[]): void {
    this.#range -= lpsRanges[(this.#range >> 6) & 3]!;
    this.#renormalize();
  }

  encodeNotLast(): void {
    this.#range -= 2;
    this.#renormalize();
  }

  finish(): Uint8Array {
    this.#low += this.#range - 2;
    this.#range = 2;
    this.#renormalize();
    this.#put((this.#low >> 9) & 1);
    // The last of these bits is the stop bit of the slice.
    this.#bits.write(((this.#low >> 7) & 3) | 1, 2);
    this.#bits.align(0);
    return this.#bits.toBytes();
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
    else this.#bits.write(bit, 1);
    for (; this.#outstanding > 0; this.#outstanding--) this.#bits.write(1 - bit, 1);
  }
}
