/** When a photo fills a phone with a part of itself while its camera crosses it. Pure. */
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Box } from '../storyboard.ts';
import { enlargement, MAX_CLOSE_UP, type PhotoShape, subjectLoss } from './fit-photo.ts';

/** Of a house, what a close-up can cut off. */
const CLOSE_UP_LOSS = 0.1;

type RoomPhoto = PhotoShape & { readonly room?: KnownRoom };

/** Never with half a house, nor softer than a moment allows. */
export function canFillAsCloseUp(photo: RoomPhoto, frame: Box): boolean {
  if (photo.room === 'outside' && photo.subject === undefined) return false;
  return enlargement(photo, frame) <= MAX_CLOSE_UP && subjectLoss(photo, frame) <= CLOSE_UP_LOSS;
}
