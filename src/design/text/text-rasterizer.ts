/** Draws placed lines into one coverage mask, with every glyph where it was measured. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { MaskCanvas, OutlinePlacement } from './fill-outline.ts';
import type { Bounds } from './glyph-outline.ts';
import type { PlacedGlyph, ShapedLine } from './shape-line.ts';
import type { AlphaMask, PlacedLine, TextRasterizer, TextStyle } from './text.ts';

/** A mask stays within this square around the block's origin, px: frames are smaller, and longer lines are cut off. */
const MASK_FROM_PX = -2048;
const MASK_TO_PX = 4096;

/** Largest type size; bounds the memory of one glyph. */
const MAX_SIZE_PX = 2048;

interface DrawnGlyph extends PlacedGlyph {
  readonly line: PlacedLine;
}

/**
 * The rasterizer of the render workers. `rasterize` is deterministic: equal lines and style give equal bytes.
 *
 * @throws {@link ListingVideoError} `render_failed` (from `rasterize`) for a size that is not between 0 and 2048 px.
 */
export async function createTextRasterizer(): Promise<TextRasterizer> {
  const [{ inkBounds, shapeLine }, { fillOutline }] = await Promise.all([
    import('./shape-line.ts'),
    import('./fill-outline.ts'),
  ]);
  return {
    async rasterize(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask> {
      const size = style.sizePx;
      if (!(size > 0 && size <= MAX_SIZE_PX)) {
        throw new ListingVideoError(
          'render_failed',
          `Type size must be between 0 and ${MAX_SIZE_PX} px, not ${size}.`,
        );
      }
      const glyphs: DrawnGlyph[] = lines.flatMap((line) =>
        glyphsOf(shapeLine(line.part?.of ?? line.text, style), line).map((glyph) => ({ ...glyph, line })),
      );
      const placeOf = ({ line, x, y, scale }: DrawnGlyph): OutlinePlacement => ({
        xPx: line.xPx + x * size,
        yPx: line.baselineYPx + y * size,
        emPx: scale * size,
      });
      const canvas = createCanvas(inkBounds(glyphs, placeOf));
      for (const glyph of glyphs) {
        fillOutline(canvas, glyph.font.outline(glyph.glyphId), placeOf(glyph));
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

function glyphsOf({ glyphs }: ShapedLine, { part }: PlacedLine): readonly PlacedGlyph[] {
  return part === undefined ? glyphs : glyphs.filter(({ word }) => word === part.word);
}

/** An empty mask just large enough for all ink, clipped to the square; 0 by 0 without ink. */
function createCanvas(ink: Bounds | undefined): MaskCanvas {
  const none = { left: 0, top: 0, right: 0, bottom: 0 };
  const { left, top, right, bottom } = ink ?? none;
  const leftPx = Math.max(Math.floor(left), MASK_FROM_PX);
  const topPx = Math.max(Math.floor(top), MASK_FROM_PX);
  const widthPx = Math.min(Math.ceil(right), MASK_TO_PX) - leftPx;
  const heightPx = Math.min(Math.ceil(bottom), MASK_TO_PX) - topPx;
  if (!(widthPx > 0 && heightPx > 0)) {
    return { data: new Uint8Array(0), widthPx: 0, heightPx: 0, leftPx: 0, topPx: 0 };
  }
  return { data: new Uint8Array(widthPx * heightPx), widthPx, heightPx, leftPx, topPx };
}
