/** What one frame shows, resolved to numbers: `compose/` makes it, `draw/` turns it into pixels. */
import type { Box, Gradient } from '../../../design/storyboard/storyboard.ts';
import type { YuvColor } from '../color.ts';
import type { PhotoSize, PlaneUse } from './plane-use.ts';

/** Edges in px of the frame, origin top left; fractions mean partly covered pixels. */
export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Part of a photo as fractions of its width and height. */
export interface PhotoView {
  /** The photo, at the size that it is resampled from. */
  readonly source: PlaneUse;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Names material that is prepared once: layer `layer` of scene `scene`, at its step (0: `lines`, n: `steps[n - 1]`).
 */
export interface MaterialRef {
  readonly scene: number;
  readonly layer: number;
  readonly step: number;
}

/** The name of a prepared text, mark or logo: `<scene>/<layer>/<step>`. */
export function materialKey({ scene, layer, step }: MaterialRef): string {
  return `${scene}/${layer}/${step}`;
}

/** An opacity that changes along `over` and multiplies `alpha`. */
export interface OpGradient extends Gradient {
  readonly over: Rect;
}

/** Hides everything outside the shape in `over`. */
export type OpMask =
  | { readonly shape: 'ellipse'; readonly over: Rect }
  | { readonly shape: 'rounded'; readonly radiusPx: number; readonly over: Rect };

/** One operation of a frame; all coordinates are px of the frame. */
export type DrawOp =
  | {
      readonly op: 'fill';
      readonly rect: Rect;
      readonly color: YuvColor;
      readonly alpha: number;
      readonly gradient?: OpGradient;
      readonly mask?: OpMask;
    }
  /** `view` fills `box`; only `rect` is seen. */
  | {
      readonly op: 'photo';
      readonly view: PhotoView;
      readonly box: Box;
      readonly rect: Rect;
      readonly alpha: number;
      readonly mask?: OpMask;
    }
  /** Two photos in one box, dissolving linear in light. `mix` 0: all `from`. */
  | {
      readonly op: 'photo-mix';
      readonly from: PhotoView;
      readonly to: PhotoView;
      readonly mix: number;
      readonly box: Box;
      readonly rect: Rect;
    }
  /** A text or a mark in one color; `x` and `y` are the layer's origin. */
  | {
      readonly op: 'mask';
      readonly ref: MaterialRef;
      readonly x: number;
      readonly y: number;
      readonly clip: Rect;
      readonly color: YuvColor;
      readonly alpha: number;
    }
  | {
      readonly op: 'graphic';
      readonly ref: MaterialRef;
      readonly x: number;
      readonly y: number;
      readonly clip: Rect;
      readonly alpha: number;
    };

/**
 * A frame: `base` painted in order over undefined bytes; then `over`, painted by itself, dissolving into it (`mix` 0 to
 * 1, linear in light). Two frames with equal compositions are the same bytes.
 */
export interface FrameComposition {
  readonly base: readonly DrawOp[];
  readonly over?: { readonly ops: readonly DrawOp[]; readonly mix: number };
}

/** Sizes of photo masters by digest. */
export type PhotoSizes = Pick<ReadonlyMap<string, PhotoSize>, 'get'>;
