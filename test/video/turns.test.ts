import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/video/make/turns.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
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

describe('turns', () => {
  it('are given in the order asked for, no more at once than there are', async () => {
    const turns = createTurns(2);
    const works = [work(), work(), work(), work()];
    const runs = works.map(({ run }) => turns.take(run, never));
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
    const turns = createTurns(1);
    const [bad, next] = [work(), work()];
    const failing = turns.take(bad.run, never);
    const waiting = turns.take(async (hasWaited) => {
      await next.run();
      return hasWaited;
    }, never);
    bad.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    next.end();
    expect(await waiting).toBe(true);
    expect(await turns.take(async (hasWaited) => hasWaited, never)).toBe(false);
  });

  it('are not waited for by what was aborted, and not lost by it', async () => {
    const turns = createTurns(1);
    const [first, third] = [work(), work()];
    const controller = new AbortController();
    const running = turns.take(first.run, never);
    const left = work();
    const leaving = turns.take(left.run, controller.signal);
    const waiting = turns.take(third.run, never);
    controller.abort(new Error('stop'));
    await expect(leaving).rejects.toThrow('stop');
    first.end();
    third.end();
    await Promise.all([running, waiting]);
    expect([left.isBegun(), third.isBegun()]).toEqual([false, true]);
    await expect(turns.take(async () => 1, controller.signal)).rejects.toThrow('stop');
  });
});
