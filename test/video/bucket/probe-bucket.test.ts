/** Whether the bucket can be written: asked rarely while it can, and soon again when something fails. */
import { expect, it } from 'vitest';
import type { Bucket } from '../../../src/video/bucket/bucket.ts';
import { createBucketProbe } from '../../../src/video/bucket/probe-bucket.ts';

function open() {
  const world = { nowMs: 0, puts: 0, isAway: false, changes: [] as boolean[] };
  const put = async () => {
    world.puts += 1;
    if (world.isAway) throw new Error('away');
  };
  const probe = createBucketProbe({ put } as unknown as Bucket, {
    monotonicMs: () => world.nowMs,
    onChange: (error) => world.changes.push(error === null),
  });
  return { world, probe };
}

it('keeps a good result for half a minute, a bad one for two seconds, and says when it changes', async () => {
  const { world, probe } = open();
  expect(await Promise.all([probe.isWritable(), probe.isWritable()])).toEqual([true, true]);
  world.isAway = true;
  world.nowMs = 29_999;
  expect([await probe.isWritable(), world.puts]).toEqual([true, 1]);
  world.nowMs = 30_000;
  expect([await probe.isWritable(), world.puts]).toEqual([false, 2]);
  world.isAway = false;
  world.nowMs = 31_999;
  expect([await probe.isWritable(), world.puts]).toEqual([false, 2]);
  world.nowMs = 32_000;
  expect([await probe.isWritable(), world.puts]).toEqual([true, 3]);
  expect(world.changes).toEqual([false, true]);
});

it('asks again after a fault of another request, every two seconds at most', async () => {
  const { world, probe } = open();
  await probe.isWritable();
  world.isAway = true;
  probe.onFault();
  world.nowMs = 1_999;
  expect([await probe.isWritable(), world.puts]).toEqual([true, 1]);
  world.nowMs = 2_000;
  expect([await probe.isWritable(), world.puts]).toEqual([false, 2]);
  world.isAway = false;
  world.nowMs = 4_000;
  expect([await probe.isWritable(), world.puts]).toEqual([true, 3]);
  world.nowMs = 30_000;
  expect([await probe.isWritable(), world.puts]).toEqual([true, 3]);
});
