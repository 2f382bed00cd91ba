/** The right to send: one process has it at a time, and a dead or silent one loses it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileWebhookHarness, type SendingProcess, type WebhookHarness } from '../../task/accounts/webhook/webhook-harness.ts';

let at: WebhookHarness<SendingProcess>;
beforeEach(async () => {
  at = await openFileWebhookHarness();
});
afterEach(() => at.close());

const leaseOf = (name: string) => at.open(name).queue.lease;

describe('the right to send', () => {
  it('has one process of many that ask at once', async () => {
    const leases = Array.from({ length: 8 }, (_, index) => leaseOf(`p${index}`));
    const taken = await Promise.all(leases.map((lease) => lease.acquire()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(leases.map(({ canSend }) => canSend)).toEqual(taken);
  });

  it('stays with a process that renews it', async () => {
    const [first, second] = [leaseOf('first'), leaseOf('second')];
    for (let second_ = 0; second_ < 100; second_ += 4) {
      expect(await first.acquire()).toBe(true);
      expect(await second.acquire()).toBe(false);
      at.nowMs += 4_000;
    }
  });

  it('goes on at once when its process gives it back or dies', async () => {
    const [first, second, third] = [leaseOf('first'), leaseOf('second'), leaseOf('third')];
    expect(await first.acquire()).toBe(true);
    await first.release();
    expect(first.canSend).toBe(false);
    expect(await second.acquire()).toBe(true);
    at.setLiveness('second', 'dead');
    expect(await third.acquire()).toBe(true);
    expect(await first.acquire()).toBe(false);
  });

  it('is lost by a process that was suspended; it begins nothing when it continues', async () => {
    const [first, second] = [leaseOf('first'), leaseOf('second')];
    expect(await first.acquire()).toBe(true);
    at.nowMs += 15_000;
    expect(first.canSend).toBe(false);
    expect(await second.acquire()).toBe(false);
    at.nowMs += 16_000;
    expect(await second.acquire()).toBe(true);
    expect(first.canSend).toBe(false);
    expect(await first.acquire()).toBe(false);
    expect(await second.acquire()).toBe(true);
  });

  it('is free again after the clock was set back or its file was damaged', async () => {
    const [first, second] = [leaseOf('first'), leaseOf('second')];
    expect(await first.acquire()).toBe(true);
    at.nowMs -= 3_600_000;
    expect(await second.acquire()).toBe(true);
  });
});
