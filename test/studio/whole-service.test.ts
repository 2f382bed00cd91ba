/** The page in Chromium on the real service: the connections that a fake could get wrong. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RealService, startRealService } from '../api/generated-client/real-service.ts';
import { watchPages } from './browser.ts';
import { makeClip } from './make-clip.ts';

interface AnyAgent {
  readonly id: string;
  readonly video_options: { readonly ratio: string };
}

let service: RealService;

beforeAll(async () => {
  service = await startRealService({ film: await makeClip() });
});
afterAll(() => service.close());
const open = watchPages();
/** Under another name of the service than the one its files are published under. */
const openPage = (address: string) => open(`${service.url.replace('127.0.0.1', 'localhost')}/${address}`);

it('takes a listing with a mistake, then the fixed one, and shows its video', async () => {
  const { id: organizationId } = await service.accounts.defaultOrganization();
  await service.accounts.grant(organizationId, 3);
  const place = new URL('../../src/studio/serve-page/example-listing.json', import.meta.url);
  const example = (await readFile(place, 'utf8')).replace('garden.jpg', 'broken.jpg');

  const page = await openPage('#/new');
  await page.getByText('Balance: 3 credits').waitFor();
  const field = page.getByRole('textbox', { name: 'Listing', exact: true });
  await field.fill(example.replace('"bedrooms": 4', '"bedrooms": "four"'));
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByRole('button', { name: /^Enter a whole number such as 3\. Bedrooms/ }).waitFor();
  await field.fill(example.replace('"ratio"', '"template_id": "clasic", "ratio"'));
  await expect.poll(() => page.locator('.problem').count()).toBe(0);
  await page.getByRole('button', { name: 'Create the videos' }).click();
  const noTemplate = 'There is no template “clasic”. Did you mean classic?';
  await page.getByRole('button', { name: `${noTemplate} Video: template` }).click();
  await expect.poll(() => page.locator('.forms .fault').allTextContents()).toContain(noTemplate);
  await field.fill(example);
  await expect.poll(() => page.locator('.problem').count()).toBe(0);
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByText('Rendering · 50 % · about 4 s left').waitFor();
  await page.getByText('Balance: 2 credits').waitFor();
  service.finishOne();
  await page.getByText('Succeeded').first().waitFor();
  await page.getByText('Damaged').waitFor();
  await page.getByLabel('Video of June Takemori').press('Space');
  await expect.poll(() => page.evaluate("document.querySelector('video').currentTime > 0")).toBe(true);
  await page.getByText('Preview GIF').click();
  await expect.poll(() => page.evaluate("document.querySelector('.preview img').naturalWidth")).toBe(320);
  await page.getByRole('link', { name: 'All tasks' }).click();
  await expect.poll(() => page.evaluate("document.querySelector('.frame img')?.naturalWidth")).toBe(320);
});

it('makes a listing of photos that are chosen, put in order and described', async () => {
  const page = await openPage('#/new');
  const photo = (name: string) => `fixtures/small/photos/${name}.jpg`;
  // A service that is busy takes the photo a little later, without a word of the person.
  const busy = { message: 'photos are checked right now', code: 'unavailable' };
  const headers = { 'retry-after': '0' };
  await page.route('**/v1/assets', (route) => route.fulfill({ status: 503, headers, json: busy }), {
    times: 2,
  });
  const addPhotos = page.locator('input[type="file"][multiple]');
  await addPhotos.setInputFiles(['front', 'bedroom', 'kitchen', 'living-room', 'pool'].map(photo));
  const text = page.getByRole('textbox', { name: 'Listing', exact: true });
  const urls = async (): Promise<string[]> =>
    JSON.parse((await text.inputValue()) || '{"assets":[]}').assets.map(({ url }: { url: string }) => url);
  await page.locator('#status', { hasText: '5 photos added.' }).waitFor({ state: 'attached' });
  const [front, bedroom, kitchen, living, pool] = await urls();
  expect(front).toMatch(new RegExp(`^${service.url}/v1/assets/upload_`));
  await expect.poll(() => page.locator('.photo canvas').count()).toBe(5);

  // A lost connection loses no photo, and what is left out can be brought back.
  await page.route('**/v1/assets', (route) => route.abort('connectionreset'));
  const late = { name: 'late.jpg', mimeType: 'image/jpeg', buffer: await readFile(photo('pool')) };
  await addPhotos.setInputFiles(late);
  await page.locator('.fault', { hasText: 'The connection was lost.' }).waitFor();
  await page.unroute('**/v1/assets');
  await page.getByRole('button', { name: 'Send again: late.jpg' }).click();
  await expect.poll(async () => (await urls()).length).toBe(6);
  await page.locator('.photo').nth(5).hover();
  await page.getByRole('button', { name: 'Leave out photo 6' }).click();
  await expect.poll(urls).toHaveLength(5);
  await page.getByRole('button', { name: 'Bring back late.jpg' }).click();
  await expect.poll(urls).toHaveLength(6);
  await page.keyboard.press('Control+z');
  await expect.poll(urls).toHaveLength(5);

  // What the server refuses is said in words, and holds the listing back until it is removed.
  const scan = { name: 'scan.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
  await addPhotos.setInputFiles(scan);
  await page.locator('.fault', { hasText: 'Not an image' }).waitFor();
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByText('Send them again or remove them: scan.jpg.').waitFor();
  await page.getByRole('button', { name: 'Remove scan.jpg' }).click();
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
  await expect.poll(focused).toBe('Add photos');

  // By keys and by dragging; the focus stays with the photo.
  await page.locator('.photo-image').nth(1).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(urls).toEqual([bedroom, front, kitchen, living, pool]);
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(urls).toEqual([front, kitchen, bedroom, living, pool]);
  await expect.poll(focused).toContain('Photo 3 of 5, bedroom.jpg');
  await page
    .locator('#status', { hasText: 'bedroom.jpg moved to place 3 of 5.' })
    .waitFor({ state: 'attached' });
  const { x, y } = (await page.locator('.photo-image').nth(4).boundingBox())!;
  const to = (await page.locator('.photo').nth(0).boundingBox())!;
  await page.mouse.move(x + 30, y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 40, { steps: 6 });
  await page.mouse.move(to.x + 40, to.y + 4, { steps: 3 });
  await expect.poll(() => page.locator('.photo').nth(0).getAttribute('data-gap')).toBe('before');
  await page.mouse.up();
  await expect.poll(urls).toEqual([pool, front, kitchen, bedroom, living]);

  // A photo that was left out can be the original of an altered one.
  const isAltered = page.getByRole('checkbox', { name: 'This photo is altered, photo 2' });
  const second = async () => JSON.parse(await text.inputValue()).assets[1];
  await isAltered.check();
  await page.getByRole('button', { name: 'Original of photo 2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'late.jpg' }).click();
  await expect
    .poll(second)
    .toEqual({ url: front, altered: true, original: expect.stringContaining('/v1/assets/upload_') });
  await expect.poll(() => page.getByRole('region', { name: 'Left out' }).count()).toBe(0);
  await isAltered.uncheck();
  await expect.poll(second).toEqual({ url: front });
  await page.getByRole('region', { name: 'Left out' }).getByText('late.jpg').waitFor();

  // What is missing is said beside its field too, until it is filled in. Each line leads there.
  await page.getByRole('button', { name: 'Create the videos' }).click();
  await page.getByRole('heading', { name: '2 mistakes to fix' }).waitFor();
  await page.getByRole('button', { name: 'This is needed. Id of the listing' }).click();
  await expect
    .poll(() => page.evaluate('document.activeElement.labels[0].textContent'))
    .toBe('Id of the listing');
  const needed = page.locator('.forms .fault', { hasText: 'This is needed.' });
  await expect.poll(() => needed.count()).toBe(1);
  await page.keyboard.type('HP-7');
  await expect.poll(() => needed.count()).toBe(0);
  await page.getByRole('heading', { name: '1 mistake to fix' }).waitFor();
  await page.getByLabel('Street and number').fill('7 Larkspur Terrace');
  await page.getByLabel('City').fill('Bend');
  await page.getByRole('tab', { name: 'Agents 1 to correct' }).click();
  await expect.poll(() => needed.count()).toBe(1);
  await page.getByRole('button', { name: 'Add agent' }).click();
  await page.keyboard.type('June');
  await expect.poll(() => page.locator('.problem').count()).toBe(0);
  await page.getByLabel('Last name').fill('Takemori');
  await page.getByLabel('Shape', { exact: true }).selectOption('Vertical, 9:16');
  expect(JSON.parse(await text.inputValue())).toEqual({
    id: 'HP-7',
    address: { street: '7 Larkspur Terrace', city: 'Bend' },
    assets: [pool, front, kitchen, bedroom, living].map((url) => ({ url })),
    agents: [
      {
        id: 'agent-1',
        first_name: 'June',
        last_name: 'Takemori',
        video_options: { ratio: '1080:1920' },
      },
    ],
  });

  // A file that a field takes is no longer held over the page.
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['no photo'], 'scan.jpg', { type: 'image/jpeg' }));
    const send = (name, target) =>
      target.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    send('dragover', document.body);
    send('drop', document.querySelector('.file-drop'));
  })()`);
  await page.locator('.file-drop .fault', { hasText: 'scan.jpg: Not an image' }).waitFor();
  expect(await page.locator('.dropping').count()).toBe(0);

  // A listing that is pasted later takes the photos when the person says so.
  const pasted = await text.inputValue();
  await text.fill('{ "id": "HP-8", "assets": [] }');
  await page.getByRole('button', { name: 'Bring all back' }).click();
  await expect.poll(urls).toHaveLength(6);
  await text.fill(pasted);

  // A listing that is not sent yet is not lost by a closed tab.
  const leaving = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await leaving;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  // Both shapes are one task, and the text stays that of one.
  await page.getByRole('checkbox', { name: 'Both shapes' }).check();
  const sending = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create the videos' }).click();
  const { agents } = (await sending).postDataJSON();
  expect(agents.map(({ id, video_options: { ratio } }: AnyAgent) => [id, ratio])).toEqual([
    ['agent-1', '1080:1920'],
    ['agent-1-wide', '1920:1080'],
  ]);
  await page.getByRole('heading', { level: 1, name: '7 Larkspur Terrace, Bend' }).waitFor();
  service.finishOne();
});

it('draws the reference of the true document, and tries an operation from it', async () => {
  const page = await openPage('docs');
  await page.locator('[id$=getOrganization]').first().click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/organization'));
  await page.getByRole('button', { name: 'Execute' }).click();
  expect((await answered).status()).toBe(200);
});

it('asks for a key from the moment there is one', async () => {
  const { id: organizationId } = await service.accounts.defaultOrganization();
  const { key } = await service.accounts.createKey({ organizationId });
  const page = await open(service.url);
  await page.getByRole('dialog').waitFor();
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.locator('li.task').first().waitFor();
});
