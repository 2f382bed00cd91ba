/** The tap tables of the kernel's `enlarge`: Lanczos-3 with a touch of sharpening. Pure. */

/** Bytes of one entry, see `assembly/enlarge.ts`. */
export const ENLARGE_ENTRY_BYTES = 24;
const TAPS = 8;
const LOBES = 3;
/** Weights are Q14 and sum to exactly this, so that flat areas stay flat. */
const UNITY = 16_384;

/**
 * One entry for each destination pixel. The edges of both planes are aligned.
 *
 * @param sharpening - Adds this share of the difference from the mean [1 2 1] / 4 of the source pixels, along this axis
 *   by half; 0 is plain Lanczos.
 */
export function enlargeTaps(dstLength: number, srcLength: number, sharpening: number): Uint8Array {
  const table = new DataView(new ArrayBuffer(ENLARGE_ENTRY_BYTES * dstLength));
  const aside = sharpening / 4;
  const kernel = (x: number): number =>
    (1 + 2 * aside) * lanczos(x) - aside * (lanczos(x - 1) + lanczos(x + 1));
  for (let i = 0; i < dstLength; i++) {
    const center = ((i + 0.5) * srcLength) / dstLength - 0.5;
    const first = Math.floor(center) - TAPS / 2 + 1;
    const weights = toSumOfUnity(Array.from({ length: TAPS }, (_, k) => kernel(first + k - center)));
    table.setInt32(ENLARGE_ENTRY_BYTES * i, first, true);
    for (const [k, weight] of weights.entries()) {
      table.setInt16(ENLARGE_ENTRY_BYTES * i + 8 + 2 * k, weight, true);
    }
  }
  return new Uint8Array(table.buffer);
}

/** C. Duchon 1979: the sinc function, windowed by its own main lobe. */
function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}

function toSumOfUnity(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const weights = shares.map((share) => Math.round((UNITY * share) / total));
  const rest = UNITY - weights.reduce((sum, weight) => sum + weight, 0);
  const heaviest = weights.indexOf(Math.max(...weights));
  weights[heaviest] = (weights[heaviest] as number) + rest;
  return weights;
}
