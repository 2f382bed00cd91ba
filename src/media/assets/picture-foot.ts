/** Finds where the foot of a view is nothing but asphalt, concrete or paving. A guess; floors of rooms look alike. Pure. */
import { type ColorCells, colorOf, isPlant } from './color-cells.ts';

// Measured on 12 views of houses: 0.6 to 1 of each row of a street is bare, 0 to 0.4 of lawn, soil, paths and driveways.
/** How far from gray a street is, as a share of its color: lawns begin at 0.26. At night all is gray. */
const MAX_CHROMA = 0.25;
const MIN_LIGHT = 40;
/** Differences within a cell: gravel and lines are softer, branches harder. */
const MAX_RANGE = 60;
/** Of a row, or of one that a curb or a shadow crosses together with the one above it. */
const BARE_ROW = 0.6;
const CROSSED_ROW = 0.45;
/** Share of the picture; what is gray nearly everywhere is a white room. */
const FOOT = { least: 0.06, most: 0.6 };

/** @returns The row, as a share (0 to 1) of the picture's height, from which on it is bare; undefined where it is not. */
export function bareFromOf(cells: ColorCells): number | undefined {
  const { columns, rows } = cells;
  const shares = Array.from({ length: rows }, (_, row) => {
    let bare = 0;
    for (let x = 0; x < columns; x += 1) bare += Number(isBare(cells, row * columns + x));
    return bare / columns;
  });
  let from = rows;
  while (from > 1) {
    const [above, own] = [shares[from - 2]!, shares[from - 1]!];
    if (own < BARE_ROW && (own < CROSSED_ROW || (own + above) / 2 < BARE_ROW)) break;
    from -= 1;
  }
  const foot = 1 - from / rows;
  return foot < FOOT.least || foot > FOOT.most ? undefined : from / rows;
}

function isBare(cells: ColorCells, cell: number): boolean {
  const color = colorOf(cells, cell);
  const light = Math.max(...color);
  const isGray = light - Math.min(...color) <= MAX_CHROMA * light;
  return isGray && light >= MIN_LIGHT && cells.range[cell]! <= MAX_RANGE && !isPlant(cells, cell);
}
