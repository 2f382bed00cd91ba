/**
 * What a scene of a template is made of: elements, where they stand, and how they come and go. Types only.
 *
 * Boxes are `[x, y, w, h]` relative to the frame (0 to 1, origin top left). Sizes, gaps and paddings are px of a
 * 1920x1080 or 1080x1920 frame. Times are seconds and count from the scene's frame 0.
 */
import type { Fact } from '../listing/words/facts.ts';
import type { ColorRole, Easing } from './template.ts';

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
