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
  for (let cell = 1; cell < sums.length; cell += 1) {
    let sum = 0;
    for (let at = Math.max(rowBytes, (cell - 1) * CELL_BYTES); at < cell * CELL_BYTES; at += 1)
      sum += Math.abs(samples[at]! - samples[at - rowBytes]!);
    sums[cell] = sums[cell - 1]! + sum;
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
    const edge = beside === -1 ? cell : cell + row;
    const [inside, outside] = [mean(edge, edge - beside * NEAR_CELLS), mean(edge, edge + beside * NEAR_CELLS)];
    if (!isAbove(inside, outside)) return false;
    let alike = 0;
    for (let part = 0; part < PARTS && alike <= MAX_ALIKE; part += 1) {
      const [from, to] = [cell + part * step, cell + (part + 1) * step];
      if (!isAbove(mean(from, to), mean(from + beside * row, to + beside * row))) alike += 1;
    }
    return alike <= MAX_ALIKE;
  };
  const starts: number[] = [];
  for (let cell = Math.ceil(2 * row); cell + 2 * row + 1 < sums.length; cell += 1) {
    // Edges of bars, windows and sheets of pictures are between two rows.
    if (Math.abs(((cell / row) % 1) - 0.5) > 0.5 - 1.5 / PARTS) continue;
    const isEnd = starts.length > 0 && isSeam(cell, 1);
    // Only the newest, so that time grows with the file.
    const isBlock = (start: number) => cell - start >= row && isSectors((cell - start) * CELL_BYTES);
    if (isEnd && starts.slice(-MAX_STARTS).some(isBlock)) return true;
    if (isSeam(cell, -1)) starts.push(cell);
  }
  return false;
}

/** Whether a block is as long as a few sectors of a disk are. */
function isSectors(bytes: number): boolean {
  const rest = bytes % SECTOR_BYTES;
  return bytes <= MAX_BLOCK_BYTES && Math.min(rest, SECTOR_BYTES - rest) <= CELL_BYTES;
}
