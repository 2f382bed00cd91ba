/** What is wrong with a number that was typed into a form, in the words of its field. Pure. */
import { LENGTH_LIMITS_SEC, parseVideoLength } from '../../platform/video-length.ts';
import type { ListingPath } from '../editor/protocol.ts';

type Explain = (value: unknown) => string | null;

const COUNT: Explain = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? null : 'Enter a whole number such as 3.';

const FIELDS = {
  bedrooms: COUNT,
  half_bathrooms: COUNT,
  bathrooms: (value) =>
    /[.,]5$/.test(String(value))
      ? 'Count full bathrooms only: half bathrooms have their own field.'
      : COUNT(value),
  interior_square_footage: (value) =>
    typeof value === 'number' && value >= 1 ? null : 'Enter a number such as 2,840.',
  length: (value) =>
    typeof value === 'string' && parseVideoLength(value) !== null
      ? null
      : `Enter ${LENGTH_LIMITS_SEC.min} to ${LENGTH_LIMITS_SEC.max} seconds.`,
} as const satisfies Readonly<Record<string, Explain>>;

/** @returns Null for a value that is fine, and for a field that has no such words. */
export function explainNumber(path: ListingPath, value: unknown): string | null {
  const field = path.at(-1);
  const isKnown = path.length === 1 || path.at(-2) === 'template_data';
  return isKnown && typeof field === 'string' && Object.hasOwn(FIELDS, field)
    ? FIELDS[field as keyof typeof FIELDS](value)
    : null;
}
