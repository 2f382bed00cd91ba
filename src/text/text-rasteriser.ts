/** Draws placed lines into one coverage mask, with every glyph where it was measured. */
import { ListingVideoError } from '../errors.ts';
import type { MaskCanvas } from './fill-outline.ts';
import type { PlacedGlyph } from './shape-line.ts';
import type { AlphaMask, PlacedLine, TextRasteriser, TextStyle } from './text.ts';

/** A mask stays within this square around the block's origin, px: frames are smaller, and longer lines are cut off. */
const MASK_FROM_PX = -2048;
const MASK_TO_PX = 4096;

/** Largest type size; bounds the memory of one glyph. */
const MAX_SIZE_PX = 2048;

interface DrawnGlyph extends PlacedGlyph {
  readonly line: PlacedLine;
}

/**
 * The rasteriser of the render workers. `rasterise` is deterministic: equal lines and style give equal bytes.
 *
 * @throws {@link ListingVideoError} `render_failed` (from `rasterise`) for a size that is not between 0 and 2048 px.
 */
export async function createTextRasteriser(): Promise<TextRasteriser> {
  const [{ shapeLine }, { fillOutline }] = await Promise.all([
    import('./shape-line.ts'),
    import('./fill-outline.ts'),
  ]);
  return {
    async rasterise(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask> {
      const size = style.sizePx;
      if (!(size > 0 && size <= MAX_SIZE_PX)) {
        throw new ListingVideoError(
          'render_failed',
          `Type size must be between 0 and ${MAX_SIZE_PX} px, not ${size}.`,
        );
      }
      const glyphs: DrawnGlyph[] = lines.flatMap((line) =>
        shapeLine(line.text, style).glyphs.map((glyph) => ({ ...glyph, line })),
      );
      const canvas = createCanvas(glyphs, size);
      for (const glyph of glyphs) {
        fillOutline(canvas, glyph.font.outline(glyph.glyphId), {
          xPx: glyph.line.xPx + glyph.x * size,
          yPx: glyph.line.baselineYPx + glyph.y * size,
          emPx: glyph.scale * size,
        });
      }
      return {
        data: canvas.data,
        widthPx: canvas.widthPx,
        heightPx: canvas.heightPx,
        offsetXPx: canvas.leftPx,
        offsetYPx: canvas.topPx,
      };
    },
  };
}

/** An empty mask just large enough for all ink, clipped to the square; 0 by 0 without ink. */
function createCanvas(glyphs: readonly DrawnGlyph[], size: number): MaskCanvas {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const glyph of glyphs) {
    const { bounds } = glyph.font.outline(glyph.glyphId);
    if (bounds === undefined) continue;
    const x = glyph.line.xPx + glyph.x * size;
    const y = glyph.line.baselineYPx + glyph.y * size;
    const em = glyph.scale * size;
    left = Math.min(left, Math.floor(x + bounds.left * em));
    top = Math.min(top, Math.floor(y + bounds.top * em));
    right = Math.max(right, Math.ceil(x + bounds.right * em));
    bottom = Math.max(bottom, Math.ceil(y + bounds.bottom * em));
  }
  left = Math.max(left, MASK_FROM_PX);
  top = Math.max(top, MASK_FROM_PX);
  right = Math.min(right, MASK_TO_PX);
  bottom = Math.min(bottom, MASK_TO_PX);
  if (!(right > left && bottom > top)) {
    return { data: new Uint8Array(0), widthPx: 0, heightPx: 0, leftPx: 0, topPx: 0 };
  }
  const widthPx = right - left;
  const heightPx = bottom - top;
  return { data: new Uint8Array(widthPx * heightPx), widthPx, heightPx, leftPx: left, topPx: top };
}
