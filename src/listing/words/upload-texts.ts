/** The words that a person gives for uploads, in place of those that are made from the listing. Pure. */
import { displayLines, displayText } from './display-text.ts';

/** The data layers that have them. No frame shows them. */
export const UPLOAD_TEXTS = { title: 'video_title', description: 'video_description' } as const;

/** Characters that YouTube takes. */
const MAX_YOUTUBE_DESCRIPTION = 5_000;
/** Characters. Chapters, contact and disclosure follow the description, and YouTube counts them too. */
export const MAX_UPLOAD_CHARS = { title: 100, description: MAX_YOUTUBE_DESCRIPTION - 1_000 };

/** Empty where nothing is given. @param values - Of data layers. */
export function uploadTitle(values: Readonly<Record<string, string>>): string {
  return displayText(values[UPLOAD_TEXTS.title] ?? '');
}

/** With its line breaks. Empty where nothing is given. */
export function uploadDescription(values: Readonly<Record<string, string>>): string {
  return displayLines(values[UPLOAD_TEXTS.description] ?? '', MAX_YOUTUBE_DESCRIPTION);
}

/** True for a data layer whose text no frame shows. */
export function isUploadText(layer: string): boolean {
  return layer === UPLOAD_TEXTS.title || layer === UPLOAD_TEXTS.description;
}
