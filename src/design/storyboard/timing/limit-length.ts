/** Lengths of scenes when captions need more time than the video can have. Pure. */

interface SceneDemand {
  /** By the pacing. */
  readonly sec: number;
  /** Time to read its caption; 0 without one. */
  readonly readingSec: number;
  /** The same for people who read fast. */
  readonly leastReadingSec: number;
  /** Whether it can be shorter than paced: photos can; opening, facts and card cannot. */
  readonly canShrink: boolean;
}

/** Greatest share of time that photos lose to captions of others. With more, a video races between its texts. */
export const MAX_CUT = 0.3;

/** A caption that lacks less than so many seconds keeps its time, also over the cap. */
export const NEARLY_SEC = 0.3;

/**
 * Seconds of each scene: as paced, longer where a caption takes longer to read, and together within the cap.
 *
 * Over the cap, photos without a caption first lose up to three tenths of their time, all by the same share of what
 * they can lose. Then all words are read faster, then photos become as short as they can be. At last scenes with a
 * caption lose the time that they gained, but for captions that then lack less than {@link NEARLY_SEC}. What an opening
 * announces keeps its time. So a video that is paced within the cap stays within it, but for these two.
 */
export function limitLength(
  scenes: readonly SceneDemand[],
  limits: { readonly capSec: number; readonly minSceneSec: number },
): number[] {
  const full = scenes.map(({ sec, readingSec }) => Math.max(sec, readingSec));
  const cut = scenes.map(({ sec, readingSec, canShrink }, index) =>
    canShrink
      ? Math.min(full[index]!, Math.max(readingSec, limits.minSceneSec, sec * (1 - MAX_CUT)))
      : full[index]!,
  );
  const readable = shrinkTo(limits.capSec, full, cut);
  const least = scenes.map(({ sec, leastReadingSec, canShrink }, index) =>
    Math.min(
      readable[index]!,
      canShrink
        ? Math.max(leastReadingSec, limits.minSceneSec, sec * (1 - MAX_CUT))
        : Math.max(leastReadingSec, sec),
    ),
  );
  const readFast = shrinkTo(limits.capSec, readable, least);
  const shortest = scenes.map(({ leastReadingSec, canShrink }, index) =>
    canShrink ? Math.min(readFast[index]!, Math.max(leastReadingSec, limits.minSceneSec)) : readFast[index]!,
  );
  const quick = shrinkTo(limits.capSec, readFast, shortest);
  const withoutReading = scenes.map(({ sec, leastReadingSec, canShrink }, index) => {
    const isNearlyRead = leastReadingSec - sec < NEARLY_SEC;
    return canShrink
      ? Math.min(quick[index]!, isNearlyRead ? Math.max(sec, leastReadingSec) : sec)
      : quick[index]!;
  });
  return shrinkTo(limits.capSec, quick, withoutReading);
}

/** Moves all lengths the same part of the way to their minimum, until the sum reaches the goal. */
export function shrinkTo(goalSec: number, lengths: readonly number[], minima: readonly number[]): number[] {
  const spare = sum(lengths) - sum(minima);
  const part = spare <= 0 ? 0 : Math.min(1, Math.max(0, (sum(lengths) - goalSec) / spare));
  return lengths.map((sec, index) => sec - (sec - minima[index]!) * part);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
