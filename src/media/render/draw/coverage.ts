/** Coverage of a rectangle's border pixels, which makes fractional edges smooth. */

import type { Rect } from '../compose/draw-list.ts';
import type { KernelMemory } from '../kernel/kernel-memory.ts';
import type { Plane } from './yuv-image.ts';

/** The pixels of one axis that an interval touches, and those of them that it covers fully (relative to `from`). */
interface Extent {
  readonly from: number;
  readonly count: number;
  readonly solidFrom: number;
  readonly solidTo: number;
}

/** A rectangle on a plane; its coverages stay in the buffers' memory until the next call. */
export interface PlaneRect {
  readonly x: Extent;
  readonly y: Extent;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Writes how much of each pixel `[edge0, edge1)` covers, 0 to 256. Pixel i spans `[i·pitch + offset, (i+1)·pitch +
 * offset)`; the frame's border cuts it off.
 *
 * @param target - At least `length` entries.
 * @param length - Pixels of the axis.
 */
function writeCoverage(
  target: Uint16Array,
  length: number,
  pitch: number,
  offset: number,
  edge0: number,
  edge1: number,
): Extent {
  const from = Math.min(length, Math.max(0, Math.floor((edge0 - offset) / pitch)));
  const to = Math.max(from, Math.min(length, Math.ceil((edge1 - offset) / pitch)));
  const coverageAt = (i: number): number => {
    const start = i * pitch + offset;
    const overlap = Math.min(start + pitch, edge1) - Math.max(start, edge0);
    return Math.round((256 * Math.max(0, overlap)) / pitch);
  };
  const count = to - from;
  target.fill(256, 0, count);
  let [solidFrom, solidTo] = [0, count];
  while (solidFrom < count) {
    const coverage = coverageAt(from + solidFrom);
    if (coverage === 256) break;
    target[solidFrom++] = coverage;
  }
  while (solidTo > solidFrom) {
    const coverage = coverageAt(from + solidTo - 1);
    if (coverage === 256) break;
    target[--solidTo] = coverage;
  }
  return { from, count, solidFrom, solidTo };
}

/** Buffers of u16 in kernel memory for the coverages of columns and rows. */
export class CoverageBuffers {
  readonly #memory: KernelMemory;
  readonly #capacity: number;
  readonly #columns: number;
  readonly #rows: number;

  /** @param capacity - The longest axis, px. */
  constructor(memory: KernelMemory, capacity: number) {
    this.#memory = memory;
    this.#capacity = capacity;
    this.#columns = memory.allocate(2 * capacity);
    this.#rows = memory.allocate(2 * capacity);
  }

  /** `rect` on the plane; null when nothing of it lies there. */
  planeRect(plane: Plane, rect: Rect): PlaneRect | null {
    return this.interval(
      { length: plane.w, pitch: plane.pitch, offset: plane.offsetX },
      { length: plane.h, pitch: plane.pitch, offset: 0 },
      rect,
    );
  }

  /** The coverages at an address of a {@link PlaneRect}. */
  values(address: number, count: number): Uint16Array {
    return new Uint16Array(this.#memory.bytes.buffer, address, count);
  }

  /**
   * The rows `[fromRow, toRow)` of `rect`, each cut to the mean of `lines` (all rows alike); null when nothing of them
   * lies on the plane.
   */
  rowsWithin(
    plane: Plane,
    rect: Rect,
    lines: readonly { readonly x0: number; readonly x1: number }[],
    fromRow: number,
    toRow: number,
  ): PlaneRect | null {
    const { buffer } = this.#memory.bytes;
    const columns = new Uint16Array(buffer, this.#columns, this.#capacity);
    const rows = new Uint16Array(buffer, this.#rows, this.#capacity);
    const band = { y0: fromRow * plane.pitch, y1: toRow * plane.pitch };
    const down = writeCoverage(
      rows,
      plane.h,
      plane.pitch,
      0,
      Math.max(rect.y0, band.y0),
      Math.min(rect.y1, band.y1),
    );
    const x0 = Math.max(rect.x0, Math.min(...lines.map((line) => line.x0)));
    const x1 = Math.min(rect.x1, Math.max(...lines.map((line) => line.x1)));
    const across = writeCoverage(columns, plane.w, plane.pitch, plane.offsetX, x0, x1);
    if (across.count === 0 || down.count === 0) return null;
    const isStraight = lines.every((line) => line.x0 === lines[0]?.x0 && line.x1 === lines[0]?.x1);
    if (isStraight) return { x: across, y: down, columns: this.#columns, rows: this.#rows };
    for (let i = 0; i < across.count; i++) {
      const start = (across.from + i) * plane.pitch + plane.offsetX;
      const covered = lines.reduce(
        (sum, line) =>
          sum +
          Math.max(0, Math.min(start + plane.pitch, line.x1, rect.x1) - Math.max(start, line.x0, rect.x0)),
        0,
      );
      columns[i] = Math.round((256 * covered) / (plane.pitch * lines.length));
    }
    const uneven = { ...across, solidFrom: across.count, solidTo: across.count };
    return { x: uneven, y: down, columns: this.#columns, rows: this.#rows };
  }

  /** As {@link planeRect}, for any grid of pixels. */
  interval(
    x: { length: number; pitch: number; offset: number },
    y: { length: number; pitch: number; offset: number },
    rect: Rect,
  ): PlaneRect | null {
    const { buffer } = this.#memory.bytes;
    const columns = new Uint16Array(buffer, this.#columns, this.#capacity);
    const rows = new Uint16Array(buffer, this.#rows, this.#capacity);
    const across = writeCoverage(columns, x.length, x.pitch, x.offset, rect.x0, rect.x1);
    const down = writeCoverage(rows, y.length, y.pitch, y.offset, rect.y0, rect.y1);
    if (across.count === 0 || down.count === 0) return null;
    return { x: across, y: down, columns: this.#columns, rows: this.#rows };
  }

  free(): void {
    this.#memory.free(this.#columns);
    this.#memory.free(this.#rows);
  }
}
