/** The lint rule `photo-share`: in a scene of the body, photos cover a fair share of the frame. Pure. */
import type { Photo } from '../photo.ts';
import { MIN_PHOTO_SHARE } from './plan/rate-layout.ts';
import { aspectOf, MAX_ENLARGEMENT } from './scenes/fit-photo.ts';
import type { Scene, SceneKind, Storyboard } from './storyboard.ts';

const PHOTO_SCENES: ReadonlySet<SceneKind> = new Set(['photo', 'pair', 'three', 'four', 'six']);
/** Boxes are whole pixels. */
const SLACK = 0.005;
/** With fewer photos there can be none to fill the frame with. A listing has at least as many assets. */
const MIN_PHOTOS = 5;
/** With an upright photo in a wide frame: two of them side by side leave wide margins. */
const MIN_SHARE_UPRIGHT = 0.33;
/** Width by height of photos that layouts are made for: upright phones to wide screens. */
const ORDINARY = { min: 0.56, max: 1.8 };

/**
 * What is wrong with the scene; undefined where it shows enough photo or is not a scene of photos. A video with a
 * strip, a panorama, or a photo narrower than half the frame is not checked: no layout makes these and their
 * neighbors large.
 *
 * @param photos - By digest.
 */
export function findSmallPhotos(
  scene: Scene,
  { widthPx, heightPx, scenes }: Storyboard,
  photos: ReadonlyMap<string, Pick<Photo, 'widthPx' | 'heightPx'>>,
): string | undefined {
  if (!PHOTO_SCENES.has(scene.kind)) return undefined;
  const digests = new Set(scenes.flatMap((each) => photosOf(each).map(({ digest }) => digest)));
  const all = [...digests].map((digest) => photos.get(digest));
  const isOrdinary = all.every(
    (photo) =>
      photo !== undefined &&
      photo.widthPx * MAX_ENLARGEMENT >= widthPx &&
      aspectOf(photo) >= ORDINARY.min &&
      aspectOf(photo) <= ORDINARY.max,
  );
  if (!isOrdinary || all.length < MIN_PHOTOS) return undefined;
  const area = photosOf(scene).reduce((sum, { box }) => sum + box.w * box.h, 0);
  const share = area / (widthPx * heightPx);
  const hasUpright =
    widthPx > heightPx && photosOf(scene).some(({ digest }) => aspectOf(photos.get(digest)!) < 1);
  const minShare = hasUpright ? MIN_SHARE_UPRIGHT : MIN_PHOTO_SHARE;
  if (share >= minShare - SLACK) return undefined;
  return `photos on ${share.toFixed(2)} of the frame, at least ${minShare}`;
}

function photosOf({ layers }: Scene) {
  return layers.flatMap((layer) => (layer.type === 'photo' && layer.id !== 'portrait' ? [layer] : []));
}
