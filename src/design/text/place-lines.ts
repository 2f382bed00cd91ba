/** Places fitted lines in a column: baselines and alignment. Pure. */
import type { FittedText } from './fit-text.ts';
import type { PlacedLine } from './text.ts';

/** Horizontal alignment of lines. Right-to-left text is aligned like any other. */
export type TextAlign = 'left' | 'center' | 'right';

/** The lines of a fitted text in a column of this width; the capitals of the first line touch its top. */
export function placeLines(fitted: FittedText, widthPx: number, align: TextAlign): PlacedLine[] {
  const pitch = fitted.style.lineHeight * fitted.style.sizePx;
  const indent = align === 'right' ? 1 : align === 'center' ? 0.5 : 0;
  return fitted.lines.map((line, index) => ({
    text: line.text,
    xPx: (widthPx - line.widthPx) * indent,
    // On whole pixels, so that the feet of letters stay crisp.
    baselineYPx: Math.round(fitted.capHeightPx + index * pitch),
  }));
}
