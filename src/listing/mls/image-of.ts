/** What `ImageOf` of a Media record says of a photo: its place in the video, a caption, whether it is a plan. Pure. */
import { type Room, roomIn } from '../words/room-of.ts';
import { type MlsRecord, textsOf } from './mls-record.ts';

export interface ImageOf {
  /** Outside, living, kitchen, dining, bedrooms, baths, other, outside again, floor plan. */
  readonly place: number;
  /** Null for what needs none, such as the front of the house. */
  readonly caption: string | null;
}

export const PLAN_PLACE = 8;
export const OTHER_PLACE = 6;

const PLAN = /floor ?plan|plat map/;
const FRONT = /^front\b|exterior front/;
const PLACES: Readonly<Record<Room, number>> = {
  living: 1,
  kitchen: 2,
  dining: 3,
  bedroom: 4,
  bath: 5,
  other: OTHER_PLACE,
  outside: 7,
};
const WITHOUT_CAPTION = /structure|exterior|^front|floor ?plan|^other$/;

/** Null without a value. A value of no known meaning is one of the other rooms, without a caption. */
export function readImageOf(record: MlsRecord): ImageOf | null {
  const [value] = textsOf(record, 'ImageOf').flatMap((text) => text.split(','));
  if (value === undefined) return null;
  // `DiningRoom` and `Dining Room` are one.
  const words = value
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^master\b/, 'primary');
  const hasCaption = !WITHOUT_CAPTION.test(words) && /^[a-z][a-z /&-]{2,30}$/.test(words);
  return {
    place: placeOf(words),
    caption: hasCaption ? words.charAt(0).toUpperCase() + words.slice(1) : null,
  };
}

function placeOf(words: string): number {
  if (PLAN.test(words)) return PLAN_PLACE;
  return FRONT.test(words) ? 0 : PLACES[roomIn(words) ?? 'other'];
}
