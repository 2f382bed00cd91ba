import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { retryWithRoom } from '../../src/video/make/retry-with-room.ts';

/** A cache that frees `freedBytes`, and a step that fails with `errors` in turn and then succeeds. */
function setUp(freedBytes: number, errors: readonly unknown[]) {
  const log: string[] = [];
  const cache = {
    async makeRoom() {
      log.push('room');
      return { removedEntries: 1, freedBytes, keptBytes: 0 };
    },
  };
  const step = async () => {
    log.push('step');
    const error = errors[log.filter((word) => word === 'step').length - 1];
    if (error !== undefined) throw error;
    return 'done';
  };
  return { log, run: () => retryWithRoom(cache, step) };
}

const full = () => new ListingVideoError('disk_full', 'full');
const noSpace = () => Object.assign(new Error('write'), { code: 'ENOSPC' });

describe('a step on a full disk', () => {
  it.each([full(), noSpace()])('is tried again after the cache has made room: %s', async (error) => {
    const { run, log } = setUp(1000, [error]);
    expect(await run()).toBe('done');
    expect(log).toEqual(['step', 'room', 'step']);
  });

  it('is tried twice at most', async () => {
    const [first, second] = [full(), full()];
    const { run, log } = setUp(1000, [first, second]);
    await expect(run()).rejects.toBe(second);
    expect(log).toEqual(['step', 'room', 'step']);
  });

  it('is not tried again when the cache has nothing to remove', async () => {
    const error = full();
    const { run, log } = setUp(0, [error]);
    await expect(run()).rejects.toBe(error);
    expect(log).toEqual(['step', 'room']);
  });
});

it('a step that fails in another way costs no entry of the cache', async () => {
  const error = new ListingVideoError('render_failed', 'no');
  const { run, log } = setUp(1000, [error]);
  await expect(run()).rejects.toBe(error);
  expect(log).toEqual(['step']);
});
