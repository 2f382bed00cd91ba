/** The time of a listing's photos on the network, and when a host is given up. */
import { expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '../../../src/media/assets/asset-limits.ts';
import { ListingTime, PhotoHost } from '../../../src/media/assets/download-time.ts';
import { manualTimers } from './manual-timers.ts';

/** Work that ends when the test says so. */
function openWork() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => done, end };
}

/** 100 s for the listing and 1 s for each of 20 photos. */
function listingOf20() {
  const timers = manualTimers();
  const clock = { ...timers, nowMs: 0, now: () => clock.nowMs };
  const limits = { ...DEFAULT_ASSET_LIMITS, listingTimeoutMs: 100_000, listingTimeoutPerPhotoMs: 1_000 };
  return { clock, timers, time: new ListingTime(limits, 20, clock) };
}

it('gives all photos of a listing two minutes, and two seconds each', () => {
  const { listingTimeoutMs, listingTimeoutPerPhotoMs } = DEFAULT_ASSET_LIMITS;
  expect([listingTimeoutMs, listingTimeoutPerPhotoMs]).toEqual([120_000, 2_000]);
});

it('counts from the first photo on the network, not for each of them', async () => {
  const { timers, time } = listingOf20();
  const [first, second] = [openWork(), openWork()];
  const both = Promise.all([time.spend(first.work), time.spend(second.work)]);
  expect(timers.pending).toBe(1);
  timers.fire(120_000);
  expect(time.signal.reason).toMatchObject({
    message: 'timeout: the time for all photos of the listing (120 s) is over',
  });
  first.end();
  second.end();
  await both;
});

it('stands still while no photo is on the network', async () => {
  const { clock, timers, time } = listingOf20();
  const first = openWork();
  const one = time.spend(first.work);
  clock.nowMs += 50_000;
  first.end();
  await one;
  expect(timers.pending).toBe(0);
  clock.nowMs += 1_000_000;
  const second = openWork();
  const other = time.spend(second.work);
  timers.fire(70_000);
  expect(time.signal.aborted).toBe(true);
  second.end();
  await other;
  expect(timers.pending).toBe(0);
});

it('sets no timer where the time is not limited', async () => {
  const timers = manualTimers();
  const limits = { ...DEFAULT_ASSET_LIMITS, listingTimeoutMs: Number.POSITIVE_INFINITY };
  const time = new ListingTime(limits, 20, { ...timers, now: () => 0 });
  for (let count = 0; count < 2; count += 1) await time.spend(async () => expect(timers.pending).toBe(0));
});

it('gives up a host after three photos that timed out, and tries the second and third once', () => {
  const host = new PhotoHost(DEFAULT_ASSET_LIMITS);
  expect([host.isSlow, host.maxTries]).toEqual([false, 3]);
  host.countTimeout();
  expect([host.isSlow, host.maxTries]).toEqual([true, 1]);
  host.countTimeout();
  expect(host.signal.aborted).toBe(false);
  host.countTimeout();
  expect(host.signal.reason).toMatchObject({
    message: 'timeout: the host is given up, because 3 of its photos timed out',
  });
});
