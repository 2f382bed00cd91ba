/**
 * When a failed delivery is tried again: 3 seconds after its first attempt, then 7, 20, 55, up to every 6 hours, for 3
 * days. It is the backoff of graphile-worker, which a database uses, for data folders too. Pure.
 */

/** A further attempt would come more than three days after the first. */
export const MAX_ATTEMPTS = 22;
/** The delay grows until this attempt. */
const LAST_GROWTH = 10;

/** No delivery waits longer than this for its next attempt. */
export const MAX_DELAY_MS = Math.ceil(Math.exp(LAST_GROWTH) * 1_000);

/**
 * Time of the next attempt in milliseconds since 1970; null to give up.
 *
 * @param attempts - Number of attempts so far, 1 or more.
 */
export function nextAttemptMs(attempts: number, nowMs: number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  return nowMs + Math.round(Math.exp(Math.min(attempts, LAST_GROWTH)) * 1_000);
}
