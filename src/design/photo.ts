/** The results of the asset stage: usable photos on disk, and dropped assets with their reasons. */

export type DropCode =
  | 'blocked_address'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'not_an_image'
  | 'unsupported_format'
  | 'corrupt'
  | 'too_small'
  | 'duplicate';

/** A dropped asset as clients see it: `reason` is `<code>: <detail>`. */
export interface DroppedAsset {
  readonly url: string;
  readonly reason: string;
}

interface Master {
  /** SHA-256 (hex) of the source bytes plus the decoder's version: its identity in cache and segment keys. */
  readonly digest: string;
  readonly url: string;
  readonly masterPath: string;
  /** Size of the master: the source's, oriented, never enlarged. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * A checked, decoded photo, at most 2560 px on the longer side. `masterPath` has its pixels as planar YUV 4:2:0,
 * BT.709 limited range, chroma sited as in H.264 (left): the Y plane (`widthPx` x `heightPx`), then U, then V (each
 * half as wide and high), without padding. Both sides are even. EXIF orientation is applied, and colors were
 * converted to sRGB first.
 */
export interface Photo extends Master {
  readonly sourceWidthPx: number;
  readonly sourceHeightPx: number;
  /** What a crop should keep in its center, relative (0 to 1). A guess: by its detail, in a portrait by what draws the eye. */
  readonly focus: { readonly x: number; readonly y: number };
  /** The listing gives the focus: it stays in view, and there is no `subject`. */
  readonly keepsFocus?: true;
  /** Absent where no sky is seen, or nothing can be told from it. */
  readonly subject?: PhotoSubject;
  /** From this share (0 to 1) of its height on it shows asphalt, concrete or a plain floor only; absent: it does not. A guess. */
  readonly bareFrom?: number;
}

/** Edges of what a view of a house shows between its sky and its lawn or street, relative (0 to 1). A guess. */
export interface PhotoSubject {
  readonly left: number;
  readonly right: number;
  /** The upper end of a tower, gable or chimney; `top` is where the house is wide. */
  readonly tip: number;
  readonly top: number;
  readonly bottom: number;
}

/** A usable photo of the listing. */
export interface ListingPhoto extends Photo {
  /** Index of its asset in the listing, which has its caption and its label. */
  readonly assetIndex: number;
  /** The unaltered photo of an altered one, where it can be used. */
  readonly original?: Photo;
  /** What its pixels look like: lines on white paper, or one flat color. A guess. */
  readonly looksLike?: 'floor_plan' | 'blank';
}

/**
 * An image with transparency (a logo), stored as straight RGBA, 4 bytes per pixel, in `masterPath`.
 * At most 1024 px on the longer side.
 */
export interface Graphic extends Master {
  /** Median color of a logo with transparency, `#RRGGBB`; decides whether it needs a plate. Absent: no plate. */
  readonly medianColor?: string;
}

/** Part of a photo that a whole frame shows, as fractions of the photo's width and height. */
export interface FrameView {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
