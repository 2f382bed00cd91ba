/** Decides which segments make a batch. Pure. */

/** A batch is worth its own start, which takes as long as some 50 frames. */
export const MIN_BATCH_FRAMES = 100;
/**
 * The first batch has more frames than the others: its worker has already begun, while the others start and fetch the
 * photos.
 */
const HEAD_START_FRAMES = 60;

export interface WeighedSegment {
  readonly key: string;
  readonly frames: number;
}

/**
 * Divides segments into batches of about equal work, neighbors together. One batch means that dividing does not pay.
 *
 * @param workers - Number of workers that can begin at once, 1 or more.
 * @returns Keys of each batch. None is empty if there is a segment.
 */
export function divideSegments(segments: readonly WeighedSegment[], workers: number): string[][] {
  const total = segments.reduce((sum, { frames }) => sum + frames, 0);
  const count = Math.max(1, Math.min(workers, Math.floor(total / MIN_BATCH_FRAMES)));
  const share = (total - (count > 1 ? HEAD_START_FRAMES : 0)) / count;
  const batches: string[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const { key, frames } of segments) {
    const middle = before + frames / 2 - (count > 1 ? HEAD_START_FRAMES : 0);
    const index = Math.min(count - 1, Math.max(0, Math.floor(middle / share)));
    batches[index]!.push(key);
    before += frames;
  }
  return batches.filter((batch) => batch.length > 0);
}
