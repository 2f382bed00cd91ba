/** The page in Chromium, as people use it: with a mouse, a keyboard, a phone, a key, and a service in trouble. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toReportHtml } from '../../src/video/publish/report-html.ts';
import { aReport, aReportVideo, REPORT_FILE } from '../video/a-report.ts';
import { type Sight, watchPages } from './browser.ts';
import { type FakeService, startFakeService } from './fake-service.ts';
import { type Clip, makeClip } from './make-clip.ts';

let service: FakeService;
let clip: Clip;
const example = readFileSync(
  new URL('../../src/studio/serve-page/example-listing.json', import.meta.url),
  'utf8',
);

beforeAll(async () => {
  clip = await makeClip();
});
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service.close());
const openPage = watchPages();

function open(address = '', sight: Sight = {}): Promise<Page> {
  return openPage(`${service.url}/${address}`, sight);
}

/** What the poller would do by itself a little later. */
async function lookAgain(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new Event('online'))");
}

function results(count = 1) {
  const url = service.addFile('film.mp4', clip.mp4, 'video/mp4');
  const posterUrl = service.addFile('film.jpg', clip.jpg, 'image/jpeg');
  const previewUrl = service.addFile('film.gif', clip.gif, 'image/gif');
  return Array.from({ length: count }, (_, index) => ({
    agent_id: `agent-${index + 1}`,
    url,
    poster_url: posterUrl,
    preview_url: previewUrl,
    created_at: '2026-11-20T14:03:07.123+00:00',
    metadata: { crm: 'A-1' },
  }));
}

describe('handing in a listing', () => {
  it('leads from the form over the progress to a video that plays', async () => {
    const page = await open('#/new');
    await page.getByLabel('Listing', { exact: true }).fill(example);
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByRole('heading', { level: 1, name: '128 Harbor Pine Lane' }).waitFor();
    await page.getByText('Waiting in the queue').waitFor();

    const task = service.tasks[0]!;
    Object.assign(task, { state: 'RUNNING', progress: { percent: 42, stage: 'render', eta_seconds: 30 } });
    await lookAgain(page);
    await page.getByText('Rendering · 42 % · about 30 s left').waitFor();
    await expect.poll(() => page.getByRole('progressbar').getAttribute('value')).toBe('42');

    Object.assign(task, {
      state: 'SUCCEEDED',
      results: results(),
      dropped_assets: [{ url: 'https://example.com/5.jpg', reason: 'too_small: 200 x 150' }],
      warnings: ['agent-1: the phone number <b>12</b> is left out'],
    });
    await lookAgain(page);
    await page
      .locator('#status', { hasText: '128 Harbor Pine Lane, Portland, OR: Succeeded.' })
      .waitFor({ state: 'attached' });
    await page.getByText('Too small').waitFor();
    await page.getByText('https://example.com/5.jpg').waitFor();
    await page.getByText('Listing HP-204128').waitFor();
    await expect.poll(() => page.title()).toBe('128 Harbor Pine Lane, Portland, OR · Listing video');
    await page.getByRole('heading', { name: 'Worth knowing' }).waitFor();
    await page.getByText('agent-1: the phone number <b>12</b> is left out').waitFor();
    expect(service.headers.at(-1)!['service-beta']).toContain('task-details');

    const video = page.getByLabel('Video of June Takemori');
    await page.getByRole('heading', { name: /^June Takemori, wide · 0:\d\d$/ }).waitFor();
    await expect
      .poll(() => page.locator('a[download]').first().getAttribute('download'))
      .toBe('128-harbor-pine-lane-june-takemori-wide.mp4');
    await expect.poll(() => video.getAttribute('poster')).toBe(`${service.url}/files/film.jpg`);
    await video.press('Space');
    await until(page, "document.querySelector('video').currentTime > 0.2");
    await expect.poll(() => page.locator('.preview img').getAttribute('src')).toBeNull();
    await page.getByText('Preview GIF').click();
    await until(page, "document.querySelector('.preview img').naturalWidth === 320");

    await page.getByRole('link', { name: 'All tasks' }).click();
    await page.getByRole('link', { name: '128 Harbor Pine Lane' }).waitFor();
    await until(page, "document.querySelector('.frame img').naturalWidth === 320");
  });

  it('shows every violation beside its line, and leads to it', async () => {
    const page = await open('#/new');
    const listing = example
      .replace('"bedrooms": 4', '"bedrooms": -1')
      .replace('"1920:1080"', '"4:3"')
      .replace('"first_name": "June",', '');
    await page.getByLabel('Listing', { exact: true }).fill(listing);
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByRole('heading', { name: '3 mistakes to fix' }).waitFor();

    const lineOf = (text: string) => listing.slice(0, listing.indexOf(text)).split('\n').length;
    const items = await page.getByRole('button', { name: /^Line/ }).allInnerTexts();
    expect(items.map((item) => Number(/^Line (\d+)/.exec(item)?.[1]))).toEqual([
      lineOf('"bedrooms"'),
      lineOf('"id": "june-takemori"') - 1,
      lineOf('"4:3"'),
    ]);
    expect(items[0]).toContain('Enter a whole number such as 3. Bedrooms');

    // The note stands on the same height as its line, and only there.
    const tops = (await page.evaluate(`(() => {
      const field = document.querySelector('.code');
      const line = Number.parseFloat(getComputedStyle(field).lineHeight);
      const origin = field.getBoundingClientRect().top + 12 - field.scrollTop;
      return [...document.querySelectorAll('.band')].map((band) =>
        [(band.getBoundingClientRect().top - origin) / line + 1, band.textContent]);
    })()`)) as [number, string][];
    expect(tops.map(([line]) => Math.round(line * 10) / 10)).toEqual([
      lineOf('"bedrooms"'),
      lineOf('"id": "june-takemori"') - 1,
      lineOf('"4:3"'),
    ]);
    expect(tops[1]?.[1]).toBe('first_name: this is needed.');

    await page.getByRole('button', { name: new RegExp(`^Line ${lineOf('"4:3"')} `) }).click();
    const selected = await page.evaluate(
      '(() => { const f = document.activeElement; return f.value.slice(f.selectionStart, f.selectionEnd); })()',
    );
    expect(selected).toBe('"4:3"');
    // Mending the text takes the notes away: their places are those in what was sent. What is mended leaves the list.
    await page.keyboard.type('"1920:1080"');
    await expect.poll(() => page.locator('.band').count()).toBe(0);
    await page.getByRole('heading', { name: '2 mistakes to fix' }).waitFor();

    // What the service would ignore is said while it is typed, at its line too.
    await page.getByLabel('Listing', { exact: true }).fill(example.replace('"bedrooms"', '"bedroms"'));
    await expect.poll(() => page.locator('.problem').count()).toBe(0);
    const slip = 'Unknown property "bedroms" is ignored; did you mean "bedrooms"?';
    await page.getByRole('button', { name: `Line ${lineOf('"bedrooms"')} ${slip}` }).click();
    await expect.poll(() => page.locator('.band').allTextContents()).toEqual([slip]);
    // It holds the listing back once.
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByRole('heading', { name: '1 field will be left out' }).waitFor();
    await page.getByRole('button', { name: `Line ${lineOf('"bedrooms"')} ${slip}` }).click();
    await page.keyboard.type('"bedrooms"');
    await expect.poll(() => page.locator('.band').count()).toBe(0);
    await expect.poll(() => page.locator('.problem').count()).toBe(0);
    expect(service.tasks).toEqual([]);
  });

  it('finds what is no JSON without asking the service', async () => {
    const page = await open('#/new');
    await page.getByLabel('Listing', { exact: true }).fill('{\n  "id": "a",\n}');
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByRole('heading', { name: 'This is not JSON' }).waitFor();
    await page
      .getByRole('button', { name: /^Line 2 .*one comma too many before }; remove the comma/i })
      .waitFor();
    expect(service.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('has the focus in the example as soon as it is there, so that nothing typed goes elsewhere', async () => {
    const page = await open('#/new');
    // A machine so slow that no frame is drawn in between.
    await page.evaluate('window.requestAnimationFrame = () => 0');
    await page.getByRole('button', { name: 'Insert an example' }).click();
    await until(page, "document.querySelector('.code').value.includes('HP-204128')");
    await expect
      .poll(() => page.evaluate('[document.activeElement.id, document.activeElement.selectionEnd]'))
      .toEqual(['listing-text', 0]);
  });

  it('takes a file that is picked or dropped', async () => {
    const page = await open('#/new');
    const field = page.getByLabel('Listing', { exact: true });
    const file = {
      name: 'listing.json',
      mimeType: 'application/json',
      buffer: Buffer.from(`\uFEFF${example}`),
    };
    await page.locator('input[aria-label="Choose a listing file"]').setInputFiles(file);
    await until(page, "document.querySelector('.code').value.startsWith('{')");
    await field.fill('');
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{"id": "dropped"}'], 'b.json', { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await until(page, `document.querySelector('.code').value === '{"id": "dropped"}'`);
    await page
      .locator('input[aria-label="Choose a listing file"]')
      .setInputFiles({ ...file, name: 'photo.json', buffer: Buffer.from([0xff, 0xd8, 0xff]) });
    await page.getByText('photo.json is not UTF-8 text.').waitFor();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'kitchen.jpg', { type: 'image/jpeg' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole('heading', { name: 'This service takes no photos' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add photos' }).count()).toBe(0);
  });

  it('does not make the same videos twice when an answer is lost, cancels them, and uses the listing again', async () => {
    const page = await open('#/new');
    const text = page.getByLabel('Listing', { exact: true });
    await text.fill(example);
    await page.getByRole('checkbox', { name: 'Both shapes' }).check();
    // The service makes the task, and then the connection breaks.
    await page.route('**/v1/tasks', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByText('it is never rendered twice').waitFor();
    await page.unroute('**/v1/tasks');
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByRole('heading', { level: 1, name: '128 Harbor Pine Lane' }).waitFor();
    expect(service.tasks.length).toBe(1);

    // A task that is cancelled did not go wrong.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'This task was cancelled' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('view-title');
    await expect.poll(() => page.locator('.state').innerText()).toBe('Cancelled');
    await expect.poll(() => page.locator('.problem').count()).toBe(0);

    // Its listing is there also after a reload, and what is in the form meanwhile is not lost.
    await page.goto(`${service.url}/#/new`);
    await page.reload();
    await page.getByRole('button', { name: 'Use the last listing again' }).click();
    await expect.poll(() => text.inputValue()).toBe(example);
    await text.fill('{"id": "other"}');
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('link', { name: '128 Harbor Pine Lane' }).click();
    await page.getByRole('button', { name: 'Use this listing again' }).click();
    await expect.poll(() => text.inputValue()).toBe(example);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Both shapes' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Undo: Use a listing again' }).click();
    await expect.poll(() => text.inputValue()).toBe('{"id": "other"}');
  });

  it('says what a listing costs when the credits do not reach', async () => {
    service.trouble = (context) =>
      context.req.method === 'POST'
        ? context.json(
            { code: 'insufficient_balance', message: 'no', context: { balance: 0, required: 1 } },
            402,
          )
        : null;
    const page = await open('#/new');
    await page.getByLabel('Listing', { exact: true }).fill(example);
    await page.getByRole('button', { name: 'Create the videos' }).click();
    await page.getByText('This listing costs 1 credit; your balance is 0.').waitFor();
    await expect.poll(() => page.getByLabel('Listing', { exact: true }).inputValue()).toBe(example);
  });
});

describe('a view', () => {
  it('has its title, follows links and takes files as soon as it is drawn', async () => {
    const page = await open();
    // A machine so slow that whatever is left for the next frame never comes.
    await page.addInitScript('requestAnimationFrame = () => 0; setTimeout = () => 0;');
    await page.goto(`${service.url}/#/new`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'New video' }).waitFor();
    await expect.poll(() => page.title()).toBe('New video · Listing video');
    const isOpenedByBrowser = await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{}'], 'a.json', { type: 'application/json' }));
      return document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    expect(isOpenedByBrowser).toBe(false);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await expect.poll(() => page.title()).toBe('Tasks · Listing video');
  });
});

describe('the list', () => {
  it('tells states, failures, dropped assets and the balance', async () => {
    service.addTask({
      state: 'FAILED',
      failure_message: 'no usable assets: 1 of 1 dropped',
      dropped_assets: [{ url: 'https://example.com/<b>x</b>.jpg', reason: 'unreachable: HTTP status 404' }],
    });
    service.addTask({
      state: 'SUCCEEDED',
      results: results(2),
      listing_id: 'HP-7',
      listing_address: '7 Pine Lane, Bend, OR',
      agent_names: ['Ana Ruiz', 'Bo Li', 'Cy Ott', 'Di Fox', 'Ed Gray'],
    });
    const page = await open();
    const done = page.getByRole('listitem').filter({ has: page.getByText('2 videos') });
    await done.getByRole('link', { name: '7 Pine Lane, Bend, OR' }).waitFor();
    await done.getByText('Ana Ruiz, Bo Li, Cy Ott, and others').waitFor();
    await expect.poll(() => done.getByText('HP-7').count()).toBe(0);
    await page.getByText('Balance: 500 credits').waitFor();
    await page.getByText('1 asset dropped (could not be reached)').waitFor();
    await page.getByText('2 videos').waitFor();
    await page.getByText('no usable assets: 1 of 1 dropped').waitFor();
    await page.locator('li.task a').nth(1).click();
    await page.getByText('https://example.com/<b>x</b>.jpg').waitFor();
    await page.getByText(`listing-video tasks retry ${service.tasks[0]!.id}`).waitFor();
  });

  it('filters by state and pages both ways', async () => {
    for (let index = 0; index < 45; index++) {
      service.addTask(index % 9 === 0 ? { state: 'FAILED', failure_message: `number ${index}` } : {});
    }
    const page = await open();
    const firstName = () => page.locator('li.task a').first().innerText();
    const newest = await firstName();
    await page.getByRole('link', { name: 'Older' }).click();
    await until(page, `document.querySelector('li.task a')?.innerText !== ${JSON.stringify(newest)}`);
    const second = await firstName();
    await page.getByRole('link', { name: 'Older' }).click();
    await until(page, "document.querySelectorAll('li.task').length === 5");
    await expect.poll(() => page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.getByRole('link', { name: second }).waitFor();
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.getByRole('link', { name: newest }).waitFor();

    await page.getByRole('link', { name: 'Failed' }).click();
    await until(page, "document.querySelectorAll('li.task').length === 5");
    expect(service.requests.at(-1)).toBe('GET /v1/tasks?limit=20&state=FAILED');
    await page.getByRole('link', { name: 'Succeeded' }).click();
    await page.getByText('No task is succeeded.').waitFor();
  });

  it('keeps the focus where it is when the list changes', async () => {
    const task = service.addTask();
    const page = await open();
    const link = page.locator('li.task a').first();
    await link.focus();
    service.addTask();
    Object.assign(task, { state: 'FAILED', failure_message: 'cancelled' });
    await lookAgain(page);
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await expect.poll(() => page.locator('li.task').count()).toBe(2);
    await expect.poll(() => page.evaluate('document.activeElement.hash')).toBe(`#/tasks/${task.id}`);
  });

  it('invites to a first video when there is none, and an organization without metering hears of no credits', async () => {
    service.balance = null;
    const page = await open();
    await page.getByText('No videos yet.').waitFor();
    await until(
      page,
      "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/v1/organization'))",
    );
    await expect.poll(() => page.getByText(/credit|balance/i).count()).toBe(0);
    await page.getByRole('link', { name: 'Make the first one' }).click();
    await page.getByRole('heading', { level: 1, name: 'New video' }).waitFor();
  });
});

describe('trouble', () => {
  it('waits as long as Retry-After says, and goes on by itself', async () => {
    const page = await open();
    // From the first script on, and standing still but for `runFor`: no time of the machine that runs the test counts.
    await page.clock.install({ time: 0 });
    await page.reload();
    await page.getByText('No videos yet.').waitFor();
    await page.clock.pauseAt(3_600_000);
    service.trouble = (context) =>
      context.json({ code: 'unavailable', message: 'The service is shutting down.', context: null }, 503, {
        'retry-after': '90',
      });
    await lookAgain(page);
    await page.getByText('The service is shutting down. Trying again in 90 s.').waitFor();
    service.trouble = null;
    service.addTask();
    const before = service.requests.length;
    await page.clock.runFor(89_000);
    expect(service.requests.length).toBe(before);
    await page.clock.runFor(2_000);
    await page.getByText('Waiting in the queue').waitFor();
    await expect.poll(() => page.locator('#connection').innerText()).toBe('');
  });

  it('keeps what it shows when the connection is lost', async () => {
    service.addTask();
    const page = await open();
    await page.getByText('Waiting in the queue').waitFor();
    await page.context().setOffline(true);
    await lookAgain(page);
    await page.getByText(/The service cannot be reached. Trying again in \d+ s\./).waitFor();
    await expect.poll(() => page.locator('li.task').count()).toBe(1);
    await page.context().setOffline(false);
    await until(page, "document.getElementById('connection').textContent === ''");
  });

  it('says that a task is not there', async () => {
    const page = await open('#/tasks/01a1f945-7080-7abc-8def-00009e37d89e');
    await page.getByText('There is no such task').waitFor();
    const asked = () => service.requests.filter((request) => request.startsWith('GET /v1/tasks/'));
    expect(asked()).toHaveLength(1);
    await lookAgain(page);
    // A request of the page would have come before this one.
    await page.evaluate("fetch('v1/organization').then((answer) => answer.text())");
    expect(asked()).toHaveLength(1);
  });

  it('leads back from a page whose place in the list is gone', async () => {
    service.trouble = (context) =>
      context.req.query('starting_after') === undefined ? null : context.json({ detail: [] }, 422);
    const page = await open('#/?starting_after=gone');
    await page.getByRole('link', { name: 'Go to the newest tasks' }).click();
    await page.getByText('No videos yet.').waitFor();
  });
});

describe('the key', () => {
  it('is asked for once, sent with every request, and kept in the tab only', async () => {
    service.key = 'lv_right';
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'This service needs a key' });
    await dialog.waitFor();
    await page.keyboard.type('lv_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('This API key expired at 2026-11-01').waitFor();
    await dialog.getByLabel('API key').fill('lv_right');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('No videos yet.').waitFor();
    await page.getByText('Balance: 500 credits').waitFor();
    expect(service.headers.at(-1)?.authorization).toBe('Bearer lv_right');

    await page.reload();
    await page.getByText('No videos yet.').waitFor();
    await expect.poll(() => dialog.isVisible()).toBe(false);
    await expect.poll(() => page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    expect(page.url()).not.toContain('lv_right');
    await page.getByRole('button', { name: 'Forget key' }).click();
    await dialog.waitFor();
    await expect
      .poll(() => page.evaluate("JSON.stringify({ ...sessionStorage }).includes('lv_right')"))
      .toBe(false);
  });

  it('can be declined', async () => {
    service.key = 'lv_right';
    const page = await open();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'A key is needed' }).waitFor();
  });
});

describe('everybody', () => {
  it('can do all of it with the keyboard', async () => {
    const page = await open();
    await page.getByText('No videos yet.').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await pressTabUntil(page, 'New video');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New video' }).waitFor();
    // A new view begins at its heading, as a new page would.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('view-title');
    await pressTabUntil(page, 'Insert an example');
    await page.keyboard.press('Enter');
    await until(page, "document.activeElement.value?.includes('HP-204128')");
    await pressTabUntil(page, 'Create the videos');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting in the queue').waitFor();
    expect(service.tasks.length).toBe(1);
    Object.assign(service.tasks[0]!, { state: 'SUCCEEDED', results: results() });
    await lookAgain(page);
    await page.getByLabel('Video of June Takemori').waitFor();
    await page.getByRole('heading', { name: 'June Takemori, wide' }).waitFor();
    await pressTabUntil(page, 'Video of June Takemori, wide');
    await page.keyboard.press('Space');
    await until(page, "document.querySelector('video').currentTime > 0");
  });

  it.each(['light', 'dark'] as const)('can use it on a phone, %s', async (colorScheme) => {
    service.addTask({
      state: 'SUCCEEDED',
      results: [
        { ...results()[0], agent_id: 'a'.repeat(200), metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } },
      ],
      dropped_assets: [{ url: `https://example.com/${'x'.repeat(2000)}`, reason: 'timeout: 30 s' }],
      listing_id: 'i'.repeat(255),
      warnings: ['w'.repeat(500)],
    });
    service.addTask({ state: 'FAILED', failure_message: 'm'.repeat(300) });
    const page = await open('', { width: 320, height: 640, isTouch: true, colorScheme });
    const isWide = () => page.evaluate('document.documentElement.scrollWidth > 320');
    await page.getByText('mmmm').waitFor();
    await expect.poll(isWide).toBe(false);
    await page.locator('li.task a').nth(1).tap();
    await page.getByText('Took too long').waitFor();
    await expect.poll(isWide).toBe(false);
    // The list has one too.
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'New video' }).tap();
    await page.getByRole('button', { name: 'Insert an example' }).tap();
    await until(page, "document.querySelector('.code').value.includes('HP-204128')");
    await page.getByLabel('Listing', { exact: true }).fill(`{"id": 1, "${'w'.repeat(500)}": 2}`);
    await page.getByRole('button', { name: 'Create the videos' }).tap();
    await page.getByRole('heading', { name: '1 field will be left out' }).waitFor();
    await page.getByRole('button', { name: 'Create the videos' }).tap();
    await page.getByRole('heading', { name: 'mistakes to fix' }).waitFor();
    await expect.poll(isWide).toBe(false);
    const small =
      await page.evaluate(`[...document.querySelectorAll('button, .button, .masthead a, .filter a')]
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 40)
      .map((control) => control.textContent)`);
    expect(small).toEqual(['Listing video']);
    const docs = await open('docs', { width: 320, height: 640, isTouch: true, colorScheme });
    await docs.getByText('Listing Video Task Service').waitFor();
    await expect.poll(() => docs.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it.each(['light', 'dark'] as const)('can read the report of a run on a phone, %s', async (colorScheme) => {
    const long = 'x'.repeat(300);
    const video = aReportVideo({
      agent_name: long,
      video: { ...REPORT_FILE, file: `${long}.mp4` },
      preview: { ...REPORT_FILE, file: `${long}.gif` },
      sound: { music: long, title: long, loudness_lufs: -16 },
      scenes: [{ id: 's', kind: long, start_sec: 0, end_sec: 1, texts: [long], photos: [], still: 'x' }],
      metadata: { [long]: long },
    });
    const report = aReport({
      listing: { id: long, file: null, address: long },
      generator: long,
      task_id: long,
      videos: [video, { ...video, ratio: '1080:1920' }],
      dropped_assets: [{ url: `https://example.com/${long}`, reason: `timeout: ${long}` }],
      warnings: [long],
    });
    const url = service.addFile('report.html', Buffer.from(toReportHtml(report)), 'text/html; charset=utf-8');
    const page = await open(new URL(url).pathname.slice(1), { width: 320, colorScheme });
    await page.getByRole('heading', { name: 'Images left out' }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    // The bars have the colour of the page's own, in both schemes.
    const bar = await page.evaluate("getComputedStyle(document.querySelector('.bar span')).backgroundColor");
    expect(bar).toBe(colorScheme === 'light' ? 'rgb(122, 92, 46)' : 'rgb(208, 173, 114)');
  });

  it('hears a name for everything that can be used', async () => {
    service.addTask({ state: 'SUCCEEDED', results: results() });
    service.addTask({ state: 'RUNNING' });
    for (const address of ['', '#/new', `#/tasks/${service.tasks[0]!.id}`]) {
      const page = await open(address);
      await page.locator('main h1').waitFor();
      await until(
        page,
        "document.querySelector('.loading') === null || document.querySelector('.notice').hidden",
      );
      const unnamed =
        await page.evaluate(`[...document.querySelectorAll('a, button, input, textarea, video, img, progress, nav, summary')]
        .filter((element) => element.checkVisibility() && element.closest('[aria-hidden=true]') === null)
        .filter((element) => !(element.textContent.trim() || element.getAttribute('aria-label') || element.alt
          || element.labels?.length || document.getElementById(element.getAttribute('aria-labelledby'))))
        .map((element) => element.outerHTML)`);
      expect(unnamed).toEqual([]);
      await expect.poll(() => page.locator('h1').count()).toBe(1);
      await expect.poll(() => page.title()).toMatch(/· Listing video$/);
    }
  });
});

describe('the reference', () => {
  it('is drawn from this service’s document, by files of this service', async () => {
    const page = await open('docs');
    await page.getByText('Listing Video Task Service').waitFor();
    await page.getByText('/v1/organization').click();
    await page.getByText('Yours').waitFor();
    await page.getByRole('link', { name: 'Listing video' }).click();
    await page.getByText('No videos yet.').waitFor();
  });

  it('has the head of the other pages, and their colours by day and by night', async () => {
    const inks: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('docs', { colorScheme });
      await page.getByText('Listing Video Task Service').waitFor();
      const paperOf = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const paper = await paperOf();
      inks.push(
        await page.evaluate(`[...new Set([...document.querySelectorAll('#reference .title, .opblock-summary-path')]
        .map((element) => getComputedStyle(element).color))]`),
      );
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await expect.poll(() => pages.locator('[aria-current=page]').textContent()).toBe('API reference');
      await pages.getByRole('link', { name: 'Tasks' }).click();
      await page.locator('main h1').waitFor();
      expect([colorScheme, await paperOf()]).toEqual([colorScheme, paper]);
    }
    expect(inks).toEqual([['rgb(29, 34, 38)'], ['rgb(240, 236, 227)']]);
  });
});

/**
 * Until an expression is true in the page. Playwright's own `waitForFunction` needs the eval that the policy forbids.
 */
async function until(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression), { timeout: 20_000, interval: 20 }).toBe(true);
}

/** Presses Tab until what has the focus bears the name; fails when it never does. */
async function pressTabUntil(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    const current = await page.evaluate(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
    if (current === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached "${name}"`);
}
