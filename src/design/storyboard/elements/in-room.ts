/** What is guessed about a photo, as far as its room lets it count. Pure. */
import type { Focus } from '../../../listing/listing.ts';
import type { Photo } from '../../photo.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';

/** Ceilings are for nobody: the foot of a bed is lower. */
const BED_Y = 0.6;

/**
 * Sky and street are those of the outside, and of photos of unknown room: a white ceiling looks like sky, a floor like a
 * street. The eye is drawn to lamps, windows and palms, but photographers put bed and house in the middle: on 12 bedrooms
 * and 12 fronts these are 0.06 and 0.04 of the width from it, and 0.14 from what draws the eye. What could be one is
 * looked at between both.
 */
export function inRoom(photo: Photo, room: KnownRoom): Photo {
  const { x, y } = photo.focus;
  if (room === 'outside') return { ...photo, focus: { x: 0.5, y } };
  if (room === null) return { ...photo, focus: { x: (x + 0.5) / 2, y } };
  const inside = withoutView(photo);
  return room === 'bedroom' ? { ...inside, focus: { x: 0.5, y: Math.max(BED_Y, y) } } : inside;
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
