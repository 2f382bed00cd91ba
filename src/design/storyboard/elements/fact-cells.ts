/** Builds a cell for each fact, beside or under each other, with number, label, bar and ground. Pure. */
import type { Fact } from '../../../listing/words/facts.ts';
import type { Animations, CellPlace, FactCellsElement } from '../../template/elements.ts';
import { roundEdges, spaceBefore, toPx } from '../box.ts';
import type { SetText } from '../set-type.ts';
import type { Box, TextLayer } from '../storyboard.ts';
import { animated, fillLayer } from './animate-layer.ts';
import { countedUp, labelOf, type SetFact, shrinkToFit } from './facts-element.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import { warnOfEllipsis } from './text-element.ts';

/** Smallest gap of number and label on one baseline, px. */
const BASELINE_GAP = 28;
/** The same of a number over its label, share of the number's height: commas hang below it. */
const GAP_BELOW = 0.3;
const SIZE_STEP = 4;

export function buildFactCells(element: FactCellsElement, context: SceneContext): BuiltElement {
  const { facts, fps } = context;
  if (facts.length === 0) return { layers: [], fits: true };
  const box = toPx(element.box, context.frame);
  const sets = setCells(element, box, context);
  const cells = divide(element, box, sets).map((cell) =>
    beginsAtRight(element, context) ? { ...cell, x: 2 * box.x + box.w - cell.x - cell.w } : cell,
  );
  const count = cells.length;
  const layers: LayerDraft[] = [];
  const mover = (index: number) => ({ index, count, fps });
  cells.forEach((cell, index) => {
    const ground = pick(element.grounds, index);
    if (ground === undefined) return;
    const fill = fillLayer(`cell-${index + 1}`, roundEdges(cell), context.palette[ground]!);
    layers.push(animated(fill, element, mover(index)));
  });
  if (element.divider) {
    layers.push(
      ...cells
        .slice(1)
        .map((cell, index) => animated(dividerAt(element, cell, index, context), element, mover(index))),
    );
  }
  sets.forEach((set, index) => {
    layers.push(...placeCell(element, set, cells[index]!, index, count, context));
  });
  const texts = sets.flatMap(({ number, label }) => (label ? [number, label] : [number]));
  return { layers, fits: true, warnings: texts.flatMap((text) => warnOfEllipsis(text)) };
}

/** Sets all numbers at the largest size at which each fits its cell, and the labels likewise. */
function setCells(element: FactCellsElement, box: Box, context: SceneContext): SetFact[] {
  const { facts, type } = context;
  const numberStyle = type.style(element.number);
  const labelStyle = type.style(element.label);
  const attempt = (size: number, labelSize: number) =>
    facts.map((fact) => setCell(fact, element, size, labelSize, context));
  const overflows = (sets: readonly SetFact[]) => {
    if (isHugging(element)) return contentWidth(element, sets) > box.w + 0.5;
    const cells = divide(element, box, sets);
    return sets.some((set, index) => {
      const [left, right] = insetsOf(element, index, sets.length);
      const cell = cells[index]!;
      return wordsWidth(element, set) > cell.w - left - right + 0.5 || !isClear(element, set, cell);
    });
  };
  const minNumber = type.minSize(element.number);
  const minLabel = type.minSize(element.label);
  const sets = shrinkToFit(attempt, overflows, {
    size: numberStyle.size,
    minSize: minNumber,
    step: SIZE_STEP,
    labelSize: labelStyle.size,
    minLabel,
  });
  if (!overflows(sets)) return sets;
  // `5 ba, 2 half` says more than `5 baths, 2 h…`.
  if (element.wording === 'short') return setCells({ ...element, wording: 'tiny' }, box, context);
  // A price or a label as long as a sentence is cut to its cell.
  const room = (index: number) => {
    const [left, right] = insetsOf(element, index, sets.length);
    const cell = isHugging(element)
      ? (box.w - element.gap * (sets.length - 1)) / sets.length
      : divide(element, box, sets)[index]!.w;
    return cell - left - right;
  };
  return sets.map(({ fact, label }, index) => {
    const widthPx = room(index);
    const cutLabel = () =>
      type.fit(labelOf(fact, element.wording, context), element.label, { widthPx, sizePx: minLabel });
    const number = fact.value
      ? type.fit(fact.value, element.number, { widthPx, sizePx: minNumber })
      : cutLabel();
    return { fact, number, label: label && cutLabel() };
  });
}

function setCell(
  fact: Fact,
  element: FactCellsElement,
  size: number,
  labelSize: number,
  context: SceneContext,
): SetFact {
  const { type } = context;
  const label = labelOf(fact, element.wording, context);
  if (fact.value === '') {
    const wordSize = Math.round(Math.max(size * element.wordScale, labelSize));
    return { fact, number: type.measure(label, element.label, wordSize), label: undefined };
  }
  return {
    fact,
    number: type.measure(fact.value, element.number, size),
    label: label === '' ? undefined : type.measure(label, element.label, labelSize),
  };
}

/** Read from right to left, cells side by side begin at the right; those with a ground keep their place. */
function beginsAtRight({ flow, grounds }: FactCellsElement, { type }: SceneContext): boolean {
  return type.isRtl && flow === 'across' && !grounds;
}

function isHugging(element: FactCellsElement): boolean {
  return element.flow === 'across' && (element.divide === 'hug' || element.divide === 'share');
}

function wordsWidth(element: FactCellsElement, { number, label }: SetFact): number {
  const { numberAt, labelAt } = element;
  const onOneLine =
    numberAt.from === labelAt.from &&
    Math.abs(numberAt.offset - labelAt.offset) < number.heightPx / 2 &&
    numberAt.align !== labelAt.align;
  if (onOneLine) return number.widthPx + (label ? BASELINE_GAP + label.widthPx : 0);
  return Math.max(number.widthPx, label?.widthPx ?? 0);
}

/** Whether a number at the top of its cell keeps its distance from a label at the foot. */
function isClear({ numberAt, labelAt }: FactCellsElement, { number, label }: SetFact, cell: Box): boolean {
  if (!label || numberAt.from !== 'top' || labelAt.from !== 'bottom') return true;
  const foot = edgeOf(numberAt, cell, number.heightPx) + number.heightPx;
  return edgeOf(labelAt, cell, label.heightPx) - foot >= GAP_BELOW * number.heightPx;
}

/** Of the words of a cell with its insets. */
function huggedWidth(element: FactCellsElement, sets: readonly SetFact[], index: number): number {
  const [left, right] = insetsOf(element, index, sets.length);
  return left + wordsWidth(element, sets[index]!) + right;
}

function contentWidth(element: FactCellsElement, sets: readonly SetFact[]): number {
  const widths = sets.map((_, index) => huggedWidth(element, sets, index));
  return widths.reduce((sum, width) => sum + width, 0) + element.gap * (sets.length - 1);
}

/** The cells' boxes, fractions of pixels allowed. */
function divide(element: FactCellsElement, box: Box, sets: readonly SetFact[]): Box[] {
  const count = sets.length;
  const across = element.flow === 'across';
  const length = across ? box.w : box.h;
  const gaps = element.gap * (count - 1);
  const free = Math.max(0, box.w - contentWidth(element, sets));
  const lengths = sets.map((_, index) => {
    if (isHugging(element))
      return huggedWidth(element, sets, index) + (element.divide === 'share' ? free / count : 0);
    const shares = Array.isArray(element.divide)
      ? (element.divide[count - 1] as number[] | undefined)
      : undefined;
    return (length - gaps) * (shares?.[index] ?? 1 / count);
  });
  const spare = element.divide === 'hug' && isHugging(element) ? free : 0;
  let at = (across ? box.x : box.y) + spaceBefore(spare, element.align);
  return lengths.map((own) => {
    const cell = across ? { ...box, x: at, w: own } : { ...box, y: at, h: own };
    at += own + element.gap;
    return cell;
  });
}

/** Left and right inset of a cell. With one number given, the last cell has the first one's on its right too. */
function insetsOf(element: FactCellsElement, index: number, count: number): [number, number] {
  const own = element.inset[Math.min(index, element.inset.length - 1)] ?? 0;
  if (typeof own !== 'number') return [own[0], own[1]];
  if (element.flow === 'down') return [own, own];
  const first = element.inset[0];
  const edge = typeof first === 'number' ? first : (first?.[1] ?? own);
  return [own, index === count - 1 ? edge : Math.min(own, (element.inset.at(-1) as number) / 2)];
}

function pick<T>(list: readonly T[] | undefined, index: number): T | undefined {
  return list?.[index % list.length];
}

function dividerAt(element: FactCellsElement, cell: Box, index: number, context: SceneContext): LayerDraft {
  const { palette } = context;
  const { rule, inset, color, alpha } = element.divider!;
  const before = -element.gap / 2 - rule / 2;
  const beside = beginsAtRight(element, context) ? cell.w + element.gap / 2 - rule / 2 : before;
  const box =
    element.flow === 'across'
      ? { x: Math.round(cell.x + beside), y: cell.y + inset, w: rule, h: cell.h - 2 * inset }
      : { x: cell.x + inset, y: Math.round(cell.y + before), w: cell.w - 2 * inset, h: rule };
  return fillLayer(`divider-${index + 1}`, box, palette[color]!, alpha);
}

function placeCell(
  element: FactCellsElement,
  set: SetFact,
  cell: Box,
  index: number,
  count: number,
  context: SceneContext,
): LayerDraft[] {
  const { palette, type, fps } = context;
  const [start, end] = insetsOf(element, index, count);
  const column = { x: cell.x + (beginsAtRight(element, context) ? end : start), w: cell.w - start - end };
  const ink = pick(element.inks, index);
  const numberColor = palette[ink ?? element.numberColor ?? 'ink']!;
  const labelColor = palette[ink ?? element.labelColor ?? 'soft']!;
  // Parts without their own motion enter with their cell.
  const mover = { index, count, fps, ...(element.grounds ? { host: roundEdges(cell) } : {}) };
  const move = <Layer extends LayerDraft>(layer: Layer, enter: Animations | undefined): Layer =>
    animated(
      layer,
      { enter: enter ?? element.enter, exit: element.exit },
      enter ? { index, count, fps } : mover,
    );
  const layers: LayerDraft[] = [];
  if (element.bar && (element.bar.of !== 'label' || set.label)) {
    const { at, length, rule, color, enter } = element.bar;
    const w = length ?? column.w;
    const y = edgeOf(at, cell, rule);
    const x = column.x + spaceBefore(column.w - w, type.sideOf('left'));
    const box = { x: Math.round(x), y: Math.round(y), w: Math.round(w), h: rule };
    const bar = fillLayer(`bar-${index + 1}`, box, color === undefined ? numberColor : palette[color]!);
    layers.push(move(bar, enter));
  }
  const place = (id: string, text: SetText, at: CellPlace, color: string, reads: string): TextLayer =>
    type.place(id, text, { ...column, capTopY: edgeOf(at, cell, text.heightPx) }, at.align ?? 'left', {
      color,
      reads,
    });
  const name = labelOf(set.fact, element.wording, context);
  const reads = set.fact.value || name;
  const number = place(`fact-${set.fact.kind}`, set.number, element.numberAt, numberColor, reads);
  const moved = move(number, element.numberEnter);
  const startFrame = moved.tracks?.[0]?.startFrame ?? index;
  layers.push(countedUp(moved, set.fact, element.countUp, startFrame, fps));
  if (set.label) {
    const label = place(`label-${set.fact.kind}`, set.label, element.labelAt, labelColor, name);
    layers.push(move(label, element.labelEnter));
  }
  return layers;
}

function edgeOf({ from, offset }: CellPlace, cell: Box, height: number): number {
  switch (from) {
    case 'top':
      return cell.y + offset;
    case 'bottom':
      return cell.y + cell.h - offset - height;
    case 'middle':
      return cell.y + (cell.h - height) / 2 + offset;
  }
}
