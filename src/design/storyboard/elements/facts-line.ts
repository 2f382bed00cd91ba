/** Builds facts as a line: "4 beds | 3.5 baths | 2,840 sq ft". Pure. */
import type { FactsLine, FactsLineElement } from '../../template/elements.ts';
import { isRtlText } from '../../text/order-runs.ts';
import { spaceBefore, toPx } from '../box.ts';
import type { SetText } from '../set-type.ts';
import { fillText } from '../texts.ts';
import { animated } from './animate-layer.ts';
import { dividerAfter, factWords, labelOf } from './facts-element.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import { plain, warnOfEllipsis } from './text-element.ts';

/** Gap of number and label where they are separate texts, em of the label. */
const WORD_GAP_EM = 0.28;
/** From row to row, in heights of a capital. */
const ROW_PITCH = 1.7;
/** Greatest height of rows, as a share of the height of their box: below it there is the margin of the frame. */
const MAX_ROWS = 1.5;

export interface BuiltFactsLine {
  readonly heightPx: number;
  /** Of one row: from the top of its capitals to the baseline. */
  readonly rowPx: number;
  /** It has more than one row. */
  readonly isSplit: boolean;
  readonly underPx: number;
  readonly overTopPx: number;
  readonly widthPx: number;
  readonly warnings: readonly string[];
  /** @param capTopY - Top of the numerals' capitals. */
  place(
    box: { readonly x: number; readonly w: number },
    capTopY: number,
    align: 'left' | 'center' | 'right',
  ): LayerDraft[];
}

interface Part {
  readonly id: string;
  readonly set: SetText;
  readonly style: string;
  readonly color: string;
  readonly reads: string;
}

/** The line in its box. It does not fit when it is too wide or lost words. */
export function buildFactsLine(element: FactsLineElement, context: SceneContext): BuiltElement {
  const box = toPx(element.box, context.frame);
  const line = setFactsLine(element, context, box.w, 1, box.h * MAX_ROWS);
  if (!line) return { layers: [], fits: true };
  // Further rows go on below.
  const capTopY = box.y + spaceBefore(box.h - line.rowPx, element.anchor);
  const layers = line.place(box, capTopY, element.align);
  return {
    layers: layers.map((layer, index) =>
      animated(layer, element, { index, count: layers.length, fps: context.fps }),
    ),
    fits: line.widthPx <= box.w + 0.5 && line.warnings.length === 0,
    isSplit: line.isSplit,
    warnings: line.warnings,
  };
}

/**
 * Facts that are too wide for a line even in small type are broken into rows.
 *
 * @param scale - Multiplies the sizes; their minima apply.
 * @param maxHeightPx - Rows that are higher are not made: words are cut instead.
 * @returns Undefined without texts.
 */
export function setFactsLine(
  design: FactsLine,
  context: SceneContext,
  widthPx: number,
  scale: number,
  maxHeightPx = Number.POSITIVE_INFINITY,
): BuiltFactsLine | undefined {
  const { type } = context;
  const numberStyle = type.style(design.number);
  const labelStyle = type.style(design.label);
  const minScale = Math.max(
    type.minSize(design.number) / numberStyle.size,
    type.minSize(design.label) / labelStyle.size,
  );
  const attempt = (size: number) => setEntries(design, context, size);
  let size = Math.max(minScale, scale);
  let entries = attempt(size);
  if (entries.length === 0) return undefined;
  const gapOf = (by: number) => design.gapEm * Math.round(numberStyle.size * by);
  const total = (list: readonly Part[][], by: number) =>
    list.reduce((sum, parts) => sum + widthOf(parts), 0) + gapOf(by) * (list.length - 1);
  while (total(entries, size) > widthPx && size > minScale) {
    size = Math.max(minScale, size - 0.03);
    entries = attempt(size);
  }
  const gap = gapOf(size);
  const inRows = breakRows(entries, (row) => total(row, size) <= widthPx);
  const capPx = capOf(entries);
  const pitchPx = Math.round(capPx * ROW_PITCH);
  const areLow = capPx + pitchPx * (inRows.length - 1) <= maxHeightPx;
  const rows = (areLow ? inRows : [entries]).map((row) =>
    total(row, size) <= widthPx ? row : cutWidest(row, widthPx - gap * (row.length - 1), context, size),
  );
  const all = rows.flat(2);
  return {
    heightPx: capPx + pitchPx * (rows.length - 1),
    rowPx: capPx,
    isSplit: rows.length > 1,
    underPx: Math.max(...all.map(({ set }) => set.underPx)),
    overTopPx: Math.max(...all.map(({ set }) => set.overTopPx)),
    widthPx: Math.max(...rows.map((row) => total(row, size))),
    warnings: all.flatMap(({ set }) => warnOfEllipsis(set)),
    place: (box, capTopY, align) =>
      rows.flatMap((row, line) => {
        const rowTopY = capTopY + line * pitchPx;
        let x = box.x + spaceBefore(box.w - total(row, size), type.sideOf(align));
        const before = rows.slice(0, line).flat().length;
        const inOrder = type.isRtl ? row.toReversed() : row;
        return inOrder.flatMap((parts, index) => {
          const layers = placeParts(parts, x, rowTopY + capPx, context);
          x += widthOf(parts);
          if (design.divider && index < row.length - 1) {
            const h = Math.round(design.divider.heightEm * numberStyle.size * size);
            const top = rowTopY + (capPx - h) / 2;
            layers.push(dividerAfter(before + index, design.divider, x + gap / 2, top, h, context));
          }
          x += gap;
          return layers;
        });
      }),
  };
}

function capOf(entries: readonly Part[][]): number {
  return Math.max(...entries.flat().map(({ set }) => set.heightPx));
}

/** As many entries in each row as fit, one at least. */
function breakRows(entries: readonly Part[][], fits: (row: readonly Part[][]) => boolean): Part[][][] {
  const rows: Part[][][] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (last !== undefined && fits([...last, entry])) last.push(entry);
    else rows.push([entry]);
  }
  return rows;
}

function setEntries(design: FactsLine, context: SceneContext, scale: number): Part[][] {
  const { type, palette, facts, texts } = context;
  const numberColor = palette[design.numberColor ?? 'ink']!;
  const labelColor = palette[design.labelColor ?? (design.label === design.number ? 'ink' : 'soft')]!;
  const part = (id: string, text: string, style: string, color: string, reads = text): Part => {
    const set = type.measure(text, style, Math.round(type.style(style).size * scale));
    return { id, set, style, color, reads };
  };
  const before = (design.before ?? []).flatMap((entry, index): Part[][] => {
    const own = typeof entry === 'string' ? { text: entry } : entry;
    const filled = fillText(own.text, texts);
    if (filled === undefined) return [];
    const id = /\{(\w+)\}/.exec(own.text)?.[1] ?? `before-${index + 1}`;
    const color = own.color === undefined ? labelColor : palette[own.color]!;
    return [[part(id, filled, own.style ?? design.label, color, plain(filled))]];
  });
  const shown = design.kinds ? facts.filter(({ kind }) => design.kinds!.includes(kind)) : facts;
  const factParts = shown.map((fact): Part[] => {
    const label = fact.kind === 'price' ? '' : labelOf(fact, design.wording, context);
    const isOne = fact.value === '' || label === '';
    if (isOne || (design.number === design.label && numberColor === labelColor)) {
      return [part(`fact-${fact.kind}`, factWords(fact, design.wording), design.number, numberColor)];
    }
    return [
      part(`fact-${fact.kind}`, fact.value, design.number, numberColor),
      part(`label-${fact.kind}`, label, design.label, labelColor),
    ];
  });
  return [...before, ...factParts];
}

function cutWidest(
  entries: readonly Part[][],
  widthPx: number,
  { type }: SceneContext,
  scale: number,
): Part[][] {
  let cut = entries.map((parts) => [...parts]);
  for (let turn = 0; turn < entries.length; turn++) {
    const over = cut.reduce((sum, parts) => sum + widthOf(parts), 0) - widthPx;
    if (over <= 0.5) break;
    const widest = cut.reduce((best, parts) => (widthOf(parts) > widthOf(best) ? parts : best));
    cut = cut.map((parts) =>
      parts !== widest
        ? parts
        : parts.slice(0, 1).map((part) => {
            const sizePx = Math.round(type.style(part.style).size * scale);
            const room = Math.max(2 * sizePx, widthOf(widest) - over);
            return {
              ...part,
              set: type.fit(part.reads, part.style, { widthPx: room, sizePx, minSizePx: sizePx }),
            };
          }),
    );
  }
  return cut;
}

function wordGap(part: Part): number {
  return WORD_GAP_EM * part.set.fitted.style.sizePx;
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part, index) => sum + part.set.widthPx + (index > 0 ? wordGap(part) : 0), 0);
}

function placeParts(
  parts: readonly Part[],
  left: number,
  baseline: number,
  { type }: SceneContext,
): LayerDraft[] {
  let x = left;
  const isRtl = isRtlText(parts.at(-1)?.reads ?? '');
  return (isRtl ? parts.toReversed() : parts).map((part, index) => {
    if (index > 0) x += wordGap(part);
    const layer = type.place(
      part.id,
      part.set,
      { x, w: part.set.widthPx, capTopY: baseline - part.set.heightPx },
      'left',
      { color: part.color, reads: part.reads },
    );
    x += part.set.widthPx;
    return layer;
  });
}
