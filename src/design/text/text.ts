/** The types of the text layer: families, styles, measurements and rasters. */

/** The families that ship with the program. */
export const BUNDLED_FAMILIES = [
  'eb-garamond',
  'inter-tight',
  'noto-serif-display',
  'commissioner',
  'fira-sans-extra-condensed',
] as const;
export type BundledFamily = (typeof BUNDLED_FAMILIES)[number];

/** A {@link BundledFamily}, or the key of a template's own family (`own-fonts.ts`). */
export type FontFamily = string;

/** A weight that the family lacks is drawn with its nearest. */
export type FontWeight = (typeof FONT_WEIGHTS)[number];
export const FONT_WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900] as const;

/** The regional shapes of a Chinese character: simplified, traditional, Japanese, Korean. */
export type HanVariant = 'sc' | 'tc' | 'jp' | 'kr';

/** All sizes in pixels of the output frame; tracking in em; `lineHeight` as a multiple of `sizePx`. */
export interface TextStyle {
  readonly family: FontFamily;
  readonly weight: FontWeight;
  readonly italic: boolean;
  readonly sizePx: number;
  readonly trackingEm: number;
  readonly wordSpaceEm?: number;
  readonly lineHeight: number;
  /** OpenType features to switch, such as `{ lnum: 1, tnum: 1 }`. */
  readonly features?: Readonly<Record<string, 0 | 1>>;
  /** Shapes of Chinese characters where the text itself does not decide (kana and hangul do); default `sc`. */
  readonly han?: HanVariant;
  /** True when the whole text of this line is Chinese, Japanese or Korean; absent: the line decides. */
  readonly isCjkOnly?: boolean;
}

export interface LineMetrics {
  /** Advance width of the shaped line, px, tracking included (but not after the last glyph). */
  readonly widthPx: number;
  /** Ink bounds relative to the pen origin on the baseline; y grows downwards, so `topPx` is negative. */
  readonly ink: {
    readonly leftPx: number;
    readonly topPx: number;
    readonly rightPx: number;
    readonly bottomPx: number;
  };
  /** Of the style's primary font, px. */
  readonly capHeightPx: number;
  /** Code points that no font has, in order of first appearance. */
  readonly missing: readonly number[];
  /** Code points that the family lacks and another font draws, in order of first appearance; absent: none. */
  readonly substituted?: readonly number[];
  /** Added fonts (`listing-video fonts add`) that draw parts of it, as `package@version`; absent: none. */
  readonly addedFonts?: readonly string[];
  /** Smallest `lineHeight` of a block with this line; set when it contains a fallback script. */
  readonly minLineHeight?: number;
}

/** A word of a shaped line, and its ink as in {@link LineMetrics}: relative to the pen origin of the whole line. */
export interface WordMetrics extends Pick<LineMetrics, 'ink'> {
  /** Place among the words of the line, in reading order, from 0. */
  readonly word: number;
  readonly text: string;
}

/** Shapes one line (bidi and font fallback included) and measures it. Pure in (text, style, fonts). */
export interface TextMeasurer {
  measure(text: string, style: TextStyle): LineMetrics;
  /** Words with ink, in reading order. Only spaces part words: a shaping cluster and a no-break space stay whole. */
  measureWords(text: string, style: TextStyle): readonly WordMetrics[];
  /** What to add (`listing-video fonts add ja`) for a character that no font has; `undefined` when nothing helps. */
  fontToAdd?(codePoint: number, han: HanVariant): string | undefined;
}

/** One line at its place: start of the pen (`xPx`) and baseline, relative to the text layer's box. */
export interface PlacedLine {
  readonly text: string;
  readonly xPx: number;
  readonly baselineYPx: number;
  /**
   * Set when `text` is one word of the line `of`. It is drawn as it is shaped in that line, and at its place in it:
   * `xPx` is where the pen of the whole line starts.
   */
  readonly part?: { readonly of: string; readonly word: number };
}

/** Coverage of a text block: one byte a pixel (0 clear, 255 full), rows without padding. */
export interface AlphaMask {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The mask's top left pixel relative to the block's origin, whole px (ink can hang over the box). */
  readonly offsetXPx: number;
  readonly offsetYPx: number;
}

/** Rasterizes placed lines, with subpixel positions and 256 levels. */
export interface TextRasterizer {
  rasterize(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask>;
}
