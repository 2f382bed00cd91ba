/** Gives a layer the motion and the mask of its element. Pure. */
import type { Animations, Mask } from '../../template/elements.ts';
import type { TextPart } from '../set-type.ts';
import type { Box, Color, FillLayer, LayerMask } from '../storyboard.ts';
import type { LayerDraft } from './scene-context.ts';
import { enterTracks, type Mover, needsFixedClip } from './tracks.ts';

export interface Moved {
  readonly enter?: Animations | undefined;
  readonly exit?: Animations | undefined;
}

/** The layer with tracks for `enter`; `exit` is kept in `leaving`, to be timed when the scene's length is known. */
export function animated<Draft extends LayerDraft>(
  layer: Draft,
  { enter, exit }: Moved,
  mover: Omit<Mover, 'box'> & { readonly box?: Box },
): Draft {
  const full = { box: layer.box, ...mover };
  const tracks = [...(layer.tracks ?? []), ...enterTracks(enter, full)];
  return {
    ...layer,
    ...(tracks.length ? { tracks } : {}),
    ...(needsFixedClip(enter) || needsFixedClip(exit) ? { clipFixed: true } : {}),
    ...(exit?.length ? { leaving: { ...full, exit } } : {}),
  };
}

/** The parts of a text that enter or leave one by one and so need separate layers; absent: it moves as a whole. */
export function movingPart({ enter, exit }: Moved): TextPart | undefined {
  const each = [...(enter ?? []), ...(exit ?? [])].map(({ each }) => each);
  return (['word', 'line'] as const).find((part) => each.includes(part));
}

export function fillLayer(id: string, box: Box, color: Color, alpha?: number): FillLayer {
  return { type: 'fill', id, box, color, ...(alpha === undefined ? {} : { alpha }) };
}

export function toLayerMask(mask: Mask): LayerMask {
  return mask.shape === 'ellipse' ? mask : { shape: 'rounded', radiusPx: mask.radius };
}
