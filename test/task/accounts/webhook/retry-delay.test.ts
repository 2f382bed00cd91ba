/** When a failed delivery is tried again. */
import { expect, it } from 'vitest';
import { MAX_DELAY_MS, nextAttemptMs } from '../../../../src/task/webhooks/retry-delay.ts';

const HOUR_MS = 3_600_000;

it('the delays grow from 3 seconds to about 6 hours, and the last attempt is 3 days after the first', () => {
  const delays: number[] = [];
  let nowMs = 0;
  for (let next: number | null = 0; next !== null; next = nextAttemptMs(delays.length + 1, nowMs)) {
    if (next > nowMs) delays.push(next - nowMs);
    nowMs = next;
  }
  expect(delays.slice(0, 4).map((delay) => Math.round(delay / 1_000))).toEqual([3, 7, 20, 55]);
  expect(Math.max(...delays)).toBeLessThanOrEqual(MAX_DELAY_MS);
  expect(MAX_DELAY_MS / HOUR_MS).toBeCloseTo(6.1, 1);
  expect(delays.length).toBeGreaterThan(10);
  expect(nowMs / HOUR_MS).toBeGreaterThan(72);
  expect(nowMs / HOUR_MS).toBeLessThan(78);
});
