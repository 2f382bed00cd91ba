/** What the asset stage hands on: usable photos on disk, and the assets that were dropped with the reason. */

/** Reason codes of a dropped asset, in the order in which they are judged. */
export const DROP_CODES = [
  'blocked_address',
  'unreachable',
  'timeout',
  'too_large',
  'not_an_image',
  'unsupported_format',
  'corrupt',
  'too_small',
  'duplicate',
] as const;
export type DropCode = (typeof DROP_CODES)[number];

/** As reported to the client: `reason` is `<code>: <detail>`. */
export interface DroppedAsset {
  /** Exactly as the client sent it. */
  readonly url: string;
  readonly reason: string;
}

/**
 * A checked, decoded picture. Its pixels lie in `masterPath` as planar YUV 4:2:0, BT.709 limited range, chroma sited
 * as in H.264 (left): the Y plane (`widthPx` x `heightPx`), then U, then V (each half as wide and high), no padding.
 * Both sides are even. EXIF orientation is applied and the colours are converted to sRGB before.
 */
export interface Photo {
  /** SHA-256 (hex) of the source bytes plus the decoder's version: the photo's identity in cache and segment keys. */
  readonly digest: string;
  readonly url: string;
  readonly masterPath: string;
  /** Size of the master: the source's, oriented, at most 2560 on the longer side; never enlarged. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Size of the source, oriented. */
  readonly sourceWidthPx: number;
  readonly sourceHeightPx: number;
  /** Centre of what a crop should keep, relative (0 to 1), from sharp's attention and entropy strategies. */
  readonly focus: { readonly x: number; readonly y: number };
}

/**
 * A picture with transparency (a logo), kept as straight RGBA, 4 bytes a pixel, in `masterPath`.
 * At most 1024 px on the longer side.
 */
export interface Graphic {
  readonly digest: string;
  readonly url: string;
  readonly masterPath: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Of middle lightness among what is visible of a cut-out logo, `#RRGGBB`: decides whether it needs a plate behind it.
   * Absent: taken to be readable.
   */
  readonly medianColor?: string;
}
