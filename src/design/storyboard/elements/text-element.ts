/** Builds texts that stand alone, and texts on a plate that hugs them. Pure. */
import type { Fitting, PlateElement, TextElement } from '../../template/elements.ts';
import { spaceBefore, toPx, unionOf } from '../box.ts';
import type { SetOptions, SetText, TextPart, TypeSetter } from '../set-type.ts';
import type { TextLayer } from '../storyboard.ts';
import { fillText } from '../texts.ts';
import { animated, fillLayer, type Moved, movingPart } from './animate-layer.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import type { Mover } from './tracks.ts';

const NOTHING: BuiltElement = { layers: [], fits: true };

/** A number at the head of a street, glued to the word after it. */
const HEAD_NUMBER = /^(#?\p{Nd}\S*)\u00a0/u;

/** Texts that stand under their code. */
export const OF_CODES = new Set(['{link}', '{originals}']);

/** A name has more lines and smaller type than any other text before it is cut: up to about 150 letters are whole. */
const NAMES = new Set(['{name}', '{first_name}', '{last_name}']);
const LONG_NAME = { maxLines: 5, sizePx: 46, minSizePx: 38, wrapFirst: true };

interface Fit {
  readonly text?: string;
  readonly style: string;
  readonly maxLines?: number;
  readonly prefer?: Fitting;
  readonly overflowLines?: number;
}

/** The text, fitted in its style; where it would lose words to an ellipsis it takes its overflow lines. */
export function fitWords(type: TypeSetter, text: string, fit: Fit, options: SetOptions): SetText {
  const wrapFirst = fit.prefer === 'wrap' || fit.prefer === 'largest';
  const fitted = (candidate: string): SetText =>
    type.fit(candidate, fit.style, {
      maxLines: fit.maxLines ?? 1,
      ...(wrapFirst ? { wrapFirst } : {}),
      ...options,
    });
  let set = fitted(text);
  if (fit.prefer === 'largest') {
    // A house number can stand alone on the first line where that makes the whole text larger.
    const parted = fitted(text.replace(HEAD_NUMBER, '$1 '));
    if (rank(parted) > rank(set)) set = parted;
  }
  if (!set.fitted.truncated) return set;
  if (NAMES.has(fit.text ?? '')) {
    const long = type.fit(text, fit.style, { widthPx: options.widthPx, ...LONG_NAME });
    if (!long.fitted.truncated) return long;
  }
  if (fit.overflowLines === undefined) return set;
  return type.fit(text, fit.style, {
    widthPx: options.widthPx,
    maxLines: fit.overflowLines,
    sizePx: type.minSize(fit.style),
    wrapFirst: true,
  });
}

/** The size of the text; 0 when it lost words. */
function rank({ fitted: { truncated, style } }: SetText): number {
  return truncated ? 0 : style.sizePx;
}

/** A text with more words moves by line: so many layers are too much to paint, and too much to watch. */
const MAX_WORDS = 16;

interface PlacedText {
  readonly id: string;
  readonly set: SetText;
  readonly at: { readonly x: number; readonly w: number; readonly capTopY: number };
  readonly align: 'left' | 'center' | 'right';
  readonly color: string;
  readonly reads: string;
}

export function partsOf(type: TypeSetter, set: SetText, moved: Moved): { part?: TextPart; count: number } {
  const part = movingPart(moved);
  if (part === undefined) return { count: 1 };
  const count = type.countParts(set, part);
  return part === 'word' && count > MAX_WORDS
    ? { part: 'line', count: type.countParts(set, 'line') }
    : { part, count };
}

/** The layers of a set text, animated: one, or one for each line or word where these enter one by one. */
export function placeText(
  { type, fps }: Pick<SceneContext, 'type' | 'fps'>,
  { id, set, at, align, color, reads }: PlacedText,
  moved: Moved,
  mover: Omit<Mover, 'box' | 'fps'> = {},
): LayerDraft[] {
  const { part, count } = partsOf(type, set, moved);
  const layers: TextLayer[] =
    part === undefined
      ? [type.place(id, set, at, align, { color, reads })]
      : type.placeEach(id, set, at, align, { color, reads }, part);
  const { index = 0, count: all = 0 } = mover;
  const whole = unionOf(layers.map(({ box }) => box));
  return layers.map((layer, turn) =>
    animated<LayerDraft>(layer, moved, {
      ...mover,
      ...(part === undefined ? {} : { whole, index: index + turn, count: Math.max(all, count) }),
      fps,
    }),
  );
}

export function buildText(element: TextElement, context: SceneContext): BuiltElement {
  const text = fillText(element.text, context.texts);
  if (text === undefined) return NOTHING;
  const box = toPx(element.box, context.frame);
  const set = fitWords(context.type, text, element, { widthPx: box.w });
  const free = box.h - set.heightPx;
  const capTopY = box.y + spaceBefore(free, element.anchor);
  const color = context.palette[element.color]!;
  const at = { x: box.x, w: box.w, capTopY };
  // A web address stands under its code, which has one place in both reading directions.
  const align = OF_CODES.has(element.text) ? context.type.sideOf(element.align) : element.align;
  const layers = placeText(context, { id: element.id, set, at, align, color, reads: plain(text) }, element);
  return { layers, fits: true, warnings: warnOfEllipsis(set) };
}

export function buildPlate(element: PlateElement, context: SceneContext): BuiltElement {
  const text = fillText(element.text, context.texts);
  if (text === undefined) return NOTHING;
  const { frame, fps, palette, type } = context;
  const [top, right, bottom, left] = element.padding;
  const set = fitWords(type, text, element, { widthPx: element.maxWidth * frame.w - left - right });
  const w = Math.round(Math.max(set.widthPx + left + right, (element.minWidth ?? 0) * frame.w));
  const h = Math.round(Math.max(set.heightPx + top + bottom, (element.minHeight ?? 0) * frame.h));
  const corner = { x: Math.round(element.at[0] * frame.w), y: Math.round(element.at[1] * frame.h) };
  const { enter, exit, tab } = element;
  const isLeft = element.corner.endsWith('left');
  const isTabLeft = tab?.side === 'start' ? type.sideOf('left') === 'left' : !isLeft;
  // Plate, tab and text are seen through one window, as wide as plate and tab together.
  const tabPx = tab?.width ?? 0;
  const hostX = isLeft ? corner.x : corner.x - w - tabPx;
  const box = {
    x: isTabLeft ? hostX + tabPx : hostX,
    y: element.corner.startsWith('top') ? corner.y : corner.y - h,
    w,
    h,
  };
  // In a plate higher than its text needs, the text stands in the middle between the paddings.
  const spare = h - set.heightPx - top - bottom;
  const at = {
    x: box.x + left,
    w: Math.max(Math.ceil(set.widthPx), w - left - right),
    capTopY: box.y + top + Math.max(0, spare) / 2,
  };
  const placed = { id: element.id, set, at, align: 'left', color: palette[element.color]! } as const;
  const host = { ...box, x: hostX, w: w + tabPx };
  const plate = fillLayer(`${element.id}-plate`, box, palette[element.fill]!);
  const layers: LayerDraft[] = [animated(plate, { enter, exit }, { host, fps })];
  if (tab) {
    const tabBox = { ...box, x: isTabLeft ? hostX : box.x + w, w: tab.width };
    const fill = fillLayer(`${element.id}-tab`, tabBox, palette[tab.color]!);
    layers.push(animated(fill, { enter: tab.enter ?? enter, exit }, { host, fps }));
  }
  const moved = { enter: element.textEnter ?? enter, exit };
  layers.push(
    ...placeText(context, { ...placed, reads: plain(text) }, moved, element.textEnter ? {} : { host }),
  );
  return { layers, fits: true, warnings: warnOfEllipsis(set) };
}

const ENDS_IN_ELLIPSIS = 'too long and ends in an ellipsis: ';

export function warnOfEllipsis({ fitted }: SetText, subject = 'a text is'): string[] {
  if (!fitted.truncated) return [];
  return [`${subject} ${ENDS_IN_ELLIPSIS}${plain(fitted.lines.map(({ text }) => text).join(' '))}`];
}

/** Whether one of a scene's warnings is of {@link warnOfEllipsis}. */
export function losesWords(warnings: readonly string[]): boolean {
  return warnings.some((warning) => warning.includes(ENDS_IN_ELLIPSIS));
}

/** The text as a person reads it: without the marks that steer line breaks. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replace(/[\u2060\u200b\ufeff]/g, '');
}
