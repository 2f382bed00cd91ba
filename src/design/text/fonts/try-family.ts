/** Tries whether every font of a template's own family can be drawn with, for `templates validate`. Opens HarfBuzz. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { FontWeight } from '../text.ts';
import { familyFonts } from './family-fonts.ts';
import { loadFont } from './font-library.ts';
import { ownFamily } from './own-fonts.ts';

/** Letters that every text has, and what prices, areas and names need. */
const LETTERS = 'HAMBURGEFONSTIVhamburgefonstiv0123456789.,-';

/** Indexes of the files that cannot be drawn with. @param key - Of `registerFamily`. */
export function unusableFaces(key: string): number[] {
  const faces = ownFamily(key)?.faces ?? [];
  return faces.flatMap(({ isItalic, maxWeight }, index) => {
    try {
      const style = { family: key, weight: maxWeight as FontWeight, italic: isItalic };
      const font = loadFont(familyFonts(style)[0]);
      const run = { isRtl: false, script: 'Latn', features: {} };
      const glyphs = font.shapeRun({ text: LETTERS, start: 0, end: LETTERS.length, ...run });
      for (const { glyphId } of glyphs) font.outline(glyphId);
      return [];
    } catch (error) {
      if (error instanceof ListingVideoError && error.code === 'template_invalid') return [index];
      throw error;
    }
  });
}
