/** Many tabs of one studio in Chromium: they share one stream of events, and each shows what is true now. */
import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchPages } from './browser.ts';
import { FakeEngine } from './fake-engine.ts';
import { openTestStudio, type TestStudio } from './open-test-studio.ts';

/** One more than the connections that a browser has to one server. */
const TABS = 7;

let studio: TestStudio;
beforeEach(async () => {
  studio = await openTestStudio(new FakeEngine());
});
afterEach(() => studio.close());
const openPage = watchPages();

const caption = (page: Page, photo: number) =>
  page.getByRole('textbox', { name: `Caption of photo ${photo}` });

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL('/', studio.url).href);
  await caption(page, 1).waitFor();
  return page;
}

/** How many streams of events are open. */
function countStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  context.on('request', (request) => {
    if (request.url().includes('/api/events')) open.add(request);
  });
  context.on('requestfailed', (request) => void open.delete(request));
  context.on('requestfinished', (request) => void open.delete(request));
  // A tab that is closed says nothing of its requests.
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length;
}

it('seven tabs do not hold up the first, and all show what it saved', async () => {
  const first = await openPage('about:blank');
  const streams = countStreams(first.context());
  await first.goto(studio.url);
  await caption(first, 1).waitFor();
  const tabs = [first];
  while (tabs.length < TABS) tabs.push(await openTab(first.context()));
  await caption(first, 1).fill('The porch');
  await expect.poll(async () => (await studio.read()).assets[0]?.caption).toBe('The porch');
  for (const tab of tabs) await expect.poll(() => caption(tab, 1).inputValue()).toBe('The porch');
  await expect.poll(streams).toBe(1);
  // The others go on when the tab with the stream is closed.
  await tabs.pop()!.close();
  await caption(tabs[1]!, 2).fill('The hall');
  for (const tab of tabs) await expect.poll(() => caption(tab, 2).inputValue()).toBe('The hall');
  await expect.poll(streams).toBe(1);
});

it('a tab that was put away closes its stream, and shows the newest state when it is looked at again', async () => {
  const first = await openPage('about:blank');
  const streams = countStreams(first.context());
  await first.goto(studio.url);
  await caption(first, 1).waitFor();
  const second = await openTab(first.context());
  await expect.poll(streams).toBe(1);
  const session = await first.context().newCDPSession(first);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await caption(second, 1).fill('The porch');
  await expect.poll(async () => (await studio.read()).assets[0]?.caption).toBe('The porch');
  await second.close();
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect.poll(() => caption(first, 1).inputValue()).toBe('The porch');
  await caption(first, 2).fill('The hall');
  await expect.poll(async () => (await studio.read()).assets[1]?.caption).toBe('The hall');
  await expect.poll(streams).toBe(1);
});
