/** Whether a picture of the listing is a photo or a floor plan: what the listing says, else a guess. Pure. */
import type { Asset } from '../../listing/listing.ts';
import { fileWords, toWords } from '../../listing/words/photo-name.ts';
import type { ListingPhoto } from '../photo.ts';

export interface PictureKind {
  readonly kind: 'photo' | 'floor_plan';
  /** A floor plan by its names or its pixels: the listing does not say it. */
  readonly isGuess: boolean;
}

/** In words of `toWords`. */
const NAMES_PLAN = / (?:(?:floor ?|site ?)plans?|grundri(?:ss|ß)e?) /u;
const LEVEL =
  '(?:\\d+ )?(?:st |nd |rd |th |first |second |third |ground |main |upper |lower )*(?:floor|level)';
/** `plan-2nd-floor`, `level-2-plan`; `plan` alone or with a number. */
const NAMES_LEVEL = new RegExp(` plans? (?:of )?(?:the )?${LEVEL} | (?:floor|level) (?:\\d+ )?plans? `, 'u');
const IS_PLAN = /^ plans?(?: \d+| [a-z])? $/u;
/** Of a house without walls between its rooms, which a photo shows. */
const OPEN_PLAN = / open (?:concept )?(?:floor ?)?plans? /gu;
/** What else a caption that only names a plan can say. */
const BESIDE_PLAN =
  /^(?:a|an|and|apartment|attic|b|basement|c|d|eg|first|floor|garage|ground|house|in|level|lower|main|nd|of|og|rd|scale|second|st|the|th|third|to|unit|upper|with|dimensions|measurements|plan|plans|\d+)$/u;

/** A file name counts with whatever else it says, a caption only when it says nothing else. */
export function pictureKind(
  { url, caption = '', kind }: Pick<Asset, 'url' | 'caption' | 'kind'>,
  { looksLike }: Pick<ListingPhoto, 'looksLike'>,
): PictureKind {
  if (kind !== undefined) return { kind, isGuess: false };
  const isPlan = namesPlan(fileWords(url)) || saysOnlyPlan(toWords(caption)) || looksLike === 'floor_plan';
  return { kind: isPlan ? 'floor_plan' : 'photo', isGuess: isPlan };
}

function namesPlan(words: string): boolean {
  const rest = words.replace(OPEN_PLAN, ' ');
  return NAMES_PLAN.test(rest) || NAMES_LEVEL.test(rest) || IS_PLAN.test(rest);
}

function saysOnlyPlan(words: string): boolean {
  if (!namesPlan(words)) return false;
  const others = words.replace(NAMES_PLAN, ' ').trim().split(' ');
  return others.every((word) => word === '' || BESIDE_PLAN.test(word));
}
