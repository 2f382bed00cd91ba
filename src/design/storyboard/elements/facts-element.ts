/** Builds facts as rows (number and label on one baseline) or as columns (number over label). Pure. */
import type { Fact } from '../../../listing/words/facts.ts';
import type { CountUp, FactsColumns, FactsElement, Wording } from '../../template/elements.ts';
import { toPx } from '../box.ts';
import type { SetText } from '../set-type.ts';
import type { Box, TextLayer } from '../storyboard.ts';
import { joinWords } from '../texts.ts';
import { animated, fillLayer } from './animate-layer.ts';
import { countUpSteps } from './count-up.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';

/** English only: labels from the template data stay as they are. */
const TINY: Readonly<Record<string, string>> = { bed: 'bd', beds: 'bd', bath: 'ba', baths: 'ba' };
/** Gap of number and label in a row, px. */
const ROW_GAP = 28;
/** Smallest padding of columns, as a share of the design's: a word is cut only after that. */
const MIN_PADDING = 0.4;
/** Size of a word that stands for a number (`Studio`), as a share of the numeral. */
const WORD_SCALE = 0.42;

export interface SetFact {
  readonly fact: Fact;
  /** The numeral, or the word that stands for it. */
  readonly number: SetText;
  readonly label: SetText | undefined;
}

/** Rows: number left, label right; the last baseline stands on the foot of the box. */
export function buildFactsRows(element: FactsElement, context: SceneContext): BuiltElement {
  const { facts, type, fps } = context;
  if (facts.length === 0) return { layers: [], fits: true };
  const box = toPx(element.box, context.frame);
  const numberSize = type.style(element.number).size;
  const cap = type.fit('0', element.number, { widthPx: box.w }).heightPx;
  const above = facts.length > 1 && element.topRule ? element.topRule.offset : cap;
  // In a box that is too low, pitch and type shrink together.
  const roomy = above + element.pitch * (facts.length - 1);
  const squeeze = Math.min(1, box.h / roomy);
  const sets = setRows(element, context, box.w, Math.floor(numberSize * squeeze));
  const pitch = element.pitch * squeeze;
  const foot = box.y + box.h;
  const layers: LayerDraft[] = [];
  // A lone fact has no rules: they would look as if something were missing.
  if (facts.length > 1) layers.push(...rowRules(element, box, foot, pitch, squeeze, facts.length, context));
  sets.forEach((set, index) => {
    const baseline = Math.round(foot - pitch * (facts.length - 1 - index));
    const mover = { index, count: facts.length, fps };
    const capTop = (text: SetText) => ({ x: box.x, w: box.w, capTopY: baseline - text.heightPx });
    const paints = paintsOf(set.fact, element, context);
    const number = type.place(`fact-${set.fact.kind}`, set.number, capTop(set.number), 'left', paints.number);
    const moved = animated(number, element, mover);
    layers.push(countedUp(moved, set.fact, element.countUp, moved.tracks?.[0]?.startFrame ?? index, fps));
    if (set.label) {
      const label = type.place(`label-${set.fact.kind}`, set.label, capTop(set.label), 'right', paints.label);
      layers.push(animated(label, element, mover));
    }
  });
  return { layers, fits: true };
}

function paintsOf(
  fact: Fact,
  design: Pick<FactsColumns, 'numberColor' | 'labelColor' | 'wording'>,
  context: SceneContext,
) {
  const { palette } = context;
  const name = labelOf(fact, design.wording, context);
  return {
    number: { color: palette[design.numberColor ?? 'ink']!, reads: fact.value || name },
    label: { color: palette[design.labelColor ?? 'soft']!, reads: name },
  };
}

/** All rows at one size: the longest decides, numbers shrink before labels, a price as long as a sentence is cut. */
function setRows(element: FactsElement, context: SceneContext, width: number, numberSize: number): SetFact[] {
  const { type, facts } = context;
  const fullLabel = type.style(element.label).size;
  const minLabel = type.minSize(element.label);
  const attempt = (size: number, labelSize: number): SetFact[] =>
    facts.map((fact) => setFact(fact, element, context, { size, labelSize, widthPx: width }));
  const overflows = (sets: readonly SetFact[]) =>
    sets.some((set) => set.number.widthPx + (set.label ? ROW_GAP + set.label.widthPx : 0) > width);
  const minNumber = Math.min(numberSize, type.minSize(element.number));
  const sets = shrinkToFit(attempt, overflows, {
    size: numberSize,
    minSize: minNumber,
    step: 4,
    labelSize: fullLabel,
    minLabel,
  });
  if (!overflows(sets)) return sets;
  return sets.map((set) => {
    const room = width - Math.min(width / 2, set.label ? ROW_GAP + set.label.widthPx : 0);
    const number = type.fit(set.fact.value || set.fact.longLabel, element.number, {
      widthPx: room,
      sizePx: minNumber,
      minSizePx: minNumber,
    });
    const label =
      set.label &&
      type.fit(labelOf(set.fact, element.wording, context), element.label, {
        widthPx: width - Math.min(room, number.widthPx) - ROW_GAP,
        sizePx: minLabel,
      });
    return { fact: set.fact, number, label };
  });
}

/** All facts at one size: numbers shrink in steps, then labels to their smallest. They can still be too wide. */
export function shrinkToFit(
  attempt: (size: number, labelSize: number) => SetFact[],
  overflows: (sets: readonly SetFact[]) => boolean,
  sizes: Readonly<Record<'size' | 'minSize' | 'step' | 'labelSize' | 'minLabel', number>>,
): SetFact[] {
  let { size } = sizes;
  let sets = attempt(size, sizes.labelSize);
  while (overflows(sets) && size > sizes.minSize) {
    size = Math.max(sizes.minSize, size - sizes.step);
    sets = attempt(size, sizes.labelSize);
  }
  return overflows(sets) ? attempt(size, sizes.minLabel) : sets;
}

function setFact(
  fact: Fact,
  style: Pick<FactsElement, 'number' | 'label' | 'wording'>,
  context: SceneContext,
  sizes: { readonly size: number; readonly labelSize: number; readonly widthPx: number },
): SetFact {
  const { type } = context;
  const label = labelOf(fact, style.wording, context);
  if (fact.value === '') {
    const wordSize = Math.round(Math.max(sizes.size * WORD_SCALE, sizes.labelSize * 1.2));
    const word = type.fit(label, style.label, {
      widthPx: sizes.widthPx,
      sizePx: wordSize,
      minSizePx: Math.min(wordSize, type.style(style.label).min ?? wordSize),
    });
    return { fact, number: word, label: undefined };
  }
  // Measured, not fitted: the caller decides what shrinks.
  return {
    fact,
    number: type.measure(fact.value, style.number, sizes.size),
    label: label === '' ? undefined : type.measure(label, style.label, sizes.labelSize),
  };
}

function rowRules(
  element: FactsElement,
  box: Box,
  foot: number,
  pitch: number,
  squeeze: number,
  count: number,
  { palette, fps }: SceneContext,
): LayerDraft[] {
  const rules: LayerDraft[] = [];
  const rule = (id: string, y: number, design: NonNullable<FactsElement['topRule']>, index: number) => {
    const place = { x: box.x, y: Math.round(y), w: box.w, h: design.rule };
    const line = fillLayer(id, place, palette[design.color]!, design.alpha);
    return animated(line, { enter: design.enter, exit: element.exit }, { index, count, fps });
  };
  const firstBaseline = foot - pitch * (count - 1);
  if (element.topRule) {
    rules.push(rule('rule', firstBaseline - element.topRule.offset * squeeze, element.topRule, 0));
  }
  for (let index = 0; element.divider && index < count - 1; index++) {
    const y = firstBaseline + pitch * index + element.divider.offset * squeeze;
    rules.push(rule(`divider-${index + 1}`, y, element.divider, index));
  }
  return rules;
}

export function countedUp<Draft extends TextLayer>(
  layer: Draft,
  fact: Fact,
  countUp: CountUp | undefined,
  startFrame: number,
  fps: number,
): Draft {
  if (!countUp || !(countUp.kinds as readonly string[]).includes(fact.kind)) return layer;
  const steps = countUpSteps(fact, countUp, startFrame, fps);
  const line = layer.lines[0];
  if (!line || steps.length === 0) return layer;
  const lines = (text: string) => [{ ...line, text: line.text.replace(fact.value, text) }];
  return {
    ...layer,
    lines: lines(steps[0]!.text),
    steps: steps.slice(1).map((step) => ({ startFrame: step.startFrame, lines: lines(step.text) })),
  };
}

export interface BuiltColumns {
  readonly heightPx: number;
  /** @param capTopY - Top of the numerals' capitals. */
  place(box: { readonly x: number; readonly w: number }, capTopY: number): LayerDraft[];
}

/**
 * Columns: number over label, centered, hairlines between. Columns are as wide as their words and share the rest, so
 * that the space beside every hairline is the same.
 *
 * @param scale - Multiplies the sizes; their minima apply.
 */
export function setFactsColumns(
  design: FactsColumns,
  context: SceneContext,
  widthPx: number,
  scale: number,
): BuiltColumns {
  const { type, facts } = context;
  const numberStyle = type.style(design.number);
  const labelStyle = type.style(design.label);
  const atLeast = (size: number, min: number | undefined) => Math.max(min ?? size, Math.round(size * scale));
  const labelSize = atLeast(labelStyle.size, labelStyle.min);
  const minNumber = type.minSize(design.number);
  const measure = (size: number, labels: number) =>
    facts.map((fact) => setFact(fact, design, context, { size, labelSize: labels, widthPx }));
  const contentWidth = (set: SetFact) => Math.max(set.number.widthPx, set.label?.widthPx ?? 0);
  let padding = design.padding;
  const total = (sets: readonly SetFact[]) =>
    sets.reduce((sum, set) => sum + contentWidth(set), 0) + 2 * padding * (sets.length - 1);
  let sets = shrinkToFit(measure, (tried) => total(tried) > widthPx, {
    size: atLeast(numberStyle.size, numberStyle.min),
    minSize: minNumber,
    step: 2,
    labelSize,
    minLabel: labelStyle.min ?? labelSize,
  });
  if (total(sets) > widthPx) padding *= MIN_PADDING;
  if (total(sets) > widthPx) sets = cutToWidth(sets, design, context, widthPx, minNumber, total);
  const cap = Math.max(...sets.map((set) => set.number.heightPx));
  const labelCap = Math.max(0, ...sets.map((set) => set.label?.heightPx ?? 0));
  const heightPx = cap + (labelCap > 0 ? design.labelGap + labelCap : 0);
  const share = (widthPx - total(sets)) / Math.max(1, 2 * sets.length);
  // The space between two columns is limited, so that they stay together.
  const side = padding + Math.min(share, design.padding * 1.5);
  return {
    heightPx,
    place(box, capTopY) {
      const width = sets.reduce((sum, set) => sum + contentWidth(set), 0) + 2 * side * (sets.length - 1);
      let x = box.x + (box.w - width) / 2;
      const layers: LayerDraft[] = [];
      sets.forEach((set, index) => {
        const column = { x, w: contentWidth(set) };
        const paints = paintsOf(set.fact, design, context);
        const put = (id: string, text: SetText, top: number, paint: typeof paints.number) =>
          layers.push(
            type.place(`${id}-${set.fact.kind}`, text, { ...column, capTopY: top }, 'center', paint),
          );
        const { number, label } = set;
        const numberTop = label
          ? capTopY + cap - number.heightPx
          : capTopY + (heightPx - number.heightPx) / 2;
        put('fact', number, numberTop, paints.number);
        if (label) put('label', label, capTopY + heightPx - label.heightPx, paints.label);
        if (index < sets.length - 1) {
          const h = Math.round(heightPx);
          layers.push(dividerAfter(index, design.divider, x + column.w + side, capTopY, h, context));
        }
        x += column.w + 2 * side;
      });
      return layers;
    },
  };
}

/** The hairline after the fact with this index, `middle` being its middle across. */
export function dividerAfter(
  index: number,
  { rule, color, alpha }: FactsColumns['divider'],
  middle: number,
  top: number,
  h: number,
  { palette }: SceneContext,
): LayerDraft {
  const box = { x: Math.round(middle - rule / 2), y: Math.round(top), w: rule, h };
  return fillLayer(`divider-${index + 1}`, box, palette[color]!, alpha);
}

function cutToWidth(
  sets: readonly SetFact[],
  design: FactsColumns,
  context: SceneContext,
  widthPx: number,
  size: number,
  total: (sets: readonly SetFact[]) => number,
): SetFact[] {
  const width = (set: SetFact) => Math.max(set.number.widthPx, set.label?.widthPx ?? 0);
  let cut = [...sets];
  for (let turn = 0; turn < sets.length && total(cut) > widthPx; turn++) {
    const widest = cut.reduce((best, set) => (width(set) > width(best) ? set : best));
    const room = Math.max(80, width(widest) - (total(cut) - widthPx));
    const { type } = context;
    const { fact } = widest;
    const cutLabel = () => {
      const sizePx = type.minSize(design.label);
      return type.fit(labelOf(fact, design.wording, context), design.label, { widthPx: room, sizePx });
    };
    const number =
      fact.value === '' ? cutLabel() : type.fit(fact.value, design.number, { widthPx: room, sizePx: size });
    const narrower = { fact, number, label: widest.label && cutLabel() };
    cut = cut.map((set) => (set === widest ? narrower : set));
  }
  return cut;
}

/** The fact as one text: `4 beds`; of a price the value alone. */
export function factWords(fact: Fact, wording: Wording): string {
  if (wording === 'long' && fact.sentence !== undefined) return fact.sentence;
  return joinWords([fact.value, fact.kind === 'price' ? '' : labelOf(fact, wording, { texts: {} })]);
}

/** The label of a fact in the given wording; of a price its data layer. */
export function labelOf(fact: Fact, wording: Wording, { texts }: Pick<SceneContext, 'texts'>): string {
  if (fact.kind === 'price') return texts.label_price ?? '';
  if (wording === 'tiny') {
    const [name, ...more] = fact.shortLabel.split(', ');
    return [TINY[name!] ?? name, ...more].join(', ');
  }
  return wording === 'long' ? fact.longLabel : fact.shortLabel;
}
