/** Decides which segments make a batch. Pure. */

/** A batch is worth its own start, which takes as long as some 50 frames. */
export const MIN_BATCH_FRAMES = 300;
/** The worker of the first batch has already begun, while the others start and fetch the photos. */
const HEAD_START_FRAMES = 60;
/** It also joins the videos, while the others still render. To join one takes as long as so many frames. */
const JOIN_FRAMES = 5;

export interface WeighedSegment {
  readonly key: string;
  /** Number of frames to render. */
  readonly frames: number;
}

/**
 * Divides segments into batches of about equal work, neighbours together. One batch means that dividing does not pay.
 *
 * @param workers - Number of workers that can begin at once, 1 or more.
 * @param videos - Number of videos that the worker of the first batch joins.
 * @returns Keys of each batch. None is empty if there is a segment.
 */
export function divideSegments(
  segments: readonly WeighedSegment[],
  workers: number,
  videos: number,
): string[][] {
  const total = segments.reduce((sum, { frames }) => sum + frames, 0);
  const count = Math.max(1, Math.min(workers, Math.floor(total / MIN_BATCH_FRAMES)));
  // Of the first batch over each other one; below zero if there are many videos.
  const lead = count > 1 ? Math.max(HEAD_START_FRAMES - JOIN_FRAMES * videos, -total / (2 * count)) : 0;
  const share = (total - lead) / count;
  const batches: string[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const { key, frames } of segments) {
    const middle = before + frames / 2 - lead;
    const index = Math.min(count - 1, Math.max(0, Math.floor(middle / share)));
    batches[index]!.push(key);
    before += frames;
  }
  return batches.filter((batch) => batch.length > 0);
}
