/** Warnings for captions that a video does not show whole. Pure. */

import { photoNames } from '../../../../listing/words/photo-name.ts';
import { shortCaption } from '../../../../listing/words/short-caption.ts';
import type { PlannedScene } from '../../plan/planned-scene.ts';
import type { MissingCaption } from '../../storyboard.ts';
import { BODY_ROLES } from '../../timing/pacing.ts';
import type { SceneDraft } from '../build-scene.ts';

export interface CaptionedPhoto {
  readonly number: number;
  readonly url: string;
  readonly caption: string;
}

const NO_TIME = 'the video has no time for more words (shorten captions)';
const REASONS = {
  time: `not shown: ${NO_TIME}`,
  short: `shortened: ${NO_TIME}`,
  place: 'not shown: its scene has no room for it (shorten it, or move the photo)',
} as const satisfies Record<MissingCaption['reason'], string>;

/** @param isShown - False of a photo that is left out, whose caption nobody misses. */
export function findMissingCaptions(
  photos: readonly CaptionedPhoto[],
  plan: readonly PlannedScene[],
  drafts: readonly SceneDraft[],
  isShown: (index: number) => boolean,
): MissingCaption[] {
  return photos.flatMap(({ number, url, caption }, index): MissingCaption[] => {
    if (caption === '' || !isShown(index)) return [];
    const at = plan.findIndex(({ role, photos: own }) => BODY_ROLES.has(role) && own.includes(index));
    const planned = plan[at];
    const read = planned ? shownCaptions(drafts[at]!) : '';
    if (read.includes(strip(caption))) return [];
    const short = shortCaption(caption);
    if (short !== undefined && read.includes(strip(short))) return [{ number, url, reason: 'short' }];
    // Only a photo whose caption was left out for time can be outside of the body.
    const hasTime = planned !== undefined && planned.captions[planned.photos.indexOf(index)] !== '';
    const reason = hasTime ? 'place' : 'time';
    return [{ number, url, reason }];
  });
}

export function describeMissingCaptions(missing: readonly MissingCaption[]): string[] {
  const byReason = new Map<MissingCaption['reason'], MissingCaption[]>();
  for (const caption of missing)
    byReason.set(caption.reason, [...(byReason.get(caption.reason) ?? []), caption]);
  return [...byReason].map(([reason, all]) => {
    const names = photoNames(all);
    const subject =
      all.length === 1 ? `the caption of photo ${names} is` : `the captions of photos ${names} are`;
    return `${subject} ${REASONS[reason]}`;
  });
}

/** The sentence beside the caption itself. @param shape - The video's, such as `9:16`. */
export function explainMissingCaption({ reason }: MissingCaption, shape: string): string {
  return REASONS[reason].replace(':', ` in ${shape}:`);
}

function shownCaptions({ layers }: SceneDraft): string {
  return layers
    .flatMap((layer) => (layer.type === 'text' && layer.id.startsWith('caption') ? [strip(layer.reads)] : []))
    .join('');
}

/** Lines and capitals do not matter. */
function strip(text: string): string {
  return text.replace(/\s+/gu, '').toLowerCase();
}
