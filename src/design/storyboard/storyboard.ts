/**
 * What a video shows, as plain data: scenes of layers with their motion, in pixels and frames of the output.
 *
 * A storyboard is plain JSON: segment keys are hashes of what it shows, and render workers receive it. It names photos by
 * digest and text by its placed lines; it has no pixels.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import type { Color, Direction, Easing, SceneRole } from '../template/template.ts';
import type { PlacedLine, TextStyle } from '../text/text.ts';

/** Frames a second of every layout; `scale-storyboard.ts` has the rates of videos. */
export const LAYOUT_FPS = 30;

export type { Color, Easing };

/** In pixels of the frame, origin top left; fractions allowed. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * One animated property. Its value is `from` before `startFrame` and `to` from `endFrame` on. Frames count from the
 * scene's start: frame 0 is the first after the transition into the scene; frames of that transition are negative.
 *
 * - `opacity` 0 to 1
 * - `dx`, `dy` offset of the layer and its content, px
 * - `clipLeft`, `clipTop`, `clipRight`, `clipBottom`: fraction (0 to 1) of the layer's box hidden from that edge. The
 *   clip window belongs to the box at rest: a text with a `dy` moves inside a clip that stands still only when
 *   `clipFixed` is set on the layer, else the clip travels with it.
 */
export interface Track {
  readonly property: 'opacity' | 'dx' | 'dy' | 'clipLeft' | 'clipTop' | 'clipRight' | 'clipBottom';
  readonly from: number;
  readonly to: number;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly easing: Easing;
}

interface LayerBase {
  /** Unique within the scene, such as `address` or `photo-1`. */
  readonly id: string;
  readonly box: Box;
  readonly tracks?: readonly Track[];
  readonly clipFixed?: boolean;
  /** Of photos and fills. */
  readonly mask?: LayerMask;
}

/**
 * Part of a photo: `cx`, `cy` the center (0 to 1 of the photo), `span` the visible width as a fraction of the photo's
 * width (1 = all of it). The visible height follows from the box's aspect; the view always lies inside the photo.
 */
export interface View {
  readonly cx: number;
  readonly cy: number;
  readonly span: number;
}

/**
 * Center and logarithm of `span` go from `startFrame` to `endFrame` (scene frames) as the easing says, then stay. The
 * view of a frame follows from its own number, so a move is as exact as its curve.
 */
export interface CameraPath {
  readonly from: View;
  readonly to: View;
  readonly startFrame: number;
  readonly endFrame: number;
  /** Default linear. */
  readonly easing?: Easing;
}

/** The correction of a photo's pixels. */
export interface PhotoGrade {
  /** Added exposure of the middle tones, stops; black and white stay. 0.04 to 0.6. */
  readonly stops: number;
}

export interface PhotoLayer extends LayerBase {
  readonly type: 'photo';
  readonly digest: string;
  /** Absent: the photo as it is. The same in all layers of a video that show this photo. */
  readonly grade?: PhotoGrade;
  readonly camera: CameraPath;
  /** A point of the photo, in shares of its size, that is never outside of the view. */
  readonly keeps?: { readonly x: number; readonly y: number };
}

/** Stops ascend from 0 to 1 of the box, `down` from its top edge and so on; linear between them. */
export interface Gradient {
  readonly direction: 'down' | 'up' | 'right' | 'left';
  readonly stops: readonly { readonly at: number; readonly alpha: number }[];
}

/** The visible part of the layer's box: an ellipse in it, or all but its corners. */
export type LayerMask =
  | { readonly shape: 'ellipse' }
  | { readonly shape: 'rounded'; readonly radiusPx: number };

export interface FillLayer extends LayerBase {
  readonly type: 'fill';
  readonly color: Color;
  /** Constant opacity, 0 to 1, default 1. */
  readonly alpha?: number;
  /** Opacity along the box; replaces `alpha`. */
  readonly gradient?: Gradient;
}

export interface TextLayer extends LayerBase {
  readonly type: 'text';
  readonly style: TextStyle;
  readonly color: Color;
  /** Relative to `box`'s origin. */
  readonly lines: readonly PlacedLine[];
  /** Replacements over time (count-up): from `startFrame` on, these lines instead of `lines`; ascending. */
  readonly steps?: readonly { readonly startFrame: number; readonly lines: readonly PlacedLine[] }[];
  /** The added fonts that draw parts of it, with their versions; absent: the program's own fonts draw all. */
  readonly addedFonts?: readonly string[];
  /** What a person reads here. Of a text of several layers the first reads all, the others read "". */
  readonly reads: string;
}

/** A color image with transparency (logo), scaled to `box`. */
export interface GraphicLayer extends LayerBase {
  readonly type: 'graphic';
  readonly digest: string;
}

/** A drawn mark in one color: SVG path data in a square of 100 x 100 user units, scaled to `box`. */
export interface MarkLayer extends LayerBase {
  readonly type: 'mark';
  readonly path: string;
  readonly color: Color;
  /** Of a QR code: what it says, and its modules on each side. */
  readonly qr?: { readonly url: string; readonly modules: number };
}

export type Layer = PhotoLayer | FillLayer | TextLayer | GraphicLayer | MarkLayer;

interface Eased {
  readonly durationFrames: number;
  readonly easing: Easing;
}

/** The transition out of a scene. Its frames are the last of that scene; the last scene has none. */
export type Transition =
  | { readonly kind: 'cut'; readonly durationFrames: 0 }
  /** Dissolve, linear in light. */
  | (Eased & { readonly kind: 'crossfade' })
  /** Both frames travel; a band of `gutterColor` lies between them. */
  | (Eased & {
      readonly kind: 'push';
      readonly direction: Direction;
      readonly gutterPx: number;
      readonly gutterColor: Color;
    })
  /**
   * The box of photo layer `fromLayerId` grows until it is the box of `toLayerId` in the next scene, while the one
   * photo dissolves into the other; every other layer of the leaving scene fades in the first `fadeFrames`.
   */
  | (Eased & {
      readonly kind: 'match-zoom';
      readonly fromLayerId: string;
      readonly toLayerId: string;
      readonly fadeFrames: number;
    })
  /** A bar of color crosses the frame: the leaving scene stands before it, the coming one behind it. */
  | (Eased & {
      readonly kind: 'wipe';
      readonly direction: Direction;
      readonly barPx: number;
      readonly barColor: Color;
    })
  /** Fades into the color in `outFrames`, and out of it in the rest. */
  | (Eased & {
      readonly kind: 'dip';
      readonly outFrames: number;
      readonly color: Color;
    })
  /**
   * Fades into the color in `fadeFrames`, without these not at all; the next scene opens to full width (`horizontal`) or
   * height.
   */
  | (Eased & {
      readonly kind: 'aperture';
      readonly fadeFrames: number;
      readonly axis: 'horizontal' | 'vertical';
      readonly color: Color;
    })
  /** The next scene's layers enter over the leaving scene; its background is painted from its frame 0 on. */
  | { readonly kind: 'over'; readonly durationFrames: number };

/** What a scene is for, or how many photos it shows. */
export type SceneKind = Exclude<SceneRole, 'single'> | 'photo';

export interface Scene {
  /** `scene-01-hero` and so on: stable names for reports and tests. */
  readonly id: string;
  readonly kind: SceneKind;
  /** All frames of the scene, its leaving transition included. */
  readonly durationFrames: number;
  readonly background: Color;
  /** In painting order. */
  readonly layers: readonly Layer[];
  readonly transition: Transition;
}

export interface MissingCaption {
  readonly number: number;
  readonly url: string;
  readonly reason: 'time' | 'short' | 'place';
}

/** An altered photo that the video shows. */
export interface AlteredPhoto {
  readonly url: string;
  /** As viewers read it. */
  readonly label: string;
  /** As the listing has it, whether or not it can be used. */
  readonly originalUrl: string | null;
  readonly digest: string;
  /** Null without a usable original. */
  readonly originalDigest: string | null;
}

/** What the video says of the house, for texts beside it; each is blank without. */
export interface StoryboardWords {
  readonly headline: string;
  readonly status: string;
  readonly address: string;
  readonly openHouse: string;
  readonly link: string;
  readonly disclosure: string;
  /** Where the original photos are. */
  readonly originals: string;
  /** For uploads, in place of the others; empty where the listing gives none. */
  readonly description: string;
}

export interface Storyboard {
  readonly templateId: string;
  readonly ratio: AspectRatio;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly scenes: readonly Scene[];
  /** MP4 metadata. */
  readonly title: string;
  readonly comment: string;
  /** Those of a video without branding have no contact. */
  readonly words?: StoryboardWords;
  /** Scene indexes for the preview GIF, in order: the hero, some highlights, the agent. */
  readonly highlights: readonly number[];
  /** In the order of the listing. */
  readonly altered: readonly AlteredPhoto[];
  readonly missingCaptions?: readonly MissingCaption[];
  /** Sentences for the report: left-out phones, missing glyphs, unknown data keys. */
  readonly warnings: readonly string[];
}
