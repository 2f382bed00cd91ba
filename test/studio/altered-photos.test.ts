/** What each photo says in the panel of photos, in Chromium: altered, kind, emphasis and focus. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { LeftOutPhotos } from '../../src/studio/editor/left-out-photos.ts';
import { StudioMemory } from '../../src/studio/editor/studio-memory.ts';
import { folderOf } from '../cli/listing-files.ts';
import { type Sight, watchPages } from './browser.ts';
import { FakeEngine } from './fake-engine.ts';
import { openTestStudio, type TestStudio } from './open-test-studio.ts';
import { LAW_WARNING } from './photo-stage.ts';

let studio: TestStudio;

afterEach(() => studio?.close());
const openPage = watchPages();

async function open(problems: Record<string, string> = {}, sight: Sight = {}): Promise<Page> {
  studio = await openTestStudio(new FakeEngine(), problems);
  const page = await openPage(studio.url, { width: 1440, ...sight });
  await page.locator('canvas[data-frame]').first().waitFor();
  return page;
}

const switchOf = (page: Page, number: number) =>
  page.getByRole('checkbox', { name: `This photo is altered, photo ${number}` });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const assetsOf = async () => (await studio.read()).assets;
const namesOf = async () => (await assetsOf()).map(({ url }) => path.basename(url).slice(0, 2));
const expectAsset = (index: number, facts: object) =>
  expect
    .poll(async () => (await assetsOf())[index])
    .toEqual({ url: expect.any(String), type: 'image', ...facts });
const leftOut = (page: Page) => page.getByRole('region', { name: 'Left out' });

describe('an altered photo', () => {
  it('is marked and labelled, and what marks it goes as one step that undo takes back', async () => {
    const page = await open();
    await switchOf(page, 2).focus();
    await page.keyboard.press('Space');
    await expectAsset(1, { altered: true });
    await page.getByText('If empty: “Digitally altered”.').waitFor();
    const label = page.getByRole('combobox', { name: 'Label on photo 2' });
    await label.pressSequentially('Virtually staged');
    await expectAsset(1, { altered: 'Virtually staged' });
    await label.fill('');
    await expectAsset(1, { altered: true });
    await label.fill('Rendering');
    await button(page, 'Choose original of photo 2').click();
    const dialog = page.getByRole('dialog', { name: 'Original of photo 2' });
    await dialog.getByRole('button', { name: '06-kitchen.jpg' }).click();
    const marked = { altered: 'Rendering', original: 'photos/06-kitchen.jpg' };
    await expectAsset(1, marked);
    await switchOf(page, 2).uncheck();
    await expectAsset(1, {});
    await page.keyboard.press('Control+z');
    await expectAsset(1, marked);
    await page.keyboard.press('Control+Shift+z');
    await expectAsset(1, {});
  });

  it('gets its original from the photos, which is no photo of the video then, and none that was left out', async () => {
    const page = await open();
    await switchOf(page, 3).check();
    await button(page, 'Choose original of photo 3').click();
    const dialog = page.getByRole('dialog', { name: 'Original of photo 3' });
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(5);
    await dialog.getByRole('button', { name: '03-entry.jpg' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(namesOf).toEqual(['01', '04', '06', '08', '11']);
    await expectAsset(1, { altered: true, original: 'photos/03-entry.jpg' });
    await page.locator('.original-image img').waitFor();
    // Captions of agents went with their photo.
    expect((await studio.read()).agents[0]?.video_options?.template_data).toEqual({
      caption_02: 'Oak and stone',
    });
    expect(await leftOut(page).count()).toBe(0);

    await button(page, 'Remove original of photo 2').click();
    await expectAsset(1, { altered: true });
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("data-path")'))
      .toBe('/assets/1/original');
    await leftOut(page).getByText('03-entry.jpg').waitFor();
    await page.keyboard.press('Control+z');
    await leftOut(page).waitFor({ state: 'detached' });
    // With its altered photo an original is left out too, and comes back.
    await page.locator('.photo').nth(1).hover();
    await button(page, 'Leave out photo 2').click();
    await expect.poll(() => leftOut(page).getByRole('listitem').count()).toBe(1);
    await button(page, 'Bring back 04-living-room.jpg').click();
    await expectAsset(4, { altered: true, original: 'photos/03-entry.jpg', caption: 'Oak and stone' });
  });

  it('gets its original as a file, which is no photo of the video', async () => {
    const page = await open({ 'no-roof.jpg': 'corrupt: the file ends too early' });
    await switchOf(page, 1).check();
    await button(page, 'Choose original of photo 1').click();
    const files = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(['x'.repeat(200)], 'no-roof.jpg', { type: 'image/jpeg' }));
      return files;
    })()`);
    const place = page.locator('dialog[open] .file-drop');
    await place.dispatchEvent('dragover', { dataTransfer: files });
    await page.locator('dialog[open] .file-drop[data-over="true"]').waitFor();
    expect(await page.locator('.photos').getAttribute('data-over')).toBe('false');
    await place.dispatchEvent('drop', { dataTransfer: files });
    await expectAsset(0, { altered: true, original: 'no-roof.jpg' });
    await page.locator('.original .fault', { hasText: 'Damaged: the file ends too early.' }).waitFor();
    await button(page, 'Replace original of photo 1').click();
    await page
      .locator('dialog[open] input[type="file"]')
      .setInputFiles(path.join(studio.folder, 'photos', '03-entry.jpg'));
    await expectAsset(0, { altered: true, original: '03-entry.jpg' });
    expect(await assetsOf()).toHaveLength(6);
  });

  it('has the warning of the law beside it, and an original without a label is a fault', async () => {
    const page = await open();
    await switchOf(page, 4).check();
    await page.locator('.photo').nth(3).getByText(LAW_WARNING).waitFor();
    await page.getByLabel('Web address of the originals').fill('harborpine.example/originals');
    await page.getByText('Shown as a QR code.').waitFor();
    await expect
      .poll(async () =>
        (await studio.read()).agents.map((each) => each.video_options?.template_data?.originals_url),
      )
      .toEqual(Array(2).fill('harborpine.example/originals'));
    await page.getByRole('region', { name: 'Checks' }).getByText(LAW_WARNING).click();
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("data-path")'))
      .toBe('/assets/3/altered');
    const listing = structuredClone(await studio.read()) as unknown as { assets: object[] };
    listing.assets[3] = { url: 'photos/06-kitchen.jpg', original: 'photos/03-entry.jpg' };
    await studio.write(listing);
    await page.locator('.photo .fault', { hasText: 'only allowed beside altered' }).waitFor();
    await switchOf(page, 4).check();
    await page.locator('.photo .fault').waitFor({ state: 'detached' });
  });
});

describe('kind and emphasis', () => {
  it('are chosen, and absent while the one is guessed and the other usual', async () => {
    const page = await open();
    const kind = page.getByRole('combobox', { name: 'Kind of photo 5' });
    await kind.selectOption('Floor plan');
    await expectAsset(4, { kind: 'floor_plan' });
    await page.locator('.photo').nth(4).getByText('Shown whole').waitFor();
    await kind.selectOption('Photo (auto)');
    await expectAsset(4, {});
    // Alt with arrows opens the list there, and moves no photo.
    await kind.press('Alt+ArrowUp');
    await page.keyboard.press('Escape');
    expect(await namesOf()).toEqual(['01', '03', '04', '06', '08', '11']);
    const emphasis = page.getByRole('combobox', { name: 'Emphasis of photo 5' });
    await emphasis.selectOption('Twice as long');
    await expectAsset(4, { emphasis: 'high' });
    await emphasis.selectOption('Normal time');
    await expectAsset(4, {});
  });
});

describe('the focus of a photo', () => {
  it('is dragged in a frame, moved by keys, undone and given back, and the frames show what is kept', async () => {
    const page = await open();
    await button(page, 'Focus: automatic, photo 2').click();
    const dialog = page.getByRole('dialog', { name: 'Focus of photo 2' });
    const point = dialog.getByRole('slider', { name: 'Focus of 03-entry.jpg' });
    await expect
      .poll(() => point.getAttribute('aria-valuetext'))
      .toBe('automatic, 50 % from the left, 50 % from the top');
    // The photo goes to the left by a tenth of its width: what is right of the middle is kept.
    const frame = dialog.locator('.crop[data-ratio="1080:1920"] .crop-frame');
    const photo = (await frame.locator('.crop-photo').boundingBox())!;
    const { x, y } = (await frame.boundingBox())!;
    const drag = async (by: number) => {
      await page.mouse.move(x + 60, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + 60 - by, y + 70, { steps: 3 });
    };
    await drag(photo.width / 10);
    await expect
      .poll(async () => (await frame.locator('.crop-photo').boundingBox())!.x)
      .toBeLessThan(photo.x - 9);
    await page.mouse.up();
    await expectAsset(1, { focus: { x: 0.6, y: 0.5 } });
    // Escape gives up a drag, and the dialog stays.
    await drag(40);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await point.press('ArrowDown');
    await point.press('ArrowDown');
    await point.press('Shift+ArrowRight');
    await expectAsset(1, { focus: { x: 0.7, y: 0.52 } });
    await expect
      .poll(() => point.getAttribute('aria-valuetext'))
      .toBe('70 % from the left, 52 % from the top');
    await button(page, 'Back to automatic').click();
    await expectAsset(1, {});
    await button(page, 'Done').click();
    await button(page, 'Focus: automatic, photo 2').waitFor();
    await page.keyboard.press('Control+z');
    await expectAsset(1, { focus: { x: 0.7, y: 0.52 } });
    await button(page, 'Focus: by hand, photo 2').waitFor();
    // What is no point in the file is a fault there, and is replaced.
    const listing = structuredClone(await studio.read()) as unknown as { assets: object[] };
    listing.assets[1] = { url: 'photos/03-entry.jpg', type: 'image', focus: { x: 'left', y: 2 } };
    await studio.write(listing);
    await page.locator('.photo .focus-field .fault').first().waitFor();
    await button(page, 'Focus: by hand, photo 2').click();
    await point.press('ArrowUp');
    await expectAsset(1, { focus: { x: 0.5, y: 0.49 } });
  });
});

it.each(['light', 'dark'] as const)('fit a phone and have room for fingers, %s', async (colorScheme) => {
  const page = await open({}, { width: 320, height: 640, isTouch: true, colorScheme });
  await switchOf(page, 1).check();
  await button(page, 'Choose original of photo 1').click();
  await page.getByRole('dialog').getByRole('button', { name: '11-bathroom.jpg' }).click();
  await button(page, 'Remove original of photo 1').waitFor();
  await button(page, 'Focus: automatic, photo 2').click();
  await page.getByRole('dialog').getByText('Vertical, 9:16').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await button(page, 'Done').click();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  const small =
    await page.evaluate(`[...document.querySelectorAll('.photo-facts :is(button, select, .switch)')]
    .filter((control) => control.getBoundingClientRect().height < 40).map(({ outerHTML }) => outerHTML)`);
  expect(small).toEqual([]);
});

describe('photos that were left out', () => {
  it('are none that is the original of one of them', async () => {
    const home = await folderOf({});
    const remembered = await StudioMemory.open(home, '/listing.json', () => {});
    const memory = new LeftOutPhotos(remembered);
    const [altered, other] = [{ url: 'a.jpg', altered: true, original: 'o.jpg' }, { url: 'b.jpg' }];
    memory.notice({ assets: [altered, other] }, { assets: [other] });
    expect(memory.of({ assets: [other] }).shown).toEqual([altered]);
    memory.notice({ assets: [altered, other] }, { assets: [{ url: 'a.jpg' }, other] });
    expect(memory.of({ assets: [{ url: 'a.jpg' }, other] }).shown).toEqual([{ url: 'o.jpg' }]);
    expect(memory.of({ assets: [altered, other] }).shown).toEqual([]);
    await remembered.saved();
  });
});
