/** An altered photo over its original in one scene of a phone: who can stand so, and which layouts show both alike. Pure. */

import { aspectOf, inViewOf, isPanorama } from '../scenes/fit-photo.ts';
import type { LayerDraft, PhotoDraft, ScenePhoto } from './scene-context.ts';

type Frame = { readonly w: number; readonly h: number };

/** Less of the frame for both is no larger than one after the other. */
const LEAST_SHARE = 0.65;

/** Whether both can stand in bands of a phone: neither a strip of an upright photo nor one of a panorama. */
export function canStandOverOriginal(photo: ScenePhoto, frame: Frame): boolean {
  const isBand = frame.h > frame.w && aspectOf(photo) >= 1 && !isPanorama(photo);
  return isBand && photo.original !== undefined && inViewOf(photo, photo.original) !== null;
}

/** The photo and its original with the same view, each with its own label. */
export function comparedPhotos({ original, ...altered }: ScenePhoto, originalLabel: string): ScenePhoto[] {
  const same = original && inViewOf(altered, original);
  if (!same) throw new TypeError('the photo has no original of its shape');
  return [
    { ...altered, comparedAs: 'altered' },
    { ...same, label: originalLabel, comparedAs: 'original' },
  ];
}

/** Whether compared photos are large and equally so, and thus cropped alike. True where none are compared. */
export function showsAlike(layers: readonly LayerDraft[], frame: Frame): boolean {
  const boxes = layers
    .filter((layer): layer is PhotoDraft & LayerDraft => layer.type === 'photo')
    .filter(({ photo }) => photo.comparedAs !== undefined)
    .map(({ box }) => box);
  const [first, second] = boxes;
  if (first === undefined || second === undefined) return boxes.length === 0;
  const isLarge = 2 * first.w * first.h >= LEAST_SHARE * frame.w * frame.h;
  return isLarge && Math.abs(first.w - second.w) <= 1 && Math.abs(first.h - second.h) <= 1;
}
