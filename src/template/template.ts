/**
 * A template as the program draws it: a design as data, in full. Types only.
 *
 * What a designer writes is shorter (blocks, variants like others, defaults, named motions): `resolve-template.ts` makes
 * this of it, `templates/template.schema.json` says it to editors and `templates/README.md` to people.
 *
 * Boxes are `[x, y, w, h]` relative to the frame (0 to 1, origin top left). Sizes, gaps and paddings are px of a
 * 1920x1080 or 1080x1920 frame. Times are seconds; an element's times count from its scene's frame 0.
 */
import type { Fact } from '../listing/facts.ts';
import type { AspectRatio } from '../listing/listing.ts';

/** `#RRGGBB`. */
export type Color = string;

/** The easing tokens of the look book; `linear` besides. */
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

export type RelativeBox = readonly [x: number, y: number, w: number, h: number];

/**
 * Names that must (or, with a leading `!`, must not) be true of the scene: names of texts (`caption`, `address`), `facts`,
 * `facts-2` (exactly two), `portrait`, `logo`, `photo-2` (the scene has a second photo) and more: see `templates/README.md`.
 */
export type Condition = readonly string[];

export type Side = 'left' | 'right' | 'top' | 'bottom' | 'center' | 'middle';

/**
 * One way to come or to go.
 *
 * - `fade`; `rise`: fades while it travels `by` px, coming from `from`
 * - `slide`: travels `by` px without fading; without `by` its own size and `gap` px more, so that it comes from outside
 * - `reveal`: a window opens from the side `from` (`center`: to left and right, `middle`: up and down); `start` px are seen
 *   before
 * - `draw`: `reveal` of a rule
 * - `lift`: travels `by` px (without it: its own height) inside a window that stands still
 */
export interface Animation {
  readonly kind: 'fade' | 'rise' | 'slide' | 'reveal' | 'draw' | 'lift';
  /** Where it comes from or, leaving, goes to. */
  readonly from: Side;
  readonly by?: number;
  readonly start?: number;
  /** Coming: seconds from frame 0. Leaving: seconds before the scene's way out begins. */
  readonly at: number;
  readonly for: number;
  readonly easing: Easing;
  /** What moves by itself: the element, each of its items (lines, rows, plates, cells), or each line of its text. */
  readonly each: 'whole' | 'item' | 'line';
  /** Between one and the next, seconds. */
  readonly stagger: number;
  /** The stagger is tightened until all is over by then. */
  readonly until?: number;
}
export type Animations = readonly Animation[];

export interface ElementBase {
  readonly id: string;
  readonly when?: Condition;
  readonly enter?: Animations;
  readonly exit?: Animations;
}

/** What of a picture is seen of its box. */
export type Mask = { readonly shape: 'ellipse' } | { readonly shape: 'rounded'; readonly radius: number };

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
  /** Ids of elements that must not hide the photo's attention; when one does, the variant does not fit. */
  readonly clearOf?: readonly string[];
  readonly mask?: Mask;
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
  readonly mask?: Mask;
}

/** A gradient of one colour over a photo. Its alpha is raised until the texts it is for can be read. */
export interface ScrimElement extends ElementBase {
  readonly type: 'scrim';
  readonly box: RelativeBox;
  readonly color: ColorRole;
  /** The way in which the stops follow each other. */
  readonly direction: 'down' | 'up' | 'right' | 'left';
  /** `[where, alpha]`, both 0 to 1, ascending. */
  readonly stops: readonly (readonly [number, number])[];
  /** Ids of the elements whose texts it carries. */
  readonly for?: readonly string[];
  /** Its first edge stays at least this share of the frame's height above the texts it is for. */
  readonly reach?: number;
}

/** A picture of an image data layer, such as the logo, whole in its box. */
export interface ImageElement extends ElementBase {
  readonly type: 'image';
  readonly layer: string;
  readonly box: RelativeBox;
  readonly align: Alignment;
  readonly anchor: 'top' | 'middle' | 'bottom';
}

/** `cap-top`: the first line's capitals touch the box's top. `baseline`: the last baseline is its foot. */
export type VerticalAnchor = 'cap-top' | 'middle' | 'baseline';
export type Alignment = 'left' | 'center' | 'right';

/**
 * What gives way first. `shrink`: the size, then lines are used. `wrap`: lines are used before the size shrinks. `largest`:
 * the same, and a house number may stand on a line of its own.
 */
export type Fitting = 'shrink' | 'wrap' | 'largest';

interface TextFit {
  readonly text: string;
  readonly style: string;
  readonly color: ColorRole;
  readonly maxLines?: number;
  readonly prefer?: Fitting;
  /** Lines it may take at its smallest size rather than lose words to an ellipsis. */
  readonly overflowLines?: number;
  /** Texts of one element with the same group share the smallest fitted size. */
  readonly sizeGroup?: string;
}

export interface TextElement extends ElementBase, TextFit {
  readonly type: 'text';
  readonly box: RelativeBox;
  readonly align: Alignment;
  readonly anchor: VerticalAnchor;
}

/** Text on a plate of paper that hugs it. */
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
  /** The plate is at least this large, relative to the frame; its text stands in its middle. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  /** A block at the plate's outer side, `width` px wide. */
  readonly tab?: { readonly color: ColorRole; readonly width: number; readonly enter?: Animations };
  readonly textEnter?: Animations;
}

export interface PlateLine extends TextFit {
  readonly id: string;
  readonly when?: Condition;
  readonly fill: ColorRole;
}

/** Poster type: every line on a plate of its own, plates flush with each other and with one edge. */
export interface PlatesElement extends ElementBase {
  readonly type: 'plates';
  readonly items: readonly PlateLine[];
  /** Where the plates begin, and where the text does; relative to the frame's width. */
  readonly edge: number;
  readonly textAt: number;
  /** Text ends here at the latest. */
  readonly textEnd: number;
  /** Foot, top or middle of the pile. */
  readonly at: number;
  readonly anchor: 'bottom' | 'top' | 'middle';
  /** Height of a plate and room behind the text, em of its line; `padding` px more behind the text. */
  readonly heightEm: number;
  readonly padEm: number;
  readonly padding: number;
  /** No pile is higher, relative to the frame; sizes shrink together. */
  readonly maxHeight: number;
  /** Where plates and text of a right-to-left text begin; absent: as the others, mirrored. */
  readonly rtl?: { readonly edge: number; readonly textAt: number };
}

export interface StackText extends TextFit {
  readonly id: string;
  readonly when?: Condition;
  /** From the baseline (or rule) above to the capitals of this one, px. */
  readonly gap: number;
  /** When even the smallest setting is too tall, items with this leave, the lowest number first. */
  readonly dropOrder?: number;
  readonly enter?: Animations;
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
  readonly enter?: Animations;
}

export interface StackFacts {
  readonly id: string;
  readonly when?: Condition;
  readonly facts: FactsColumns;
  readonly gap: number;
}

export interface StackFactsLine {
  readonly id: string;
  readonly when?: Condition;
  readonly line: FactsLine;
  readonly gap: number;
  readonly enter?: Animations;
}

export type StackItem = StackText | StackRule | StackFacts | StackFactsLine;

/** A vertical stack: absent items vanish with their gap; too tall: all sizes shrink together. */
export interface StackElement extends ElementBase {
  readonly type: 'stack';
  readonly box: RelativeBox;
  readonly align: Alignment;
  /** `cap-top` hangs from the box's top, `baseline` stands on its foot, `middle` is centred in it. */
  readonly anchor: VerticalAnchor;
  readonly items: readonly StackItem[];
}

/** `long`: "bedrooms", `short`: "beds", `tiny`: "bd". */
export type Wording = 'long' | 'short' | 'tiny';

interface FactsStyle {
  readonly number: string;
  readonly label: string;
  readonly wording: Wording;
  /** Default `ink` and `soft`. */
  readonly numberColor?: ColorRole;
  readonly labelColor?: ColorRole;
}

/** Numbers over labels, side by side, hairlines between. */
export interface FactsColumns extends FactsStyle {
  /** From the number's baseline to the label's capitals, px. */
  readonly labelGap: number;
  /** Least space between a column's words and its border, px. */
  readonly padding: number;
  readonly divider: { readonly color: ColorRole; readonly alpha?: number; readonly rule: number };
}

/** Words of a line in a style and colour of their own. */
export interface LineWords {
  readonly text: string;
  readonly style?: string;
  readonly color?: ColorRole;
}

/** "4 beds | 3.5 baths | 2,840 sq ft": facts as words in one line. */
export interface FactsLine extends FactsStyle {
  /** Which facts it shows; absent: all. */
  readonly kinds?: readonly Fact['kind'][];
  /** Words that stand before the facts, such as `{city}`; in the label's style and colour unless they have their own. */
  readonly before?: readonly (string | LineWords)[];
  /** Between two, em of the number's style; a divider stands in its middle. */
  readonly gapEm: number;
  readonly divider?: {
    readonly color: ColorRole;
    readonly alpha?: number;
    readonly rule: number;
    readonly heightEm: number;
  };
}

export interface FactsLineElement extends ElementBase, FactsLine {
  readonly type: 'facts-line';
  readonly box: RelativeBox;
  readonly align: Alignment;
  readonly anchor: VerticalAnchor;
}

export interface CountUp {
  readonly fromShare: number;
  readonly for: number;
  readonly steps: number;
  /** Which facts count. */
  readonly kinds: readonly ('beds' | 'baths' | 'sqft')[];
}

/** Number left, label right, on one baseline; the last baseline stands on the box's foot. */
export interface FactsElement extends ElementBase, FactsStyle {
  readonly type: 'facts';
  /** Which facts it shows; absent: all. */
  readonly kinds?: readonly Fact['kind'][];
  readonly box: RelativeBox;
  /** Baseline to baseline, px, when the box has room. */
  readonly pitch: number;
  /** A rule above the first row, px above its baseline. */
  readonly topRule?: FactsRule;
  /** Rules between rows, px below the baseline above. */
  readonly divider?: FactsRule;
  readonly countUp?: CountUp;
}

export interface FactsRule {
  readonly color: ColorRole;
  readonly alpha?: number;
  readonly rule: number;
  readonly offset: number;
  readonly enter?: Animations;
}

/** Where something stands in a cell: px from its top to the capitals, or from its foot to the baseline. */
export interface CellPlace {
  readonly from: 'top' | 'bottom' | 'middle';
  readonly offset: number;
  readonly align?: Alignment;
}

/** A cell per fact, beside or under each other. */
export interface FactCellsElement extends ElementBase, FactsStyle {
  readonly type: 'fact-cells';
  /** Which facts it shows; absent: all. */
  readonly kinds?: readonly Fact['kind'][];
  readonly box: RelativeBox;
  readonly flow: 'across' | 'down';
  /**
   * How the box is divided. `even`; `hug`: as wide as the words, `gap` px between, what is left stays free; `share`: as `hug`,
   * what is left is shared out. Or the shares by the number of facts: `[[1], [0.4, 0.6], [0.3, 0.3, 0.4]]`; for more facts
   * than it has rows, even.
   */
  readonly divide: 'even' | 'hug' | 'share' | readonly (readonly number[])[];
  readonly gap: number;
  readonly align: Alignment;
  /**
   * From a cell's left (and right) edge to its words, px: the first cell's, the next one's …, the last counts for the rest.
   * One number stands for the left edge; the last cell then keeps the first one's to its right.
   */
  readonly inset: readonly (number | readonly [number, number])[];
  /** Grounds of the cells in order; absent: none. */
  readonly grounds?: readonly ColorRole[];
  /** Colours of number and label by cell, in place of `numberColor` and `labelColor`. */
  readonly inks?: readonly ColorRole[];
  readonly numberAt: CellPlace;
  readonly labelAt: CellPlace;
  /** A short rule in each cell; without a length as long as the cell's words may be. */
  readonly bar?: {
    readonly at: CellPlace;
    readonly length?: number;
    readonly rule: number;
    /** `label`: a cell without a label has no bar. */
    readonly of?: 'label';
    /** Absent: the colour of the cell's number. */
    readonly color?: ColorRole;
    readonly enter?: Animations;
  };
  readonly divider?: {
    readonly color: ColorRole;
    readonly alpha?: number;
    readonly rule: number;
    /** Not drawn at either end, px. */
    readonly inset: number;
  };
  /** A word that stands for a number (`Studio`), as a share of the numeral's size. */
  readonly wordScale: number;
  readonly numberEnter?: Animations;
  readonly labelEnter?: Animations;
  readonly countUp?: CountUp;
}

/** Lines of poster type, each as large as the column allows. */
export interface PosterElement extends ElementBase {
  readonly type: 'poster';
  /** Which facts it shows; absent: all. */
  readonly kinds?: readonly Fact['kind'][];
  readonly box: RelativeBox;
  /** A line per fact (`facts`), or words with `{names}`; a line with a blank name is left out. */
  readonly lines: 'facts' | readonly string[];
  readonly style: string;
  readonly color: ColorRole;
  readonly wording: Wording;
  /** From a baseline to the capitals below it, px. */
  readonly gap: number;
  readonly align: Alignment;
  readonly anchor: VerticalAnchor;
  readonly countUp?: CountUp;
}

/** The agent's portrait, or in its place the initials in a frame. */
export interface PortraitElement extends ElementBase {
  readonly type: 'portrait';
  readonly box: RelativeBox;
  readonly mask?: Mask;
}

export interface InitialsElement extends ElementBase {
  readonly type: 'initials';
  readonly box: RelativeBox;
  readonly style: string;
  readonly color: ColorRole;
  /** Absent: no ground. */
  readonly fill?: ColorRole;
  readonly keyline?: { readonly color: ColorRole; readonly inset: number; readonly rule: number };
  /** Most of the box's width that the letters may take. */
  readonly fitWidth: number;
  readonly align: Alignment;
  /** `middle`, or on the box's foot, `inset` px above it. */
  readonly anchor: 'middle' | 'baseline';
  /** From the box's left, right and lower edge to letters that are not centred, px. */
  readonly inset: number;
  /** Of keyline and letters; `enter` is the ground's. */
  readonly innerEnter?: Animations;
}

/** The equal-housing mark and the logo: at a foot and a right (or centre) edge. */
export interface MarksElement extends ElementBase {
  readonly type: 'marks';
  readonly color: ColorRole;
  readonly size: number;
  readonly sizeWithLogo: number;
  /**
   * `apart`: the mark's right edge stands at `at`, the logo right-aligned above `logoAbove`. `together`: a centred pair,
   * `pairGap` apart. `edges`: the mark's left edge stands at `at`, the logo's right edge at `logoRight`.
   */
  readonly arrange: 'apart' | 'together' | 'edges';
  readonly at: readonly [x: number, y: number];
  readonly logoAbove?: { readonly stack: string; readonly gap: number };
  readonly logoRight?: number;
  readonly pairGap?: number;
  readonly maxLogoWidth: number;
  /** Role of the ground they stand on, which decides whether the logo needs a plate; default `paper`. */
  readonly ground?: ColorRole;
}

export type Element =
  | PhotoElement
  | MosaicElement
  | FillElement
  | ScrimElement
  | ImageElement
  | TextElement
  | PlateElement
  | PlatesElement
  | StackElement
  | FactsElement
  | FactsLineElement
  | FactCellsElement
  | PosterElement
  | PortraitElement
  | InitialsElement
  | MarksElement;

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
