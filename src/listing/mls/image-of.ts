/** What `ImageOf` of a Media record says of a photo: its place in the video, a caption, whether it is a plan. Pure. */
import { type MlsRecord, textsOf } from './mls-record.ts';

export interface ImageOf {
  /** Outside, living, kitchen, dining, bedrooms, baths, other, outside again, floor plan. */
  readonly place: number;
  /** Null for what needs none, such as the front of the house. */
  readonly caption: string | null;
}

export const PLAN_PLACE = 8;
export const OTHER_PLACE = 6;

/** The first that matches counts: `Primary Bathroom` is no bedroom, `Dining Room` no living room. */
const PLACES: readonly (readonly [place: number, pattern: RegExp])[] = [
  [PLAN_PLACE, /floor ?plan|plat map/],
  [0, /^front\b|exterior front/],
  [5, /bath|powder room/],
  [4, /bedroom|nursery|guest quarters/],
  [2, /kitchen|breakfast|pantry/],
  [3, /dining/],
  [1, /living|great room|family room|sitting room|\bden\b|fireplace|entry|foyer|lobby/],
  [
    7,
    /structure|exterior|aerial|balcony|barn|community|courtyard|deck|dock|fence|garage|garden|golf|lake|\blot\b|buildings|parking|patio|pier|pond|pool|porch|stable|view|water|yard/,
  ],
];
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
  const place = PLACES.find(([, pattern]) => pattern.test(words))?.[0] ?? OTHER_PLACE;
  const hasCaption = !WITHOUT_CAPTION.test(words) && /^[a-z][a-z /&-]{2,30}$/.test(words);
  return { place, caption: hasCaption ? words.charAt(0).toUpperCase() + words.slice(1) : null };
}
