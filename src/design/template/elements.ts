/**
 * The elements of a scene: each type with its fields, their descriptions and defaults, declared once.
 *
 * Boxes are `[x, y, w, h]`, shares of the frame from its top left corner. Sizes, gaps and paddings are px of a
 * 1920x1080 or 1080x1920 frame. Times are seconds from the scene's frame 0. Pure.
 */
import {
  align,
  anchor,
  box,
  cellPlace,
  changes,
  condition,
  countUp,
  divider,
  FACTS_LINE,
  FITTING,
  factKinds,
  factsRule,
  factsStyle,
  id,
  mask,
  motion,
  PLATE_LINE,
  PLATE_PADDING,
  point,
  role,
  STACK_ITEMS,
  share,
  TEXT,
  wording,
} from './format/parts.ts';
import {
  anyOf,
  choice,
  type Drawn,
  type Fields,
  type Flat,
  flag,
  integer,
  listOf,
  number,
  numbers,
  oneOf,
  record,
  text,
} from './format/value.ts';

type Pair = readonly [number, number];
const pair = numbers<Pair>(2);
const ids = (description: string) => listOf(text()).about(description);
const cropLoss = share.about('The most of a photo that can be cut off.');
const enlargement = number(
  'Pixels of the frame for each pixel of the photo. Up to 3 for photos that are cut to and away from soon, 3.12 with a moving camera.',
  { minimum: 1, maximum: 3.12 },
).filled(2);
const photoCamera = choice({
  move: 'as the camera rules say (default)',
  pan: 'the view crosses the photo at one scale',
  still: 'nothing moves',
});
const maxLines = integer(undefined, { minimum: 1 });
const corner = oneOf('bottom-left', 'bottom-right', 'top-right', 'top-left');
const FROM_RIGHT =
  'Its place in scenes that are read from right to left. What comes from a side comes from the other.';
const rtlBox = record({ box: box.required() }).about(FROM_RIGHT);
const { text: stackText, rule: stackRule, facts: stackFacts, line: stackLine } = STACK_ITEMS;
const stackItem = record({ ...stackLine, ...stackFacts, ...stackRule, ...stackText, color: role });
/** Items, or changes of a block's items by id. */
const itemsOf = <T>(item: ReturnType<typeof record>) => anyOf<readonly T[]>(listOf(item), changes).filled([]);

/** @param defaultId - The id of an element that has none. */
function element<F extends Fields>(about: string, fields: F, defaultId?: string) {
  return { about, fields, defaultId };
}

export const ELEMENTS = {
  photo: element('A photo of the scene.', {
    box: box.needed(),
    photo: integer("0 is the scene's first photo. Default: from the id.").derived(),
    fit: choice({
      cover: 'fills the box; if it cannot, the variant does not fit',
      mat: 'fills the box; if it cannot, it stands whole on a tint',
      plate: 'stands whole on the page',
    }).filled('cover'),
    maxCropLoss: cropLoss,
    maxEnlargement: enlargement,
    subjectAbove: share.about(
      'What matters in the photo stands above this share of the frame: the view moves, and comes nearer where it must.',
    ),
    camera: photoCamera,
    print: record({
      color: role.required(),
      rule: number('Thickness of the line, px.').required(),
      gap: number('From the photo to the line, px.').required(),
      ticks: number('Length of its end strokes, px: the line is a measure under the photo, not around it.'),
    }).about(
      'A line beside a photo: it stands as a print on its ground. Of a `mat` only where the photo cannot fill it, in place of the tint.',
    ),
    clearOf: ids(
      'Ids of elements that must not cover what matters in the photo; else the variant does not fit.',
    ),
    mask,
    rtl: rtlBox,
  }),
  photos: element('Several photos in boxes: photo-1, photo-2 and so on.', {
    boxes: listOf(box, { minItems: 1 }),
    fit: oneOf('cover', 'mat', 'plate'),
    maxCropLoss: cropLoss,
    maxEnlargement: enlargement,
    camera: photoCamera,
  }),
  mosaic: element(
    'All photos of the scene in justified rows.',
    {
      box: box.needed(),
      fit: choice({
        whole: 'nothing is cropped, and the rows can be smaller than the box',
        fill: 'the rows fill the box',
      }).filled('whole'),
      gap: number('px').filled(32, 24),
      maxCropLoss: share.about('How much `whole` can crop to use more of a high box. Default: nothing.'),
    },
    'photo',
  ),
  fill: element('A block or a rule.', {
    box: box.needed(),
    color: role.filled('ink'),
    alpha: share,
    rule: number('Thickness of a rule, px, in place of a zero side of the box.'),
    ticks: number('Length of a stroke across each end of a rule, px, as on the measures of a plan.'),
    mask,
    rtl: rtlBox,
  }),
  scrim: element(
    'A gradient of one color over a photo, made stronger until the texts on it can be read.',
    {
      box: box.needed(),
      color: role.filled('paper'),
      direction: oneOf('down', 'up', 'right', 'left').filled('down'),
      stops: listOf(pair.about('Position along `direction`, and alpha.'), { minItems: 2 }).needed(),
      for: ids('Ids of the elements whose texts must be readable on it.'),
      reach: number('Its first edge stays at least this share of the frame above those texts.'),
    },
    'scrim',
  ),
  image: element('The image of an image data layer, such as the logo, whole in its box.', {
    box: box.needed(),
    layer: text('An image data layer.').needed(),
    align: align.filled('left'),
    anchor: oneOf('top', 'middle', 'bottom').filled('middle'),
  }),
  text: element('A text in a box.', {
    box: box.needed(),
    text: TEXT.text,
    style: TEXT.style.needed(),
    color: role.filled('ink'),
    ...FITTING,
    align: align.filled('left'),
    anchor: anchor.filled('cap-top'),
    rtl: rtlBox,
  }),
  plate: element('A text on a plate of its size.', {
    at: point.about('Where `corner` stands.').needed(),
    text: TEXT.text,
    style: TEXT.style.needed(),
    color: role.filled('ink'),
    fill: role.filled('paper'),
    corner: corner.filled('bottom-left'),
    maxWidth: number('Share of the frame.').filled(0.6),
    maxLines: maxLines.filled(2),
    prefer: FITTING.prefer,
    padding: PLATE_PADDING.filled([30, 40, 28, 40]),
    minWidth: number('Share of the frame. The text stands in the middle of a larger plate.'),
    minHeight: number('Share of the frame.'),
    tab: record({
      color: role.required(),
      width: number('px').required(),
      side: oneOf('outer', 'start').about(
        'Where the text begins, or at the other end than `corner` (default).',
      ),
      enter: motion,
    }),
    textEnter: motion,
    rtl: record({ at: point.required(), corner: corner.required(), padding: PLATE_PADDING }).about(
      `${FROM_RIGHT} Default of its padding: left and right change places.`,
    ),
  }),
  plates: element('Text line by line, each line on its own plate, all plates flush with one edge.', {
    at: number('Foot, top or middle of the plates, share of the height.').needed(),
    textAt: number('Where text begins, share of the width.').needed(),
    textEnd: number('Where text ends at the latest, share of the width.').needed(),
    heightEm: number('Height of a plate, em of its line.').filled(1.06),
    padEm: number('Space behind the text, em of its line.').filled(0.1),
    padding: number('More space behind the text, px.').filled(10),
    edge: number('Where the plates begin, share of the width.').filled(0),
    side: oneOf('left', 'right')
      .about('right: mirrored, with all that comes from a side, in both reading directions.')
      .filled('left'),
    anchor: oneOf('bottom', 'top', 'middle').filled('bottom'),
    maxHeight: number('Of all plates, share of the frame. Sizes shrink together.').filled(0.6),
    items: itemsOf<PlateLine>(record(PLATE_LINE)),
    // Right-to-left scripts; absent: mirrored.
    rtl: record({ edge: number().required(), textAt: number().required() }),
  }),
  stack: element('Items under each other. Absent items leave no gap; in a low box all sizes shrink.', {
    box: box.needed(),
    align: align.filled('left'),
    anchor: anchor.filled('cap-top'),
    grow: number(
      'The most that all sizes grow together where the box has room: 1.3 is 30 % more. No text gets more lines by it.',
      { minimum: 1, maximum: 1.5 },
    ),
    rtl: rtlBox,
    items: itemsOf<StackItem>(
      stackItem.about('A text, a rule (`rule`), facts in columns (`facts`) or facts in a line (`line`).'),
    ),
  }),
  facts: element(
    'A row for each fact: number left, label right. The last baseline stands on the foot of the box.',
    {
      box: box.needed(),
      ...factsStyle('number', 'label', 'long'),
      pitch: number('Baseline to baseline, px.').needed(),
      topRule: factsRule.about('A rule above the first row.'),
      divider: factsRule.about('Rules between rows.'),
      countUp,
      kinds: factKinds({ minItems: 1 }),
    },
    'facts',
  ),
  'facts-line': element(
    'Facts as text in one line.',
    {
      box: box.needed(),
      ...FACTS_LINE,
      align: align.filled('left'),
      anchor: anchor.filled('baseline'),
      rtl: rtlBox,
    },
    'facts',
  ),
  'fact-cells': element(
    'A cell for each fact, side by side or under each other.',
    {
      box: box.needed(),
      ...factsStyle('number', 'label', 'short'),
      flow: oneOf('across', 'down').filled('across'),
      divide: anyOf<'even' | 'hug' | 'share' | readonly (readonly number[])[]>(
        choice({
          even: 'equal cells',
          hug: 'as wide as the text, `gap` between them, the rest stays free',
          share: 'like hug, and the rest is shared out',
        }),
        listOf(listOf(number())).about(
          'Shares by the number of facts, [[1], [0.4, 0.6]]; for more facts: even.',
        ),
      ).filled('even'),
      gap: number('px').filled(0),
      align: align.filled('left'),
      inset: listOf(anyOf<number | Pair>(number(), pair), { minItems: 1 })
        .filled([0])
        .about('px left (or left and right) of the text, cell by cell; the last value counts for the rest.'),
      grounds: listOf(role).about('Color of each cell in order. Default: none.'),
      inks: listOf(role).about('Color of number and label, cell by cell.'),
      numberAt: cellPlace.needed(),
      labelAt: cellPlace.needed(),
      bar: record({
        at: cellPlace.required(),
        length: number('px. Default: as long as the text can be.'),
        rule: number('px').required(),
        of: oneOf('label').about('A cell without a label has no bar.'),
        color: role.about("A color role. Default: the color of the cell's number."),
        enter: motion,
      }),
      divider: record({ ...divider, inset: number('px left free at both ends.').required() }),
      wordScale: number('Size of a word in place of a number (Studio), share of its size.').filled(0.42),
      numberEnter: motion,
      labelEnter: motion,
      countUp,
      kinds: factKinds({ minItems: 1 }),
    },
    'facts',
  ),
  poster: element(
    'Lines, each as large as the column allows.',
    {
      box: box.needed(),
      lines: anyOf<'facts' | readonly string[]>(
        oneOf('facts').about('A line for each fact.'),
        listOf(text()).about('Texts with {names}; a line with a blank name is left out.'),
      ).filled('facts'),
      style: text('A type style. Its size is the largest.').filled('poster'),
      color: role.filled('ink'),
      wording: wording.filled('short'),
      gap: number('From a baseline to the capitals below, px.').filled(48),
      align: align.filled('left'),
      anchor: anchor.filled('middle'),
      countUp,
      kinds: factKinds({ minItems: 1 }),
    },
    'poster',
  ),
  portrait: element("The agent's portrait.", { box: box.needed(), mask }, 'portrait'),
  initials: element(
    "The agent's initials in a frame, where there is no portrait.",
    {
      box: box.needed(),
      style: text('A type style.').filled('initials'),
      color: role.filled('ink'),
      fill: role.about('Color of the ground. Default: none.'),
      keyline: record({
        color: role.required(),
        inset: number('px').required(),
        rule: number('px').required(),
      }),
      fitWidth: share.filled(0.76).about("The most of the box's width that the letters can take."),
      align: align.filled('center'),
      anchor: oneOf('middle', 'baseline').filled('middle'),
      inset: number('px from the sides and the foot of the box to letters that are not centered.').filled(0),
      innerEnter: motion.about('Motion of keyline and letters; `enter` moves the ground.'),
    },
    'initials',
  ),
  marks: element(
    'The equal-housing mark and the logo.',
    {
      at: point.needed(),
      color: role.filled('ink'),
      size: number('px').filled(56),
      sizeWithLogo: number('px').filled(64),
      arrange: choice({
        apart: "the mark's right edge stands at `at`, the logo above `logoAbove`, right-aligned",
        together: 'a centered pair, `pairGap` apart',
        edges: "the mark's left edge stands at `at`, the logo's right edge at `logoRight`",
      }).filled('apart'),
      maxLogoWidth: number('Share of the frame.').filled(0.2),
      logoAbove: record({ stack: text('Id of a stack.').required(), gap: number('px').required() }),
      logoRight: number('Share of the width.'),
      pairGap: number('px'),
      ground: role.about('The role they stand on: the logo gets a plate where it needs one. Default: paper.'),
      plate: flag('Every logo has a plate.'),
    },
    'marks',
  ),
  qr: element(
    'A QR code, as large as its box allows. On a dark ground it gets a light plate, which then fills the box.',
    {
      box: box.needed(),
      of: choice({ link: 'of the link', originals: 'of the address of the original photos' }).filled('link'),
      color: role.filled('ink'),
      ground: role.about('The role it stands on.').filled('paper'),
      align: align.filled('left'),
      anchor: oneOf('top', 'middle', 'bottom').filled('top'),
    },
    'qr',
  ),
};

export const COMMON_FIELDS = { id: id.derived(), when: condition, enter: motion, exit: motion };

type Drawings = {
  [K in Exclude<keyof typeof ELEMENTS, 'photos'>]: Flat<
    { readonly type: K } & Drawn<typeof COMMON_FIELDS> & Drawn<(typeof ELEMENTS)[K]['fields']>
  >;
};
/** An element of a resolved template: blocks put in, defaults filled, `photos` split into single ones. */
export type Element = Drawings[keyof Drawings];

export type PhotoElement = Drawings['photo'];
export type MosaicElement = Drawings['mosaic'];
export type ScrimElement = Drawings['scrim'];
export type ImageElement = Drawings['image'];
export type TextElement = Drawings['text'];
export type PlateElement = Drawings['plate'];
export type PlatesElement = Drawings['plates'];
export type StackElement = Drawings['stack'];
export type FactsElement = Drawings['facts'];
export type FactsLineElement = Drawings['facts-line'];
export type FactCellsElement = Drawings['fact-cells'];
export type PosterElement = Drawings['poster'];
export type PortraitElement = Drawings['portrait'];
export type InitialsElement = Drawings['initials'];
export type MarksElement = Drawings['marks'];
export type QrElement = Drawings['qr'];

export type PlateLine = Drawn<typeof PLATE_LINE>;
export type StackText = Drawn<typeof stackText>;
export type StackRule = Drawn<typeof stackRule>;
export type StackItem = StackText | StackRule | Drawn<typeof stackFacts> | Drawn<typeof stackLine>;
export type CellPlace = (typeof cellPlace)['drawn'];
export type Fitting = (typeof FITTING.prefer)['drawn'];
export type Condition = (typeof condition)['drawn'];
export type Mask = (typeof mask)['drawn'];
export type Wording = (typeof wording)['drawn'];
export type CountUp = (typeof countUp)['drawn'];
export type { Animation, Animations, FactsColumns, FactsLine } from './format/parts.ts';

export function elementFormat(type: string) {
  return Object.hasOwn(ELEMENTS, type) ? ELEMENTS[type as keyof typeof ELEMENTS] : undefined;
}
