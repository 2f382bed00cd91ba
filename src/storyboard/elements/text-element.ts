/** Texts that stand alone, and texts on a plate of paper that hugs them. Pure. */
import type { PlateElement, TextElement } from '../../template/template.ts';
import { toPx } from '../set-type.ts';
import { fillWords } from '../words.ts';
import { animated } from './animate-layer.ts';
import type { BuiltElement, SceneContext } from './scene-context.ts';

const NOTHING: BuiltElement = { layers: [], fits: true };

export function buildText(element: TextElement, context: SceneContext): BuiltElement {
  const text = fillWords(element.text, context.words);
  if (text === undefined) return NOTHING;
  const box = toPx(element.box, context.frame);
  const set = context.type.fit(text, element.style, {
    widthPx: box.w,
    maxLines: element.maxLines ?? 1,
  });
  const free = box.h - set.heightPx;
  const capTopY = box.y + (element.anchor === 'baseline' ? free : element.anchor === 'middle' ? free / 2 : 0);
  const layer = context.type.place(element.id, set, { x: box.x, w: box.w, capTopY }, element.align, {
    color: context.palette[element.color]!,
    reads: plain(text),
  });
  return { layers: [animated(layer, element, { fps: context.fps })], fits: true };
}

export function buildPlate(element: PlateElement, context: SceneContext): BuiltElement {
  const text = fillWords(element.text, context.words);
  if (text === undefined) return NOTHING;
  const { frame, palette, type } = context;
  const [top, right, bottom, left] = element.padding;
  const set = type.fit(text, element.style, {
    widthPx: element.maxWidth * frame.w - left - right,
    maxLines: element.maxLines,
  });
  const w = Math.round(set.widthPx + left + right);
  const h = Math.round(set.heightPx + top + bottom);
  const corner = { x: Math.round(element.at[0] * frame.w), y: Math.round(element.at[1] * frame.h) };
  const box = {
    x: element.corner.endsWith('left') ? corner.x : corner.x - w,
    y: element.corner.startsWith('top') ? corner.y : corner.y - h,
    w,
    h,
  };
  const words = type.place(
    element.id,
    set,
    { x: box.x + left, w: Math.ceil(set.widthPx), capTopY: box.y + top },
    'left',
    { color: palette[element.color]!, reads: plain(text) },
  );
  const { enter, exit } = element;
  return {
    layers: [
      animated({ type: 'fill', id: `${element.id}-plate`, box, color: palette[element.fill]! }, element, {
        fps: context.fps,
      }),
      animated(words, { enter: element.textEnter ?? enter, exit }, { host: box, fps: context.fps }),
    ],
    fits: true,
  };
}

/** Words as they are read: without the marks that steer line breaks. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replace(/[\u2060\u200b\ufeff]/g, '');
}
