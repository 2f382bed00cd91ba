/** What is guessed about a photo, as far as its room lets it count. Pure. */
import type { Focus } from '../../../listing/listing.ts';
import type { Room } from '../../../listing/words/room-of.ts';
import type { Photo } from '../../photo.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';

/**
 * How far a view goes from the middle of a photo toward its detail. Photographers put house and bed in the middle: on 16
 * views of houses the house is 0.05 of the width from it. In 41 bedrooms, kitchens and bathrooms the detail is nearer to
 * the subject (0.06) than the middle is (0.08), in 5 living rooms and the like farther away (0.13 and 0.03).
 */
const TO_DETAIL: Readonly<Record<Room | 'unknown', number>> = {
  ...{ outside: 0, bedroom: 1, kitchen: 1, bath: 1, living: 0.35, dining: 0.35, other: 0.35, unknown: 0.5 },
};
/** Beds are plain: their foot is lower than their detail. */
const BED_Y = 0.6;

/** Sky and street are those of the outside, and of photos of unknown room: a white ceiling looks like sky, a floor like a street. */
export function inRoom<T extends GuessedPhoto>(photo: T, room: KnownRoom): T {
  const { x, y } = photo.focus;
  const focus = {
    x: 0.5 + TO_DETAIL[room ?? 'unknown'] * (x - 0.5),
    y: room === 'bedroom' ? Math.max(BED_Y, y) : y,
  };
  return { ...(room === 'outside' || room === null ? photo : (withoutView(photo) as T)), focus };
}

/** @param focus - Of the listing: it replaces all guesses. */
export function withFocus(photo: Photo, focus: Focus | undefined): Photo {
  return focus === undefined ? photo : { ...withoutView(photo), focus, keepsFocus: true };
}

type GuessedPhoto = Pick<Photo, 'focus' | 'subject' | 'bareFrom'>;

function withoutView<T extends GuessedPhoto>({ subject: _, bareFrom: __, ...photo }: T) {
  return photo;
}

/** With all of its lower edge: the coat of a portrait, the paper of a floor plan. */
export function withGround({ bareFrom: _, ...photo }: Photo): Photo {
  return photo;
}
