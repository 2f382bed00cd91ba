/**
 * Decides whether the clock can be trusted to say what is old. A wrong clock would make `--keep` delete everything at
 * once, so after a jump nothing is deleted for a while, and operators have time to see the warning. Pure.
 */

/** What `sweep.json` in the data folder keeps from one sweep to the next. Times are milliseconds since 1970. */
export interface SweepRecord {
  /** Time of the clock at the last sweep. */
  readonly seenMs: number;
  /** Nothing is deleted before this time; null without a jump. */
  readonly holdUntilMs: number | null;
}

/** Clocks are set back by less than this without being wrong. */
const TOLERANCE_MS = 3_600_000;
/** Longest time without a sweep after a jump. */
const MAX_HOLD_MS = 86_400_000;

export interface SweepDecision {
  readonly record: SweepRecord;
  /** Why nothing is deleted; null if this sweep can delete. */
  readonly refusal: string | null;
}

/**
 * @param last - Null at the first sweep.
 * @param newestMs - Time of the newest task, for the first sweep; null without tasks.
 */
export function decideSweep(
  last: SweepRecord | null,
  newestMs: number | null,
  nowMs: number,
  keepMs: number,
): SweepDecision {
  const seenMs = last?.seenMs ?? newestMs ?? nowMs;
  const hasJumped = nowMs < seenMs - TOLERANCE_MS || nowMs > seenMs + keepMs;
  const holdUntilMs = hasJumped ? nowMs + Math.min(keepMs, MAX_HOLD_MS) : (last?.holdUntilMs ?? null);
  if (holdUntilMs === null || nowMs >= holdUntilMs) {
    return { record: { seenMs: nowMs, holdUntilMs: null }, refusal: null };
  }
  const until = `nothing is deleted before ${toIso(holdUntilMs)}`;
  const refusal = hasJumped
    ? `the clock says ${toIso(nowMs)}, but the data folder was last used at ${toIso(seenMs)}: ${until}`
    : `the clock of this machine jumped: ${until}`;
  return { record: { seenMs: nowMs, holdUntilMs }, refusal };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
