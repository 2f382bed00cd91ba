/** The wait of a request for an earlier one with the same idempotency key, in any store. */
import type { AccountDeps } from './account-deps.ts';
import { stillBusy } from './account-rules.ts';
import type { IdempotencyClaim } from './account-store.ts';

/** How long the same key means the same task. */
export const KEPT_MS = 24 * 3_600_000;
/** Longest wait for the owner of a claim: enough for a slow disk, short enough for a waiting client. */
export const PATIENCE_MS = 10_000;

/** @param attempt - `wait`: its owner is at work. `again`: another request was first, and its claim is found now. */
export async function claimInTime(
  clock: AccountDeps['clock'],
  pollMs: number,
  attempt: () => Promise<IdempotencyClaim | 'wait' | 'again'>,
): Promise<IdempotencyClaim> {
  const untilMs = clock.nowMs() + PATIENCE_MS;
  for (;;) {
    const result = await attempt();
    if (typeof result === 'object') return result;
    if (clock.nowMs() >= untilMs) throw stillBusy();
    if (result === 'wait') await new Promise<void>((resolve) => clock.schedule(resolve, pollMs));
  }
}
