/** Arranges photos of any shape in justified rows. Pure. */

import { roundEdges } from '../box.ts';
import type { Box } from '../storyboard.ts';
import { sum } from '../timing/limit-length.ts';
import { aspectOf, cropLoss, type PhotoShape } from './fit-photo.ts';

interface RowsRequest {
  readonly area: Box;
  readonly gapPx: number;
  /**
   * `whole`: no photo is cropped, the rows are centered. `fill`: the rows fill the area, all cropped alike; `whole` where
   * that would take more than a third of a wide photo's width.
   */
  readonly fit: 'whole' | 'fill';
  /** How much `whole` can crop where the area is higher than the rows; default 0. */
  readonly maxCropLoss?: number;
}

/** Half a bed is not seen in the rest. */
const MAX_SIDE_LOSS = 0.34;

/** A box for each photo. Of all ways to break rows: the one that shows most (`whole`) or crops least (`fill`). */
export function arrangeRows(photos: readonly PhotoShape[], request: RowsRequest): Box[] {
  const aspects = photos.map(aspectOf);
  let best: { boxes: Box[]; merit: number } | undefined;
  for (const rows of splitIntoRows(aspects)) {
    const boxes = request.fit === 'whole' ? standRows(rows, request) : fillRows(rows, request);
    const merit =
      request.fit === 'whole'
        ? boxes.reduce((area, box) => area + box.w * box.h, 0)
        : -Math.max(...boxes.map((box, index) => cropLoss(aspects[index]!, box.w / box.h)));
    if (!best || merit > best.merit + 1e-9) best = { boxes, merit };
  }
  const boxes = best?.boxes ?? [];
  const isNarrow = boxes.some(({ w, h }, index) => w / h < aspects[index]! * (1 - MAX_SIDE_LOSS));
  return request.fit === 'fill' && isNarrow ? arrangeRows(photos, { ...request, fit: 'whole' }) : boxes;
}

/** Every way to cut a sequence into consecutive rows; at most 2^5, since a scene has at most six photos. */
function splitIntoRows(aspects: readonly number[]): number[][][] {
  const cuts = 1 << Math.max(0, aspects.length - 1);
  return Array.from({ length: cuts }, (_, mask) => {
    const rows: number[][] = [[]];
    aspects.forEach((aspect, index) => {
      if (index > 0 && mask & (1 << (index - 1))) rows.push([]);
      rows.at(-1)!.push(aspect);
    });
    return rows;
  });
}

/** Height of a row of these aspects that is `width` wide, gaps included. */
function rowHeight(row: readonly number[], width: number, gap: number): number {
  return (width - gap * (row.length - 1)) / sum(row);
}

function standRows(rows: readonly number[][], { area, gapPx, maxCropLoss = 0 }: RowsRequest): Box[] {
  const gaps = gapPx * (rows.length - 1);
  const natural = rows.map((row) => rowHeight(row, area.w, gapPx));
  const room = (area.h - gaps) / sum(natural);
  const scale = Math.min(1, room);
  const stretch = Math.min(Math.max(1, room), 1 / (1 - maxCropLoss));
  const heights = natural.map((height) => height * scale * stretch);
  let y = area.y + (area.h - sum(heights) - gaps) / 2;
  return rows.flatMap((row, index) => {
    const height = heights[index]!;
    const width = (sum(row) * height) / stretch + gapPx * (row.length - 1);
    const boxes = layRow(
      row.map((aspect) => (aspect * height) / stretch),
      area.x + (area.w - width) / 2,
      y,
      height,
      gapPx,
    );
    y += height + gapPx;
    return boxes;
  });
}

function fillRows(rows: readonly number[][], { area, gapPx }: RowsRequest): Box[] {
  const natural = rows.map((row) => rowHeight(row, area.w, gapPx));
  const scale = (area.h - gapPx * (rows.length - 1)) / sum(natural);
  let y = area.y;
  return rows.flatMap((row, index) => {
    const height = natural[index]! * scale;
    const free = area.w - gapPx * (row.length - 1);
    const boxes = layRow(
      row.map((aspect) => (free * aspect) / sum(row)),
      area.x,
      y,
      height,
      gapPx,
    );
    y += height + gapPx;
    return boxes;
  });
}

function layRow(widths: readonly number[], x: number, y: number, h: number, gap: number): Box[] {
  let left = x;
  return widths.map((w) => {
    const box = roundEdges({ x: left, y, w, h });
    left += w + gap;
    return box;
  });
}
