/** The label of an altered photo, as viewers read it, and what names of files let guess. Pure. */
import type { Asset } from '../listing.ts';
import { displayText } from './display-text.ts';
import { photoFile } from './photo-name.ts';

const DEFAULT_LABEL = 'Digitally altered';
const STAGED_NAME = /(?<!un)staged/i;
const ALTERED_NAME = /(?<!un)(?:staged|altered|enhanced)|render(?:ing|ed)?/gi;
const ORIGINAL_NAME = /original|unaltered|unstaged|empty|vacant|before/gi;

/** @returns Null for an unaltered photo. A label without any visible character is the usual one. */
export function alteredLabel({ altered }: Pick<Asset, 'altered'>): string | null {
  if (altered === undefined || altered === false) return null;
  return (altered === true ? '' : displayText(altered)) || DEFAULT_LABEL;
}

/** True for `04-living-staged.jpg`. */
export function isNamedAltered(url: string): boolean {
  return photoFile(url).search(ALTERED_NAME) >= 0;
}

/** The label for a photo that a person calls altered. */
export function guessLabel(url: string): string {
  return STAGED_NAME.test(photoFile(url)) ? 'Virtually staged' : DEFAULT_LABEL;
}

/** Of `04-living-staged.jpg` the photo `04-living-empty.jpg`. */
export function guessOriginal(url: string, others: readonly string[]): string | undefined {
  const stem = stemOf(url, ALTERED_NAME);
  return others.find(
    (other) => photoFile(other).search(ORIGINAL_NAME) >= 0 && stemOf(other, ORIGINAL_NAME) === stem,
  );
}

/** `04 living` of all of these. */
function stemOf(url: string, words: RegExp): string {
  const stem = photoFile(url).replace(/\.[^.]+$/, '');
  return stem
    .replace(words, '')
    .replaceAll(/virtual(?:ly)?|[\W_]+/gi, ' ')
    .trim();
}
