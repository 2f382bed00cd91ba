/** Builds blocks and rules. Pure. */
import type { Element } from '../../template/elements.ts';
import { toPx } from '../box.ts';
import { shadeOf } from '../palette.ts';
import type { Box, Color } from '../storyboard.ts';
import { animated, fillLayer, toLayerMask } from './animate-layer.ts';
import type { BuiltElement, SceneContext } from './scene-context.ts';

export function buildFill(element: Extract<Element, { type: 'fill' }>, context: SceneContext): BuiltElement {
  const { id, alpha, rule, ticks } = element;
  const [color, below] = fillColors(element.color, context);
  const box = toPx(element.box, context.frame);
  const isAcross = box.h <= box.w;
  const thin = rule === undefined ? box : isAcross ? { ...box, h: rule } : { ...box, w: rule };
  const mask = element.mask ? { mask: toLayerMask(element.mask) } : {};
  const fill = { ...fillLayer(id, thin, color, alpha), ...mask };
  const { fps } = context;
  if (rule === undefined || ticks === undefined) {
    const shades = below === undefined ? [] : [{ ...fill, id: `${id}-below`, color: below, gradient: DOWN }];
    return { layers: [fill, ...shades].map((layer) => animated(layer, element, { fps })), fits: true };
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

const DOWN = {
  direction: 'down',
  stops: [
    [0, 0],
    [1, 1],
  ].map(([at, alpha]) => ({ at: at!, alpha: alpha! })),
} as const;

/** The color of a fill; of one in the colors of a photo that of its upper edge, and that which it ends on. */
function fillColors(role: string, { palette, photos, lightOf }: SceneContext): readonly [Color, Color?] {
  const [photo] = photos;
  const edges = photo && lightOf?.(photo)?.edges;
  if (!edges || role !== 'photoShade') return [palette[role]!];
  return [shadeOf(edges.top), shadeOf(edges.bottom)];
}
