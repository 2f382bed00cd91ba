import { describe, expect, it } from 'vitest';
import type { FittedText } from '../../../src/design/text/fit-text.ts';
import { placeLines } from '../../../src/design/text/place-lines.ts';
import { GARAMOND } from './garamond.ts';

/** Two lines of 300 and 200 px at 100 px, 120 px apart, capitals 65 px tall. */
const FITTED: FittedText = {
  style: { ...GARAMOND, lineHeight: 1.2 },
  lines: [
    { text: 'Harbor', widthPx: 300 },
    { text: 'Pine', widthPx: 200 },
  ],
  widthPx: 300,
  truncated: false,
  breaksWord: false,
  isBelowMin: false,
  missing: [],
  capHeightPx: 65,
};

describe('placeLines', () => {
  it('puts the capitals of the first line at the top', () => {
    expect(placeLines(FITTED, 400, 'left')).toEqual([
      { text: 'Harbor', xPx: 0, baselineYPx: 65 },
      { text: 'Pine', xPx: 0, baselineYPx: 185 },
    ]);
  });

  it.each([
    ['left', 0, 0],
    ['center', 50, 100],
    ['right', 100, 200],
  ] as const)('aligns %s', (align, first, second) => {
    expect(placeLines(FITTED, 400, align).map((line) => line.xPx)).toEqual([first, second]);
  });

  it('rounds baselines', () => {
    const style = { ...FITTED.style, lineHeight: 1.024 };
    expect(placeLines({ ...FITTED, style }, 400, 'left')[1]!.baselineYPx).toBe(167);
  });

  it('places nothing without lines', () => {
    expect(placeLines({ ...FITTED, lines: [], widthPx: 0 }, 400, 'left')).toEqual([]);
  });
});
