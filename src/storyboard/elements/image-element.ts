/** The picture of an image data layer, whole in its box. Pure. */
import type { ImageElement } from '../../template/elements.ts';
import { toPx } from '../set-type.ts';
import { animated } from './animate-layer.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';

export function buildImage(element: ImageElement, context: SceneContext): BuiltElement {
  const image = context.images.get(element.layer);
  if (!image) return { layers: [], fits: true };
  const area = toPx(element.box, context.frame);
  const scale = Math.min(area.w / image.widthPx, area.h / image.heightPx);
  const w = Math.round(image.widthPx * scale);
  const h = Math.round(image.heightPx * scale);
  const across = element.align === 'right' ? 1 : element.align === 'center' ? 0.5 : 0;
  const down = element.anchor === 'bottom' ? 1 : element.anchor === 'middle' ? 0.5 : 0;
  const layer: LayerDraft = {
    type: 'graphic',
    id: element.id,
    digest: image.digest,
    box: { x: Math.round(area.x + (area.w - w) * across), y: Math.round(area.y + (area.h - h) * down), w, h },
  };
  return { layers: [animated(layer, element, { fps: context.fps })], fits: true };
}
