/**
 * Finds a block of other data among samples that are not packed, as a bad sector leaves it. Pure.
 *
 * Such a block begins and ends somewhere inside a row. From there on, for the length of one row, nothing fits what is
 * above: first to the right in one row, then to the left in the next. No edge in a photo has this shape, however
 * straight: a sloped one is soft where it changes rows.
 */

/** Differences are added up in cells, and compared in parts of a row. */
const CELL_BYTES = 16;
const SECTOR_BYTES = 512;
const MAX_BLOCK_BYTES = 256 * 1024;
const NEAR_CELLS = 4;
const MAX_STARTS = 64;
const PARTS = 8;
/** Parts that can be alike by chance, as two plain areas are. */
const MAX_ALIKE = 1;
/** A seam differs more than the rows beside it do. */
const TIMES = 2;
const LEVELS = 4;

/** @param rowBytes - Of 8-bit samples. */
export function hasForeignRows(samples: Uint8Array, rowBytes: number): boolean {
  const row = rowBytes / CELL_BYTES;
  if (row < 4 * PARTS) return false;
  const sums = new Float64Array(Math.floor(samples.length / CELL_BYTES) + 1);
  let sum = 0;
  for (let cell = Math.ceil(row); cell + 1 < sums.length; cell += 1) {
    const end = (cell + 1) * CELL_BYTES;
    for (let at = cell * CELL_BYTES; at < end; at += 1)
      sum += Math.abs(samples[at]! - samples[at - rowBytes]!);
    sums[cell + 1] = sum;
  }
  /** Of a sample on average. */
  const mean = (from: number, to: number): number => {
    const [first, last] = [Math.round(from), Math.round(to)];
    return (sums[last]! - sums[first]!) / (CELL_BYTES * (last - first));
  };
  const isAbove = (more: number, less: number) => more >= TIMES * less + LEVELS;
  const step = row / PARTS;
  /** @param beside - To the row that is sound: -1 for the row before, 1 for the one after. */
  const isSeam = (cell: number, beside: -1 | 1): boolean => {
    // Edges of bars, windows and sheets of pictures are between two rows.
    if (Math.abs(((cell / row) % 1) - 0.5) > 0.5 - 1.5 / PARTS) return false;
    let alike = 0;
    for (let part = 0; part < PARTS && alike <= MAX_ALIKE; part += 1) {
      const [from, to] = [cell + part * step, cell + (part + 1) * step];
      if (!isAbove(mean(from, to), mean(from + beside * row, to + beside * row))) alike += 1;
    }
    return alike <= MAX_ALIKE;
  };
  const starts: number[] = [];
  const least = LEVELS * NEAR_CELLS * CELL_BYTES;
  for (let edge = Math.ceil(2 * row); edge + 2 * row + 1 < sums.length; edge += 1) {
    const before = sums[edge]! - sums[edge - NEAR_CELLS]!;
    const after = sums[edge + NEAR_CELLS]! - sums[edge]!;
    if (after >= TIMES * before + least) {
      if (isSeam(edge, -1)) starts.push(edge);
    } else if (starts.length > 0 && before >= TIMES * after + least) {
      // The last difference is one row behind the end. Only the newest starts, so that time grows with the file.
      const end = edge - row;
      const isBlock = (start: number) => end - start >= row && isSectors((end - start) * CELL_BYTES);
      if (starts.slice(-MAX_STARTS).some(isBlock) && isSeam(end, 1)) return true;
    }
  }
  return false;
}

/** Whether a block is as long as a few sectors of a disk are. */
function isSectors(bytes: number): boolean {
  const rest = bytes % SECTOR_BYTES;
  return bytes <= MAX_BLOCK_BYTES && Math.min(rest, SECTOR_BYTES - rest) <= CELL_BYTES;
}
