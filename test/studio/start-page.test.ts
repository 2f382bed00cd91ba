/** The start page in Chromium: from photos to the studio of their listing, and back. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StudioMemory } from '../../src/studio/editor/studio-memory.ts';
import type { PageServer } from '../../src/studio/server/page-server.ts';
import { Start } from '../../src/studio/start/start.ts';
import { startOnce } from '../../src/studio/start/start-server.ts';
import { watchPages } from './browser.ts';
import { FakeEngine } from './fake-engine.ts';
import { openTestStudio } from './open-test-studio.ts';

const PHOTOS = fileURLToPath(new URL('../../fixtures/small/photos', import.meta.url));
const openPage = watchPages();

let folder: string;
let start: Start;
let server: PageServer;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'listing-video-start-'));
  const [home, homeDir] = [path.join(folder, 'data'), path.join(folder, 'me')];
  await mkdir(path.join(homeDir, 'Pictures', 'house'), { recursive: true });
  await writeFile(path.join(homeDir, 'Pictures', 'house', '1.jpg'), '');
  start = new Start({
    ...{ home, homeDir, out: null, root: path.join(homeDir, 'Listing Videos'), nowMs: Date.now },
    openListing: async (place) => {
      const studio = await openTestStudio(new FakeEngine());
      const listingFile = 'photos' in place ? path.join(place.photos, 'listing.json') : place.listing;
      await writeFile(listingFile, '{}');
      const memory = await StudioMemory.open(home, listingFile, () => {});
      memory.remember({ file: listingFile, title: '12 Main St', opened_at: new Date().toISOString() });
      await memory.saved();
      return { listingFile, urlToOpen: studio.url, closed: new Promise(() => {}), close: studio.close };
    },
    checkPhoto: async (bytes) => (bytes.length > 100 ? null : 'a text file'),
    importFile: async () => [
      { source: 'a.csv:2', listing_id: 'M-1', state: 'written', file: '/M-1', photos: 5, reasons: [] },
      {
        source: 'a.csv:3',
        listing_id: 'M-2',
        state: 'skipped',
        file: null,
        photos: 0,
        reasons: ['it is sold'],
      },
    ],
    copySample: async () => {},
  });
  const started = await startOnce({
    start,
    home,
    homeDir,
    port: 0,
    onFault: (error) => expect(error).toBeNull(),
  });
  if ('other' in started) throw new Error('it runs already');
  server = started.own;
});
afterEach(async () => {
  await server.close();
  await start.close();
  await rm(folder, { recursive: true, force: true });
});

async function choose(
  page: Page,
  button: string,
  files: Parameters<Page['setInputFiles']>[1],
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(files);
}

it('leads from photos to the studio of their listing, which it shows from then on', async () => {
  const page = await openPage(server.url);
  await page.getByLabel('Street and number').fill('12 Main St');
  await page.getByRole('button', { name: 'Choose photos…' }).click();
  const broken = { name: 'plan.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') };
  const names = (await readdir(PHOTOS)).filter((name) => name.endsWith('.jpg'));
  await choose(
    page,
    'Choose single photos…',
    names.map((name) => path.join(PHOTOS, name)),
  );
  await page.getByRole('heading', { level: 1, name: '128 Harbor Pine Lane' }).waitFor();
  const sent = await readdir(path.join(folder, 'me', 'Listing Videos', '12-main-st'));
  expect(sent.sort()).toEqual([...names, 'listing.json'].sort());

  await page.goBack();
  await page
    .getByRole('button', { name: /^12 Main St ~\/Listing Videos\/12-main-st · opened just now/ })
    .click();
  await page.getByRole('heading', { level: 1, name: '128 Harbor Pine Lane' }).waitFor();

  // What cannot be used is named before the listing opens.
  await page.goBack();
  await page.getByRole('button', { name: 'Choose photos…' }).click();
  await choose(page, 'Choose single photos…', broken as never);
  await page.getByText('plan.jpg: It cannot be used: a text file.').first().waitFor();
  await page.getByRole('button', { name: 'Close' }).click();

  await choose(page, 'Import from MLS file…', { ...broken, name: 'a.csv' } as never);
  await page.getByRole('heading', { name: '1 listing from a.csv' }).waitFor();
  await page.getByText('Left out: It is sold.').waitFor();
  await page.getByRole('button', { name: 'Open M-1' }).waitFor();

  // By keyboard to a folder of photos.
  await page.getByRole('button', { name: 'Choose photos…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Where are the photos?' });
  // The list takes the focus once its folders are known anew: a key before that would go there.
  const list = dialog.getByRole('region', { name: 'Folders' });
  for (const name of ['Pictures', 'house 1 photo', 'Use 1 photo']) {
    await dialog.getByRole('button', { name }).waitFor();
    await expect
      .poll(() => list.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await dialog.getByRole('button', { name }).press('Enter');
  }
  await page.getByRole('heading', { level: 1, name: '128 Harbor Pine Lane' }).waitFor();
});
