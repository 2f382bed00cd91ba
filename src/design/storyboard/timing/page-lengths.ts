/** How long each page of a card lasts, in frames. Pure. */
import type { BeatGrid } from './snap-to-beats.ts';

/** A page is seen at least so long. Where the video's cap leaves room, two pages get the longer time together. */
export const MIN_PAGE_SEC = 2;
const PAGES_SEC = 6;
/** The first page has most of the words: name, phone, license, office. */
const FIRST_SHARE = 0.6;

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
  const minFrames = MIN_PAGE_SEC * fps;
  const wanted = Math.min(PAGES_SEC * fps, room);
  const total = Math.max(pageCount * minFrames, cardFrames, wanted);
  const share = Math.min(total - minFrames, Math.max(minFrames, Math.ceil(FIRST_SHARE * total)));
  const framesPerBeat = beats ? (60 * fps) / beats.bpm : 1;
  const beat = Math.round((startFrame + share) / framesPerBeat);
  const onBeat = Math.round(beat * framesPerBeat) - startFrame;
  const first = onBeat >= minFrames && total - onBeat >= minFrames ? onBeat : share;
  return [first, total - first];
}
