/** Which photos of the listing stand on the card, beside the portrait or as a strip. Pure. */
import type { PhotoElement } from '../../../template/elements.ts';
import type { RatioDesign } from '../../../template/template.ts';
import { toPx } from '../../box.ts';
import { DEFAULT_CROP_LOSS } from '../../elements/place-photo.ts';
import type { ScenePhoto } from '../../elements/scene-context.ts';
import { canCover, inViewOf } from '../fit-photo.ts';

type Frame = { readonly w: number; readonly h: number };

/**
 * The first photo that its place does not crop too much, unaltered where there is one, be it the original of an altered
 * photo. Where only upright ones are left, a template with three places in a row gets three of them: the strip of a
 * phone would show a third of one.
 *
 * @param photos - In the order of preference.
 * @param first - Where there is no other.
 */
export function cardPhotos(
  photos: readonly ScenePhoto[],
  first: ScenePhoto,
  design: RatioDesign,
  frame: Frame,
): readonly ScenePhoto[] {
  const elements = design.scenes.card
    .flatMap((variant) => variant.elements)
    .filter((element): element is PhotoElement => element.type === 'photo');
  const [strip, third] = [0, 2].map((place) => elements.find(({ photo }) => photo === place));
  if (!strip) return [first];
  // The strip of a phone can crop more, where no photo is wide enough.
  const fits = (photo: ScenePhoto) => canFill(strip, photo, frame, DEFAULT_CROP_LOSS);
  const unaltered = photos.filter(({ label }) => label === undefined);
  const originals = photos.flatMap((photo) => {
    const { original } = photo;
    return original === undefined ? [] : [inViewOf(photo, original) ?? original];
  });
  const among = [unaltered, originals, photos].find((group) => group.length > 0) ?? [];
  const fitting = among.find(fits);
  if (fitting !== undefined) return [fitting];
  const inThirds = third ? unaltered.filter((photo) => canFill(third, photo, frame)) : [];
  return inThirds.length < 3 ? [among[0] ?? first] : inThirds.slice(0, 3);
}

function canFill({ box, maxCropLoss }: PhotoElement, photo: ScenePhoto, frame: Frame, most = 1): boolean {
  return canCover(photo, toPx(box, frame), Math.min(most, maxCropLoss ?? DEFAULT_CROP_LOSS));
}
