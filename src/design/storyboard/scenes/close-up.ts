/** When a photo fills a phone with a part of itself, so that no window comes three times in a row. Pure. */
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Box } from '../storyboard.ts';
import { type PhotoShape, subjectLoss } from './fit-photo.ts';

/** After so many windows of the same kind another layout comes. */
const WINDOWS_IN_A_ROW = 2;
/** Of a house, what a close-up can cut off. */
const CLOSE_UP_LOSS = 0.1;

/**
 * Whether a single can fill the frame with a part of its photo: in a run, or after two windows.
 *
 * @param windows - How many singles that do not fill the frame came right before.
 */
export function isCloseUp(
  { role, isInRun }: Pick<PlannedScene, 'role' | 'isInRun'>,
  windows: number,
  photo: RoomPhoto,
  frame: Box,
): boolean {
  const isTurn = role === 'single' && (isInRun === true || windows >= WINDOWS_IN_A_ROW);
  return isTurn && canFillAsCloseUp(photo, frame);
}

type RoomPhoto = PhotoShape & { readonly room?: KnownRoom };

/** Never with half a bed or half a house. */
export function canFillAsCloseUp(photo: RoomPhoto, frame: Box): boolean {
  const { room = null, subject } = photo;
  if (room === 'bedroom' || (room === 'outside' && subject === undefined)) return false;
  return subjectLoss(photo, frame) <= CLOSE_UP_LOSS;
}
