/**
 * A template as the program draws it: a design as data, in full. Types only.
 *
 * What a designer writes is shorter (blocks, variants like others, defaults, named motions): `resolve-template.ts` makes
 * this of it, `templates/template.schema.json` says it to editors and `templates/README.md` to people.
 *
 * Sizes are px of a 1920x1080 or 1080x1920 frame, times are seconds. What scenes are made of is in `elements.ts`.
 */

import type { AspectRatio } from '../listing/listing.ts';
import type { Condition, Element } from './elements.ts';

/** `#RRGGBB`. */
export type Color = string;

/** An easing token (storyboard/README.md, "Easing"), or `linear`. */
export type Easing = 'linear' | 'settle' | 'glide' | 'leave' | 'draw';

export const FONT_FAMILIES = [
  'eb-garamond',
  'inter-tight',
  'noto-serif-display',
  'commissioner',
  'fira-sans-extra-condensed',
] as const;
export type FontFamily = (typeof FONT_FAMILIES)[number];
export type FontWeight = 200 | 300 | 400 | 500 | 600 | 700 | 800;

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `none`: the film shows nothing of agent, office or brand, ends on a `closing` scene, and says nothing in its metadata. */
  readonly branding: 'agent' | 'none';
  /** Name of the soundtrack that plays unless `music` says otherwise; absent: silence. */
  readonly music?: string;
  readonly palette: Palette;
  /** How roles follow `accent`, `paper` and `ink` when a listing sets these; a role without a rule keeps its colour. */
  readonly paletteRules: Readonly<Record<ColorRole, PaletteRule>>;
  readonly dataLayers: readonly DataLayer[];
  /** Layers that other templates have and this one leaves out on purpose: setting one is a warning that says so. */
  readonly withoutLayers: readonly string[];
  /** What a type style has unless it says otherwise. */
  readonly styleDefaults: Omit<TypeStyle, 'size' | 'family'> & { readonly family: FontFamily };
  readonly ratios: Readonly<Record<AspectRatio, RatioDesign>>;
}

/**
 * Colours by role. Elements name a role, never a colour, so that `accent`, `paper` and `ink` reach every scene. A template may
 * add roles of its own.
 */
export type Palette = Readonly<Record<string, Color>> & {
  readonly paper: Color;
  readonly ink: Color;
  /** Quiet text on paper. */
  readonly soft: Color;
  /** Rules and blocks; text only where the template gives `onAccent`. */
  readonly accent: Color;
  /** The accent, dark enough to be read on paper. */
  readonly accentText: Color;
  /** A shade of paper for mats and empty frames. */
  readonly tint: Color;
};
export type ColorRole = string;

export interface PaletteRule {
  /** Between two roles: share 0 is the first. */
  readonly mix?: readonly [ColorRole, ColorRole, number];
  /** Moved away from that role until text of it can be read there. */
  readonly readableOn?: ColorRole;
  /** White or ink, whichever reads better on that role. */
  readonly textOn?: ColorRole;
}

export type DataLayerType = 'text' | 'color' | 'image' | 'number' | 'boolean';

/** A value that `template_data` may set. All values arrive as strings. */
export interface DataLayer {
  readonly name: string;
  readonly type: DataLayerType;
  readonly description: string;
  /** In the form `template_data` uses; an image's default is `""` (none). */
  readonly default: string;
  readonly example: string;
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
}

export type CameraMove = 'in' | 'out' | 'lateral' | 'pan' | 'still';

export interface CameraRules {
  /** Change of scale per second, as a fraction: 0.012 is 1.2 % a second. */
  readonly speedPerSec: number;
  /** The most a scene may travel, as a fraction of scale. */
  readonly maxTravel: number;
  /** Dealt out to the scenes in this order, over and over. */
  readonly cycle: readonly CameraMove[];
  readonly hero: CameraMove;
  /** Scale the opening travels in all, whatever the speed: 0.06 is from 1.06 to 1. */
  readonly heroTravel?: number;
  /** How much of its width a photo is panned across: at least, at most, and per second. */
  readonly pan: { readonly min: number; readonly max: number; readonly perSec: number };
  /** Each next photo of a scene runs at this share of the speed of the one before. */
  readonly parallax: number;
}

/** How many photos a scene of the body shows, by name. */
export type BodyLayout = 'single' | 'pair' | 'three' | 'four' | 'six';

export interface PacingRow {
  /** The row counts for up to this many usable photos. */
  readonly maxPhotos: number;
  readonly cycle: readonly BodyLayout[];
  readonly sec: Partial<Readonly<Record<BodyLayout, number>>>;
}

export interface Pacing {
  readonly heroSec: number;
  readonly factsSec: number;
  /** Of the last scene: card or closing. */
  readonly endSec: number;
  /** On the seconds of body scenes. */
  readonly factor: number;
  readonly capSec: number;
  /** No body scene is shorter, whatever the cap. */
  readonly minSceneSec: number;
  /** After which share of the body the facts scene comes. */
  readonly factsAt: number;
  readonly rows: readonly PacingRow[];
}

export interface TypeStyle {
  readonly family?: FontFamily;
  readonly weight?: FontWeight;
  readonly italic?: boolean;
  readonly size: number;
  /** Smallest size fitting may reach; absent: never shrinks. */
  readonly min?: number;
  readonly tracking?: number;
  /** Added to every space, em. */
  readonly wordSpace?: number;
  readonly lineHeight?: number;
  readonly features?: Readonly<Record<string, 0 | 1>>;
  /** Set in capitals, in scripts that have them. */
  readonly caps?: boolean;
  /** Display type: a left-aligned line starts with its stem on the edge, not with its side bearing. */
  readonly hang?: boolean;
}

/** One way to lay out a scene. The first variant whose conditions hold and whose photos fit is taken. */
export interface SceneVariant {
  readonly name: string;
  readonly when?: Condition;
  /** Only for these of every `of` scenes of the role, counted from 1: `{of: 3, on: [3]}` is every third. */
  readonly turn?: { readonly of: number; readonly on: readonly number[] };
  /** Shows a fact that no scene of the body has shown yet, as `{fact_number}` and `{fact_label}`; without one it is passed over. */
  readonly dealsFact?: boolean;
  /** Decides the transition: photos to the edges, or a page of paper. */
  readonly ground: 'full-bleed' | 'page';
  readonly background: ColorRole;
  readonly elements: readonly Element[];
}

export const SCENE_ROLES = [
  'hero',
  'single',
  'pair',
  'three',
  'four',
  'six',
  'facts',
  'statement',
  'address',
  'card',
  'closing',
] as const;
export type SceneRole = (typeof SCENE_ROLES)[number];

export type Direction = 'left' | 'right' | 'up' | 'down';

export type TransitionDesign =
  | { readonly kind: 'cut' }
  | { readonly kind: 'crossfade'; readonly sec: number; readonly easing: Easing }
  | {
      readonly kind: 'push';
      readonly sec: number;
      readonly easing: Easing;
      /** Where to; several take turns. */
      readonly direction: readonly Direction[];
      readonly gutter: number;
      readonly color: ColorRole;
    }
  /** A bar crosses the frame; before it the scene that leaves, behind it the one that comes. */
  | {
      readonly kind: 'wipe';
      readonly sec: number;
      readonly easing: Easing;
      readonly direction: readonly Direction[];
      readonly bar: number;
      readonly color: ColorRole;
    }
  | { readonly kind: 'match-zoom'; readonly sec: number; readonly easing: Easing; readonly fadeSec: number }
  /** Out into a colour (`outSec` of `sec`), and out of it. */
  | {
      readonly kind: 'dip';
      readonly sec: number;
      readonly outSec: number;
      readonly easing: Easing;
      readonly color: ColorRole;
    }
  /** Fades to a colour, on which the next scene opens from a centred slit to its full width or height. */
  | {
      readonly kind: 'aperture';
      readonly sec: number;
      readonly fadeSec: number;
      readonly easing: Easing;
      readonly axis: 'horizontal' | 'vertical';
      readonly color: ColorRole;
    }
  /** The elements of the next scene make their entrances over the scene that leaves; its page comes with the last frame. */
  | { readonly kind: 'over'; readonly sec: number };

/**
 * Scenes a rule is for, any of them: roles, grounds (`full-bleed`, `page`), `multi` (pair to six), `photos` (single to six),
 * `ending` (card, closing); with a leading `!` all but these.
 */
export type SceneSelector = readonly string[];

/** The first rule that suits both scenes is taken. */
export type TransitionRule = TransitionDesign & {
  readonly from?: SceneSelector;
  readonly to?: SceneSelector;
  /** Of the changes that reach this rule, only every nth takes it. */
  readonly every?: number;
};

/** A scene that shows words rather than the next photos of the listing. */
export interface ExtraScene {
  readonly role: 'statement' | 'address';
  readonly when?: Condition;
  /** After which share of the body. */
  readonly at: number;
  readonly sec: number;
  /** Which photo it shows once more. */
  readonly photo: 'hero' | 'last';
}

export interface RatioDesign {
  readonly camera: CameraRules;
  readonly pacing: Pacing;
  /** How many of the first photos the opening shows, when there are enough. */
  readonly heroPhotos: number;
  /** How many photos the facts scene shows, when there are enough. */
  readonly factsPhotos: number;
  /** How many of the last photos the closing shows, when there are enough. A card shows the opening's. */
  readonly closingPhotos: number;
  readonly extras: readonly ExtraScene[];
  /** A single with a caption takes a second photo and the pair's layout. */
  readonly captionMakesPair?: boolean;
  /**
   * A photo whose width by height lies under or over these cannot fill the frame: it takes the next of its kind beside it
   * rather than stand alone on a page.
   */
  readonly pairWhen?: { readonly below?: number; readonly above?: number };
  readonly styles: Readonly<Record<string, TypeStyle>>;
  readonly scenes: Readonly<Record<SceneRole, readonly SceneVariant[]>>;
  readonly transitions: readonly TransitionRule[];
}
