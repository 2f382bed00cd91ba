/** Texts for times, counts, ratios and reasons. Pure. */
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

/** `1 photo`, `3 photos`. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `16:9`. */
export function ratioWords(ratio: AspectRatio): string {
  return ratio === '1920:1080' ? '16:9' : '9:16';
}

/** `about 2 min left`. */
export function leftWords(seconds: number): string {
  return seconds < 60
    ? `about ${Math.max(1, Math.ceil(seconds))} s left`
    : `about ${Math.round(seconds / 60)} min left`;
}

/** `12.3 MB`. */
export function sizeWords(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const STAGE_WORDS: Readonly<Record<string, string>> = {
  assets: 'Reading photos',
  storyboard: 'Laying out the scenes',
  render: 'Rendering',
  assemble: 'Putting videos together',
  publish: 'Checking the videos',
};

/** A stage of a render, as people call it. */
export function stageWords(stage: string | null): string {
  return STAGE_WORDS[stage ?? ''] ?? 'Rendering';
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  blocked_address: 'Its address is not allowed.',
  unreachable: 'It could not be reached.',
  timeout: 'It took too long to load.',
  too_large: 'The file is too large.',
  not_an_image: 'The file is not an image.',
  unsupported_format: 'This kind of image cannot be used.',
  corrupt: 'The file is damaged.',
  too_small: 'It is too small.',
  duplicate: 'It is a copy of an earlier photo.',
};

/** Why a photo is not in the video: `too_small: 200x100` and whole sentences alike. */
export function reasonWords(reason: string): string {
  const [, code = '', detail = ''] = /^([a-z_]+)(?:: (.*))?$/s.exec(reason) ?? [];
  const words = REASON_WORDS[code];
  if (words === undefined) return sentence(reason);
  return detail === '' ? words : `${words} (${detail})`;
}

/** A message of the server as a sentence: a capital first, a full stop last. A name such as `listing.json` stays. */
export function sentence(message: string): string {
  const text = /^[a-z]+\b(?![./])/.test(message)
    ? message.charAt(0).toUpperCase() + message.slice(1)
    : message;
  return text === '' || /[.!?)…]$/.test(text) ? text : `${text}.`;
}
