/** When a failed delivery is tried again. */
import { describe, expect, it } from 'vitest';
import { nextAttemptMs } from '../../../../src/task/webhooks/retry-delay.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The delays of a delivery that always fails at once, until it is given up. */
function delays(random: () => number): number[] {
  const found: number[] = [];
  let nowMs = 0;
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptMs({ attempts, firstAttemptMs: 0 }, nowMs, random());
    if (next === null) return found;
    found.push(next - nowMs);
    nowMs = next;
  }
}

describe.each([0, 0.5, 1])('with jitter %d', (random) => {
  it('the delays grow from 5 seconds to at most 12 hours and end after 3 days', () => {
    const found = delays(() => random);
    expect(found[0]).toBeGreaterThanOrEqual(5_000);
    expect(found[0]).toBeLessThanOrEqual(6_250);
    expect(Math.max(...found)).toBeLessThanOrEqual(12 * HOUR_MS);
    expect(Math.max(...found)).toBeGreaterThanOrEqual(9 * HOUR_MS);
    expect(found.reduce((sum, delay) => sum + delay, 0)).toBe(3 * DAY_MS);
    expect(found.length).toBeGreaterThan(10);
  });
});

it('deliveries that failed together are spread', () => {
  const times = [0, 0.3, 0.9].map((random) => nextAttemptMs({ attempts: 5, firstAttemptMs: 0 }, 0, random));
  expect(new Set(times).size).toBe(3);
});

it('a clock that is set back keeps the next attempt near', () => {
  expect(nextAttemptMs({ attempts: 1, firstAttemptMs: DAY_MS }, 0, 0)).toBe(5_000);
});

it('a delivery of which only one attempt was made in 3 days is given up after it', () => {
  expect(nextAttemptMs({ attempts: 2, firstAttemptMs: 0 }, 3 * DAY_MS, 0)).toBeNull();
});
