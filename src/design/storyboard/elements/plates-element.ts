/** Builds poster type: every line on its own plate, the plates flush with each other and with one edge. Pure. */
import type { PlateLine, PlatesElement } from '../../template/elements.ts';
import type { SetText } from '../set-type.ts';
import type { Box } from '../storyboard.ts';
import { fillText, matches } from '../texts.ts';
import { animated, fillLayer } from './animate-layer.ts';
import { isMirrored } from './right-to-left.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import { fitWords, plain, warnOfEllipsis } from './text-element.ts';

const SCALE_STEP = 0.02;
const MIN_SCALE = 0.3;
/** Margin of a plate that had to grow for its strokes, em. */
const EDGE_EM = 0.04;
const NO_PAINT = { color: '#000000', reads: '' };

interface SetLine {
  readonly item: PlateLine;
  readonly set: SetText;
  readonly reads: string;
  /** Height of one plate, px, and from its top to the capitals. */
  readonly plateH: number;
  readonly capTop: number;
}

export function buildPlates(element: PlatesElement, context: SceneContext): BuiltElement {
  const { frame, texts, flags } = context;
  const present = element.items.flatMap((item) => {
    const text = matches(item.when, texts, flags) ? fillText(item.text, texts) : undefined;
    return text === undefined ? [] : [{ item, text }];
  });
  if (present.length === 0) return { layers: [], fits: true };
  const set = setPile(element, present, context);
  const height = heightOf(set);
  const at = Math.round(element.at * frame.h);
  const y =
    element.anchor === 'bottom' ? at - height : element.anchor === 'top' ? at : Math.round(at - height / 2);
  const count = set.reduce((sum, { set: { fitted } }) => sum + fitted.lines.length, 0);
  const layers: LayerDraft[] = [];
  let index = 0;
  tops(set).forEach((top, row) => {
    const line = set[row]!;
    layers.push(...placeLines(line, element, y + top, { index, count }, context));
    index += line.set.fitted.lines.length;
  });
  const warnings = set.flatMap((line) => warnOfEllipsis(line.set));
  return { layers, fits: height <= element.maxHeight * frame.h + 0.5, warnings };
}

function setPile(
  element: PlatesElement,
  present: readonly { readonly item: PlateLine; readonly text: string }[],
  { frame, type }: SceneContext,
): SetLine[] {
  const widthPx = (element.textEnd - element.textAt) * frame.w;
  let set: SetLine[] = [];
  for (let scale = 1; scale >= MIN_SCALE; scale -= SCALE_STEP) {
    const setAt = (item: PlateLine, text: string, by: number) =>
      fitWords(type, text, item, { widthPx, scale: by });
    const fittedScale = (item: PlateLine, text: string) =>
      setAt(item, text, scale).fitted.style.sizePx / type.style(item.style).size;
    set = present.map(({ item, text }) => {
      const group = present.filter((other) => item.sizeGroup && other.item.sizeGroup === item.sizeGroup);
      const lines = setAt(
        item,
        text,
        Math.min(scale, ...group.map((other) => fittedScale(other.item, other.text))),
      );
      return { item, set: lines, reads: plain(text), ...plateOf(lines, element, type) };
    });
    if (heightOf(set) <= element.maxHeight * frame.h) break;
  }
  return set;
}

/**
 * Capitals stand in the middle of their plate. Marks and strokes that would leave it, as in Vietnamese or Arabic,
 * make all plates of their text higher.
 */
function plateOf(
  set: SetText,
  { heightEm }: PlatesElement,
  type: SceneContext['type'],
): Pick<SetLine, 'plateH' | 'capTop'> {
  const { sizePx } = set.fitted.style;
  const plateH = Math.round(heightEm * sizePx);
  const spare = (plateH - set.fitted.capHeightPx) / 2;
  const inks = set.fitted.lines.map(
    (line) => type.place('', oneLine(set, line), { x: 0, w: line.widthPx, capTopY: 0 }, 'left', NO_PAINT).box,
  );
  const margin = EDGE_EM * sizePx;
  const over = Math.max(...inks.map(({ y }) => -y));
  const under = Math.max(...inks.map(({ y, h }) => y + h - set.fitted.capHeightPx));
  const top = over > spare ? Math.ceil(over + margin) : spare;
  const bottom = under > spare ? Math.ceil(under + margin) : spare;
  return { plateH: Math.round(top + set.fitted.capHeightPx + bottom), capTop: top };
}

/** The text with one of its lines only: each line stands by its capitals on its own plate. */
function oneLine(set: SetText, line: SetText['fitted']['lines'][number]): SetText {
  return {
    ...set,
    fitted: { ...set.fitted, lines: [line], widthPx: line.widthPx },
    heightPx: set.fitted.capHeightPx,
  };
}

function heightOf(lines: readonly SetLine[]): number {
  const from = tops(lines);
  return Math.max(...lines.map((line, row) => from[row]! + ownHeight(line)));
}

const ownHeight = ({ set, plateH }: SetLine): number => plateH * set.fitted.lines.length;

/** Where each text begins below the first one, px: under the one before it, or in its place. */
function tops(lines: readonly SetLine[]): number[] {
  const made: number[] = [];
  lines.forEach((line, row) => {
    const before = row === 0 ? 0 : made[row - 1]!;
    made.push(row === 0 || line.item.over === true ? before : before + ownHeight(lines[row - 1]!));
  });
  return made;
}

function placeLines(
  { item, set, reads, plateH, capTop }: SetLine,
  element: PlatesElement,
  top: number,
  place: { readonly index: number; readonly count: number },
  { frame, fps, palette, type }: SceneContext,
): LayerDraft[] {
  const size = set.fitted.style.sizePx;
  const pad = element.padEm * size + element.padding;
  const isFromRight = isMirrored(element, type.isRtl);
  const mirrored = element.rtl ?? { edge: 1 - element.edge, textAt: 1 - element.textAt };
  // Cues and reports have the text as the listing writes it; a cut one, what its lines show.
  const readsOf = (row: number, shown: string) =>
    set.fitted.truncated ? plain(shown) : row === 0 ? reads : '';
  const lines = set.fitted.lines.flatMap((line, row): LayerDraft[] => {
    const y = top + row * plateH;
    const edge = Math.round((isFromRight ? mirrored.edge : element.edge) * frame.w);
    const textX = (isFromRight ? mirrored.textAt : element.textAt) * frame.w;
    const far = Math.round(isFromRight ? textX - line.widthPx - pad : textX + line.widthPx + pad);
    const box: Box = { x: Math.min(edge, far), y, w: Math.abs(far - edge), h: plateH };
    const text = type.place(
      row === 0 ? item.id : `${item.id}-${row + 1}`,
      oneLine(set, line),
      { x: isFromRight ? textX - line.widthPx : textX, w: line.widthPx, capTopY: y + capTop },
      'left',
      { color: palette[item.color]!, reads: readsOf(row, line.text) },
    );
    const mover = { index: place.index + row, count: place.count, host: box, fps };
    const fill = fillLayer(`${item.id}-plate-${row + 1}`, box, palette[item.fill]!);
    const { enter = element.enter, exit = element.exit } = item;
    const moved = { enter, exit };
    return [animated(fill, moved, mover), animated<LayerDraft>(text, moved, mover)];
  });
  // Plates lie under all lines of their text: descenders of a line can reach into the next plate.
  return [
    ...lines.filter(({ type: kind }) => kind === 'fill'),
    ...lines.filter(({ type: kind }) => kind === 'text'),
  ];
}
