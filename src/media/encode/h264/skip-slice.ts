/** The data of a P slice with only skipped macroblocks, which repeats the previous frame. Pure. ITU-T H.264, 7.3.4. */
import { CabacCoder } from './cabac-coder.ts';

/** The highest QP, at which the initial probability of a skip is highest. It changes no pixel. */
export const SKIP_QP = 51;

/** mb_skip_flag beside skipped macroblocks: the first, and Table 9-13 at cabac_init_idc 0. */
const SKIP = 11;

/** Byte-aligned CABAC slice data with its stop bit. It follows a header that is padded with ones. */
export function cabacSkips(macroblocks: number): Uint8Array {
  const coder = new CabacCoder({ [SKIP]: [23, 33] }, SKIP_QP);
  for (let n = 1; n <= macroblocks; n++) {
    coder.encode(SKIP, 1);
    if (n < macroblocks) coder.encodeNotLast();
  }
  return coder.finish();
}
