/** Measures lines with the bundled fonts. */
import { FALLBACK_LINE_HEIGHT } from './fonts/fallback-fonts.ts';
import { furtherFontFor } from './fonts/further-fonts.ts';
import type { Bounds } from './glyph-outline.ts';
import type { LineMetrics, TextMeasurer, TextStyle, WordMetrics } from './text.ts';

/** The measurer for the storyboard. It measures synchronously and opens a font when a line first needs it. */
export async function createTextMeasurer(): Promise<TextMeasurer> {
  // Imported here: HarfBuzz compiles its WebAssembly when its module is loaded.
  const { inkBounds, shapeLine } = await import('./shape-line.ts');
  return {
    measure(text: string, style: TextStyle): LineMetrics {
      const line = shapeLine(text, style);
      const size = style.sizePx;
      return {
        widthPx: line.width * size,
        ink: toInk(line.ink ?? { left: 0, top: 0, right: 0, bottom: 0 }, size),
        capHeightPx: line.primary.capHeight * size,
        missing: line.missing,
        ...(line.substituted.length > 0 ? { substituted: line.substituted } : {}),
        ...(line.addedFonts.length > 0 ? { addedFonts: line.addedFonts } : {}),
        ...(line.isTall ? { minLineHeight: FALLBACK_LINE_HEIGHT } : {}),
      };
    },
    fontToAdd: (codePoint, han) => furtherFontFor(codePoint, han)?.name,
    measureWords(text: string, style: TextStyle): WordMetrics[] {
      const { words, glyphs } = shapeLine(text, style);
      return words.flatMap((text, word) => {
        const own = glyphs.filter((glyph) => glyph.word === word);
        const ink = inkBounds(own, ({ x, y, scale }) => ({ xPx: x, yPx: y, emPx: scale }));
        return ink === undefined ? [] : [{ word, text, ink: toInk(ink, style.sizePx) }];
      });
    },
  };
}

function toInk({ left, top, right, bottom }: Bounds, size: number): LineMetrics['ink'] {
  return { leftPx: left * size, topPx: top * size, rightPx: right * size, bottomPx: bottom * size };
}
