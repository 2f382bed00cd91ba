/** Finds which part of one picture another one shows: copies are cropped to other shapes, and made brighter. Pure. */
import { type Cells, GRID, type Part, type Span } from './picture-cells.ts';

/** The parts of two pictures that show the same, each as shares of its own picture. */
export interface CommonParts {
  readonly a: Part;
  readonly b: Part;
}

/** From coarse to fine: how many cells of the grid are one. */
const LEVELS = [4, 2, 1];
const STEPS_PER_LEVEL = 6;
/** Of both sides of `b` in `a`: scale and shift; and of the light: gain and offset. */
const UNKNOWNS = 6;

/** @returns Null where nothing in the pictures tells where they lie. */
export function alignPictures(a: Cells, b: Cells): CommonParts | null {
  let found: readonly number[] | null = [1, 0, 1, 0, 1, 0];
  for (const level of LEVELS) {
    const [ofA, ofB] = [coarser(a, level), coarser(b, level)];
    for (let step = 0; step < STEPS_PER_LEVEL && found; step += 1)
      found = stepTo(ofA, ofB, GRID / level, found);
  }
  if (found === null) return null;
  const [scaleX, shiftX, scaleY, shiftY] = found as [number, number, number, number];
  const [x, y] = [common(scaleX, shiftX), common(scaleY, shiftY)];
  return x && y && { a: { x: x.a, y: y.a }, b: { x: x.b, y: y.b } };
}

function coarser(cells: Cells, level: number): Cells {
  if (level === 1) return cells;
  const side = GRID / level;
  return Float32Array.from({ length: side * side }, (_, at) => {
    const first = Math.floor(at / side) * level * GRID + (at % side) * level;
    let total = 0;
    for (let row = 0; row < level; row += 1)
      for (let column = 0; column < level; column += 1) total += cells[first + row * GRID + column]!;
    return total / level ** 2;
  });
}

/** One step of Gauss and Newton. Places are from -1 to 1 from side to side. */
function stepTo(a: Cells, b: Cells, side: number, from: readonly number[]): readonly number[] | null {
  const [scaleX, shiftX, scaleY, shiftY, gain, offset] = from as number[] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const sums = new Float64Array(UNKNOWNS * (UNKNOWNS + 1));
  const row = new Float64Array(UNKNOWNS + 1);
  const toCell = side / 2;
  for (let y = 0; y < side; y += 1) {
    const v = (y + 0.5) / toCell - 1;
    const atY = (scaleY * v + shiftY + 1) * toCell - 0.5;
    const top = Math.floor(atY);
    if (top < 0 || top + 1 >= side) continue;
    for (let x = 0; x < side; x += 1) {
      const u = (x + 0.5) / toCell - 1;
      const atX = (scaleX * u + shiftX + 1) * toCell - 0.5;
      const left = Math.floor(atX);
      if (left < 0 || left + 1 >= side) continue;
      const [fx, fy] = [atX - left, atY - top];
      const at = top * side + left;
      const [upperLeft, upperRight] = [a[at]!, a[at + 1]!];
      const [lowerLeft, lowerRight] = [a[at + side]!, a[at + side + 1]!];
      const upper = upperLeft + fx * (upperRight - upperLeft);
      const lower = lowerLeft + fx * (lowerRight - lowerLeft);
      const value = upper + fy * (lower - upper);
      const slopeX = gain * toCell * ((1 - fy) * (upperRight - upperLeft) + fy * (lowerRight - lowerLeft));
      const slopeY = gain * toCell * (lower - upper);
      row[0] = slopeX * u;
      row[1] = slopeX;
      row[2] = slopeY * v;
      row[3] = slopeY;
      row[4] = value;
      row[5] = 1;
      row[6] = b[y * side + x]! - gain * value - offset;
      for (let i = 0; i < UNKNOWNS; i += 1)
        for (let j = i; j <= UNKNOWNS; j += 1) sums[i * (UNKNOWNS + 1) + j]! += row[i]! * row[j]!;
    }
  }
  const change = solve(sums);
  return change && from.map((value, index) => value + change[index]!);
}

/** Gauss elimination of the symmetric equations whose upper half is given. */
function solve(upper: Float64Array): number[] | null {
  const width = UNKNOWNS + 1;
  const m = Array.from({ length: UNKNOWNS }, (_, i) =>
    Array.from({ length: width }, (_, j) => (j < i ? upper[j * width + i]! : upper[i * width + j]!)),
  );
  for (let pivot = 0; pivot < UNKNOWNS; pivot += 1) {
    const own = m[pivot]![pivot]!;
    if (!(Math.abs(own) > 1e-6)) return null;
    for (let i = 0; i < UNKNOWNS; i += 1) {
      if (i === pivot) continue;
      const share = m[i]![pivot]! / own;
      for (let j = pivot; j < width; j += 1) m[i]![j]! -= share * m[pivot]![j]!;
    }
  }
  return m.map((line, index) => line[UNKNOWNS]! / line[index]!);
}

/** Where one side of `b` lies on that of `a`, and what both have of it. */
function common(scale: number, shift: number): { readonly a: Span; readonly b: Span } | null {
  const toShare = (place: number) => Math.min(1, Math.max(0, (place + 1) / 2));
  const ofA = { from: toShare(shift - scale), to: toShare(shift + scale) };
  const ofB = { from: toShare((-1 - shift) / scale), to: toShare((1 - shift) / scale) };
  return scale > 0 && ofA.to > ofA.from && ofB.to > ofB.from ? { a: ofA, b: ofB } : null;
}
