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
  const place = new URL('../../src/studio/serve-page/example-listing.json', import.meta.url);
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

it('makes a listing of photos that are chosen, put in order and described', async () => {
  const { page, faults } = await browser.open(`${service.url.replace('127.0.0.1', 'localhost')}/#/new`);
  const photo = (name: string) => `fixtures/small/photos/${name}.jpg`;
  // A service that is busy takes the photo a little later, without a word of the person.
  const busy = { message: 'photos are checked right now', code: 'unavailable' };
  const headers = { 'retry-after': '0' };
  await page.route('**/v1/assets', (route) => route.fulfill({ status: 503, headers, json: busy }), {
    times: 2,
  });
  await page
    .getByLabel('Choose photos')
    .setInputFiles(['front', 'bedroom', 'kitchen', 'living-room', 'pool'].map(photo));
  const text = page.getByLabel('Listing', { exact: true });
  const urls = async (): Promise<string[]> =>
    JSON.parse(await text.inputValue()).assets.map(({ url }: { url: string }) => url);
  await page.locator('#status', { hasText: '5 photos of 5 ready.' }).waitFor({ state: 'attached' });
  const [front, bedroom, kitchen, living, pool] = await urls();
  expect(front).toMatch(new RegExp(`^${service.url}/v1/assets/upload_`));
  await expect.poll(() => page.locator('.thumbnail canvas').count()).toBe(5);

  // A lost connection loses no photo, and what is removed leaves the listing too.
  await page.route('**/v1/assets', (route) => route.abort('connectionreset'));
  const late = { name: 'late.jpg', mimeType: 'image/jpeg', buffer: await readFile(photo('pool')) };
  await page.getByLabel('Choose photos').setInputFiles(late);
  await page.locator('.fault', { hasText: 'The connection was lost.' }).waitFor();
  await page.unroute('**/v1/assets');
  await page.getByRole('button', { name: 'Send late.jpg again' }).click();
  await expect.poll(async () => (await urls()).length).toBe(6);
  await page.getByRole('button', { name: 'Remove late.jpg' }).click();
  await expect.poll(urls).toHaveLength(5);

  // What the server refuses is said in words, and holds the listing back until it is removed.
  const scan = { name: 'scan.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
  await page.getByLabel('Choose photos').setInputFiles(scan);
  await page.locator('.fault', { hasText: 'Not an image' }).waitFor();
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByText('Send them again or remove them: scan.jpg.').waitFor();
  await page.getByRole('button', { name: 'Remove scan.jpg' }).click();
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
  await expect.poll(focused).toBe('Remove pool.jpg');

  // By buttons, by keys and by dragging; the focus stays with the photo.
  await page.getByRole('button', { name: 'Move bedroom.jpg earlier' }).click();
  await expect.poll(urls).toEqual([bedroom, front, kitchen, living, pool]);
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(urls).toEqual([front, kitchen, bedroom, living, pool]);
  await expect.poll(focused).toBe('Move bedroom.jpg later');
  await page
    .locator('#status', { hasText: 'bedroom.jpg is now photo 3 of 5.' })
    .waitFor({ state: 'attached' });
  await page.locator('.photo').nth(4).dragTo(page.locator('.photo').nth(0));
  await expect.poll(urls).toEqual([pool, front, kitchen, bedroom, living]);

  // What is missing is said beside its field too, until it is filled in.
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByRole('heading', { name: '2 mistakes to fix' }).waitFor();
  const needed = page.locator('.field', { hasText: 'This is needed.' });
  await expect
    .poll(() => needed.locator('label').allTextContents())
    .toEqual(['Listing id', 'Agent’s first name', 'Last name']);
  await page.getByLabel('Listing id').fill('HP-7');
  await expect.poll(() => needed.count()).toBe(2);
  await page.getByLabel('Street').fill('7 Larkspur Terrace');
  await page.getByLabel('City').fill('Bend');
  await page.getByLabel('Agent’s first name').fill('June');
  await page.getByLabel('Last name').fill('Takemori');
  expect(JSON.parse(await text.inputValue())).toEqual({
    id: 'HP-7',
    address: { street: '7 Larkspur Terrace', city: 'Bend' },
    assets: [pool, front, kitchen, bedroom, living].map((url) => ({ url })),
    agents: [{ id: 'june-takemori', first_name: 'June', last_name: 'Takemori' }],
  });

  // A listing that is pasted later takes the photos when the person says so.
  const pasted = await text.inputValue();
  await text.fill('{ "id": "HP-8", "assets": [] }');
  await page.getByText('5 photos are not in the listing below.').waitFor();
  await page.getByRole('button', { name: 'Put them in' }).click();
  await expect.poll(urls).toHaveLength(5);
  await text.fill(pasted);
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByRole('heading', { level: 1, name: '7 Larkspur Terrace, Bend' }).waitFor();
  service.finishOne();
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
  await page.locator('li.task').first().waitFor();
  expect(faults).toEqual([]);
});
