/** What the elements of a scene are built from, and what building one returns. Types only. */

import type { Fact } from '../../../listing/words/facts.ts';
import type { Graphic, Photo } from '../../photo.ts';
import type { Notice, Palette } from '../../template/template.ts';
import type { CodedLink } from '../scenes/announcements.ts';
import type { TypeSetter } from '../set-type.ts';
import type { Box, Color, Layer, PhotoLayer } from '../storyboard.ts';
import type { Texts } from '../texts.ts';
import type { Leaving } from './tracks.ts';

/**
 * How light a photo is, cell by cell: mean lumas of equal cells of the master (the last ones of a row or column can be
 * smaller), 0 black to 1 white, gamma-encoded as in the pixels.
 */
export interface PhotoLight {
  readonly columns: number;
  readonly rows: number;
  readonly luma: ArrayLike<number>;
  /** Median color along its upper and lower edge: of a floor plan, that of its paper. */
  readonly edge?: Color;
  /** Mean colors along its edges: the ground beside it goes on in them. */
  readonly sides?: Readonly<Record<'top' | 'bottom' | 'left' | 'right', Color>>;
  readonly tint?: PhotoTint;
}

export interface PhotoTint {
  /** Mean chroma, as shares of that of white (-0.5 to 0.5; 0 is gray). */
  readonly blue: number;
  readonly red: number;
  /** Share (0 to 1) of its area that is as green as plants. */
  readonly green: number;
}

/** A photo as a scene shows it. */
export interface ScenePhoto extends Photo {
  /** Of an altered photo: what was changed. It is never seen without these words. */
  readonly label?: string;
  /** The unaltered photo; follows in the same place. */
  readonly original?: Photo;
  /** Other views, the best first: one takes its place halfway; 0 seconds are a cut. The photo itself is shown nearer. */
  readonly next?: {
    readonly photos: readonly Photo[];
    readonly dissolveSec: number;
    /** How much nearer a zoom of the scene has come by then. */
    readonly approach: number;
  };
  /** It and its original are seen together: neither moves. */
  readonly comparedAs?: 'altered' | 'original';
}

export interface SceneContext {
  readonly frame: { readonly w: number; readonly h: number };
  readonly fps: number;
  readonly palette: Palette;
  readonly type: TypeSetter;
  readonly texts: Texts;
  /** Names that match and are not names of texts; see {@link import('../../template/elements.ts').Condition}. */
  readonly flags: ReadonlySet<string>;
  readonly facts: readonly Fact[];
  /** Each is unbreakable; they are joined by middle dots, as many as fit. */
  readonly licenses: readonly string[];
  readonly photos: readonly ScenePhoto[];
  readonly portrait: Photo | null;
  readonly logo: Graphic | null;
  readonly hasEqualHousing: boolean;
  readonly link: CodedLink | null;
  /** Where the original photos are. */
  readonly originals: CodedLink | null;
  /** The sentence on every scene with photos; blank for none. */
  readonly disclosure: string;
  readonly originalLabel: string;
  readonly notice: Notice;
  readonly images: ReadonlyMap<string, Graphic>;
  /** Stacks take at most this share of their full sizes; default 1, and more for those that can grow. */
  readonly maxScale?: number;
  /** How light a photo is; absent: photos count as white. */
  readonly lightOf?: (photo: Photo) => PhotoLight | undefined;
}

/** A photo in its box, before its camera is known, which depends on the neighboring scenes. */
export interface PhotoDraft extends Omit<PhotoLayer, 'camera'> {
  readonly photo: ScenePhoto;
  readonly camera: 'move' | 'pan' | 'still';
  /** So many times nearer than where the photo just covers its box. */
  readonly closer?: number;
  /** The camera comes as near; default 2. */
  readonly maxEnlargement?: number;
  /** The camera of the photo before it shows the same part of this one. */
  readonly followsCamera?: true;
}

/** Whether it is seen before or after a change halfway through the scene; `dissolveSec` is 0 for a cut. */
export type Turn =
  | { readonly of: 'altered' }
  | { readonly of: 'original'; readonly window: Box }
  | { readonly of: 'first' | 'next'; readonly dissolveSec: number };

/** Motion that can only be timed when the scene's length is known. */
interface Untimed {
  readonly leaving?: Leaving;
  /**
   * Its part in a change halfway: seen until the original covers the altered photo, or from then on, wiped in through a
   * window; or the first or the next of two views.
   */
  readonly turn?: Turn;
}

export type LayerDraft = (Exclude<Layer, PhotoLayer> | PhotoDraft) & Untimed;

export interface BuiltElement {
  readonly layers: readonly LayerDraft[];
  /** False when a photo, a stack or a line of facts does not fit; then the scene's next variant is tried. */
  readonly fits: boolean;
  /** A line of facts stands in rows: every word is there, but a variant with room for a line is better. */
  readonly isSplit?: boolean;
  /** Of a stack: the share of its full sizes, over 1 where it has grown. */
  readonly scale?: number;
  readonly warnings?: readonly string[];
}
