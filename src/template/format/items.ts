/** What elements are made of: texts with their style, facts, items of stacks and plates, places in cells. Pure. */
import { align, condition, id, motion, role, share, wording } from './parts.ts';
import { anyOf, choice, type Drawn, integer, listOf, number, oneOf, record, text } from './value.ts';

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

/** A line of `plates`. */
export const PLATE_LINE = {
  ...item,
  ...TEXT,
  ...FITTING,
  color: role.filled('ink'),
  fill: role.filled('paper'),
};

export const divider = { color: role.required(), alpha: share, rule: number('px').required() };
export const factKinds = (limits = {}) =>
  listOf(oneOf('price', 'beds', 'baths', 'sqft'), limits).about('The facts it shows. Default: all.');

export const factsStyle = (numbers: string, labels: string, words: (typeof wording)['drawn']) => ({
  number: text('Type style of numbers.').filled(numbers),
  label: text('Type style of labels.').filled(labels),
  wording: wording.filled(words),
  numberColor: role.about('A colour role. Default: ink.'),
  labelColor: role.about('A colour role. Default: soft.'),
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
  .about('A text, or a text with its own style and colour.')
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

/** What an item of a stack can be. */
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
