/** How long each page of a card lasts, in frames. Pure. */
import type { BeatGrid } from './snap-to-beats.ts';

/** A page is read in so long: name and phone are known from the one before it. */
export const PAGE_SEC = 3;
/** Where the length of a video leaves less, a page is seen at least. */
export const MIN_PAGE_SEC = 2;
/** The first page has most of the words. */
const FIRST_SHARE = 0.54;

/**
 * Divides the time of a card among its pages, on beats where they allow it.
 *
 * Only the end of the video moves: all scenes before the card keep their lengths, whatever an agent's card needs.
 *
 * @param cardFrames - Of a card of one page.
 * @param at.startFrame - Where the card begins in the video.
 */
export function pageLengths(
  pageCount: number,
  cardFrames: number,
  at: {
    readonly startFrame: number;
    readonly capSec: number;
    readonly fps: number;
    readonly beats: BeatGrid | null;
  },
): number[] {
  if (pageCount < 2) return [cardFrames];
  const { startFrame, fps, beats } = at;
  const room = Math.floor(at.capSec * fps) - startFrame;
  const wanted = Math.min(pageCount * PAGE_SEC * fps, room);
  const total = Math.max(pageCount * MIN_PAGE_SEC * fps, cardFrames, wanted);
  const minFrames = Math.min(PAGE_SEC * fps, Math.floor(total / pageCount));
  const share = Math.min(total - minFrames, Math.max(minFrames, Math.ceil(FIRST_SHARE * total)));
  const framesPerBeat = beats ? (60 * fps) / beats.bpm : 1;
  const beat = Math.round((startFrame + share) / framesPerBeat);
  const onBeat = Math.round(beat * framesPerBeat) - startFrame;
  const first = onBeat >= minFrames && total - onBeat >= minFrames ? onBeat : share;
  return [first, total - first];
}
