/** Chooses the photos that a video begins with, before its opening. Pure. */
import type { RatioDesign, SceneVariant } from '../../template/template.ts';
import { toPx } from '../box.ts';
import { placePhoto } from '../elements/place-photo.ts';
import { subjectLoss } from '../scenes/fit-photo.ts';
import { isHigh, type PlannedPhoto, type PlanRequest } from './planned-scene.ts';
import { hookRoomCost } from './rate-rooms.ts';

/** A hook takes a photo of high emphasis rather than a larger one of a better room. */
const HIGH_IN_HOOK = 6;
/** Of a bed, an upright frame shows a part. */
const HALF_A_BED = 1;
/** A photo that does not fill the frame but a part of it, and one that stands whole. */
const IN_WINDOW = 1;
const WHOLE = 3;

interface HookContext {
  /** All photos but floor plans. */
  readonly shown: readonly number[];
  readonly heroPhotos: readonly number[];
  /** How many photos the last scene shows. */
  readonly endingPhotos: number;
}

/**
 * Photos of the hook, in the listing's order: unaltered ones that the video shows again, not those of the opening, which
 * comes next. Large ones go first, of rooms that sell a house, each of another room, and from all over the listing.
 */
export function chooseHook(
  design: RatioDesign,
  request: PlanRequest,
  { shown, heroPhotos, endingPhotos }: HookContext,
): number[] {
  const { photos, frame, hasFacts } = request;
  const { pacing, factsPhotos } = design;
  const others = shown.filter((photo) => {
    const { isAltered, emphasis } = photos[photo]!;
    return !isAltered && emphasis !== 'low' && !heroPhotos.includes(photo);
  });
  const cuts = pacing.hook?.cuts ?? 0;
  // One of several pictures is no hook.
  const least = Math.min(2, cuts);
  // The facts find photos that have not come twice.
  const ofOpeningAndEnding = Math.min(heroPhotos.length, endingPhotos);
  const spare = shown.length - ofOpeningAndEnding - (hasFacts ? factsPhotos : 0);
  const count = Math.min(cuts, others.length, spare);
  if (count < least) return [];
  const picked: number[] = [];
  for (let cut = 0; cut < count; cut++) {
    const costOf = (photo: number) => {
      const { room = null } = photos[photo]!;
      const bed = room === 'bedroom' && frame.h > frame.w ? HALF_A_BED : 0;
      const size = bed + sizeCost(design.scenes.hook, photos[photo]!, frame);
      const again = room === null ? 0 : picked.filter((other) => photos[other]!.room === room).length;
      const place = others.indexOf(photo) / others.length;
      // Several come from all over the listing; a single one is the best, and listings begin with these.
      const distance = count === 1 ? place / 2 : Math.abs(place - (cut + 0.5) / count);
      return size + hookRoomCost(room) + 2 * again + distance - (isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0);
    };
    const left = others.filter((photo) => !picked.includes(photo));
    picked.push(left.toSorted((a, b) => costOf(a) - costOf(b))[0]!);
  }
  return picked.sort((a, b) => a - b);
}

/** By the variants of the hook that the photo fills: one that fills the frame, as far as it shows the house, another one, none. */
function sizeCost(
  variants: readonly SceneVariant[],
  photo: PlannedPhoto,
  frame: { readonly w: number; readonly h: number },
): number {
  const filled = variants.filter(({ elements }) =>
    elements.some(
      (element) =>
        element.type === 'photo' &&
        element.fit !== 'plate' &&
        placePhoto(element, photo, toPx(element.box, frame)).fits,
    ),
  );
  const box = { x: 0, y: 0, ...frame };
  if (filled.some(({ ground }) => ground === 'full-bleed')) return subjectLoss(photo, box);
  return filled.length > 0 ? IN_WINDOW : WHOLE;
}
