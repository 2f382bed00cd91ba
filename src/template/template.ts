/**
 * The format of a template: a design as data. Types only; `templates/template.schema.json` says the same to editors.
 *
 * Boxes are `[x, y, w, h]` relative to the frame (0 to 1, origin top left). Sizes, gaps and paddings are px of a
 * 1920x1080 or 1080x1920 frame. Times are seconds; an element's times count from its scene's frame 0.
 */
import type { AspectRatio } from '../listing/listing.ts';

/** `#RRGGBB`. */
export type Color = string;

/** The easing tokens of the look book; `linear` besides. */
export type Easing = 'linear' | 'settle' | 'glide' | 'leave' | 'draw';

export type FontFamily = 'eb-garamond';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly palette: Palette;
  readonly dataLayers: readonly DataLayer[];
  readonly camera: CameraRules;
  /** What a type style has unless it says otherwise. */
  readonly styleDefaults: Omit<TypeStyle, 'size' | 'family'> & { readonly family: FontFamily };
  readonly ratios: Readonly<Record<AspectRatio, RatioDesign>>;
}

/** The roles of colour. Elements name a role, never a colour, so that `accent`, `paper` and `ink` reach every scene. */
export interface Palette {
  readonly paper: Color;
  readonly ink: Color;
  /** Quiet text on paper. */
  readonly soft: Color;
  /** Rules and blocks; never text. */
  readonly accent: Color;
  /** The accent, dark enough to be read on paper. */
  readonly accentText: Color;
  /** A shade of paper for mats and empty frames. */
  readonly tint: Color;
}
export type ColorRole = keyof Palette;

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

export type CameraMove = 'in' | 'out' | 'lateral';

export interface CameraRules {
  /** Change of scale per second, as a fraction: 0.012 is 1.2 % a second. */
  readonly speedPerSec: number;
  /** The most a scene may travel, as a fraction of scale. */
  readonly maxTravel: number;
  /** Dealt out to the scenes in this order, over and over. */
  readonly cycle: readonly CameraMove[];
  readonly hero: CameraMove;
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
  readonly cardSec: number;
  /** On the seconds of body scenes. */
  readonly factor: number;
  readonly capSec: number;
  /** No body scene is shorter, whatever the cap. */
  readonly minSceneSec: number;
  readonly rows: readonly PacingRow[];
}

export interface TypeStyle {
  readonly family?: FontFamily;
  readonly weight?: 400 | 500;
  readonly italic?: boolean;
  readonly size: number;
  /** Smallest size fitting may reach; absent: never shrinks. */
  readonly min?: number;
  readonly tracking?: number;
  readonly lineHeight?: number;
  readonly features?: Readonly<Record<string, 0 | 1>>;
  /** Set in capitals, in scripts that have them. */
  readonly caps?: boolean;
  /** Display type: a left-aligned line starts with its stem on the edge, not with its side bearing. */
  readonly hang?: boolean;
}

export type RelativeBox = readonly [x: number, y: number, w: number, h: number];

/**
 * Names that must (or, with a leading `!`, must not) be true of the scene: names of texts (`caption`, `address`), `facts`,
 * `portrait`, `logo`, `equal_housing`, `photo-2` (the scene has a second photo), `lone` (the listing has one photo only).
 */
export type Condition = readonly string[];

/** As a track of the storyboard, in seconds. */
export interface Motion {
  readonly property: 'opacity' | 'dx' | 'dy' | 'clipLeft' | 'clipTop' | 'clipRight' | 'clipBottom';
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly for: number;
  readonly easing: Easing;
}

interface ElementBase {
  readonly id: string;
  readonly when?: Condition;
  readonly motion?: readonly Motion[];
}

export interface PhotoElement extends ElementBase {
  readonly type: 'photo';
  /** 0 is the scene's first photo. */
  readonly photo: number;
  readonly box: RelativeBox;
  /**
   * `cover`: fills its box, else the variant does not fit. `mat`: fills its box, else stands whole on a tint of the box.
   * `plate`: stands whole in the box, on the bare page.
   */
  readonly fit: 'cover' | 'mat' | 'plate';
  readonly maxCropLoss?: number;
  /** `pan`: the scale stands and the view crosses the photo. `still`: nothing moves. */
  readonly camera?: 'move' | 'pan' | 'still';
}

/** All photos of the scene in justified rows: the fallback when the designed boxes would crop or enlarge too much. */
export interface MosaicElement extends ElementBase {
  readonly type: 'mosaic';
  readonly box: RelativeBox;
  readonly gap: number;
  /** `whole`: nothing is cropped, the rows may be smaller than the box. `fill`: the rows fill the box. */
  readonly fit: 'whole' | 'fill';
  /** How much `whole` may crop to make more of a high box; default nothing. */
  readonly maxCropLoss?: number;
}

export interface FillElement extends ElementBase {
  readonly type: 'fill';
  readonly box: RelativeBox;
  readonly color: ColorRole;
  readonly alpha?: number;
  /** Thickness of a rule, px; stands for a zero side of `box`. */
  readonly rule?: number;
}

/** `cap-top`: the first line's capitals touch the box's top. `baseline`: the last baseline is its foot. */
export type VerticalAnchor = 'cap-top' | 'middle' | 'baseline';
export type Alignment = 'left' | 'center' | 'right';

export interface TextElement extends ElementBase {
  readonly type: 'text';
  /** Words with `{names}`; the element is left out when a name is empty. */
  readonly text: string;
  readonly style: string;
  readonly color: ColorRole;
  readonly box: RelativeBox;
  readonly align: Alignment;
  readonly anchor: VerticalAnchor;
  readonly maxLines?: number;
}

/** Text on a plate of paper that hugs it: the only way type comes near a photo. */
export interface PlateElement extends ElementBase {
  readonly type: 'plate';
  readonly text: string;
  readonly style: string;
  readonly color: ColorRole;
  readonly fill: ColorRole;
  /** The corner that stands: its place, and which corner of the plate it is. */
  readonly corner: 'bottom-left' | 'bottom-right' | 'top-right' | 'top-left';
  readonly at: readonly [x: number, y: number];
  readonly maxWidth: number;
  readonly maxLines: number;
  /** Top, right, bottom, left, around cap height and baseline. */
  readonly padding: readonly [number, number, number, number];
  readonly textMotion?: readonly Motion[];
}

export interface StackText {
  readonly id: string;
  readonly when?: Condition;
  readonly text: string;
  readonly style: string;
  readonly color: ColorRole;
  /** From the baseline (or rule) above to the capitals of this one, px. */
  readonly gap: number;
  readonly maxLines?: number;
  /** `wrap`: lines are used before the size shrinks. `shrink` (default): the size shrinks before lines are used. */
  readonly prefer?: 'wrap' | 'shrink';
  /** Lines it may take at its smallest size rather than lose words to an ellipsis. */
  readonly overflowLines?: number;
  /** When even the smallest setting is too tall, items with this leave, the lowest number first. */
  readonly dropOrder?: number;
}

export interface StackRule {
  readonly id: string;
  readonly when?: Condition;
  readonly rule: number;
  readonly color: ColorRole;
  readonly alpha?: number;
  readonly gap: number;
  /** Length, px; absent: the stack's width. */
  readonly length?: number;
  readonly draw?: DrawMotion;
}

export interface StackFacts {
  readonly id: string;
  readonly when?: Condition;
  readonly facts: FactsColumns;
  readonly gap: number;
}

export type StackItem = StackText | StackRule | StackFacts;

/** A rule that grows from `fromPx` to its length, from one end or from its middle. */
export interface DrawMotion {
  readonly fromPx: number;
  readonly origin: 'left' | 'center';
  readonly at: number;
  readonly for: number;
  /** Added per rule when several follow each other. */
  readonly stagger?: number;
  readonly easing: Easing;
}

/** A vertical stack: absent items vanish with their gap; too tall: all sizes shrink together. */
export interface StackElement {
  readonly id: string;
  readonly when?: Condition;
  readonly type: 'stack';
  readonly box: RelativeBox;
  readonly align: Alignment;
  /** `cap-top` hangs from the box's top, `baseline` stands on its foot, `middle` is centred in it. */
  readonly anchor: VerticalAnchor;
  readonly items: readonly StackItem[];
  readonly entrance?: StackEntrance;
}

/** Each item (`each`) or the whole stack (`together`) fades and rises. All is over by `until`. */
export interface StackEntrance {
  readonly by: 'each' | 'together';
  readonly rise: number;
  readonly at: number;
  readonly for: number;
  readonly stagger?: number;
  readonly until: number;
  readonly easing: Easing;
}

interface FactsStyle {
  readonly number: string;
  readonly label: string;
  /** `long`: "bedrooms", `short`: "beds". */
  readonly wording: 'long' | 'short';
}

/** Numbers over labels, side by side, hairlines between. */
export interface FactsColumns extends FactsStyle {
  /** From the number's baseline to the label's capitals, px. */
  readonly labelGap: number;
  /** Least space between a column's words and its border, px. */
  readonly padding: number;
  readonly divider: { readonly color: ColorRole; readonly alpha?: number; readonly rule: number };
}

/** Number left, label right, on one baseline; the last baseline stands on the box's foot. */
export interface FactsElement extends FactsStyle {
  readonly id: string;
  readonly when?: Condition;
  readonly type: 'facts';
  readonly box: RelativeBox;
  /** Baseline to baseline, px, when the box has room. */
  readonly pitch: number;
  /** A rule above the first row, px above its baseline. */
  readonly topRule?: FactsRule;
  /** Rules between rows, px below the baseline above. */
  readonly divider?: FactsRule;
  readonly entrance?: StackEntrance;
  /** Square feet count up to their value. */
  readonly countUp?: { readonly fromShare: number; readonly for: number; readonly steps: number };
}

export interface FactsRule {
  readonly color: ColorRole;
  readonly alpha?: number;
  readonly rule: number;
  readonly offset: number;
  readonly draw?: DrawMotion;
}

/** The agent's portrait, or in its place the initials in a frame. */
export interface PortraitElement extends ElementBase {
  readonly type: 'portrait';
  readonly box: RelativeBox;
}

export interface InitialsElement extends ElementBase {
  readonly type: 'initials';
  readonly box: RelativeBox;
  readonly style: string;
  readonly color: ColorRole;
  readonly fill: ColorRole;
  readonly keyline: { readonly color: ColorRole; readonly inset: number; readonly rule: number };
  /** Most of the box's width that the letters may take. */
  readonly fitWidth: number;
  /** Of keyline and letters; `motion` is the ground's. */
  readonly innerMotion?: readonly Motion[];
}

/** The equal-housing mark and the logo: at a foot and a right (or centre) edge. */
export interface MarksElement extends ElementBase {
  readonly type: 'marks';
  readonly color: ColorRole;
  readonly size: number;
  readonly sizeWithLogo: number;
  /** `apart`: the logo stands right-aligned above `logoFoot`. `together`: a centred pair, `pairGap` apart. */
  readonly arrange: 'apart' | 'together';
  readonly at: readonly [x: number, y: number];
  readonly logoAbove?: { readonly stack: string; readonly gap: number };
  readonly pairGap?: number;
  readonly maxLogoWidth: number;
}

export type Element =
  | PhotoElement
  | MosaicElement
  | FillElement
  | TextElement
  | PlateElement
  | StackElement
  | FactsElement
  | PortraitElement
  | InitialsElement
  | MarksElement;

/** One way to lay out a scene. The first variant whose conditions hold and whose photos fit is taken. */
export interface SceneVariant {
  readonly name: string;
  readonly when?: Condition;
  /** Decides the transition: photos to the edges, or a page of paper. */
  readonly ground: 'full-bleed' | 'page';
  readonly background: ColorRole;
  readonly elements: readonly Element[];
}

export type SceneRole = 'hero' | 'single' | 'pair' | 'three' | 'four' | 'six' | 'facts' | 'card';

export type TransitionDesign =
  | { readonly kind: 'crossfade'; readonly sec: number; readonly easing: Easing }
  | {
      readonly kind: 'push';
      readonly sec: number;
      readonly easing: Easing;
      readonly direction: 'left' | 'right' | 'up' | 'down';
      readonly gutter: number;
      readonly color: ColorRole;
    }
  | { readonly kind: 'match-zoom'; readonly sec: number; readonly easing: Easing; readonly fadeSec: number };

export interface RatioDesign {
  readonly pacing: Pacing;
  /** How many of the first photos the opening shows, when there are enough. */
  readonly heroPhotos: number;
  /** How many photos the facts scene shows, when there are enough. */
  readonly factsPhotos: number;
  /** A single with a caption takes a second photo and the pair's layout. */
  readonly captionMakesPair?: boolean;
  /**
   * A photo whose width by height lies under or over these cannot fill the frame: it takes the next of its kind beside it
   * rather than stand alone on a page.
   */
  readonly pairWhen?: { readonly below?: number; readonly above?: number };
  readonly styles: Readonly<Record<string, TypeStyle>>;
  readonly scenes: Readonly<Record<SceneRole, readonly SceneVariant[]>>;
  readonly transitions: {
    readonly betweenFullBleed: TransitionDesign;
    readonly page: TransitionDesign;
    /** When the first photo after the opening is full-bleed. */
    readonly heroToFullBleed: TransitionDesign;
    readonly toCard: TransitionDesign;
  };
}
