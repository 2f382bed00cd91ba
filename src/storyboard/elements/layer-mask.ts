/** A template's mask as the storyboard names it. Pure. */
import type { Mask } from '../../template/elements.ts';
import type { LayerMask } from '../storyboard.ts';

export function toLayerMask(mask: Mask): LayerMask {
  return mask.shape === 'ellipse' ? mask : { shape: 'rounded', radiusPx: mask.radius };
}
