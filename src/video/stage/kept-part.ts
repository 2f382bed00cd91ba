/**
 * What the frame of a video shows of a photo that fills it, before its camera moves. The page of the studio uses it
 * too, while a photo is dragged in its frame. Pure.
 */
import { type PartOfPhoto, restingPart } from '../../design/storyboard/scenes/fit-photo.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import type { StageGuess } from './stage-state.ts';

/** Sizes of frames, px. */
const FRAMES: Readonly<Record<AspectRatio, { readonly w: number; readonly h: number }>> = {
  '1920:1080': { w: 1920, h: 1080 },
  '1080:1920': { w: 1080, h: 1920 },
};

/** In shares of the photo. */
export type KeptPart = PartOfPhoto;

/**
 * The part of a photo that a frame of this ratio shows.
 *
 * @param photo - Its upright size; only the proportions count.
 * @param focus - That of the listing; null: what is guessed.
 */
export function keptPart(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  ratio: AspectRatio,
  focus: StageGuess['focus'] | null,
  guess: Pick<StageGuess, 'focus' | 'subject'>,
): KeptPart {
  const size = { widthPx, heightPx };
  const photo =
    focus === null
      ? { ...size, focus: guess.focus, ...(guess.subject && { subject: guess.subject }) }
      : { ...size, focus, keepsFocus: true as const };
  return restingPart(photo, { x: 0, y: 0, ...FRAMES[ratio] });
}
