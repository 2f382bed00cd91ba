/** Measures lines with the bundled fonts. */
import { FALLBACK_LINE_HEIGHT } from './fallback-fonts.ts';
import type { LineMetrics, TextMeasurer, TextStyle } from './text.ts';

/** The measurer for the storyboard. It measures synchronously and opens a font when a line first needs it. */
export async function createTextMeasurer(): Promise<TextMeasurer> {
  // Imported here: HarfBuzz compiles its WebAssembly when its module is loaded.
  const { shapeLine } = await import('./shape-line.ts');
  return {
    measure(text: string, style: TextStyle): LineMetrics {
      const line = shapeLine(text, style);
      const size = style.sizePx;
      const ink = line.ink ?? { left: 0, top: 0, right: 0, bottom: 0 };
      return {
        widthPx: line.width * size,
        ink: {
          leftPx: ink.left * size,
          topPx: ink.top * size,
          rightPx: ink.right * size,
          bottomPx: ink.bottom * size,
        },
        capHeightPx: line.primary.capHeight * size,
        missing: line.missing,
        ...(line.isTall ? { minLineHeight: FALLBACK_LINE_HEIGHT } : {}),
      };
    },
  };
}
