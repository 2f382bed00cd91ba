/** How many requests a client can make, and what is remembered of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimit } from '../../../src/api/server/access/rate-limit.ts';

function openLimit(perMinute: number, maxClients?: number) {
  const clock = { nowMs: 5_000 };
  const options = { perMinute, monotonicMs: () => clock.nowMs, ...(maxClients && { maxClients }) };
  const limit = new RateLimit(options);
  /** How many of `count` requests are allowed. */
  const allowed = (client: string, count: number): number =>
    Array.from({ length: count }, () => limit.take(client)).filter((waitMs) => waitMs === 0).length;
  return { clock, limit, allowed };
}

describe('a limit of 60 a minute', () => {
  it('allows 60 at once and then one a second', () => {
    const { clock, limit, allowed } = openLimit(60);
    expect(allowed('a', 100)).toBe(60);
    expect(limit.take('a')).toBeCloseTo(1_000);
    clock.nowMs += 999;
    expect(limit.take('a')).toBeGreaterThan(0);
    clock.nowMs += 1;
    expect(allowed('a', 5)).toBe(1);
    clock.nowMs += 10_000;
    expect(allowed('a', 50)).toBe(10);
    clock.nowMs += 3_600_000;
    expect(allowed('a', 100)).toBe(60);
  });

  it('keeps clients apart', () => {
    const { allowed } = openLimit(60);
    expect([allowed('a', 100), allowed('b', 100)]).toEqual([60, 60]);
  });

  it('is reached by a client that keeps asking as by one that waits', () => {
    const { clock, allowed } = openLimit(60);
    allowed('a', 1_000);
    let more = 0;
    for (let n = 0; n < 600; n++) {
      clock.nowMs += 100;
      more += allowed('a', 10);
    }
    expect(more).toBe(60);
  });
});

it('the wait that is named is enough, for any limit and any pace', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
      (perMinute, pauses) => {
        const { clock, limit, allowed } = openLimit(perMinute);
        allowed('a', perMinute);
        for (const pauseMs of pauses) {
          clock.nowMs += pauseMs;
          const waitMs = limit.take('a');
          clock.nowMs += waitMs;
          if (waitMs > 0) expect(limit.take('a')).toBe(0);
        }
      },
    ),
  );
});

it('remembers no more clients than it may: the ones that asked least recently are forgotten', () => {
  const { allowed } = openLimit(2, 1_000);
  expect(allowed('first', 3)).toBe(2);
  for (let n = 0; n < 998; n++) allowed(`client ${n}`, 3);
  allowed('second', 3);
  expect(allowed('first', 1)).toBe(0);
  for (let n = 0; n < 999; n++) allowed(`stranger ${n}`, 1);
  // `first` asked again after `second`.
  expect([allowed('first', 1), allowed('second', 1)]).toEqual([0, 1]);
});
