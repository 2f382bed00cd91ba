/** Texts for times, counts, ratios, progress and reasons. Pure. */
import type { AspectRatio } from '../../listing/listing.ts';

/** `1:04`; with tenths `1:04.3`. */
export function timeWords(
  seconds: number,
  { hasTenths = false }: { readonly hasTenths?: boolean } = {},
): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const [minutes, rest] = [Math.floor(tenths / 600), Math.floor((tenths % 600) / 10)];
  const words = `${minutes}:${String(rest).padStart(2, '0')}`;
  return hasTenths ? `${words}.${tenths % 10}` : words;
}

export function ratioWords(ratio: AspectRatio): string {
  return ratio === '1920:1080' ? '16:9' : '9:16';
}

/** Of a limit: from here on the count is shown, at 100 of 120. */
const NEAR_LIMIT = 5 / 6;

/** `104 of 120 characters.` when the text comes near its limit; null before, and without a limit. */
export function counterWords(text: string, limit: number | null): string | null {
  const length = [...text].length;
  return limit === null || length < limit * NEAR_LIMIT ? null : `${length} of ${limit} characters.`;
}

/** What holds while a field is empty, in words that nobody takes for its value; undefined for nothing. */
export function ifEmpty(preset: string): string | undefined {
  return preset === '' ? undefined : `${preset} if empty`;
}

/** `12.3 MB`. */
export function sizeWords(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const AGES: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 'minute'],
  [3_600, 'hour'],
  [86_400, 'day'],
  [7 * 86_400, 'week'],
  [30 * 86_400, 'month'],
  [365 * 86_400, 'year'],
];

/** `2 days ago`, or `just now`. Empty for a time that is none. @param since - ISO 8601. */
export function ageWords(since: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(since)) / 1000;
  if (Number.isNaN(seconds)) return '';
  const [size, unit] = AGES.findLast(([least]) => seconds >= least) ?? [];
  if (size === undefined || unit === undefined) return 'just now';
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(seconds / size), unit);
}

const STAGE_WORDS: Readonly<Record<string, string>> = {
  assets: 'Fetching photos',
  storyboard: 'Laying out the scenes',
  render: 'Rendering',
  assemble: 'Putting videos together',
  publish: 'Checking and publishing',
};

export interface Progress {
  readonly percent: number;
  readonly stage: string | null;
  readonly eta_seconds: number | null;
}

/** `Rendering · 42 % · about 2 min left`. */
export function progressWords({ percent, stage, eta_seconds: eta }: Progress): string {
  if (stage === 'lock') return 'Waiting: another window or program renders this listing';
  const words = [STAGE_WORDS[stage ?? ''] ?? 'Working', `${Math.floor(percent)} %`];
  if (eta !== null) words.push(`about ${durationWords(eta)} left`);
  return words.join(' · ');
}

function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  blocked_address: 'Address not allowed',
  unreachable: 'Could not be reached',
  timeout: 'Took too long',
  too_large: 'Too large',
  not_an_image: 'Not an image',
  unsupported_format: 'Format not supported',
  corrupt: 'Damaged',
  too_small: 'Too small',
  duplicate: 'Copy of an earlier photo',
};

/** `too_small: 200x100` as a heading and the detail behind it. */
export function reasonParts(reason: string): { readonly heading: string; readonly detail: string } {
  const [code = '', ...rest] = reason.split(': ');
  const heading = Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code] : undefined;
  return heading === undefined ? { heading: reason, detail: '' } : { heading, detail: rest.join(': ') };
}

/** Why an image is not in the video: `too_small: 200x100` and whole sentences alike. */
export function reasonWords(reason: string): string {
  const { heading, detail } = reasonParts(reason);
  return sentence(detail === '' ? heading : `${heading}: ${detail}`);
}

/** A message of the server as a sentence: a capital first, a full stop last. A name such as `listing.json` stays. */
export function sentence(message: string): string {
  const text = /^[a-z]+\b(?![./])/.test(message)
    ? message.charAt(0).toUpperCase() + message.slice(1)
    : message;
  return text === '' || /[.!?)…]$/.test(text) ? text : `${text}.`;
}
