/** Builds blocks and rules. Pure. */
import type { Element } from '../../template/elements.ts';
import { toPx } from '../box.ts';
import { shadeOf } from '../palette.ts';
import type { Box, Color } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import type { BuiltElement, SceneContext } from './scene-context.ts';

export function buildFill(element: Extract<Element, { type: 'fill' }>, context: SceneContext): BuiltElement {
  const { id, alpha, rule, ticks } = element;
  const { color, shade } = fillColor(element.color, context);
  const box = toPx(element.box, context.frame);
  const isAcross = box.h <= box.w;
  const thin = rule === undefined ? box : isAcross ? { ...box, h: rule } : { ...box, w: rule };
  const mask = element.mask ? { mask: toLayerMask(element.mask) } : {};
  const fill = { ...fillLayer(id, thin, color, alpha), ...mask };
  const { fps } = context;
  if (rule === undefined || ticks === undefined) {
    const fills = shade
      ? [fill, { ...fill, id: `${id}-far`, ...shadeFrom(shade, box, context.frame) }]
      : [fill];
    return { layers: fills.map((layer) => animated(layer, element, { fps })), fits: true };
  }
  // Rule and ticks are seen through one window.
  const host = isAcross
    ? { ...thin, y: thin.y - Math.round((ticks - rule) / 2), h: ticks }
    : { ...thin, x: thin.x - Math.round((ticks - rule) / 2), w: ticks };
  const ends: Box[] = isAcross
    ? [
        { ...host, w: rule },
        { ...host, x: host.x + host.w - rule, w: rule },
      ]
    : [
        { ...host, h: rule },
        { ...host, y: host.y + host.h - rule, h: rule },
      ];
  const strokes = ends.map((end, index) => fillLayer(`${id}-tick-${index + 1}`, end, color, alpha));
  return { layers: [fill, ...strokes].map((layer) => animated(layer, element, { host, fps })), fits: true };
}

interface Shade {
  readonly direction: 'down' | 'right';
  readonly far: Color;
}

/** Beside a photo a fill can have a color of it; a shade goes from the color of one edge to that of the other. */
function fillColor(role: string, context: SceneContext): { readonly color: Color; readonly shade?: Shade } {
  const { palette, photos, lightOf, frame } = context;
  const [first, last] = [photos[0], photos.at(-1)];
  const near = first && lightOf?.(first);
  const far = last && lightOf?.(last)?.sides;
  if (role === 'photoEdge' && near?.edge) return { color: near.edge };
  if (role !== 'photoShade' || !first || !near?.sides || !far) return { color: palette[role]! };
  // A photo that is narrower than the frame has its ground at its left and right.
  return first.widthPx / first.heightPx < frame.w / frame.h
    ? { color: shadeOf(near.sides.left), shade: { direction: 'right', far: shadeOf(far.right) } }
    : { color: shadeOf(near.sides.top), shade: { direction: 'down', far: shadeOf(far.bottom) } };
}

/** The part of a shade over the whole frame that a box shows. */
function shadeFrom({ direction, far }: Shade, box: Box, frame: SceneContext['frame']) {
  const [from, length, whole] = direction === 'down' ? [box.y, box.h, frame.h] : [box.x, box.w, frame.w];
  const stops = [0, 1].map((at) => ({ at, alpha: (from + at * length) / whole }));
  return { color: far, gradient: { direction, stops } };
}
