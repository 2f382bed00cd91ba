import { describe, expect, it } from 'vitest';
import { fillOutline, type MaskCanvas } from '../../../src/design/text/fill-outline.ts';
import {
  CUBIC,
  type GlyphOutline,
  LINE,
  MOVE,
  outlineBounds,
  QUADRATIC,
} from '../../../src/design/text/glyph-outline.ts';

function outline(...segments: number[]): GlyphOutline {
  return { segments: Float64Array.from(segments), bounds: outlineBounds(segments) };
}

function rectangle(x0: number, y0: number, x1: number, y1: number): number[] {
  return [MOVE, x0, y0, LINE, x1, y0, LINE, x1, y1, LINE, x0, y1];
}

function canvas(widthPx: number, heightPx: number, leftPx = 0, topPx = 0): MaskCanvas {
  return { data: new Uint8Array(widthPx * heightPx), widthPx, heightPx, leftPx, topPx };
}

const AT_ORIGIN = { xPx: 0, yPx: 0, emPx: 1 };
/** Half the width of a cubic that comes as near to a circle of radius 1 as one can. */
const ARC = 0.5522847498;

function circle(cx: number, cy: number, r: number): GlyphOutline {
  const k = ARC * r;
  return outline(
    ...[MOVE, cx + r, cy],
    ...[CUBIC, cx + r, cy + k, cx + k, cy + r, cx, cy + r],
    ...[CUBIC, cx - k, cy + r, cx - r, cy + k, cx - r, cy],
    ...[CUBIC, cx - r, cy - k, cx - k, cy - r, cx, cy - r],
    ...[CUBIC, cx + k, cy - r, cx + r, cy - k, cx + r, cy],
  );
}

function areaOf(mask: MaskCanvas): number {
  return mask.data.reduce((sum, value) => sum + value, 0) / 255;
}

describe('fillOutline', () => {
  it('covers each pixel by the share that lies inside', () => {
    const mask = canvas(4, 3);
    fillOutline(mask, outline(...rectangle(0.5, 0.25, 3.2, 2)), AT_ORIGIN);
    const share = [0.5, 1, 1, 0.2];
    expect([...mask.data]).toEqual([
      ...share.map((value) => Math.round(value * 0.75 * 255)),
      ...share.map((value) => Math.round(value * 255)),
      ...[0, 0, 0, 0],
    ]);
  });

  it('covers slanted edges exactly, steep and flat', () => {
    for (const [w, h] of [
      [7, 3],
      [3, 7],
      [40, 1],
      [5, 5],
    ] as const) {
      const mask = canvas(w, h);
      fillOutline(mask, outline(MOVE, 0, 0, LINE, w, h, LINE, 0, h), AT_ORIGIN);
      expect(areaOf(mask), `${w} by ${h}`).toBeCloseTo((w * h) / 2, 1);
    }
  });

  it('covers curves to within a level', () => {
    const mask = canvas(64, 64);
    fillOutline(mask, circle(32.3, 31.6, 25.7), AT_ORIGIN);
    expect(areaOf(mask) / (Math.PI * 25.7 ** 2)).toBeCloseTo(1, 3);
    const parabola = canvas(12, 12);
    fillOutline(parabola, outline(MOVE, 0, 12, QUADRATIC, 6, -12, 12, 12), AT_ORIGIN);
    expect(areaOf(parabola)).toBeCloseTo((2 / 3) * 12 * 12, 0);
  });

  it('leaves holes open and takes overlaps for inside', () => {
    const hole = [MOVE, 2, 2, LINE, 2, 4, LINE, 4, 4, LINE, 4, 2];
    const ring = canvas(6, 6);
    fillOutline(ring, outline(...rectangle(0, 0, 6, 6), ...hole), AT_ORIGIN);
    expect(areaOf(ring)).toBeCloseTo(32);
    const overlap = canvas(6, 6);
    fillOutline(overlap, outline(...rectangle(0, 0, 4, 4), ...rectangle(2, 2, 6, 6)), AT_ORIGIN);
    expect(areaOf(overlap)).toBeCloseTo(28);
  });

  it('keeps fractions of position and size', () => {
    const mask = canvas(4, 4);
    fillOutline(mask, outline(...rectangle(0, -1, 1, 0)), { xPx: 0.5, yPx: 3.5, emPx: 2 });
    expect([...mask.data.slice(4, 8)]).toEqual([64, 128, 64, 0]);
    expect(areaOf(mask)).toBeCloseTo(4, 1);
  });

  it('leaves out what lies outside the canvas, on every side', () => {
    const whole = canvas(80, 80);
    const shape = circle(40.4, 40.7, 30.2);
    fillOutline(whole, shape, AT_ORIGIN);
    for (const [left, top] of [
      [0, 0],
      [25, 30],
      [55, 60],
      [30, 5],
    ] as const) {
      const part = canvas(20, 17, left, top);
      fillOutline(part, shape, AT_ORIGIN);
      const expected = Array.from({ length: 20 * 17 }, (_, index) => {
        return whole.data[(top + Math.floor(index / 20)) * 80 + left + (index % 20)];
      });
      expect([...part.data]).toEqual(expected);
    }
    const elsewhere = canvas(5, 5, 200, -50);
    fillOutline(elsewhere, shape, AT_ORIGIN);
    expect(areaOf(elsewhere)).toBe(0);
  });

  it('draws nothing for a glyph without ink', () => {
    const mask = canvas(2, 2);
    fillOutline(mask, outline(), AT_ORIGIN);
    expect([...mask.data]).toEqual([0, 0, 0, 0]);
  });
});

describe('outlineBounds', () => {
  it('bounds the curve, not its control points', () => {
    expect(outlineBounds([MOVE, 0, 0, QUADRATIC, 1, -2, 2, 0, LINE, 0, 0])).toEqual({
      left: 0,
      top: -1,
      right: 2,
      bottom: 0,
    });
    const round = circle(0, 0, 1).bounds!;
    expect(round.right).toBeCloseTo(1);
    expect(round.top).toBeCloseTo(-1);
    const wave = outlineBounds([MOVE, 0, 0, CUBIC, 1, -4, 2, 4, 3, 0])!;
    expect(wave.top).toBeCloseTo(-2 / Math.sqrt(3));
  });
});
