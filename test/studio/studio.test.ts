/** The studio's page in Chromium, as people use it: with a mouse, a keyboard, a finger, and a server in trouble. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { StudioState } from '../../src/studio/editor/protocol.ts';
import { REPORT_FILE } from '../video/a-report.ts';
import { type Sight, watchPages } from './browser.ts';
import { FakeEngine } from './fake-engine.ts';
import { openTestStudio, type TestStudio } from './open-test-studio.ts';
import { MAX_CAPTION } from './photo-stage.ts';

let studio: TestStudio;
let engine: FakeEngine;

afterEach(() => studio.close());
const openPage = watchPages();

async function open(
  sight: Sight = {},
  problems: Record<string, string> = {},
  remembered: object = {},
): Promise<Page> {
  engine = new FakeEngine();
  studio = await openTestStudio(engine, problems, remembered);
  const page = await openPage(studio.url, { width: 1440, ...sight });
  await page.locator('canvas[data-frame]').first().waitFor();
  return page;
}

const shownFrame = (page: Page) => page.locator('canvas').first().getAttribute('data-frame');
const spoken = (page: Page, text: string) =>
  page.locator('.spoken[role="status"]', { hasText: text }).waitFor({ state: 'attached' });
const fileNames = async () =>
  (await studio.read()).assets.map(({ url }) => path.basename(url, '.jpg').slice(0, 2));
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

/** The field of the listing that has the focus. */
const focusedPath = (page: Page) => page.evaluate('document.activeElement.getAttribute("data-path")');

async function expectFrame(page: Page, frame: number): Promise<void> {
  await expect.poll(() => shownFrame(page)).toBe(String(frame));
}

describe('the stage', () => {
  it('is moved by keys, the scrubber and the strip, and asks for the newest frame only', async () => {
    const page = await open();
    for (const [key, frame] of [
      ['.', 1],
      ['ArrowRight', 31],
      ['ArrowLeft', 1],
      [',', 0],
      ['End', 284],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expectFrame(page, frame);
    }
    const scrubber = page.getByRole('slider', { name: 'Position in the video' });
    const { x, y, width, height } = (await scrubber.boundingBox())!;
    await page.mouse.move(x + 8, y + height / 2);
    await page.mouse.down();
    studio.stage.asked.length = 0;
    const release = studio.stage.hold();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 20 });
    release();
    await expectFrame(page, 142);
    // Those on their way when the server stopped to answer, and the last.
    expect(studio.stage.asked.length).toBeLessThan(5);
    await page.mouse.up();
    await expect.poll(() => scrubber.getAttribute('aria-valuetext')).toBe('0:04 of 0:09, kitchen');

    const scenes = page.getByRole('navigation', { name: 'Scenes' });
    await button(scenes, /^entry/).click();
    await expectFrame(page, 75);
    await page.keyboard.press('ArrowRight');
    await expectFrame(page, 120);
    const current = scenes.locator('[aria-current="true"]');
    await expect.poll(() => current.textContent()).toBe('living room0:03');
    await expect
      .poll(() => current.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
  });

  it('plays with the music, and shows each agent, either ratio or both, and safe areas', async () => {
    const page = await open();
    const music = page.waitForRequest(/\/api\/audio\//);
    await page.keyboard.press(' ');
    await music;
    await button(page, 'Pause').waitFor();
    await expect.poll(async () => Number(await shownFrame(page))).toBeGreaterThan(8);
    await button(page, 'Mute').click();
    await button(page, 'Sound on').waitFor();
    await page.locator('canvas').click();
    await button(page, 'Play').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('.');
    await expectFrame(page, 284);
    await button(page, 'Play').click();
    await expect.poll(async () => Number(await shownFrame(page))).toBeLessThan(284);
    await button(page, 'Pause').click();

    const ratios = () =>
      page.locator('.screen').evaluateAll((all) => all.map((each) => each.getAttribute('data-ratio')));
    await expect.poll(ratios).toEqual(['1920:1080']);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Marcus Adebanji');
    await expect.poll(ratios).toEqual(['1080:1920']);
    await page.getByRole('radio', { name: 'Both' }).check();
    await expect.poll(ratios).toEqual(['1920:1080', '1080:1920']);
    await page.locator('canvas[data-frame]').nth(1).waitFor();
    const shownFrames = () =>
      page.locator('canvas').evaluateAll((all) => all.map((each) => each.getAttribute('data-frame')));
    // The shapes have other lengths: each goes to its own scene of the photo, at rest.
    await button(page.getByRole('navigation', { name: 'Scenes' }), /^living room/).click();
    await expect.poll(shownFrames).toEqual(['120', '70']);
    await page.keyboard.press('.');
    await expect.poll(shownFrames).toEqual(['121', '121']);
    await button(page, 'Show where apps cover the video').click();
    await expect.poll(() => page.locator('.safe-area').count()).toBe(2);
    const [screen, area] = await Promise.all([
      page.locator('.screen').first().boundingBox(),
      page.locator('.safe-area').first().boundingBox(),
    ]);
    expect(area!.width / screen!.width).toBeCloseTo(0.88, 1);
  });
});

describe('the photos', () => {
  it('are ordered by mouse and keys, and captions of an agent go with their photo', async () => {
    const page = await open();
    const rows = page.locator('.photo-list > li');
    const from = (await rows.nth(2).locator('.photo-image').boundingBox())!;
    const to = (await rows.nth(0).boundingBox())!;
    await page.mouse.move(from.x + 30, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 60, { steps: 6 });
    await page.mouse.move(to.x + 40, to.y + 4, { steps: 3 });
    await expect.poll(() => rows.nth(0).getAttribute('data-gap')).toBe('before');
    await page.mouse.up();
    await expect.poll(fileNames).toEqual(['04', '01', '03', '06', '08', '11']);
    expect((await studio.read()).agents[0]?.video_options?.template_data).toEqual({
      caption_01: 'Oak and stone',
    });
    await spoken(page, '04-living-room.jpg is the opening now.');

    await rows.nth(0).locator('.photo-image').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await spoken(page, '04-living-room.jpg moved to place 3 of 6.');
    await expect.poll(fileNames).toEqual(['01', '03', '04', '06', '08', '11']);
    await expect.poll(() => focusedPath(page)).toBe('/assets/2');

    await rows.nth(4).hover();
    await button(page, 'Make photo 5 the opening').click();
    await expect.poll(fileNames).toEqual(['08', '01', '03', '04', '06', '11']);
    await page.keyboard.press('Control+z');
    await spoken(page, 'Undone: Move photo.');
    await expect.poll(fileNames).toEqual(['01', '03', '04', '06', '08', '11']);
  });

  it('stand in a grid, where arrows go from photo to photo, and what one says is below', async () => {
    const page = await open();
    await button(page, 'Show the photos as a grid').click();
    const images = page.locator('.photo-list .photo-image');
    const details = (number: number) => page.getByRole('region', { name: `Photo ${number}`, exact: true });
    await images.nth(0).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedPath(page)).toBe('/assets/1');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedPath(page)).toBe('/assets/5');
    await details(6).getByRole('textbox', { name: 'Caption of photo 6' }).fill('Marble');
    await expect.poll(async () => (await studio.read()).assets[5]?.caption).toBe('Marble');
    await images.nth(5).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(fileNames).toEqual(['01', '11', '03', '04', '06', '08']);
    await details(2).waitFor();
    // Within the first row, to the left of the first photo.
    const [from, to] = await Promise.all([images.nth(2).boundingBox(), images.nth(0).boundingBox()]);
    await page.mouse.move(from!.x + 20, from!.y + 20);
    await page.mouse.down();
    await page.mouse.move(to!.x + 5, to!.y + 30, { steps: 6 });
    await expect.poll(() => page.locator('.photo').nth(0).getAttribute('data-gap')).toBe('before');
    await page.mouse.up();
    await expect.poll(fileNames).toEqual(['03', '01', '11', '04', '06', '08']);
    await button(details(1), 'Leave out photo 1').click();
    await expect.poll(fileNames).toEqual(['01', '11', '04', '06', '08']);
    // It is remembered, and a check leads to a field that is not on the page yet.
    await page.reload();
    await page.locator('[data-layout="grid"]').waitFor();
    const listing = structuredClone(await studio.read()) as unknown as { assets: object[] };
    listing.assets[3] = { url: 'photos/06-kitchen.jpg', caption: 7 };
    await studio.write(listing);
    await button(page.getByRole('region', { name: 'Checks' }), /Expected text/).click();
    await expect.poll(() => focusedPath(page)).toBe('/assets/3/caption');
  });

  it('are left out and brought back, with undo and redo', async () => {
    const page = await open();
    await page.locator('.photo').nth(1).hover();
    await button(page, 'Leave out photo 2').click();
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11']);
    const notice = page.locator('.notice', { hasText: '03-entry.jpg is left out.' });
    await button(notice, 'Undo').click();
    await expect.poll(fileNames).toEqual(['01', '03', '04', '06', '08', '11']);
    await page.locator('.photo').nth(1).hover();
    await button(page, 'Leave out photo 2').click();
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11']);
    const leftOut = page.getByRole('region', { name: 'Left out' });
    await button(leftOut, 'Bring back 03-entry.jpg').click();
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11', '03']);
    await leftOut.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await spoken(page, 'Undone: Bring back photo.');
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11']);
    await button(page, 'Undo: Leave out photo').click();
    await expect.poll(fileNames).toEqual(['01', '03', '04', '06', '08', '11']);
    await page.keyboard.press('Control+Shift+z');
    await spoken(page, 'Done again: Leave out photo.');
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11']);
  });

  it('are left out again when redo is pressed before undo is answered', async () => {
    const page = await open();
    await page.locator('.photo').nth(1).hover();
    await button(page, 'Leave out photo 2').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/undo', (route) => isHeld.then(() => route.continue()));
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    answer();
    await spoken(page, 'Done again: Leave out photo.');
    await expect.poll(fileNames).toEqual(['01', '04', '06', '08', '11']);
  });

  it('get captions in place, are added from files, and say why they are dropped', async () => {
    const page = await open({}, { 'photos/11-bathroom.jpg': 'too_small: 200x150' });
    const caption = page.getByRole('textbox', { name: 'Caption of photo 2' });
    await caption.focus();
    await expectFrame(page, 75);
    await caption.pressSequentially('A wide hall with an oak stair, lit');
    await page.getByText(`34 of ${MAX_CAPTION} characters.`).waitFor();
    await expect
      .poll(async () => (await studio.read()).assets[1]?.caption)
      .toBe('A wide hall with an oak stair, lit');
    await caption.fill('A wide hall with an oak stair, and light from above');
    await page.getByText('11 characters too long').waitFor();
    await expect.poll(() => caption.getAttribute('aria-invalid')).toBe('true');
    await button(page, /^Not shown in 9:16: .* Photo 2: caption, June Takemori, 9:16$/).click();
    await page.locator('.photo').nth(1).getByText('Not shown in 9:16').waitFor();
    await expect.poll(() => focusedPath(page)).toBe('/assets/1/caption');
    await page.locator('.screen[data-ratio="1080:1920"]').waitFor();
    await caption.fill('');
    await expect.poll(async () => 'caption' in (await studio.read()).assets[1]!).toBe(false);
    await button(page, 'Undo: Caption of photo 2').waitFor();

    await page.getByText('Not in the video. Too small: 200x150.').waitFor();
    const photo = path.join(studio.folder, 'photos', '03-entry.jpg');
    await page.locator('input[type="file"][multiple]').setInputFiles([photo]);
    await expect.poll(async () => (await studio.read()).assets.length).toBe(7);
    await spoken(page, '1 photo added.');
    const files = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(['no'], 'notes.jpg', { type: 'image/jpeg' }));
      return files;
    })()`);
    await page.locator('.photos').dispatchEvent('dragover', { dataTransfer: files });
    await page.locator('.photos[data-over="true"]').waitFor();
    await page.locator('.photos').dispatchEvent('drop', { dataTransfer: files });
    await page
      .locator('.photo .fault', { hasText: 'It cannot be used: the file is not an image.' })
      .waitFor();
    await button(page, 'Send again: notes.jpg').click();
    await button(page, 'Remove notes.jpg').click();
    await page.locator('.uploads .fault').waitFor({ state: 'detached' });
    expect((await studio.read()).assets).toHaveLength(7);
  });
});

describe('the listing', () => {
  it('shows what is to correct, and a change from outside', async () => {
    const page = await open();
    const listing = await studio.read();
    await studio.write({ ...listing, assets: listing.assets.slice(0, 4), mls_remarks: 'kept' });
    await page.locator('.notice', { hasText: 'The file was changed by another program' }).waitFor();
    const checks = page.getByRole('region', { name: 'Checks' });
    await checks.getByText('1 to correct').waitFor();
    await button(checks, /photos are needed/).click();
    await expect.poll(() => focusedPath(page)).toBe('/assets');
    await page.getByRole('banner').getByRole('button', { name: 'Render' }).click();
    await page.locator('.notice', { hasText: 'The listing cannot be rendered yet' }).waitFor();
    await page.locator('.photo-image').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(fileNames).toEqual(['03', '01', '04', '06']);
    expect((await studio.read()).mls_remarks).toBe('kept');
  });

  it('that another program wrote from an older version is taken back, and both versions are kept', async () => {
    const page = await open();
    const before = await studio.read();
    await page.getByRole('textbox', { name: 'Caption of photo 1' }).fill('The porch');
    await expect.poll(async () => (await studio.read()).assets[0]?.caption).toBe('The porch');
    await page.getByText('Saved', { exact: true }).waitFor();
    await studio.write({ ...before, mls_remarks: 'theirs' });
    await page.locator('.notice', { hasText: 'kept beside it: listing.json.kept-1.' }).waitFor();
    const reloaded = page.locator('.notice', { hasText: 'The file was changed by another program' });
    await button(reloaded, 'Keep mine').click();
    await page.locator('.notice', { hasText: 'listing.json.kept-1, listing.json.kept-2.' }).waitFor();
    await expect.poll(async () => (await studio.read()).assets[0]?.caption).toBe('The porch');
    const kept = await Promise.all(
      [1, 2].map((number) => readFile(path.join(studio.folder, `listing.json.kept-${number}`), 'utf8')),
    );
    expect(kept.map((text) => [text.includes('The porch'), text.includes('theirs')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('asks what to keep when the file changed and something is not saved', async () => {
    const page = await open();
    let answer: unknown;
    const state = await page.evaluate<StudioState>('fetch("/api/state").then((answer) => answer.json())');
    await page.route('**/api/conflict', (route) => {
      answer = route.request().postDataJSON();
      return route.fulfill({ json: { ...state, conflict: false } });
    });
    await page.route('**/api/edits', (route) => route.fulfill({ json: { ...state, conflict: true } }));
    await page.locator('.photo-image').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    const dialog = page.getByRole('dialog', { name: 'The file was changed by another program' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await button(dialog, 'Reload the file').click();
    await dialog.waitFor({ state: 'hidden' });
    expect(answer).toEqual({ keep: 'theirs' });
  });

  it('comes with the events alone: another answer could be older than an event before it', async () => {
    const page = await open();
    await page.route('**/api/state', (route) => route.abort());
    await page.reload();
    await page.locator('canvas[data-frame]').first().waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('keeps edits while the server is away, and sends them when it is back, or a later one', async () => {
    const page = await open();
    await page.context().setOffline(true);
    await page.getByRole('textbox', { name: 'Caption of photo 1' }).fill('The front');
    await page.getByText('Not saved', { exact: true }).waitFor();
    await page.context().setOffline(false);
    await expect.poll(async () => (await studio.read()).assets[0]?.caption).toBe('The front');
    await page.getByText('Saved', { exact: true }).waitFor();

    await button(page.getByRole('banner'), 'Render').click();
    await page.getByRole('button', { name: 'Rendering, 0 %' }).waitFor();
    await studio.stop();
    await page.getByText('Rendering stopped with the studio.').waitFor();
    await page.locator('.notice', { hasText: 'The studio has stopped. Start it again' }).waitFor();
    await page.getByRole('textbox', { name: 'Caption of photo 2' }).fill('The hall');
    await page.getByText('Not saved', { exact: true }).waitFor();
    const isOff = page.getByRole('banner').getByRole('button', { name: 'Render' });
    await expect.poll(() => isOff.getAttribute('aria-disabled')).toBe('true');
    await studio.startAgain();
    await expect.poll(async () => (await studio.read()).assets[1]?.caption).toBe('The hall');
    await page.getByText('The last render was interrupted.').waitFor();
    await page.locator('.notice', { hasText: 'The studio has stopped' }).waitFor({ state: 'detached' });
  });
});

describe('rendering', () => {
  it('shows progress, is cancelled, and ends with videos to play', async () => {
    const page = await open();
    const render = page.getByRole('region', { name: 'Videos to render' });
    const ratio = render.getByRole('combobox', { name: 'Shape' });
    const start = page.getByRole('banner').getByRole('button', { name: 'Render' });
    await expect.poll(() => ratio.inputValue()).toBe('own');
    await page.getByRole('radio', { name: 'Both' }).check();
    await expect.poll(() => ratio.inputValue()).toBe('both');
    // What is chosen is sent, also when the server is too busy to remember it yet.
    await page.route('**/api/shapes', (route) => route.abort());
    const versions = render.getByRole('combobox', { name: 'Render for' });
    await versions.selectOption('Only June Takemori');
    await ratio.selectOption('9:16');
    const sent = page.waitForRequest('**/api/renders');
    await render.getByRole('checkbox', { name: 'YouTube' }).check();
    await render
      .getByText('9:16 as set under Shape (usual here: 16:9), up to 15 min, at most 256 GB.')
      .waitFor();
    await start.click();
    expect((await sent).postDataJSON()).toEqual({
      ...{ agents: ['june-takemori'], ratios: ['1080:1920'] },
      destinations: ['youtube'],
    });
    await render.getByRole('progressbar', { name: 'Rendering' }).waitFor();
    await engine.report({ percent: 0, stage: 'lock', etaSeconds: null });
    await page.getByRole('button', { name: 'Waiting' }).waitFor();
    await engine.report({ percent: 42, stage: 'render', etaSeconds: 75 });
    await render.getByText('Rendering · 42 % · about 1 min left').waitFor();
    await page.getByRole('button', { name: 'Rendering, 42 %' }).waitFor();
    await button(render, 'Cancel').click();
    await render.getByText('Rendering was cancelled.').waitFor();
    await button(render, 'Render').click();
    await engine.finish();
    await render.getByText(path.join(studio.folder, 'out', 'HP-204128')).waitFor();
    await render.getByLabel('June Takemori, 16:9', { exact: true }).waitFor();
    await spoken(page, 'The videos are finished.');
  });

  it('says what a video of an earlier day does not show yet, and gives it in each way', async () => {
    const page = await open();
    const render = page.getByRole('region', { name: 'Videos to render' });
    const shape = render.getByRole('combobox', { name: 'Shape' });
    await button(render, 'Render').click();
    const june = { agent_id: 'june-takemori' };
    await engine.finish([june, { ...june, ratio: '1080:1920', video: { ...REPORT_FILE, file: 'tall.mp4' } }]);
    await render.getByText('Up to date.').first().waitFor();
    await render.getByText(/a.mp4, 1.5 MB, made /).waitFor();
    // What exists is what Render renews.
    await expect.poll(() => shape.inputValue()).toBe('both');

    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/edits', (route) => isHeld.then(() => route.continue()));
    await page.getByLabel('Price', { exact: true }).fill('2');
    await render.getByText('Checking …').first().waitFor();
    expect(await render.getByText('Up to date.').count()).toBe(0);
    release();
    await render.getByText('Out of date: price.').first().waitFor();

    const { agents, ...listing } = await studio.read();
    const data = { ...agents[0]!.video_options!.template_data, price: '1' };
    const first = { ...agents[0], video_options: { ...agents[0]!.video_options, template_data: data } };
    await studio.write({ ...listing, agents: [first, agents[1]] });
    await render.getByText('Out of date: price.').first().waitFor();
    await render.getByText(/^2 videos, 2 out of date, in the folder/).waitFor();

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(render, 'Copy path of June Takemori, 9:16').click();
    await spoken(page, 'Path copied.');
    await render.getByText('Copied').waitFor({ state: 'detached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/HP-204128\/tall.mp4$/);
    await button(render, 'Show in folder: June Takemori, 9:16').click();
    await expect.poll(() => studio.shown).toEqual([expect.stringMatching(/tall.mp4$/)]);
    const download = page.waitForEvent('download');
    await render.getByRole('link', { name: 'Download June Takemori, 16:9' }).click();
    expect((await download).suggestedFilename()).toBe('HP-204128-a.mp4');

    await shape.selectOption('1080:1920');
    await expect.poll(() => shape.inputValue()).toBe('1080:1920');

    // What goes beside the videos is as it will be written, until a person changes it.
    await button(render, 'Title and description').click();
    const title = page.getByLabel('Title, June Takemori', { exact: true });
    await expect.poll(() => title.inputValue()).toBe('128 Harbor Pine Lane — June');
    expect(await page.evaluate('document.activeElement.value')).toBe('128 Harbor Pine Lane — June');
    await title.fill('A garden home');
    await page.getByLabel('Description', { exact: true }).fill('Four bedrooms.\n\nA garden.');
    const dataOf = async () => (await studio.read()).agents.map((each) => each.video_options!.template_data!);
    await expect
      .poll(dataOf)
      .toMatchObject([
        { video_title: 'A garden home', video_description: 'Four bedrooms.\n\nA garden.' },
        { video_description: 'Four bedrooms.\n\nA garden.' },
      ]);
    expect((await dataOf())[1]!.video_title).toBeUndefined();
    await button(page, 'Copy description').click();
    await spoken(page, 'Description copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'Four bedrooms.\n\nA garden.\n\n0:00 Opening',
    );
    await title.fill('');
    await title.blur();
    await expect.poll(() => title.inputValue()).toBe('128 Harbor Pine Lane — June');
  });

  it('continues what the end of the studio interrupted', async () => {
    const rendering = { task_id: 't', ratios: ['1080:1920'] };
    const page = await open({}, {}, { rendering, shapes: 'both' });
    await page.getByText('The last render was interrupted.').waitFor();
    expect(await page.getByRole('combobox', { name: 'Shape' }).inputValue()).toBe('both');
    const sent = page.waitForRequest('**/api/renders');
    await button(page, 'Continue').click();
    expect((await sent).postDataJSON()).toEqual({ ratios: ['1080:1920'] });
    await page.getByText('The last render was interrupted.').waitFor({ state: 'detached' });
  });
});

describe('the page', () => {
  it('fits and has names for everything, in light and dark, wide and narrow', async () => {
    const page = await open();
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [1024, 'dark'],
      [1023, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 768 });
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate('innerWidth')).toBe(width);
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'))
        .toBeLessThanOrEqual(width);
    }
    await expect.poll(() => page.evaluate(NAMELESS)).toEqual([]);
    // By the keyboard alone, everything that can be reached shows its focus.
    await page.keyboard.press('Tab');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
  });

  it('is held and moved by a finger', async () => {
    const page = await open({ width: 390, height: 844, isTouch: true });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expect.poll(() => page.evaluate(SMALL)).toEqual([]);
    await button(page, 'Play').tap();
    await button(page, 'Pause').tap();
    await button(page, 'Move photo 2 up').tap();
    await expect.poll(fileNames).toEqual(['03', '01', '04', '06', '08', '11']);

    // The photos are one of the tabs, which stay below the head; each keeps its place.
    const top = () =>
      page.locator('#form-panel').evaluate((each) => Math.round(each.getBoundingClientRect().top));
    const tab = (name: string) => page.getByRole('tab', { name }).tap();
    await page.evaluate('scrollTo(0, 900)');
    await expect.poll(top).toBeLessThan(0);
    const before = await top();
    await tab('Property');
    await expect.poll(top).toBeGreaterThan(0);
    await tab('Photos');
    await expect.poll(top).toBe(before);
  });
});

/** Controls that a screen reader has no name for. */
const NAMELESS = `[...document.querySelectorAll('button, input:not([hidden]), select, textarea, canvas, section, nav')]
  .filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim() || each.labels?.[0]?.textContent))
  .map((each) => each.outerHTML)`;

/** Controls that are too small for a finger. */
const SMALL = `[...document.querySelectorAll('button, select, textarea')]
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && (width < 40 || height < 40)).map(([html]) => html)`;
