/** The length of a video as people give it: a word, or seconds. Pure. */

export const LENGTH_WORDS = ['short', 'normal', 'long'] as const;
export const LENGTH_LIMITS_SEC = { min: 10, max: 90 };
/** What a length can be, for messages. */
export const LENGTH_FORMS = `${LENGTH_WORDS.join(', ')} or ${LENGTH_LIMITS_SEC.min}s to ${LENGTH_LIMITS_SEC.max}s`;

/** A word, or seconds within the limits. */
export type VideoLength = (typeof LENGTH_WORDS)[number] | number;

/** A word, `30s` or `30`; null for everything else. */
export function parseVideoLength(raw: string): VideoLength | null {
  const text = raw.trim().toLowerCase();
  return LENGTH_WORDS.find((word) => word === text) ?? parseSeconds(text, LENGTH_LIMITS_SEC);
}

/** The same length in one spelling: `30s` for `30`; null for everything else. */
export function spellVideoLength(raw: string): string | null {
  const length = parseVideoLength(raw);
  return typeof length === 'number' ? `${length}s` : length;
}

/** Seconds as `30s` or `30`; null where it is none, or outside the limits. */
export function parseSeconds(raw: string, { min, max }: { readonly min: number; readonly max: number }) {
  const sec = Number(/^(\d{1,3}(?:\.\d{1,3})?) ?s?$/i.exec(raw.trim())?.[1]);
  return sec >= min && sec <= max ? sec : null;
}
