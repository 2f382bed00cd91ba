/** The weights of an area average along one axis. Pure. */

/** The sum that makes one destination pixel: `weights[k]` times source pixel `first + k`; the weights sum to 256. */
export interface AreaTap {
  readonly first: number;
  readonly weights: readonly number[];
}

/**
 * One tap for each destination pixel: the mean over its footprint, which is at least one source pixel wide, so that
 * enlarging interpolates. Beyond the border the edge pixel repeats.
 *
 * @param centerOf - Center of destination pixel i in source pixels from the source's left (or top) edge.
 * @param footprint - Source pixels per destination pixel.
 */
export function areaTaps(
  dstLength: number,
  srcLength: number,
  centerOf: (i: number) => number,
  footprint: number,
): AreaTap[] {
  const width = Math.max(1, footprint);
  return Array.from({ length: dstLength }, (_, i) => {
    const start = centerOf(i) - width / 2;
    const end = start + width;
    const inside = (k: number): number => Math.max(0, Math.min(srcLength - 1, k));
    const first = inside(Math.floor(start));
    const last = inside(Math.ceil(end) - 1);
    const shares = new Array<number>(last - first + 1).fill(0);
    for (let k = Math.floor(start); k < end; k++) {
      const at = inside(k) - first;
      shares[at] = (shares[at] as number) + Math.min(end, k + 1) - Math.max(start, k);
    }
    return { first, weights: toSumOf256(shares) };
  });
}

/** Rounds shares so that they sum to 256 exactly: flat areas keep their value. */
function toSumOf256(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let carried = 0;
  let given = 0;
  return shares.map((share) => {
    carried += share;
    const weight = Math.round((256 * carried) / total) - given;
    given += weight;
    return weight;
  });
}
