/** How long each page of a card lasts, in frames. Pure. */
import type { BeatGrid } from './snap-to-beats.ts';

/** A page is seen at least so long. Where the video's cap leaves room, two pages get the longer time each. */
export const MIN_PAGE_SEC = 2;
const PAGE_SEC = 3;

/**
 * Divides the time of a card among its pages, as evenly as the beats allow.
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
  const wanted = Math.min(pageCount * PAGE_SEC * fps, room);
  const total = Math.max(pageCount * minFrames, cardFrames, wanted);
  const half = Math.ceil(total / 2);
  const framesPerBeat = beats ? (60 * fps) / beats.bpm : 1;
  const beat = Math.round((startFrame + half) / framesPerBeat);
  const onBeat = Math.round(beat * framesPerBeat) - startFrame;
  const first = onBeat >= minFrames && total - onBeat >= minFrames ? onBeat : half;
  return [first, total - first];
}
