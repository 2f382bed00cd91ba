/** When a failed delivery is tried again: 5 seconds after its first attempt, then later and later, for 3 days. Pure. */

const FIRST_DELAY_MS = 5_000;
/** No delivery waits longer than this for its next attempt. */
export const MAX_DELAY_MS = 12 * 3_600_000;
const FACTOR = 4;
/** Deliveries that failed together are spread over a quarter of the delay. */
const JITTER = 0.25;
const RETRY_FOR_MS = 3 * 24 * 3_600_000;

/**
 * Time of the next attempt in milliseconds since 1970; null to give up. The last attempt is 3 days after the first.
 *
 * @param attempts - Number of attempts so far, 1 or more.
 * @param random - 0 to 1.
 */
export function nextAttemptMs(
  { attempts, firstAttemptMs }: { readonly attempts: number; readonly firstAttemptMs: number },
  nowMs: number,
  random: number,
): number | null {
  const lastMs = firstAttemptMs + RETRY_FOR_MS;
  if (nowMs >= lastMs) return null;
  const growing = FIRST_DELAY_MS * FACTOR ** (attempts - 1) * (1 + JITTER * random);
  const delayMs = Math.min(growing, MAX_DELAY_MS * (1 - JITTER * random));
  return Math.min(lastMs, nowMs + Math.round(delayMs));
}
