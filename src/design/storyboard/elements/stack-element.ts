/**
 * Builds a vertical stack of texts, rules and facts. Absent items vanish with their gap. A stack that is too tall
 * shrinks as one: sizes to 0.5 (each stops at its minimum), gaps to 0.55, then licenses are cut to "+ n more". One with
 * room grows as one, as far as its template allows. Pure.
 */

import type { StackElement, StackItem, StackRule, StackText } from '../../template/elements.ts';
import { breakableEmail, joinWithMiddleDots, unbreakable } from '../../text/break-text.ts';
import { spaceBefore, toPx } from '../box.ts';
import { limitsOf } from '../frame-limits.ts';
import type { SetOptions, SetText } from '../set-type.ts';
import type { Box } from '../storyboard.ts';
import { fillText, matches } from '../texts.ts';
import { animated, fillLayer, type Moved } from './animate-layer.ts';
import { type BuiltColumns, setFactsColumns } from './facts-element.ts';
import { type BuiltFactsLine, setFactsLine } from './facts-line.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import { fitWords, partsOf, placeText, plain, warnOfEllipsis } from './text-element.ts';

const MIN_SCALE = 0.5;
const MIN_GAP_SCALE = 0.55;
const SCALE_STEP = 0.02;
/** Smallest clear space between the ink of neighbors, and above a rule, px. */
const CLEARANCE = 4;
const RULE_CLEARANCE = 10;

interface SetItem {
  readonly item: StackItem;
  readonly gapPx: number;
  readonly heightPx: number;
  readonly text?: { readonly set: SetText; readonly reads: string };
  readonly facts?: BuiltColumns;
  readonly line?: BuiltFactsLine;
}

interface SetStack {
  readonly items: readonly SetItem[];
  readonly heightPx: number;
  readonly warnings: readonly string[];
  /** Share of the full sizes. */
  readonly scale: number;
  /** Licenses or items were left out that would fit in a higher box. */
  readonly isCut: boolean;
}

/** The stack in its box. `fits` is false when something was left out, or when even the smallest sizes are too tall. */
export function buildStack(element: StackElement, context: SceneContext): BuiltElement {
  const box = toPx(element.box, context.frame);
  const present = element.items.filter((item) => isPresent(item, context));
  const fitted = fitStack(present, box, context);
  // Pages of a card, and stacks of a scene, share their scale.
  const stack =
    context.maxScale === undefined && fitted.scale === 1
      ? growStack(fitted, present, box, element.grow ?? 1, context)
      : fitted;
  const free = box.h - stack.heightPx;
  const layers: LayerDraft[] = [];
  let y = box.y + spaceBefore(free, element.anchor);
  // Lines and words that enter one by one count as items of their own.
  const parts = stack.items.map(({ text }) => (text ? partsOf(context.type, text.set, element).count : 1));
  const count = parts.reduce((sum, own) => sum + own, 0);
  let index = 0;
  stack.items.forEach((entry, at) => {
    y += entry.gapPx;
    layers.push(...placeItem(entry, element, box, y, { index, count }, context));
    y += entry.heightPx;
    index += parts[at]!;
  });
  const { scale, warnings } = stack;
  const isSplit = stack.items.some(({ line }) => line?.isSplit === true);
  return { layers, fits: stack.heightPx <= box.h + 0.5 && !stack.isCut, isSplit, scale, warnings };
}

function isPresent(item: StackItem, { texts, flags, facts, licenses }: SceneContext): boolean {
  if (!matches(item.when, texts, flags)) return false;
  if ('facts' in item) return facts.length > 0;
  // A line of no facts shows its texts alone; without a text it is left out when it is set.
  if ('line' in item) return facts.length > 0 || item.line.kinds?.length === 0;
  if ('rule' in item) return true;
  if (item.text === '{licenses}') return licenses.length > 0;
  return fillText(item.text, texts) !== undefined;
}

function fitStack(items: readonly StackItem[], box: Box, context: SceneContext): SetStack {
  const setAt = (scale: number) => setStack(items, box, scale, Number.POSITIVE_INFINITY, context);
  const { maxScale = 1 } = context;
  let last = setAt(maxScale);
  if (last.heightPx <= box.h) return last;
  // Most stacks that are too high are so at any size.
  if (setAt(MIN_SCALE).heightPx <= box.h) {
    for (let scale = maxScale - SCALE_STEP; scale >= MIN_SCALE - 1e-9; scale -= SCALE_STEP) {
      last = setAt(scale);
      if (last.heightPx <= box.h) return last;
    }
  }
  for (let lines = 5; lines >= 1; lines--) {
    last = { ...setStack(items, box, MIN_SCALE, lines, context), isCut: true };
    if (last.heightPx <= box.h) return last;
  }
  const leaving = items
    .filter((item) => 'text' in item && item.dropOrder !== undefined)
    .sort((a, b) => dropOrder(a) - dropOrder(b))[0];
  if (!leaving) return last;
  const rest = fitStack(
    items.filter((item) => item !== leaving),
    box,
    context,
  );
  return { ...rest, isCut: true, warnings: [`a scene has no room for the ${leaving.id}`, ...rest.warnings] };
}

/** The largest sizes at which every text still has its lines and its share of the whole. */
function growStack(
  stack: SetStack,
  items: readonly StackItem[],
  box: Box,
  grow: number,
  context: SceneContext,
): SetStack {
  if (stack.isCut) return stack;
  for (let scale = grow; scale > 1 + 1e-9; scale -= SCALE_STEP) {
    const grown = setStack(items, box, scale, Number.POSITIVE_INFINITY, context);
    if (grown.heightPx <= box.h && stack.items.every((item, at) => hasGrown(item, grown.items[at], scale)))
      return grown;
  }
  return stack;
}

function hasGrown(item: SetItem, grown: SetItem | undefined, scale: number): boolean {
  const [before, after] = [item.text?.set.fitted, grown?.text?.set.fitted];
  if (!before || !after) return true;
  return (
    after.lines.length === before.lines.length &&
    after.style.sizePx >= Math.round(before.style.sizePx * scale)
  );
}

function dropOrder(item: StackItem): number {
  return 'text' in item ? (item.dropOrder ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

function setStack(
  items: readonly StackItem[],
  box: Box,
  scale: number,
  licenseLines: number,
  context: SceneContext,
): SetStack {
  const { w: widthPx } = box;
  const { safe } = limitsOf(context.frame);
  const roomAbove = Math.max(0, box.y - safe.y);
  const roomBelow = Math.max(0, safe.y + safe.h - box.y - box.h);
  const warnings: string[] = [];
  const gapScale = Math.max(MIN_GAP_SCALE, scale);
  const set: SetItem[] = [];
  for (const item of items) {
    const gap = set.length === 0 ? 0 : item.gap * gapScale;
    if ('rule' in item) {
      const under = set.at(-1)?.text?.set.underPx ?? 0;
      const clear = set.length === 0 ? 0 : under + RULE_CLEARANCE;
      set.push({ item, gapPx: Math.round(Math.max(gap, clear)), heightPx: item.rule });
    } else if ('facts' in item) {
      const facts = setFactsColumns(item.facts, context, widthPx, scale);
      set.push({ item, gapPx: gap, heightPx: facts.heightPx, facts });
    } else if ('line' in item) {
      const line = setFactsLine(item.line, context, widthPx, scale);
      if (!line) continue;
      warnings.push(...line.warnings);
      const under = set.at(-1)?.text?.set.underPx ?? 0;
      const clear = set.length === 0 ? 0 : under + line.overTopPx + CLEARANCE;
      set.push({ item, gapPx: Math.max(gap, clear), heightPx: line.heightPx, line });
    } else {
      const shared = sharedScale(item, items, widthPx, scale, context);
      const text = setStackText(item, widthPx, scale, licenseLines, context, shared);
      warnings.push(...text.warnings);
      const before = set.at(-1)?.text?.set;
      const needed = (before?.underPx ?? 0) + text.set.overTopPx + CLEARANCE;
      set.push({
        item,
        gapPx: set.length === 0 ? Math.max(0, text.set.overTopPx - roomAbove) : Math.max(gap, needed),
        heightPx: text.set.heightPx,
        text,
      });
    }
  }
  const last = set.at(-1);
  const underPx = last?.text?.set.underPx ?? last?.line?.underPx ?? 0;
  return {
    items: set,
    heightPx:
      set.reduce((sum, entry) => sum + entry.gapPx + entry.heightPx, 0) + Math.max(0, underPx - roomBelow),
    warnings,
    scale,
    isCut: false,
  };
}

/** The smallest of the scales at which the texts of the item's size group fit. */
function sharedScale(
  { sizeGroup }: StackText,
  items: readonly StackItem[],
  widthPx: number,
  scale: number,
  context: SceneContext,
): number {
  if (sizeGroup === undefined) return scale;
  const scales = items.flatMap((item) => {
    if (!('text' in item) || item.sizeGroup !== sizeGroup) return [];
    const { set } = setStackText(item, widthPx, scale, 1, context);
    return [set.fitted.style.sizePx / context.type.style(item.style).size];
  });
  return Math.min(scale, ...scales);
}

function setStackText(
  item: StackText,
  widthPx: number,
  scale: number,
  licenseLines: number,
  context: SceneContext,
  shared = scale,
): { readonly set: SetText; readonly reads: string; readonly warnings: readonly string[] } {
  if (item.text === '{licenses}') {
    return setLicenses(item, widthPx, scale, Math.min(item.maxLines ?? 6, licenseLines), context);
  }
  const text = fillText(item.text, context.texts)!;
  const sizePx = context.type.style(item.style).size * shared;
  const minSizePx = context.type.minSize(item.style);
  // Where another text of its group overflowed, all are smaller than their style allows.
  const size = shared < scale ? { sizePx, minSizePx: Math.min(minSizePx, Math.round(sizePx)) } : { sizePx };
  const options = { widthPx, maxLines: item.maxLines ?? 1, ...size };
  const setWhole = (text: string) => context.type.fit(text, item.style, { ...options, ellipsis: false });
  const done = (set: SetText, warnings: readonly string[] = []) => ({ set, reads: plain(text), warnings });
  switch (item.id) {
    case 'phone':
    case 'phone-2':
    case 'office-phone':
      return done(setWhole(unbreakable(text)));
    case 'email': {
      const set = fitEmail(breakableEmail(text), item.style, options, context);
      return done(set, warnOfEllipsis(set, 'the e-mail is'));
    }
    case 'office': {
      const set = context.type.fit(text, item.style, options);
      return done(set, warnOfEllipsis(set, 'the name of the office is'));
    }
    default: {
      const set = fitWords(context.type, text, item, { widthPx, ...size });
      return done(
        set,
        warnOfEllipsis(set, item.style.startsWith('name') ? 'the name of the agent is' : undefined),
      );
    }
  }
}

/** On one line down to the size of labels; else broken before `@` only, before it is cut. */
function fitEmail(email: string, style: string, options: SetOptions, { type, frame }: SceneContext): SetText {
  const { minLabelPx } = limitsOf(frame);
  const setWhole = (maxLines: number) => type.fit(email, style, { ...options, maxLines, ellipsis: false });
  const onOneLine = setWhole(1);
  if (onOneLine.fitted.style.sizePx >= minLabelPx) return onOneLine;
  const whole = setWhole(options.maxLines ?? 1);
  return whole.fitted.style.sizePx >= minLabelPx ? whole : type.fit(email, style, options);
}

function setLicenses(
  item: StackText,
  widthPx: number,
  scale: number,
  maxLines: number,
  context: SceneContext,
): { readonly set: SetText; readonly reads: string; readonly warnings: readonly string[] } {
  const { licenses, type } = context;
  const fitAll = (count: number) => {
    const shown = licenses.slice(0, count);
    const text =
      count < licenses.length
        ? joinWithMiddleDots([...shown, `+ ${licenses.length - count} more`])
        : joinWithMiddleDots(shown);
    return { text, set: type.fit(text, item.style, { widthPx, maxLines, scale, ellipsis: false }) };
  };
  const fits = (count: number) => !fitAll(count).set.fitted.isBelowMin;
  let [most, tooMany] = fits(licenses.length) ? [licenses.length, licenses.length + 1] : [0, licenses.length];
  while (tooMany - most > 1) {
    const count = Math.floor((most + tooMany) / 2);
    if (fits(count)) most = count;
    else tooMany = count;
  }
  if (most > 0) {
    const { text, set } = fitAll(most);
    const hidden = licenses.length - most;
    return {
      set,
      reads: plain(text),
      warnings: hidden ? [`${hidden} of ${licenses.length} licenses have no room on the card`] : [],
    };
  }
  // A license wider than the column: it would be whole only at a size that nobody can read.
  const text = licenses[0]!;
  return {
    set: type.fit(text, item.style, { widthPx, maxLines: Math.max(2, maxLines) }),
    reads: text,
    warnings: ['a license is too long for one line of the card'],
  };
}

function placeItem(
  entry: SetItem,
  element: StackElement,
  box: Box,
  y: number,
  turn: { readonly index: number; readonly count: number },
  context: SceneContext,
): LayerDraft[] {
  const { palette, fps } = context;
  const { item } = entry;
  // An item's own motion replaces the stack's and takes no part in its stagger.
  const own = 'enter' in item && item.enter !== undefined;
  const moved: Moved = { enter: own ? item.enter : element.enter, exit: element.exit };
  const mover = own ? {} : turn;
  const animate = (layer: LayerDraft): LayerDraft => animated(layer, moved, { ...mover, fps });
  if ('rule' in item) return [animate(placeRule(item, element, box, y, context))];
  if (entry.facts) return entry.facts.place(box, Math.round(y)).map(animate);
  if (entry.line) return entry.line.place(box, Math.round(y), element.align).map(animate);
  if (!entry.text || !('color' in item)) return [];
  return placeText(
    context,
    {
      id: item.id,
      set: entry.text.set,
      at: { x: box.x, w: box.w, capTopY: y },
      align: element.align,
      color: palette[item.color]!,
      reads: entry.text.reads,
    },
    moved,
    mover,
  );
}

function placeRule(
  item: StackRule,
  element: StackElement,
  box: Box,
  y: number,
  { palette, type }: SceneContext,
): LayerDraft {
  const w = item.length ?? box.w;
  const x = Math.round(box.x + spaceBefore(box.w - w, type.sideOf(element.align)));
  return fillLayer(item.id, { x, y: Math.round(y), w, h: item.rule }, palette[item.color]!, item.alpha);
}
