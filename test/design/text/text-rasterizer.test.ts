import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { MOVE } from '../../../src/design/text/glyph-outline.ts';
import { shapeLine } from '../../../src/design/text/shape-line.ts';
import type { AlphaMask, TextStyle } from '../../../src/design/text/text.ts';
import { createTextMeasurer } from '../../../src/design/text/text-measurer.ts';
import { createTextRasterizer } from '../../../src/design/text/text-rasterizer.ts';
import { GARAMOND } from './garamond.ts';

const rasterizer = await createTextRasterizer();
const measurer = await createTextMeasurer();

/** First and last rows and columns that hold any ink, relative to the block's origin, half open. */
function inkOf(mask: AlphaMask): { left: number; top: number; right: number; bottom: number } {
  const columns = new Set<number>();
  const rows = new Set<number>();
  mask.data.forEach((value, index) => {
    if (value === 0) return;
    columns.add(index % mask.widthPx);
    rows.add(Math.floor(index / mask.widthPx));
  });
  return {
    left: Math.min(...columns) + mask.offsetXPx,
    top: Math.min(...rows) + mask.offsetYPx,
    right: Math.max(...columns) + 1 + mask.offsetXPx,
    bottom: Math.max(...rows) + 1 + mask.offsetYPx,
  };
}

function coverage(mask: AlphaMask): number {
  return mask.data.reduce((sum, value) => sum + value, 0) / 255;
}

/** The same line drawn by librsvg, as a mask of the same place and size. */
async function drawnBySharp(
  text: string,
  style: TextStyle,
  x: number,
  y: number,
  mask: AlphaMask,
): Promise<Buffer> {
  const commands = ['M', 'L', 'Q', 'C'];
  const path = shapeLine(text, style)
    .glyphs.map((glyph) => {
      const { segments } = glyph.font.outline(glyph.glyphId);
      const em = glyph.scale * style.sizePx;
      const [originX, originY] = [x + glyph.x * style.sizePx, y + glyph.y * style.sizePx];
      let data = '';
      for (let i = 0; i < segments.length; ) {
        const code = segments[i]!;
        if (code === MOVE && data !== '') data += 'Z';
        data += commands[code];
        const length = [2, 2, 4, 6][code]!;
        for (let k = 1; k <= length; k += 1) {
          data += ` ${(k % 2 === 1 ? originX : originY) + segments[i + k]! * em}`;
        }
        i += length + 1;
      }
      return `${data}Z`;
    })
    .join('');
  const view = `${mask.offsetXPx} ${mask.offsetYPx} ${mask.widthPx} ${mask.heightPx}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}" width="${mask.widthPx}" height="${mask.heightPx}"><path d="${path}"/></svg>`;
  return sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer();
}

describe('createTextRasterizer', () => {
  it.each([
    ['June Takemori', GARAMOND],
    ['fjord, Quay & (jump)', { ...GARAMOND, italic: true, sizePx: 36 }],
    ['PORTLAND, OR', { ...GARAMOND, weight: 500 as const, sizePx: 32, trackingEm: 0.16 }],
    ['Laila ليلى 42 שלום', { ...GARAMOND, sizePx: 60 }],
    ['नमस्ते ที่นี่ Nguyễn', { ...GARAMOND, sizePx: 71.5 }],
  ])('draws %s where it was measured', async (text, style) => {
    for (const [xPx, baselineYPx] of [
      [0, 0],
      [10.37, 120.71],
    ] as const) {
      const mask = await rasterizer.rasterize([{ text, xPx, baselineYPx }], style);
      const { ink } = measurer.measure(text, style);
      const drawn = inkOf(mask);
      expect(Math.abs(drawn.left - (xPx + ink.leftPx))).toBeLessThanOrEqual(1);
      expect(Math.abs(drawn.right - (xPx + ink.rightPx))).toBeLessThanOrEqual(1);
      expect(Math.abs(drawn.top - (baselineYPx + ink.topPx))).toBeLessThanOrEqual(1);
      expect(Math.abs(drawn.bottom - (baselineYPx + ink.bottomPx))).toBeLessThanOrEqual(1);
    }
  });

  it.each([
    ['Harbor & Pine Realty', 60],
    ['(503) 555-0128', 36],
    ['ليلى שלום नमस्ते', 80],
    ['MW', 620],
  ])('draws %s as another renderer does', async (text, sizePx) => {
    const style = { ...GARAMOND, sizePx };
    const mask = await rasterizer.rasterize([{ text, xPx: 3.3, baselineYPx: 70.6 }], style);
    const other = await drawnBySharp(text, style, 3.3, 70.6, mask);
    expect(other).toHaveLength(mask.data.length);
    const differences = mask.data.map((value, index) => Math.abs(value - other[index]!));
    // librsvg samples 15 rows a pixel; and it sees joined letters as one shape.
    expect(differences.reduce((sum, value) => sum + value, 0) / 255 / coverage(mask)).toBeLessThan(0.03);
    expect(differences.filter((value) => value > 64).length).toBeLessThanOrEqual(2);
  });

  it('is as heavy as the style frames', async () => {
    // Sum of coverage of these lines in classic-16x9-card.jpg: (paper - pixel) / (paper - ink).
    for (const [text, sizePx, inFrame] of [
      ['(503) 555-0128', 54, 2714],
      ['june.takemori@example.com', 46, 3479],
      ['Harbor & Pine Realty', 60, 4546],
      ['40 Wharf Street, Suite 210, Portland, OR 97205', 36, 3617],
    ] as const) {
      const mask = await rasterizer.rasterize([{ text, xPx: 0, baselineYPx: 0 }], { ...GARAMOND, sizePx });
      expect(Math.abs(coverage(mask) / inFrame - 1), text).toBeLessThan(0.02);
    }
  });

  it('gives the same bytes again, and shifts by whole pixels without a change', async () => {
    const lines = [
      { text: 'Ελένη', xPx: 0.25, baselineYPx: 40.5 },
      { text: 'ליאור 7', xPx: 12.5, baselineYPx: 99.125 },
    ];
    const first = await rasterizer.rasterize(lines, GARAMOND);
    expect(await rasterizer.rasterize(lines, GARAMOND)).toEqual(first);
    const moved = lines.map((line) => ({ ...line, xPx: line.xPx + 64, baselineYPx: line.baselineYPx + 32 }));
    const shifted = await rasterizer.rasterize(moved, GARAMOND);
    expect(shifted.offsetXPx).toBe(first.offsetXPx + 64);
    expect(shifted.offsetYPx).toBe(first.offsetYPx + 32);
    const differences = shifted.data.map((value, index) => Math.abs(value - first.data[index]!));
    expect(Math.max(...differences)).toBeLessThanOrEqual(1);
  });

  it('keeps positions between pixels', async () => {
    const at = (xPx: number): Promise<AlphaMask> =>
      rasterizer.rasterize([{ text: 'l', xPx, baselineYPx: 90 }], GARAMOND);
    const [whole, half] = [await at(10), await at(10.5)];
    expect(coverage(half)).toBeCloseTo(coverage(whole), 0);
    expect(half.data).not.toEqual(whole.data);
  });

  it('draws several lines into one mask', async () => {
    const one = await rasterizer.rasterize([{ text: 'Alder', xPx: 0, baselineYPx: 80 }], GARAMOND);
    const two = await rasterizer.rasterize(
      [
        { text: 'Alder', xPx: 0, baselineYPx: 80 },
        { text: 'Alder', xPx: 0, baselineYPx: 182 },
      ],
      GARAMOND,
    );
    expect(two.heightPx).toBe(one.heightPx + 102);
    expect(coverage(two)).toBeCloseTo(2 * coverage(one));
  });

  it('gives an empty mask for what has no ink', async () => {
    for (const text of ['', '   ', '\ue000', '\u200b']) {
      const mask = await rasterizer.rasterize([{ text, xPx: 5, baselineYPx: 5 }], GARAMOND);
      expect(mask).toEqual({ data: new Uint8Array(0), widthPx: 0, heightPx: 0, offsetXPx: 0, offsetYPx: 0 });
    }
    expect((await rasterizer.rasterize([], GARAMOND)).data).toHaveLength(0);
  });

  it('cuts off what lies far outside any frame', async () => {
    const text = 'A line without an end '.repeat(460);
    const mask = await rasterizer.rasterize([{ text, xPx: -9000, baselineYPx: 100 }], GARAMOND);
    expect(mask.widthPx).toBeLessThanOrEqual(6144);
    expect(mask.offsetXPx).toBe(-2048);
    expect(coverage(mask)).toBeGreaterThan(1000);
  });

  it('refuses sizes that cannot be drawn', async () => {
    for (const sizePx of [0, -1, Number.NaN, 5000]) {
      await expect(
        rasterizer.rasterize([{ text: 'a', xPx: 0, baselineYPx: 0 }], { ...GARAMOND, sizePx }),
      ).rejects.toMatchObject({ code: 'render_failed' });
    }
  });
});

describe('the words of a line', () => {
  const style: TextStyle = { ...GARAMOND, sizePx: 80, trackingEm: 0.02, wordSpaceEm: 0.04 };

  it.each(['To AV  Wave, offering', 'نزل جميل فيلا 128 غرف', 'Villa בית יפה 12', 'No 5\u00a0Lane'])(
    'together draw exactly the line: %s',
    async (text) => {
      const whole = await rasterizer.rasterize([{ text, xPx: 0.3, baselineYPx: 100 }], style);
      const words = measurer.measureWords(text, style);
      const drawn = new Uint8Array(whole.data.length);
      for (const { word, text: own } of words) {
        const part = { of: text, word };
        const mask = await rasterizer.rasterize([{ text: own, xPx: 0.3, baselineYPx: 100, part }], style);
        for (let y = 0; y < mask.heightPx; y += 1) {
          for (let x = 0; x < mask.widthPx; x += 1) {
            const at =
              (y + mask.offsetYPx - whole.offsetYPx) * whole.widthPx + x + mask.offsetXPx - whole.offsetXPx;
            drawn[at]! += mask.data[y * mask.widthPx + x]!;
          }
        }
      }
      expect(words.length).toBeGreaterThan(1);
      expect(Buffer.compare(drawn, whole.data)).toBe(0);
    },
  );

  it('are parted by spaces alone, and numbered in reading order', () => {
    const wordsOf = (text: string) => measurer.measureWords(text, style).map(({ text }) => text);
    expect(wordsOf('  No\u00a05  Harbor-Pine ')).toEqual(['No\u00a05', 'Harbor-Pine']);
    expect(wordsOf('بيت جميل')).toEqual(['بيت', 'جميل']);
    expect(wordsOf('港の見える家')).toEqual(['港の見える家']);
  });
});
