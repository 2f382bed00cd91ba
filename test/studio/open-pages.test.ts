/** When the studio ends by itself: after its last page, and not before. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenPages } from '../../src/studio/server/open-pages.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch(isBusy: () => boolean = () => false) {
  const pages = new OpenPages(isBusy);
  let isClosed = false;
  void pages.closed.then(() => {
    isClosed = true;
  });
  const after = async (durationMs: number): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(durationMs);
    return isClosed;
  };
  return { pages, after };
}

it('ends a minute after the last page said goodbye, before or after its connection ended', async () => {
  const { pages, after } = watch();
  const [first, second] = [pages.arrive('one'), pages.arrive('two')];
  pages.leave('one');
  first();
  expect(await after(5 * MINUTE_MS)).toBe(false);
  second();
  pages.leave('two');
  expect(await after(MINUTE_MS - 1)).toBe(false);
  expect(await after(1)).toBe(true);
});

it('stays for a page that is reloaded, or comes back', async () => {
  const { pages, after } = watch();
  pages.arrive('one')();
  pages.leave('one');
  expect(await after(MINUTE_MS / 2)).toBe(false);
  const stop = pages.arrive('one');
  expect(await after(60 * MINUTE_MS)).toBe(false);
  stop();
  pages.leave('one');
  expect(await after(MINUTE_MS)).toBe(true);
});

it('stays for a tab that a browser put to sleep, for a working day', async () => {
  const { pages, after } = watch();
  pages.arrive('one')();
  expect(await after(7 * 60 * MINUTE_MS)).toBe(false);
  expect(await after(61 * MINUTE_MS)).toBe(true);
});

it('waits for the first page, and for one that was given an address', async () => {
  const { pages, after } = watch();
  expect(await after(9 * MINUTE_MS)).toBe(false);
  pages.expect();
  expect(await after(9 * MINUTE_MS)).toBe(false);
  expect(await after(MINUTE_MS)).toBe(true);
});

it('does not end while something is being done', async () => {
  let isRendering = true;
  const { pages, after } = watch(() => isRendering);
  pages.arrive()();
  expect(await after(30 * MINUTE_MS)).toBe(false);
  isRendering = false;
  expect(await after(MINUTE_MS)).toBe(true);
});
