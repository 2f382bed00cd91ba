/** When a photo fills a phone with a part of itself, so that windows come between full frames and not in a row. Pure. */
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Box } from '../storyboard.ts';
import { enlargement, MAX_CLOSE_UP, type PhotoShape, subjectLoss } from './fit-photo.ts';

/** After so many photos that fill the frame one stands in a window. */
const FILLED_IN_A_ROW = 2;
/** Of a house, what a close-up can cut off. */
const CLOSE_UP_LOSS = 0.1;

/**
 * Whether a single can fill the frame with a part of its photo: in a run, and two of three others.
 *
 * @param filled - How many singles that fill the frame came since the last one that does not.
 */
export function isCloseUp(
  { role, isInRun }: Pick<PlannedScene, 'role' | 'isInRun'>,
  filled: number,
  photo: RoomPhoto,
  frame: Box,
): boolean {
  const isTurn = role === 'single' && (isInRun === true || filled < FILLED_IN_A_ROW);
  return isTurn && canFillAsCloseUp(photo, frame);
}

type RoomPhoto = PhotoShape & { readonly room?: KnownRoom };

/** Never with half a bed or half a house, nor softer than a moment allows. */
export function canFillAsCloseUp(photo: RoomPhoto, frame: Box): boolean {
  const { room = null, subject } = photo;
  if (room === 'bedroom' || (room === 'outside' && subject === undefined)) return false;
  return enlargement(photo, frame) <= MAX_CLOSE_UP && subjectLoss(photo, frame) <= CLOSE_UP_LOSS;
}
