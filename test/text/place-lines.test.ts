import { describe, expect, it } from 'vitest';
import type { FittedText } from '../../src/text/fit-text.ts';
import { placeLines } from '../../src/text/place-lines.ts';
import { GARAMOND } from './garamond.ts';

/** Two lines of 300 and 200 px at 100 px, 120 px apart, capitals 65 px tall. */
const FITTED: FittedText = {
  style: { ...GARAMOND, lineHeight: 1.2 },
  lines: [
    { text: 'Harbor', widthPx: 300 },
    { text: 'Pine', widthPx: 200 },
  ],
  widthPx: 300,
  align: 'left',
  truncated: false,
  isBelowMin: false,
  missing: [],
  capHeightPx: 65,
  ascentPx: 100,
  descentPx: 30,
};

describe('placeLines', () => {
  it('puts the capitals of the first line at the top', () => {
    expect(placeLines(FITTED, { w: 400 })).toEqual({
      lines: [
        { text: 'Harbor', xPx: 0, baselineYPx: 65 },
        { text: 'Pine', xPx: 0, baselineYPx: 185 },
      ],
      heightPx: 185,
      widthPx: 300,
      firstBaselineYPx: 65,
      lastBaselineYPx: 185,
    });
  });

  it('or the line box, half of the leading above', () => {
    const placed = placeLines(FITTED, { w: 400 }, 'left', { firstBaseline: 'line-box' });
    expect(placed).toMatchObject({ firstBaselineYPx: 95, lastBaselineYPx: 215, heightPx: 240 });
  });

  it.each([
    ['left', 0, 0],
    ['center', 50, 100],
    ['right', 100, 200],
  ] as const)('aligns %s', (align, first, second) => {
    expect(placeLines(FITTED, { w: 400 }, align).lines.map((line) => line.xPx)).toEqual([first, second]);
    expect(placeLines({ ...FITTED, align }, { w: 400 }).lines.map((line) => line.xPx)).toEqual([
      first,
      second,
    ]);
  });

  it('stands at the bottom or in the middle of a box', () => {
    expect(placeLines(FITTED, { w: 400, h: 385 }, 'left', { vertical: 'bottom' }).lastBaselineYPx).toBe(385);
    expect(placeLines(FITTED, { w: 400, h: 385 }, 'left', { vertical: 'middle' }).firstBaselineYPx).toBe(165);
  });

  it('rounds baselines, not heights', () => {
    const placed = placeLines({ ...FITTED, style: { ...FITTED.style, lineHeight: 1.024 } }, { w: 400 });
    expect(placed.lines[1]!.baselineYPx).toBe(167);
    expect(placed.heightPx).toBeCloseTo(167.4);
  });

  it('uses no height without lines', () => {
    expect(placeLines({ ...FITTED, lines: [], widthPx: 0 }, { w: 400 })).toMatchObject({
      lines: [],
      heightPx: 0,
    });
  });
});
