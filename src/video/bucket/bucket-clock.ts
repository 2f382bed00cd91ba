/**
 * The time at the bucket. Signatures have a time, and a bucket refuses those that differ by minutes from its own, so
 * that a machine with a wrong clock could store nothing.
 */

export interface BucketClock {
  /** The time for a signature. */
  now(): Date;
  /** How far the clock of the bucket is ahead. 0 until it is known, and while it is small. */
  offsetMs(): number;
  /**
   * False before the first answer, and when the last one was long ago or the clock of this machine has jumped since.
   */
  isKnown(): boolean;
  /** Takes the `Date` header of an answer. */
  onDate(header: string | undefined): void;
}

/** A header has whole seconds, and an answer takes a while. */
const SMALL_MS = 30_000;

/** Shorter than a signature is valid. */
const KNOWN_MS = 10 * 60_000;

/** @param nowMs - Milliseconds since 1970, of this machine. */
export function followClock(nowMs: () => number): BucketClock {
  let offsetMs = 0;
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    now: () => new Date(nowMs() + offsetMs),
    offsetMs: () => offsetMs,
    isKnown: () => Math.abs(nowMs() - askedMs) < KNOWN_MS,
    onDate(header) {
      const dateMs = Date.parse(header ?? '');
      if (Number.isNaN(dateMs)) return;
      askedMs = nowMs();
      const foundMs = dateMs - askedMs;
      offsetMs = Math.abs(foundMs) > SMALL_MS ? foundMs : 0;
    },
  };
}
