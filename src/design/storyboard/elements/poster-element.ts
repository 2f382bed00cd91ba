/** Builds poster type: lines under each other, each as large as its column allows. Pure. */
import type { Fact } from '../../../listing/words/facts.ts';
import type { PosterElement } from '../../template/elements.ts';
import { spaceBefore, toPx } from '../box.ts';
import type { SetText } from '../set-type.ts';
import { fillText } from '../texts.ts';
import { animated } from './animate-layer.ts';
import { countedUp, factWords } from './facts-element.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';
import { plain, warnOfEllipsis } from './text-element.ts';

const SCALE_STEP = 0.02;
const MIN_SCALE = 0.3;
/** Smallest gap of the ink of two lines, as a share of the gap. */
const MIN_GAP = 0.4;

interface Line {
  readonly id: string;
  readonly text: string;
  readonly fact?: Fact;
}

export function buildPoster(element: PosterElement, context: SceneContext): BuiltElement {
  const { type, palette, fps, frame } = context;
  const lines = linesOf(element, context);
  if (lines.length === 0) return { layers: [], fits: true };
  const box = toPx(element.box, frame);
  let sets: SetText[] = [];
  let gap = element.gap;
  let height = 0;
  for (let scale = 1; scale >= MIN_SCALE; scale -= SCALE_STEP) {
    const style = type.style(element.style);
    // The column's width decides the size of each line; its height shrinks all of them.
    sets = lines.map(({ text }) => {
      const widest = type.fit(text, element.style, { widthPx: box.w });
      const sizePx = Math.round(widest.fitted.style.sizePx * scale);
      return type.fit(text, element.style, {
        widthPx: box.w,
        sizePx,
        minSizePx: Math.min(sizePx, style.min ?? sizePx),
      });
    });
    gap = element.gap * Math.max(0.5, scale);
    height = sets.reduce(
      (sum, set, index) => sum + set.heightPx + (index > 0 ? gapBetween(sets[index - 1]!, set, gap) : 0),
      0,
    );
    if (height + sets.at(-1)!.underPx <= box.h) break;
  }
  const free = box.h - height;
  // Descenders of the last line stay in the box too.
  const lowest = free - sets.at(-1)!.underPx;
  let y = box.y + Math.min(lowest, spaceBefore(free, element.anchor));
  const layers = lines.map((line, index): LayerDraft => {
    const set = sets[index]!;
    const placed = type.place(line.id, set, { x: box.x, w: box.w, capTopY: y }, element.align, {
      color: palette[element.color]!,
      reads: plain(line.text),
    });
    const below = sets[index + 1];
    if (below !== undefined) y += set.heightPx + gapBetween(set, below, gap);
    const moved = animated(placed, element, { index, count: lines.length, fps });
    return line.fact
      ? countedUp(moved, line.fact, element.countUp, moved.tracks?.[0]?.startFrame ?? index, fps)
      : moved;
  });
  return { layers, fits: lowest >= -0.5, warnings: sets.flatMap((set) => warnOfEllipsis(set)) };
}

/** The gap of two lines: what hangs below one never reaches the other, which can be higher than capitals (Chinese). */
function gapBetween({ underPx }: SetText, { overTopPx }: SetText, gap: number): number {
  return Math.max(gap, underPx + overTopPx + gap * MIN_GAP);
}

function linesOf(element: PosterElement, context: SceneContext): Line[] {
  if (element.lines === 'facts') {
    return context.facts.map((fact) => {
      return { id: `fact-${fact.kind}`, text: factWords(fact, element.wording), fact };
    });
  }
  return element.lines.flatMap((line, index) => {
    const text = fillText(line, context.texts);
    return text === undefined ? [] : [{ id: `${element.id}-${index + 1}`, text }];
  });
}
