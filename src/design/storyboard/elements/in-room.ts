/** What is guessed about a photo, as far as its room lets it count. Pure. */
import type { Focus } from '../../../listing/listing.ts';
import type { Photo } from '../../photo.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';

/**
 * The eye is drawn to lamps, windows and palms, but photographers put bed and house in the middle. On 12 fronts the house
 * is 0.04 of the width from it, and 0.14 from what draws the eye; on 12 bedrooms the bed is 0.05 from a quarter of the way
 * there, and 0.14 from what draws the eye. What could be one is looked at as a bed is: windows draw the eye from it.
 */
const TO_EYE = { outside: 0, bedroom: 0.25, unknown: 0.25 };
/** Ceilings are for nobody: the foot of a bed is lower. */
const BED_Y = 0.6;

/** Sky and street are those of the outside, and of photos of unknown room: a white ceiling looks like sky, a floor like a street. */
export function inRoom(photo: Photo, room: KnownRoom): Photo {
  const { x, y } = photo.focus;
  const toward = (share: number, lower = y) => ({ x: 0.5 + share * (x - 0.5), y: lower });
  if (room === 'outside') return { ...photo, focus: toward(TO_EYE.outside) };
  if (room === null) return { ...photo, focus: toward(TO_EYE.unknown) };
  const inside = withoutView(photo);
  return room === 'bedroom' ? { ...inside, focus: toward(TO_EYE.bedroom, Math.max(BED_Y, y)) } : inside;
}

/** @param focus - Of the listing: it replaces all guesses. */
export function withFocus(photo: Photo, focus: Focus | undefined): Photo {
  return focus === undefined ? photo : { ...withoutView(photo), focus, keepsFocus: true };
}

function withoutView({ subject: _, ...photo }: Photo): Photo {
  return withGround(photo);
}

/** With all of its lower edge: the coat of a portrait, the paper of a floor plan. */
export function withGround({ bareFrom: _, ...photo }: Photo): Photo {
  return photo;
}
