/**
 * Fills a glyph's outline into a coverage mask with exact area coverage: the share of each pixel that lies inside.
 *
 * Pure arithmetic on IEEE doubles, so the same outline gives the same bytes on every machine. The method is that of
 * Raph Levien's font-rs: each edge leaves signed area differences in its row, a running sum makes them coverage.
 */
import { CUBIC, type GlyphOutline, MOVE, QUADRATIC } from './glyph-outline.ts';

/** A mask under construction: `data` has one byte a pixel; its top left pixel lies at (`leftPx`, `topPx`). */
export interface MaskCanvas {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly leftPx: number;
  readonly topPx: number;
}

/** The glyph's origin and the size of its em, px; fractions are allowed. */
export interface OutlinePlacement {
  readonly xPx: number;
  readonly yPx: number;
  readonly emPx: number;
}

/** Largest distance of a chord from its curve, px: less than 256 levels can show. */
const FLATNESS_PX = 0.004;

/** Adds an outline to the canvas; glyphs come from left to right, and parts outside the canvas are left out. */
export function fillOutline(canvas: MaskCanvas, outline: GlyphOutline, at: OutlinePlacement): void {
  const { bounds } = outline;
  if (bounds === undefined) return;
  const left = Math.floor(at.xPx + bounds.left * at.emPx);
  const right = Math.ceil(at.xPx + bounds.right * at.emPx);
  const top = Math.max(canvas.topPx, Math.floor(at.yPx + bounds.top * at.emPx));
  const bottom = Math.min(canvas.topPx + canvas.heightPx, Math.ceil(at.yPx + bounds.bottom * at.emPx));
  if (top >= bottom || right <= canvas.leftPx || left >= canvas.leftPx + canvas.widthPx) return;

  const area = new AreaBuffer(right - left, bottom - top);
  walkEdges(outline.segments, at.emPx, at.xPx - left, at.yPx - top, area);
  area.addTo(canvas, left - canvas.leftPx, top - canvas.topPx);
}

/** Calls `area.edge` for every straight edge, curves flattened, contours closed, in the buffer's pixels. */
function walkEdges(segments: Float64Array, em: number, dx: number, dy: number, area: AreaBuffer): void {
  let startX = 0;
  let startY = 0;
  let x = 0;
  let y = 0;
  const lineTo = (nextX: number, nextY: number): void => {
    area.edge(x, y, nextX, nextY);
    x = nextX;
    y = nextY;
  };
  for (let i = 0; i < segments.length; ) {
    const code = segments[i];
    const px = (offset: number): number => segments[i + offset]! * em + dx;
    const py = (offset: number): number => segments[i + offset]! * em + dy;
    if (code === QUADRATIC) {
      flattenQuadratic(x, y, px(1), py(2), px(3), py(4), lineTo);
      i += 5;
    } else if (code === CUBIC) {
      flattenCubic([x, y, px(1), py(2), px(3), py(4), px(5), py(6)], lineTo);
      i += 7;
    } else {
      if (code === MOVE) {
        lineTo(startX, startY);
        startX = x = px(1);
        startY = y = py(2);
      } else {
        lineTo(px(1), py(2));
      }
      i += 3;
    }
  }
  lineTo(startX, startY);
}

type LineTo = (x: number, y: number) => void;

function flattenQuadratic(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  lineTo: LineTo,
): void {
  // A chord over 1/n of the parameter lies |p0 - 2 p1 + p2| / 4n² from the curve at most.
  const bend = length(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2);
  const count = Math.max(1, Math.ceil(Math.sqrt(bend / (4 * FLATNESS_PX))));
  for (let k = 1; k < count; k += 1) {
    const t = k / count;
    const s = 1 - t;
    lineTo(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2);
  }
  lineTo(x2, y2);
}

/** Not `Math.hypot`, whose last bit depends on the engine. */
function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function flattenCubic(
  [x0, y0, x1, y1, x2, y2, x3, y3]: [number, number, number, number, number, number, number, number],
  lineTo: LineTo,
): void {
  const bend = Math.max(
    length(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2),
    length(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
  );
  const count = Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / FLATNESS_PX)));
  for (let k = 1; k < count; k += 1) {
    const t = k / count;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    lineTo(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
  }
  lineTo(x3, y3);
}

/** Up to so many cells (8 MB), a glyph takes the memory of the one before: fresh memory is cleared page by page. */
const MAX_KEPT_CELLS = 1 << 20;
let kept = new Float64Array(0);

function zeros(cells: number): Float64Array {
  if (cells > MAX_KEPT_CELLS) return new Float64Array(cells);
  if (cells > kept.length) kept = new Float64Array(cells);
  return kept.subarray(0, cells).fill(0);
}

/** Signed area differences of one glyph, until the next one is made. Edges can leave it at the top and the bottom, never at the sides. */
class AreaBuffer {
  readonly #width: number;
  readonly #height: number;
  readonly #stride: number;
  readonly #cells: Float64Array;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    // One more cell for the rest of an edge in the last pixel, one for an edge exactly on the border.
    this.#stride = width + 2;
    this.#cells = zeros(this.#stride * height);
  }

  edge(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY === toY) return;
    const isDown = fromY < toY;
    const [x0, y0, x1, y1] = isDown ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (x1 - x0) / (y1 - y0);
    const lastRow = Math.min(this.#height, Math.ceil(y1));
    for (let row = Math.max(0, Math.floor(y0)); row < lastRow; row += 1) {
      const top = Math.max(row, y0);
      const bottom = Math.min(row + 1, y1);
      const height = isDown ? bottom - top : top - bottom;
      this.#stroke(row * this.#stride, x0 + (top - y0) * slope, x0 + (bottom - y0) * slope, height);
    }
  }

  /** An edge within one row: everything to its right gains `height`, the pixels it crosses gain a share. */
  #stroke(offset: number, xa: number, xb: number, height: number): void {
    const cells = this.#cells;
    const left = Math.min(Math.max(Math.min(xa, xb), 0), this.#width);
    const right = Math.min(Math.max(Math.max(xa, xb), 0), this.#width);
    const first = Math.floor(left);
    const last = Math.ceil(right);
    if (last <= first + 1) {
      const behind = (left + right) / 2 - first;
      cells[offset + first]! += height * (1 - behind);
      cells[offset + first + 1]! += height * behind;
      return;
    }
    // Over several pixels: each is covered by the part of the edge before it, and by a share of the part inside it.
    const perPixel = height / (right - left);
    let before = 0;
    let coveredLast = 0;
    for (let cell = first; cell < last; cell += 1) {
      const enter = Math.max(left, cell);
      const leave = Math.min(right, cell + 1);
      const crossed = (leave - enter) * perPixel;
      // The part before this pixel covers it fully, the part inside it only the area right of the edge.
      const covered = before + crossed * (cell + 1 - (enter + leave) / 2);
      cells[offset + cell]! += covered - coveredLast;
      coveredLast = covered;
      before += crossed;
    }
    cells[offset + last]! += height - coveredLast;
  }

  addTo(canvas: MaskCanvas, dx: number, dy: number): void {
    const from = Math.max(0, -dx);
    const to = Math.min(this.#width, canvas.widthPx - dx);
    for (let row = 0; row < this.#height; row += 1) {
      const source = row * this.#stride;
      const target = (row + dy) * canvas.widthPx + dx;
      let sum = 0;
      for (let column = 0; column < from; column += 1) sum += this.#cells[source + column]!;
      for (let column = from; column < to; column += 1) {
        sum += this.#cells[source + column]!;
        // Contours that overlap count twice; inside is inside.
        const value = Math.round(Math.min(1, Math.abs(sum)) * 255);
        const under = canvas.data[target + column]!;
        // In the first column the previous glyph may end: side by side, both add up. Where it goes on, they overlap,
        // as in joined scripts, and soft edges must not count twice.
        const isSeam = column === 0 && canvas.data[target + 1]! < under;
        canvas.data[target + column] = isSeam ? Math.min(under + value, 255) : Math.max(under, value);
      }
    }
  }
}
