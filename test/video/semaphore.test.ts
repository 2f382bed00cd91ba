import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../../src/video/make/semaphore.ts';

const never = new AbortController().signal;

/** Work that ends when the test says so. */
function work() {
  let isBegun = false;
  let end = (): void => undefined;
  let fail = (_error: unknown): void => undefined;
  const over = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const run = (): Promise<void> => {
    isBegun = true;
    return over;
  };
  return { run, end: () => end(), fail: (error: unknown) => fail(error), isBegun: () => isBegun };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('slots of a semaphore', () => {
  it('are given in the order of the calls, no more at once than there are', async () => {
    const slots = createSemaphore(2);
    const works = [work(), work(), work(), work()];
    const runs = works.map(({ run }) => slots.run(run, never));
    await settled();
    expect(works.map(({ isBegun }) => isBegun())).toEqual([true, true, false, false]);
    works[1]!.end();
    await settled();
    expect(works.map(({ isBegun }) => isBegun())).toEqual([true, true, true, false]);
    for (const { end } of works) end();
    await Promise.all(runs);
    expect(works[3]!.isBegun()).toBe(true);
  });

  it('are passed on when the work fails', async () => {
    const slots = createSemaphore(1);
    const [bad, next] = [work(), work()];
    const failing = slots.run(bad.run, never);
    const waiting = slots.run(async (hasWaited) => {
      await next.run();
      return hasWaited;
    }, never);
    bad.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    next.end();
    expect(await waiting).toBe(true);
    expect(await slots.run(async (hasWaited) => hasWaited, never)).toBe(false);
  });

  it('are no longer waited for after an abort, and not lost by it', async () => {
    const slots = createSemaphore(1);
    const [first, third] = [work(), work()];
    const controller = new AbortController();
    const running = slots.run(first.run, never);
    const left = work();
    const leaving = slots.run(left.run, controller.signal);
    const waiting = slots.run(third.run, never);
    controller.abort(new Error('stop'));
    await expect(leaving).rejects.toThrow('stop');
    first.end();
    third.end();
    await Promise.all([running, waiting]);
    expect([left.isBegun(), third.isBegun()]).toEqual([false, true]);
    await expect(slots.run(async () => 1, controller.signal)).rejects.toThrow('stop');
  });
});
