/** Finds what a view of a house shows between its sky and its lawn or street. A guess. Pure. */
import type { PhotoSubject } from '../../design/photo.ts';
import { type ColorCells, colorOf, isPlant, lumaOf } from './color-cells.ts';

// Measured on 16 views of houses and 48 rooms: along the upper edge, blue leads red by 15 to 195 levels in the median of
// a sky, by at most 6 in that of a ceiling. White skies are told from white ceilings by the plants below.
const BLUE = 8;
/** Of clouds, and of an overcast sky. */
const WHITE = { luma: 200, blue: -3 };
/** A night sky is not given up for anything. */
const MIN_SKY_LUMA = 50;
/** Differences within a cell and to the next one: clouds are soft, roofs and branches hard. */
const SKY = { range: 24, step: 22, softStep: 8 };
const GROUND = { range: 90, step: 20 };
const MIN_SKY_SHARE = 0.04;
/** Of the columns, those that begin with sky. */
const MIN_OPEN_SHARE = 0.25;
const MIN_PLANT_SHARE = 0.05;
/** Of three neighboring columns a gable or tower rises by at most so many cells; a pole or wire is narrower. */
const MAX_RISE = 2;
/** Of the columns: where more than a tower has begun, and where the house stands on the ground. */
const WIDE = 0.25;
const BASE = 0.2;
/** A curb or a shadow is lower. */
const BASE_ROWS = 4;
/** Of the cells between roof and ground, in a column of the house. */
const FILLED = 0.5;
const MIN_WIDTH = 0.15;

/** @returns Undefined where no sky is seen, or only plants below it. */
export function subjectOf(cells: ColorCells): PhotoSubject | undefined {
  const { columns, rows, range } = cells;
  const sky = flood(
    cells,
    (cell) => cell < columns && range[cell]! <= SKY.range && isSkyColor(cells, cell, BLUE),
    (cell, step) =>
      range[cell]! <= SKY.range && step <= (isSkyColor(cells, cell, 0) ? SKY.step : SKY.softStep),
  );
  if (shareOf(sky) < MIN_SKY_SHARE) return undefined;
  const isLowest = (cell: number) => cell >= (rows - 1) * columns;
  // Clouds, and sky between leaves, do not reach the ground.
  const solid = flood(
    cells,
    (cell) => isLowest(cell) && !sky[cell],
    (cell) => !sky[cell],
  );
  const plants = range.map((_, cell) => Number(isPlant(cells, cell)));
  const skyline = Array.from({ length: columns }, (_, x) => {
    const y = Array.from({ length: rows }, (_, row) => row).find((row) => solid[row * columns + x]);
    return y ?? rows;
  });
  if (!isSkySeen(cells, { sky, plants, skyline })) return undefined;
  const ground = flood(
    cells,
    (cell) => isLowest(cell) && range[cell]! <= GROUND.range,
    (cell, step) => solid[cell] === 1 && range[cell]! <= GROUND.range && step <= GROUND.step,
  );
  const isBuilt = (x: number, y: number) => solid[y * columns + x] === 1 && plants[y * columns + x] === 0;
  const countIn = (y: number, counts: (x: number) => boolean) =>
    skyline.filter((_, x) => isBuilt(x, y) && counts(x)).length;

  const tip = findTip(skyline, isBuilt, rows);
  const stands = (y: number) => countIn(y, (x) => !ground[y * columns + x]) >= BASE * columns;
  let bottom = rows;
  while (bottom > tip + BASE_ROWS && !upwards(bottom, BASE_ROWS).every(stands)) bottom -= 1;
  let top = tip;
  // What hangs into the picture from above is no roof.
  while (top < bottom - 1 && countIn(top, (x) => skyline[x]! > 0) < WIDE * columns) top += 1;
  const isFilled = skyline.map((_, x) => {
    let filled = 0;
    for (let y = top; y < bottom; y += 1) filled += Number(isBuilt(x, y));
    return filled >= FILLED * (bottom - top);
  });
  const isOfHouse = (_: boolean, x: number) => [x - 1, x, x + 1].every((at) => isFilled[at] ?? true);
  const left = Math.max(0, isFilled.findIndex(isOfHouse) - 1);
  const right = Math.min(columns, isFilled.findLastIndex(isOfHouse) + 2);
  if (tip >= rows - 1 || right - left < MIN_WIDTH * columns) return undefined;
  return {
    left: left / columns,
    right: right / columns,
    tip: tip / rows,
    top: top / rows,
    bottom: bottom / rows,
  };
}

function upwards(end: number, count: number): number[] {
  return Array.from({ length: count }, (_, above) => end - 1 - above);
}

function isSkySeen(
  cells: ColorCells,
  seen: { readonly sky: Uint8Array; readonly plants: Float32Array; readonly skyline: readonly number[] },
): boolean {
  const { sky, plants, skyline } = seen;
  const isOpen = skyline.filter((y) => y > 0).length >= MIN_OPEN_SHARE * cells.columns;
  if (!isOpen) return false;
  const blues = [...sky.keys()].filter((cell) => sky[cell]).map((cell) => blueOf(cells, cell));
  blues.sort((a, b) => a - b);
  return blues[blues.length >> 1]! >= BLUE || shareOf(plants) >= MIN_PLANT_SHARE;
}

/** The highest row of what is built. Trees behind the house, poles and wires do not count. */
function findTip(
  skyline: readonly number[],
  isBuilt: (x: number, y: number) => boolean,
  rows: number,
): number {
  const roofs = skyline.map((y, x) => {
    const below = [1, 2, 3, 4].filter((depth) => isBuilt(x, Math.min(rows - 1, y + depth)));
    return y > 0 && below.length >= 3 ? y : rows;
  });
  const thirdAround = (x: number) => roofs.slice(Math.max(0, x - 2), x + 3).sort((a, b) => a - b)[2] ?? rows;
  return Math.min(...roofs.map((y, x) => Math.max(y, thirdAround(x) - MAX_RISE)));
}

function isSkyColor(cells: ColorCells, cell: number, minBlue: number): boolean {
  const [, green, blue] = colorOf(cells, cell);
  const luma = lumaOf(colorOf(cells, cell));
  const lead = blueOf(cells, cell);
  const isBlue = lead >= minBlue && blue >= green - 4;
  return luma >= MIN_SKY_LUMA && (isBlue || (luma >= WHITE.luma && lead >= WHITE.blue));
}

function blueOf({ rgb }: ColorCells, cell: number): number {
  return rgb[cell * 3 + 2]! - rgb[cell * 3]!;
}

/**
 * 1 for the cells that a flood from the seeds reaches.
 *
 * @param accepts - `step` is the greatest difference of a channel from the cell beside it.
 */
function flood(
  cells: ColorCells,
  isSeed: (cell: number) => boolean,
  accepts: (cell: number, step: number) => boolean,
): Uint8Array {
  const { columns, rows, rgb } = cells;
  const reached = new Uint8Array(columns * rows);
  const queue = [...reached.keys()].filter(isSeed);
  for (const seed of queue) reached[seed] = 1;
  const differenceIn = (channel: number, a: number, b: number) =>
    Math.abs(rgb[a * 3 + channel]! - rgb[b * 3 + channel]!);
  const stepTo = (a: number, b: number) =>
    Math.max(differenceIn(0, a, b), differenceIn(1, a, b), differenceIn(2, a, b));
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    const x = from % columns;
    for (const cell of [
      from - columns,
      from + columns,
      ...(x > 0 ? [from - 1] : []),
      ...(x < columns - 1 ? [from + 1] : []),
    ]) {
      if (reached[cell] !== 0 || !accepts(cell, stepTo(cell, from))) continue;
      reached[cell] = 1;
      queue.push(cell);
    }
  }
  return reached;
}

function shareOf(cells: Uint8Array | Float32Array): number {
  let count = 0;
  for (const cell of cells) count += cell;
  return count / cells.length;
}
