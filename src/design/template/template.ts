/**
 * The template format above the elements: colors, type, rhythm, scenes and transitions, declared once with descriptions
 * and defaults. From these tables come the types of a resolved template, the published schema
 * (`npm run template-schema`), the defaults (`resolve-template.ts`) and the checks (`check-template.ts`).
 *
 * Sizes are px of a 1920x1080 or 1080x1920 frame, times are seconds. Pure.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import { BUNDLED_FAMILIES, FONT_WEIGHTS } from '../text/text.ts';
import type { Element } from './elements.ts';
import { color, condition, easing, PLATE_PADDING, role, share } from './format/parts.ts';
import {
  anyOf,
  type Drawn,
  type Flat,
  flag,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  record,
  text,
  Value,
} from './format/value.ts';

/** `#RRGGBB`. */
export type Color = string;
export type ColorRole = string;
/** An easing token (storyboard/README.md, "Easing"), or `linear`. */
export type Easing = (typeof easing)['drawn'];

export const RATIOS = ['1920:1080', '1080:1920'] as const satisfies readonly AspectRatio[];

const shippedFamily = oneOf(...BUNDLED_FAMILIES);

const FAMILY_NAME = '^[a-z][a-z0-9-]{0,63}$';
const fontFamily = anyOf<string>(shippedFamily, text('A family of `fonts`.', { pattern: FAMILY_NAME })).named(
  'fontFamily',
);
const weight = oneOf(...FONT_WEIGHTS);

/** Not a path: every font is directly in the folder. */
export const FONT_FILE_NAME = /^[^/\\]+\.([tT][tT][fF]|[oO][tT][fF]|[wW][oO][fF][fF]2)$/;
const fontFile = text('A TTF, OTF or WOFF2 file in `fonts/` beside this file.', {
  pattern: FONT_FILE_NAME.source,
}).named('fontFile');
const FONT_FILE = {
  file: fontFile.required(),
  weight: weight.about('The weight that the file draws. Default: what the font says.'),
  italic: flag('Default: what the font says.'),
};
const OWN_FAMILY = {
  files: listOf(anyOf<string | Drawn<typeof FONT_FILE>>(fontFile, record(FONT_FILE)), {
    minItems: 1,
    maxItems: 24,
  })
    .about('Each weight and slope. A variable font is one file.')
    .required(),
  fallback: oneOf('sans', 'serif').about(
    'The kind of font for characters that the family lacks. Default sans.',
  ),
};
export type OwnFamily = Drawn<typeof OWN_FAMILY>;

const TYPE_OVERFLOW = {
  lines: integer('Up to so many lines.').required(),
  min: number('Down to this size, px.').required(),
};
export type TypeOverflow = Drawn<typeof TYPE_OVERFLOW>;

const TYPE_STYLE = {
  family: fontFamily,
  weight,
  italic: flag(),
  size: number('px').needed(),
  min: number('Smallest size that fitting can reach, px. Without it the text never shrinks.'),
  overflow: record(TYPE_OVERFLOW).about(
    'What comes before a text is cut or a word broken: more lines, smaller type, then no capitals and no tracking.',
  ),
  tracking: number('em'),
  wordSpace: number('Added to every space, em.'),
  lineHeight: number('Of the size.'),
  features: mapOf(oneOf(0, 1)).about('OpenType features.'),
  caps: flag('Set in capitals, in scripts that have them.'),
  hang: flag('Left-aligned lines start with their stem on the edge, not with their side bearing.'),
};
export type TypeStyle = Drawn<typeof TYPE_STYLE>;
const typeStyle = record(TYPE_STYLE).named('typeStyle');
const styles = mapOf(typeStyle).named('styles');

const PALETTE_RULE = {
  mix: new Value<readonly [ColorRole, ColorRole, number]>({
    type: 'array',
    prefixItems: [text(), text(), number()],
    minItems: 3,
    maxItems: 3,
  }).about('Two roles and a share: 0 is the first role, 1 the second.'),
  readableOn: text('Moved away from this role until text in it can be read there.'),
  textOn: text('White or ink, whichever reads better on this role.'),
};
/** How a role follows `accent`, `paper` and `ink` when a listing sets these. */
export type PaletteRule = Drawn<typeof PALETTE_RULE>;

const paletteColor = anyOf(
  color,
  record({ color, ...PALETTE_RULE }).about(
    'A role that follows accent, paper and ink. `color` counts until a listing sets one of them.',
  ),
).named('paletteColor');

/**
 * Colors by role. Elements name a role, never a color, so that `accent`, `paper` and `ink` reach every scene. A
 * template can add roles.
 */
export type Palette = Readonly<Record<string, Color>> & {
  readonly [K in 'paper' | 'ink' | 'soft' | 'accent' | 'accentText' | 'tint']: Color;
};

const DATA_LAYER = {
  name: text(undefined, { pattern: '^[a-z][a-z0-9_]*$' }).required(),
  type: oneOf('text', 'color', 'image', 'number', 'boolean', 'choice').required(),
  description: text().required(),
  default: text('In the form that template_data uses. For an image, "" means none.').required(),
  example: text().required(),
  min: number('Smallest number.'),
  max: number('Largest number.'),
  maxLength: integer('Of a text: more characters are a warning.', { minimum: 1 }),
  options: listOf(text(undefined, { pattern: '^[a-z][a-z0-9-]*$' }), { minItems: 2 }).about(
    'Values of a choice. With `min` and `max`, it can also be seconds between these, such as `30s`.',
  ),
};
/** A value that `template_data` can set. All values arrive as strings. */
export type DataLayer = Drawn<typeof DATA_LAYER>;

const cameraMove = oneOf('in', 'out', 'lateral', 'pan', 'still').named('move');
export type CameraMove = (typeof cameraMove)['drawn'];

export const CAMERA = {
  speedPerSec: number('Change of scale per second: 0.016 is 1.6 %.').filled(0.016),
  minTravel: number('The least a scene travels however short it is, share of scale.', {
    maximum: 0.04,
  }).filled(0.04),
  maxTravel: number('The most a scene can travel, share of scale.', { maximum: 0.08 }).filled(0.08),
  easing: easing.about('Of all moves but pans, which always take `sweep`.').filled('sweep'),
  hook: cameraMove.about('Of every photo of the hook. Default: these differ.'),
  hero: cameraMove.filled('in'),
  closing: cameraMove.about(
    'Of the closing, unless the scene before it moves so. Default: the next one of `cycle`.',
  ),
  heroTravel: number('Scale that the opening travels in all, whatever the speed: 0.06 is from 1.06 to 1.'),
  cycle: listOf(cameraMove, { minItems: 1 })
    .about('Moves of the scenes, in this order, again and again.')
    .filled(['out', 'lateral', 'in']),
  pan: record({
    min: number().required(),
    max: number().required(),
    perSec: number().required(),
    maxSpeed: number('At its fastest, in a second at most this share of the width of its box.').filled(0.15),
  })
    .about(
      "How much of its width a photo is panned across: at least, at most, and per second. Shares of the photo's width.",
    )
    .filled({ min: 0.12, max: 1, perSec: 0.16, maxSpeed: 0.15 }),
  parallax: number('Speed of each next photo of a scene, share of the speed of the one before.').filled(0.85),
};
export type CameraRules = Drawn<typeof CAMERA>;
const camera = record(CAMERA).named('camera');

const bodyLayout = oneOf('single', 'pair', 'three', 'four', 'six', 'run')
  .about('How many photos a scene shows. A run is four singles that follow each other on the beats.')
  .named('layout');
export type BodyLayout = (typeof bodyLayout)['drawn'];

const pacingRow = record({
  maxPhotos: integer('The row counts for up to this many usable photos.').required(),
  cycle: listOf(bodyLayout, { minItems: 1 }).required(),
  sec: new Value<Partial<Readonly<Record<BodyLayout, number>>>>({
    type: 'object',
    propertyNames: bodyLayout,
    additionalProperties: number(),
  }).required(),
  capFactor: number('Multiplies `capSec`: so many photos can take longer. Default: 1.'),
});
export type PacingRow = (typeof pacingRow)['drawn'];

const hook = record({
  cuts: integer('How many photos, when there are enough.', { minimum: 1, maximum: 4 }).required(),
  sec: number('Seconds of all of them. Each lasts half a beat or one to four beats.').required(),
  keepsFirst: flag(
    'Where two photos open the video, the first one stays in all cuts, and those beside it change.',
  ),
});

export const PACING = {
  table: oneOf('landscape', 'portrait', 'quick').filled('landscape', 'portrait'),
  rows: listOf(pacingRow).about('In place of a table.').derived(),
  hook: hook.about(
    'Photos of the body, full-frame, before the opening. They change with cuts unless a transition is from `hook`.',
  ),
  heroSec: number('Seconds of the opening.').filled(4.5, 3.3),
  nextViewSec: number(
    'Halfway through an opening or facts that stand long enough, another view takes the place of the photo: seconds of the dissolve, 0 for a cut. Default: the photo stays.',
  ),
  factsSec: number('Seconds of the facts scene.').filled(4, 2.5),
  factsAgainSec: number('Most seconds of the facts scene where an opening says the facts too. Default: 2.6.'),
  endSec: number('Seconds of the last scene: card or closing.').filled(5, 4.2),
  factor: number('Multiplies the seconds of body scenes.').filled(1),
  capSec: number('Longest video, seconds.').filled(60, 35),
  minSceneSec: number('No body scene is shorter, whatever the longest video.').filled(1.5, 1.4),
  factsAt: share.about('The facts scene comes after this share of the body.').filled(0.4),
};
export type Pacing = Flat<Omit<Drawn<typeof PACING>, 'table'>>;
const pacing = record(PACING).named('pacing');

export const SCENE_ROLES = [
  'hook',
  'hero',
  'single',
  'pair',
  'three',
  'four',
  'six',
  'facts',
  'statement',
  'address',
  'floor_plan',
  'originals',
  'card',
  'closing',
] as const;
export type SceneRole = (typeof SCENE_ROLES)[number];

/** A layout of a scene, but for its elements. The first whose conditions match and whose photos fit is taken. */
export const VARIANT = {
  name: text().required(),
  when: condition,
  turn: record({
    of: integer(undefined, { minimum: 1 }).required(),
    on: listOf(integer(undefined, { minimum: 1 }), { minItems: 1 }).required(),
  }).about(
    'Only for these of every `of` scenes of the role, counted from 1: {"of": 3, "on": [3]} is every third.',
  ),
  dealsFact: flag(
    'Shows a fact that no scene has shown yet, as {fact_number} and {fact_label}. Without such a fact the variant is skipped.',
  ),
  ground: oneOf('full-bleed', 'page')
    .about('What transitions see: photos to the edges, or a page of paper.')
    .filled('page'),
  background: role.filled('paper'),
};
export type SceneVariant = Flat<Drawn<typeof VARIANT> & { readonly elements: readonly Element[] }>;

const direction = oneOf('left', 'right', 'up', 'down').named('direction');
export type Direction = (typeof direction)['drawn'];
const directions = anyOf<readonly Direction[]>(direction, listOf(direction, { minItems: 1 })).about(
  'Where to. Several directions follow each other, change by change.',
);
const sec = (value: number) => number('Seconds.').filled(value);

export const TRANSITIONS = {
  cut: {},
  crossfade: { sec: sec(0.6), easing: easing.filled('linear') },
  push: {
    sec: sec(0.8),
    easing: easing.filled('glide'),
    direction: directions.filled(['left']),
    gutter: number('px between the pages.').filled(0),
    color: role.filled('paper'),
  },
  /** A bar crosses the frame: before it the old scene, behind it the new one. */
  wipe: {
    sec: sec(0.6),
    easing: easing.filled('glide'),
    direction: directions.filled(['left']),
    bar: number('Width of the bar, px.').filled(0),
    color: role.filled('accent'),
  },
  'match-zoom': { sec: sec(0.9), easing: easing.filled('glide'), fadeSec: number('Seconds.').filled(0.25) },
  /** Out into a color, and out of it. */
  dip: {
    sec: sec(0.7),
    outSec: number('Seconds of `sec` into the color.').filled(0.35),
    easing: easing.filled('linear'),
    color: role.filled('paper'),
  },
  /** Fades to a color, on which the next scene opens from a centered slit to its full width or height; without a fade it opens over the old scene. */
  aperture: {
    sec: sec(1.35),
    fadeSec: number('Seconds.').filled(0.25),
    easing: easing.filled('draw'),
    axis: oneOf('horizontal', 'vertical').filled('horizontal'),
    color: role.filled('paper'),
  },
  /** The elements of the next scene enter over the old scene; the page of the next scene comes with the last frame. */
  over: { sec: sec(0.6) },
};

const sceneSelector = listOf(text())
  .about(
    'Scenes, any of: roles, full-bleed, page, multi (pair to six), photos (single to six), ending (card, closing), in to also same-room (of the photo before it, or of unknown room like it). A leading ! means all but these.',
  )
  .named('selector');
export type SceneSelector = (typeof sceneSelector)['drawn'];

export const TRANSITION_RULE = {
  from: sceneSelector,
  to: sceneSelector,
  every: integer('Of the changes that reach this rule, only every nth takes it.', { minimum: 1 }),
  max: integer('So many changes of a video take this rule; later ones go on to the next.', { minimum: 1 }),
};
export type TransitionDesign = {
  [K in keyof typeof TRANSITIONS]: Flat<{ readonly kind: K } & Drawn<(typeof TRANSITIONS)[K]>>;
}[keyof typeof TRANSITIONS];
/** The first rule that matches both scenes is taken. */
export type TransitionRule = TransitionDesign & Drawn<typeof TRANSITION_RULE>;

export const EXTRA_SCENE = {
  role: oneOf('statement', 'address').required(),
  when: condition,
  photo: oneOf('hero', 'last').about('The photo it shows again.').filled('hero'),
  sec: number('Seconds.').filled(2.5),
  at: share.about('Comes after this share of the body.').filled(0.7),
};
/** A scene that shows text in place of the next photos of the listing. */
export type ExtraScene = Drawn<typeof EXTRA_SCENE>;

export const PHOTO_COUNTS = {
  heroPhotos: integer('How many of the first photos the opening shows, when there are enough.').filled(1),
  factsPhotos: integer('How many photos the facts scene shows, when there are enough.').filled(1),
  closingPhotos: integer(
    'How many of the last photos the closing shows, when there are enough. A card shows the photos of the opening.',
  ).filled(1),
};
export const PAIRING = {
  captionMakesPair: flag('No effect: captioned photos get a layout with a place for their words.'),
  pairWhen: record({ below: number(), above: number() }).about(
    'No effect: photos that cannot fill the frame get a layout that they fill.',
  ),
};

export const NOTICE = {
  style: text(
    'A type style. Its smallest size is that of notices. Default: small, else the smallest style.',
  ).derived(),
  color: role.filled('ink'),
  fill: role.filled('paper'),
  padding: PLATE_PADDING.filled([24, 28, 22, 28], [26, 30, 24, 30]),
  corner: oneOf('bottom-left', 'bottom-right', 'top-right', 'top-left')
    .about('The corner of its photo where a notice stands if it finds room there.')
    .filled('bottom-right'),
};
/**
 * The plates of what the law wants to be read: the disclosure, the labels of altered photos. The program finds a place
 * for each of them.
 */
export type Notice = Drawn<typeof NOTICE>;

const dataLayers = record({
  without: listOf(text()).about('Common layers that the template does not have.'),
  defaults: mapOf(text()).about('Defaults of common layers.'),
  own: listOf(record(DATA_LAYER).named('dataLayer')),
});

const notice = record(NOTICE).named('notice');

export const DESIGN = { camera, pacing, styles, notice };
export const TEMPLATE = {
  $schema: text(),
  id: text(undefined, { pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }).required(),
  name: text().required(),
  description: text().required(),
  branding: oneOf('agent', 'none')
    .about('none: the video shows nothing of agent, office or brand, and ends on a closing scene.')
    .filled('agent'),
  music: text('Name of the soundtrack. Default: silence.'),
  palette: new Value<Palette>({
    type: 'object',
    required: ['paper', 'ink', 'accent'],
    additionalProperties: paletteColor,
  })
    .about('Colors by role. A template that sets type on its accent gives onAccent.')
    .required(),
  fonts: new Value<Readonly<Record<string, OwnFamily>>>({
    type: 'object',
    propertyNames: text(undefined, { pattern: FAMILY_NAME }),
    additionalProperties: record(OWN_FAMILY),
  }).about('Your own font families by name, for `family`. Their files are in `fonts/` beside this file.'),
  styleDefaults: new Value<Flat<Omit<TypeStyle, 'size' | 'family'> & { readonly family: string }>>({
    type: 'object',
    allOf: [typeStyle],
    required: ['family'],
  })
    .about('What every type style has unless it says otherwise.')
    .required(),
  dataLayers,
};

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `none`: the video shows nothing of agent, office or brand, ends on a `closing` scene, and has no such metadata. */
  readonly branding: (typeof TEMPLATE.branding)['drawn'];
  /** Name of the soundtrack unless the data layer `music` says otherwise; absent: silence. */
  readonly music?: string;
  readonly palette: Palette;
  /** A role without a rule keeps its color. */
  readonly paletteRules: Readonly<Record<ColorRole, PaletteRule>>;
  readonly dataLayers: readonly DataLayer[];
  /** Layers that other templates have and this one leaves out on purpose; setting one is a warning that says so. */
  readonly withoutLayers: readonly string[];
  readonly fonts?: Readonly<Record<string, OwnFamily>>;
  /** SHA-256 (hex) of the file, and of its fonts, of one of the user's own. Absent: it ships. */
  readonly fileDigest?: string;
  readonly styleDefaults: (typeof TEMPLATE.styleDefaults)['drawn'];
  readonly ratios: Readonly<Record<AspectRatio, RatioDesign>>;
}

export interface RatioDesign extends Drawn<typeof PHOTO_COUNTS> {
  readonly camera: CameraRules;
  readonly pacing: Pacing;
  readonly extras: readonly ExtraScene[];
  readonly styles: Readonly<Record<string, TypeStyle>>;
  readonly notice: Notice;
  readonly scenes: Readonly<Record<SceneRole, readonly SceneVariant[]>>;
  readonly transitions: readonly TransitionRule[];
}
