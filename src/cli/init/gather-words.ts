/** The questions about what the video says: price, status, open house, headline, link, captions. All are optional. */
import path from 'node:path';
import { nearestHint, usageError } from '../cli-error.ts';
import type { ChosenPhoto } from './choose-photos.ts';
import type { GivenAnswers } from './given-answers.ts';
import type { Interview } from './interview.ts';
import {
  type AnswerCheck,
  optional,
  type Rule,
  textRule,
  valid,
  validateLink,
  validatePrice,
} from './validate-answer.ts';

/** As the schema of a listing says. */
const MAX_CAPTION_LENGTH = 120;

/** The words of a video; null is not answered. */
export interface VideoWords {
  readonly price: string | null;
  readonly status: string | null;
  readonly openHouse: string | null;
  readonly headline: string | null;
  readonly link: string | null;
}

/** @returns The words that all videos of the listing share. */
export async function gatherWords(ask: Interview, given: GivenAnswers): Promise<VideoWords> {
  const text = (
    key: string,
    flag: string,
    value: string | undefined,
    message: string,
    rule: Rule<string> = textRule('a text'),
  ) => ask.text({ key, flag, given: value, message, rule: optional(rule) });
  const price = await text('price', '--price', given.price, 'Price, such as 500000', validatePrice);
  const status = await text('status', '--status', given.status, 'Status, such as Just listed or Sold');
  // Only an open house has a date.
  const isOpenHouse = /\bopen\b/i.test(status ?? '');
  const openHouse =
    isOpenHouse || given.openHouse !== undefined
      ? await text(
          'open_house',
          '--open-house',
          given.openHouse,
          'When is the open house, such as Saturday, 1 to 4 pm',
        )
      : null;
  const headline = await text('headline', '--headline', given.headline, 'Headline above the address');
  const link = await text('link', '--link', given.link, 'Link, shown as a QR code', validateLink);
  return { price, status, openHouse, headline, link };
}

/** What the questions about captions need. */
export interface CaptionOptions {
  readonly given: GivenAnswers;
  /** Shows the photos with their numbers, once. */
  readonly showPhotos: () => Promise<void>;
  readonly onHint: (hint: string) => void;
}

/**
 * @param photos - In the order of the video.
 * @returns Captions by the place of their photo.
 */
export async function gatherCaptions(
  ask: Interview,
  photos: readonly ChosenPhoto[],
  { given, showPhotos, onHint }: CaptionOptions,
): Promise<ReadonlyMap<string, string>> {
  if (given.caption !== undefined) return readCaptions(given.caption, photos);
  const captions = new Map<string, string>();
  if (!ask.isAsking || !(await ask.yesNo('captions', 'Add captions to the photos?', false))) return captions;
  // The opening shows the address where a caption would stand.
  for (const { place, number } of photos.slice(1)) {
    const name = path.basename(place);
    // Photos of several folders can have one name.
    const key = `caption ${place}`;
    if (ask.willAsk(key)) {
      await showPhotos();
      onHint('Enter skips a photo; a dot skips all others; the opening shows the address and has no caption');
    }
    const { caption, isLast } = await ask.text({
      key,
      flag: '--caption',
      given: undefined,
      message: `Caption of ${number} ${name}`,
      rule: validateCaption,
    });
    if (caption !== null) captions.set(place, caption);
    if (isLast) break;
  }
  return captions;
}

interface CaptionAnswer {
  readonly caption: string | null;
  /** No other photo gets one. */
  readonly isLast: boolean;
}

/** `.` is for people who have said enough. */
function validateCaption(text: string): AnswerCheck<CaptionAnswer> {
  if (text.trim() === '.') return valid({ caption: null, isLast: true }, 'no more captions');
  const checked = optional(textRule('a caption', MAX_CAPTION_LENGTH))(text);
  return checked.ok ? valid({ caption: checked.value, isLast: false }) : checked;
}

/** @throws ListingVideoError `usage` for a text that is no caption, or of no photo. */
function readCaptions(texts: readonly string[], photos: readonly ChosenPhoto[]): ReadonlyMap<string, string> {
  const names = photos.map(({ place }) => path.basename(place));
  const captions = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 0) throw usageError(`--caption: expected a photo and its caption, found "${text}"`, EXAMPLE);
    const word = text.slice(0, at).trim();
    const index = names.includes(word) ? names.indexOf(word) : Number(/^\d{1,3}$/.exec(word)?.[0] ?? 0) - 1;
    const photo = photos[index];
    if (photo === undefined)
      throw usageError(`--caption: no photo "${word}"`, nearestHint(word, names, EXAMPLE));
    const checked = textRule('a caption', MAX_CAPTION_LENGTH)(text.slice(at + 1));
    if (!checked.ok) throw usageError(`--caption: ${word}: ${checked.fault}`, EXAMPLE);
    captions.set(photo.place, checked.value);
  }
  return captions;
}

const EXAMPLE = '--caption "kitchen.jpg=The kitchen, with an island"';
