/** What elements are made of: colors, places, conditions, motion, texts, facts, items of stacks and plates. Pure. */
import { COUNTED_FACT_KINDS, FACT_KINDS } from '../../../listing/words/facts.ts';
import {
  anyOf,
  choice,
  type Drawn,
  type Flat,
  flag,
  integer,
  listOf,
  number,
  numbers,
  oneOf,
  record,
  text,
  Value,
} from './value.ts';

export const color = text(undefined, { pattern: '^#[0-9A-Fa-f]{6}$' }).named('color');

export const role = text(
  'A color of the palette by its role: paper, ink, soft, accent, accentText, tint, onAccent, onInk, white, or a role of this template. A fill can also be photoShade, which goes from the color of one edge of the photo to that of the other, or photoEdge, the color along its edges.',
).named('role');

export const id = text(undefined, { pattern: '^[a-z0-9][a-z0-9-]*$' }).named('id');
export const share = number(undefined, { minimum: 0, maximum: 1 }).named('share');

export const box = numbers<readonly [x: number, y: number, w: number, h: number]>(4)
  .about('x, y, width, height: shares of the frame, 0 to 1, from its top left corner.')
  .named('box');
export const point = numbers<readonly [x: number, y: number]>(2)
  .about('x, y: shares of the frame, 0 to 1, from its top left corner.')
  .named('point');

export const align = oneOf('left', 'center', 'right').named('align');
export const anchor = oneOf('cap-top', 'middle', 'baseline')
  .about(
    "cap-top: the first line's capitals touch the top of the box. baseline: the last baseline stands on its foot.",
  )
  .named('anchor');

/** Texts of facts: "bedrooms", "beds", "bd". */
export const wording = oneOf('long', 'short', 'tiny').about('"bedrooms", "beds" or "bd".').named('wording');

export const easing = oneOf('linear', 'settle', 'glide', 'leave', 'draw', 'sweep', 'land').named('easing');

export const condition = listOf(text(undefined, { pattern: '^!?[a-z0-9_-]+$' }))
  .about(
    'Names that must match the scene; with a leading ! those that must not. Names of texts (caption, title and so on), facts, facts-1 to facts-4, portrait, logo, office-lines, contact-lines, name-in-parts, photo-2, lone, bedroom, outside, run, original, close-up, short-caption, calm-above, calm-left, calm-right, calm-low, calm-high.',
  )
  .named('condition');

export const mask = new Value<
  { readonly shape: 'ellipse' } | { readonly shape: 'rounded'; readonly radius: number }
>({
  oneOf: [
    record({ shape: oneOf('ellipse').required() }),
    record({ shape: oneOf('rounded').required(), radius: number('px').required() }),
  ],
}).named('mask');

export const countUpFields = {
  fromShare: share.about('Counting starts at this share of the value, 0.9 at least.').filled(0.9),
  for: number('Duration, seconds, at most 0.6.').filled(0.6),
  steps: integer(undefined, { maximum: 12, minimum: 2 }).filled(12),
  kinds: listOf(oneOf(...COUNTED_FACT_KINDS))
    .about('The facts that count.')
    .filled(['sqft']),
};
export const countUp = record(countUpFields)
  .about('Numbers count up to their value. By default only the square feet do.')
  .named('countUp');

const side = oneOf('left', 'right', 'top', 'bottom', 'center', 'middle');

export const ANIMATION = {
  use: text('A named motion to start from. The fields beside it replace those of the motion.'),
  kind: choice({
    fade: 'appears',
    rise: 'fades and travels',
    slide: 'travels without fading; without `by` its own size, so that it comes from outside',
    reveal: 'a window opens',
    draw: 'a reveal for rules',
    lift: 'travels inside a window that does not move; without `by` its own height',
  }).needed(),
  from: side.about('Where it comes from. center opens to left and right, middle up and down.').needed(),
  to: side.about('Where it goes to, in an exit.'),
  by: number('How far it travels, px.'),
  start: number('How much of it shows before, px (reveal, draw).'),
  at: number('Start, seconds from frame 0; below 0: in the transition into the scene. Default 0.').needed(),
  before: number("Start of an exit, seconds before the scene's transition begins. Default: its duration."),
  after: number('Start of an exit, seconds from frame 0, in place of `before`.'),
  for: number('Duration, seconds.').filled(0.5),
  easing: easing.needed(),
  each: choice({
    whole: 'the element moves as one (default)',
    item: 'each row, plate, cell or line of a poster moves on its own (default with a stagger)',
    line: 'each line of text moves on its own',
    word: 'each word moves on its own; only spaces part words, and a text of more than 16 words moves by line',
  }).needed(),
  stagger: number('Seconds between one and the next.').filled(0),
  until: number('Second by which all have moved: the stagger shrinks to fit.'),
};
const animation = record(ANIMATION).named('animation');

/**
 * One way to come or to go, in full. `from` and `at` of an exit are where it goes to, and the seconds before the
 * scene's transition begins; an exit with `after` begins then.
 */
export type Animation = Flat<Omit<Drawn<typeof ANIMATION>, 'use' | 'to' | 'before'>>;
export type Animations = readonly Animation[];

/** Written as a name, an animation or a list of these; resolved to a list of animations. */
export const motion = anyOf<Animations>(text(), animation, listOf(anyOf(text(), animation)))
  .about('A named motion, an animation, or a list of these.')
  .named('motion');

/** Changes by id, as `set` and `items` take them. */
export const changes = new Value<never>({
  type: 'object',
  additionalProperties: { type: ['object', 'null'] },
})
  .about(
    'Changes by the id of an element: fields replace fields, and null removes the field or the element. The items of a stack can be changed by id too.',
  )
  .named('changes');

/** A text and its style. Both follow from the id where they are absent. */
export const TEXT = {
  text: text('Text with {names}. It is left out when a name is blank. Default: {id}.').derived(),
  style: text('A type style. Default: the id.').derived(),
};

export const FITTING = {
  maxLines: integer(undefined, { minimum: 1 }),
  prefer: choice({
    shrink: 'the size shrinks first, then lines are added (default)',
    wrap: 'lines are added first',
    largest: 'like wrap, and a house number can stand alone',
  }),
  overflowLines: integer('Lines it can take at its smallest size, so that no words are lost.'),
  sizeGroup: text('Texts of one element with the same group share the smallest fitted size.'),
};

const item = { id: id.derived(), when: condition };

export const PLATE_LINE = {
  ...item,
  ...TEXT,
  ...FITTING,
  color: role.filled('ink'),
  fill: role.filled('paper'),
  over: flag('It comes where the item before it was, which has gone by then.'),
  enter: motion,
  exit: motion,
};

export const PLATE_PADDING = numbers<readonly [top: number, right: number, bottom: number, left: number]>(
  4,
).about('Top, right, bottom, left, px, around capitals and baseline.');

export const divider = { color: role.required(), alpha: share, rule: number('px').required() };
export const factKinds = (limits = {}) =>
  listOf(oneOf(...FACT_KINDS), limits).about('The facts it shows. Default: all.');

export const factsStyle = (numbers: string, labels: string, words: (typeof wording)['drawn']) => ({
  number: text('Type style of numbers.').filled(numbers),
  label: text('Type style of labels.').filled(labels),
  wording: wording.filled(words),
  numberColor: role.about('A color role. Default: ink.'),
  labelColor: role.about('A color role. Default: soft.'),
});

/** Numbers over labels, side by side, with hairlines between. */
const factsColumns = record({
  ...factsStyle('number', 'label', 'long'),
  labelGap: number("From a number's baseline to the capitals of its label, px.").required(),
  padding: number("Least space between a column's text and its border, px.").required(),
  divider: record(divider).required(),
});
export type FactsColumns = (typeof factsColumns)['drawn'];

const lineText = anyOf<string | { readonly text: string; readonly style?: string; readonly color?: string }>(
  text(),
  record({ text: text().required(), style: text(), color: role }),
)
  .about('A text, or a text with its own style and color.')
  .named('lineWords');

/** "4 beds | 3.5 baths | 2,840 sq ft": facts as text in one line. */
export const FACTS_LINE = {
  ...factsStyle('fact', 'fact', 'short'),
  kinds: factKinds(),
  before: listOf(lineText).about('Texts before the facts, such as "{place}".'),
  gapEm: number("Between two facts, em of the number's style. A divider stands in its middle.").filled(1.6),
  divider: record({ ...divider, heightEm: number().required() }),
};
export type FactsLine = Drawn<typeof FACTS_LINE>;

const gap = number('From the baseline (or rule) above to these capitals, px.').filled(0);

export const STACK_ITEMS = {
  text: {
    ...item,
    ...TEXT,
    ...FITTING,
    color: role.filled('ink'),
    gap,
    dropOrder: number(
      'When the smallest sizes are still too tall, the item with the lowest number is left out.',
    ),
    enter: motion,
  },
  rule: {
    ...item,
    rule: number('A rule of this thickness, px.').derived(),
    color: role.filled('accent'),
    alpha: share,
    gap,
    length: number('Of the rule, px. Default: the width of the stack.'),
    enter: motion,
  },
  facts: { ...item, facts: factsColumns.derived(), gap },
  line: { ...item, line: record(FACTS_LINE).derived(), gap, enter: motion },
};

export const factsRule = record({
  ...divider,
  offset: number(
    'px above the first baseline (topRule), or below the baseline of the row (divider).',
  ).required(),
  enter: motion,
});

export const cellPlace = record({
  from: oneOf('top', 'bottom', 'middle').required(),
  offset: number(
    'px from the top to the capitals, from the foot to the baseline, or from the middle.',
  ).required(),
  align,
});
