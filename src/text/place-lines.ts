/** Places fitted lines in a box: baselines, alignment, and the size of the block. Pure. */
import type { FittedText, TextAlign } from './fit-text.ts';
import type { PlacedLine } from './text.ts';

interface PlaceOptions {
  /**
   * What touches the top of the block: the capitals of the first line (`cap-top`, the default), or its line box (`line-box`,
   * with half of the leading above, as in CSS).
   */
  readonly firstBaseline?: 'cap-top' | 'line-box';
  /** Position of the block in a box with a height; default `top`. */
  readonly vertical?: 'top' | 'middle' | 'bottom';
}

interface PlacedText {
  /** Relative to the box's top left. */
  readonly lines: readonly PlacedLine[];
  /** Height of the block, px: capitals of the first line to the last baseline, or the sum of the line boxes. */
  readonly heightPx: number;
  /** Width of the widest line, px. */
  readonly widthPx: number;
  /** Before rounding; the lines stand on whole pixels. */
  readonly firstBaselineYPx: number;
  readonly lastBaselineYPx: number;
}

/**
 * The lines of a fitted text at their places.
 *
 * @param box - In px; only `middle` and `bottom` need `h`. A block taller than its box then starts above it.
 * @param align - Default: the alignment of the fitted text. Right-to-left text is aligned like any other.
 */
export function placeLines(
  fitted: FittedText,
  box: { readonly w: number; readonly h?: number },
  align: TextAlign = fitted.align,
  options: PlaceOptions = {},
): PlacedText {
  const pitch = fitted.style.lineHeight * fitted.style.sizePx;
  const count = fitted.lines.length;
  const isLineBox = options.firstBaseline === 'line-box';
  const capTop = fitted.capHeightPx;
  const lineBoxTop = (pitch - fitted.ascentPx - fitted.descentPx) / 2 + fitted.ascentPx;
  const heightPx = count === 0 ? 0 : isLineBox ? count * pitch : capTop + (count - 1) * pitch;
  const free = (box.h ?? heightPx) - heightPx;
  const top = options.vertical === 'bottom' ? free : options.vertical === 'middle' ? free / 2 : 0;
  const firstBaselineYPx = top + (isLineBox ? lineBoxTop : capTop);
  const indent = align === 'right' ? 1 : align === 'center' ? 0.5 : 0;
  return {
    lines: fitted.lines.map((line, index) => ({
      text: line.text,
      xPx: (box.w - line.widthPx) * indent,
      // On whole pixels, so that the feet of letters stay crisp.
      baselineYPx: Math.round(firstBaselineYPx + index * pitch),
    })),
    heightPx,
    widthPx: fitted.widthPx,
    firstBaselineYPx,
    lastBaselineYPx: firstBaselineYPx + Math.max(0, count - 1) * pitch,
  };
}
