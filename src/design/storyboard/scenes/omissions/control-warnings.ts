/** Warnings where a video cannot do what length and emphasis ask for. Pure. */
import { photoNames, photoNumbers } from '../../../../listing/words/photo-name.ts';
import { LENGTH_LIMITS_SEC } from '../../../../platform/video-length.ts';
import type { Plan, PlannedPhoto } from '../../plan/planned-scene.ts';
import { BODY_ROLES } from '../../timing/pacing.ts';
import type { CaptionedPhoto } from './missing-captions.ts';

/** Photos that a sentence names by their files. */
const MAX_NAMED = 3;

/** @param listed - The photos of the plan as sentences name them. */
export function warnOfControls(
  { plan, leftOut, hasLeftOutFacts, maxSec }: Omit<Plan, 'scenes'> & { readonly plan: Plan['scenes'] },
  listed: readonly CaptionedPhoto[],
  photos: readonly PlannedPhoto[],
): string[] {
  const namesOf = (indexes: readonly number[]) => photoNames(indexes.map((index) => listed[index]!));
  const lone = plan
    .filter(({ role, photos: own }) => BODY_ROLES.has(role) && role !== 'floor_plan' && own.length === 1)
    .map(({ photos: [own] }) => own!)
    .filter((index) => photos[index]!.emphasis === 'low');
  return [
    ...(leftOut.length === 0
      ? []
      : [
          `${leftOutWords(
            leftOut.map((index) => listed[index]!),
            photos.length,
          )} left out: a video of ${seconds(maxSec)} has no time for more`,
        ]),
    ...(hasLeftOutFacts ? [`the facts have no scene: a video of ${seconds(maxSec)} has no time for it`] : []),
    ...(lone.length === 0
      ? []
      : [
          `photo${lone.length === 1 ? '' : 's'} ${namesOf(lone)} of emphasis "low" ${
            lone.length === 1 ? 'stands' : 'stand'
          } alone: no other photo fits beside ${lone.length === 1 ? 'it' : 'them'}`,
        ]),
  ];
}

/** `photo 2 (front.jpg) is`; of more than a few, `23 of 30 photos (2 to 6 and 13 to 30) are`. */
function leftOutWords(photos: readonly CaptionedPhoto[], total: number): string {
  if (photos.length <= MAX_NAMED)
    return `photo${photos.length === 1 ? '' : 's'} ${photoNames(photos)} ${photos.length === 1 ? 'is' : 'are'}`;
  return `${photos.length} of ${total} photos (${photoNumbers(photos)}) are`;
}

/** Empty for a video that ends as near to its length as the music allows. */
export function warnOfLength(sec: number, lengthSec: number, toleranceSec: number): string[] {
  if (Math.abs(sec - lengthSec) <= toleranceSec) return [];
  const found = `the video is ${seconds(sec)} long, not ${seconds(lengthSec)}`;
  return [
    sec > lengthSec
      ? `${found}: its scenes cannot be shorter`
      : `${found}: its photos do not fill more${lengthSec > LENGTH_LIMITS_SEC.min ? ', and no scene becomes slower' : ''}`,
  ];
}

function seconds(sec: number): string {
  return `${Math.round(sec * 10) / 10} s`;
}
