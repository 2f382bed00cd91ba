/** The page in Chromium on the real service: the connections that a fake could get wrong. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RealService, startRealService } from '../client/real-service.ts';
import { launchBrowser, type TestBrowser } from './browser.ts';
import { makeClip } from './make-clip.ts';

let browser: TestBrowser;
let service: RealService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'listing-video-page-'));
  const [opened, film] = await Promise.all([launchBrowser(), makeClip(folder)]);
  browser = opened;
  service = await startRealService({ film });
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

it('takes a listing with a mistake, then the fixed one, and shows its video', async () => {
  const { id: organizationId } = await service.accounts.defaultOrganization();
  await service.accounts.grant(organizationId, 3);
  const place = new URL('../../src/server/page/example-listing.json', import.meta.url);
  const example = (await readFile(place, 'utf8')).replace('garden.jpg', 'broken.jpg');

  // Under another name of the service than the one its files are published under.
  const { page, faults } = await browser.open(`${service.url.replace('127.0.0.1', 'localhost')}/#/new`);
  await page.getByText('Balance: 3 credits').waitFor();
  const field = page.getByLabel('Listing', { exact: true });
  await field.fill(example.replace('"bedrooms": 4', '"bedrooms": "four"'));
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByRole('button', { name: /^Line 4 bedrooms Input should be a valid integer/ }).waitFor();
  await field.fill(example);
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByText('Rendering · 50 % · about 4 s left').waitFor();
  await page.getByText('Balance: 2 credits').waitFor();
  service.finishOne();
  await page.getByText('Succeeded').first().waitFor();
  await page.getByText('Damaged').waitFor();
  await page.getByLabel('Video for agent june-takemori').press('Space');
  await expect.poll(() => page.evaluate("document.querySelector('video').currentTime > 0")).toBe(true);
  await page.getByText('Preview GIF').click();
  await expect.poll(() => page.evaluate("document.querySelector('.preview img').naturalWidth")).toBe(320);
  await page.getByRole('link', { name: 'All tasks' }).click();
  await expect.poll(() => page.evaluate("document.querySelector('.frame img')?.naturalWidth")).toBe(320);
  expect(faults).toEqual([]);
});

it('draws the reference of the true document, and tries an operation from it', async () => {
  const { page, faults } = await browser.open(`${service.url.replace('127.0.0.1', 'localhost')}/docs`);
  await page.locator('[id$=getOrganization]').first().click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/organization'));
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
  expect(faults).toEqual([]);
});

it('asks for a key from the moment there is one', async () => {
  const { id: organizationId } = await service.accounts.defaultOrganization();
  const { key } = await service.accounts.createKey({ organizationId });
  const { page, faults } = await browser.open(service.url);
  await page.getByRole('dialog').waitFor();
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.locator('li.task').waitFor();
  expect(faults).toEqual([]);
});
