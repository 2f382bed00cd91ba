/** Fonts beside users' own templates, damaged in any way: they are drawn or refused, and never break the program. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { registerFamily } from '../../src/design/text/fonts/own-fonts.ts';
import { readFontFile } from '../../src/design/text/fonts/read-font-file.ts';
import { createTextMeasurer } from '../../src/design/text/text-measurer.ts';
import { createTextRasterizer } from '../../src/design/text/text-rasterizer.ts';
import { GARAMOND } from '../design/text/garamond.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { mutated } from './mutations.ts';

const measurer = await createTextMeasurer();
const rasterizer = await createTextRasterizer();

it.each(['Box-Regular.ttf', 'Box-Bold.otf', 'Box-Italic.woff2', 'Box-Variable.woff2'])(
  'a damaged font is drawn or refused: %s',
  { timeout: FUZZ_TIMEOUT_MS },
  async (name) => {
    const bytes = readFileSync(new URL(`../design/text/fonts/${name}`, import.meta.url));
    await fc.assert(
      fc.asyncProperty(mutated(bytes), async (damaged) => {
        const font = readFontFile(Buffer.from(damaged));
        if ('problem' in font) return;
        expect(font.minWeight).toBeGreaterThanOrEqual(1);
        expect(font.maxWeight).toBeLessThanOrEqual(1000);
        const faces = [{ ...font, file: `fonts/${name}` }];
        const family = registerFamily({ name: 'box', fallback: 'sans', faces });
        const style = { ...GARAMOND, family, weight: 500, sizePx: 60 } as const;
        try {
          const { widthPx, capHeightPx } = measurer.measure('Harbor 12', style);
          expect(Number.isFinite(widthPx) && capHeightPx > 0).toBe(true);
          await rasterizer.rasterize([{ text: 'Harbor 12', xPx: 0, baselineYPx: 60 }], style);
        } catch (error) {
          expect(error).toMatchObject({ code: 'template_invalid' });
        }
      }),
      fuzz(40),
    );
  },
);
