/** Builds blocks and rules. Pure. */
import type { Element } from '../../template/elements.ts';
import { toPx } from '../box.ts';
import { shadeOf } from '../palette.ts';
import type { Box, Color } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import type { BuiltElement, SceneContext } from './scene-context.ts';

export function buildFill(element: Extract<Element, { type: 'fill' }>, context: SceneContext): BuiltElement {
  const { id, alpha, rule, ticks } = element;
  const color = fillColor(element.color, context);
  const box = toPx(element.box, context.frame);
  const isAcross = box.h <= box.w;
  const thin = rule === undefined ? box : isAcross ? { ...box, h: rule } : { ...box, w: rule };
  const mask = element.mask ? { mask: toLayerMask(element.mask) } : {};
  const fill = { ...fillLayer(id, thin, color, alpha), ...mask };
  const { fps } = context;
  if (rule === undefined || ticks === undefined)
    return { layers: [animated(fill, element, { fps })], fits: true };
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

/** Beside a photo a fill can have a color of it. */
function fillColor(role: string, { palette, photos, lightOf }: SceneContext): Color {
  const edge = photos[0] && lightOf?.(photos[0])?.edge;
  if (edge !== undefined && role === 'photoShade') return shadeOf(edge);
  return edge !== undefined && role === 'photoEdge' ? edge : palette[role]!;
}
