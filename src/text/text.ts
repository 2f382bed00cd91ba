/** The words of the text layer: what a style is, what measuring returns, what a raster is. No fonts are loaded here. */

export type FontFamily =
  | 'eb-garamond'
  | 'inter-tight'
  | 'noto-serif-display'
  | 'commissioner'
  | 'fira-sans-extra-condensed';

/** A weight the family lacks is drawn with its nearest. */
export type FontWeight = 100 | 200 | 300 | 400 | 500 | 600 | 700 | 800 | 900;

/** One code point, four shapes: simplified Chinese, traditional Chinese, Japanese, Korean. */
export type HanVariant = 'sc' | 'tc' | 'jp' | 'kr';

/** All sizes in pixels of the output frame; tracking in em; `lineHeight` as a multiple of `sizePx`. */
export interface TextStyle {
  readonly family: FontFamily;
  readonly weight: FontWeight;
  readonly italic: boolean;
  readonly sizePx: number;
  readonly trackingEm: number;
  /** Added to every space of the family, em; default 0. */
  readonly wordSpaceEm?: number;
  readonly lineHeight: number;
  /** OpenType features to switch, such as `{ lnum: 1, tnum: 1 }`. */
  readonly features?: Readonly<Record<string, 0 | 1>>;
  /** Whose shapes Chinese characters take where the text itself does not say (kana and hangul do); default `sc`. */
  readonly han?: HanVariant;
  /** True when the text this line is of is all Chinese, Japanese or Korean; without it the line decides for itself. */
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
  /** Capital height and descent of the style's primary font, px, both positive. */
  readonly capHeightPx: number;
  readonly ascentPx: number;
  readonly descentPx: number;
  /** Code points that no bundled font has, in order of first appearance. */
  readonly missing: readonly number[];
  /** Least `lineHeight` a block with this line needs; given when a script of a fallback font stands in it. */
  readonly minLineHeight?: number;
}

/** Shapes one line (bidi and font fallback included) and measures it. Pure in (text, style, bundled fonts). */
export interface TextMeasurer {
  measure(text: string, style: TextStyle): LineMetrics;
}

/** One line at its place: `xPx` is the pen's left end, `baselineYPx` the baseline, relative to the text layer's box. */
export interface PlacedLine {
  readonly text: string;
  readonly xPx: number;
  readonly baselineYPx: number;
}

/** Coverage of a text block: one byte a pixel (0 clear, 255 full), rows without padding. */
export interface AlphaMask {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Where the mask's top left pixel lies relative to the block's origin, whole px (ink may hang over the box). */
  readonly offsetXPx: number;
  readonly offsetYPx: number;
}

/** Rasterises placed lines once, with subpixel positions and 256 levels. */
export interface TextRasteriser {
  rasterise(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask>;
}
