/** The name of a prepared text, mark or logo. Pure. */
import type { MaterialRef } from './compose/draw-list.ts';

/** `<scene>/<layer>/<step>`. */
export function materialKey({ scene, layer, step }: MaterialRef): string {
  return `${scene}/${layer}/${step}`;
}
