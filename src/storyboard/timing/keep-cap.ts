/** How long scenes last when captions want more time than the film may have. Pure. */

/** A scene's length as paced, and what stands against it. */
export interface SceneWish {
  /** By the pacing. */
  readonly sec: number;
  /** What its caption takes to be read; 0 without one. */
  readonly readingSec: number;
  /** Whether it may be shorter than paced: photos may, the opening, the facts and the card may not. */
  readonly canShrink: boolean;
}

/** What photos without a caption give for the captions of others; beyond it a film would race between its texts. */
const LARGEST_GIFT = 0.3;

/**
 * Seconds of each scene: as paced, longer where a caption takes longer to read, and together within the cap.
 *
 * Over the cap photos without a caption give up to three tenths of their time, alike; then the captions give what they got.
 * A film paced within the cap therefore stays within it, whatever its captions say.
 */
export function keepCap(
  scenes: readonly SceneWish[],
  limits: { readonly capSec: number; readonly minSceneSec: number },
): number[] {
  const wanted = scenes.map(({ sec, readingSec }) => Math.max(sec, readingSec));
  const withoutGifts = scenes.map(({ sec, readingSec, canShrink }, index) =>
    canShrink
      ? Math.min(wanted[index]!, Math.max(readingSec, limits.minSceneSec, sec * (1 - LARGEST_GIFT)))
      : wanted[index]!,
  );
  const given = shrinkTo(limits.capSec, wanted, withoutGifts);
  const withoutReading = scenes.map(({ sec }, index) => Math.min(given[index]!, sec));
  return shrinkTo(limits.capSec, given, withoutReading);
}

/** All lengths go the same part of the way to their least, as far as the sum asks for. */
function shrinkTo(goalSec: number, lengths: readonly number[], least: readonly number[]): number[] {
  const spare = sum(lengths) - sum(least);
  const part = spare <= 0 ? 0 : Math.min(1, Math.max(0, (sum(lengths) - goalSec) / spare));
  return lengths.map((sec, index) => sec - (sec - least[index]!) * part);
}

/** The total of the numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
