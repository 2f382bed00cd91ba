/**
 * A listing with markup, scripts, bidi controls and very long texts in every field, in Chromium: it is rendered, and its
 * report, the studio and the page of `serve` show it. Nothing of it runs.
 */
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { Desk, SMALL_LISTING } from '../e2e/program.ts';
import { watchPages } from '../studio/browser.ts';
import { startFakeService } from '../studio/fake-service.ts';

const BIDI = '\u202e\u2066\u200f\u061c';
const MARKUP =
  `<img src=x onerror=pwned=1><script>pwned=1</script>"'><svg/onload=pwned=1></textarea></title></style>` +
  `--><a href="javascript:pwned=1">a</a>\${pwned=1}{{pwned=1}}${BIDI}`;
const SHORT = `<b onclick=pwned=1>"'${BIDI}`;
/** The first that a field takes. */
const TEXTS = [
  `${MARKUP} ${'W'.repeat(10_000)}`,
  MARKUP,
  SHORT,
  `${SHORT.slice(0, 8)}`,
  'javascript:pwned=1',
];
/** The render needs them as they are. */
const KEPT = new Set(['url', 'picture', 'logo', 'template_id', 'ratio', 'type', '$schema']);

const desk = new Desk();
afterAll(() => desk.close());
const openPage = watchPages();

let file: string;
let hostile: Record<string, unknown>;
beforeAll(async () => {
  const folder = path.join(desk.root, 'house');
  await mkdir(path.join(folder, 'photos'), { recursive: true });
  const from = path.join(path.dirname(SMALL_LISTING), 'photos');
  for (const name of await readdir(from))
    await copyFile(path.join(from, name), path.join(folder, 'photos', name));
  file = await desk.writeListing('house/listing.json', (small) => {
    for (const asset of small.assets) asset.url = `photos/${path.basename(asset.url)}`;
    return makeHostile({
      ...small,
      id: 'house',
      assets: small.assets.map((asset) => ({ ...asset, caption: 'x' })),
      address: { street: 'x', city: 'x', state: 'OR', postal_code: '97205' },
      unknown: 'x',
      agents: small.agents.map((agent) => ({
        ...agent,
        designation: 'x',
        licenses: [{ number: 'x', state: 'OR' }],
        offices: [{ name: 'x', address: { street: 'x', city: 'x', state: 'OR', postal_code: '97205' } }],
        video_options: {
          ...agent.video_options,
          metadata: { crm: 'x' },
          template_data: Object.fromEntries(
            [
              'headline',
              'price',
              'status',
              'open_house',
              'disclosure',
              'description',
              'link',
              'caption_01',
            ].map((layer) => [layer, 'x']),
          ),
        },
      })),
    });
  });
  hostile = JSON.parse(await readFile(file, 'utf8'));
});

/** With the longest hostile text that each field takes. */
function makeHostile(listing: object): object {
  const isValid = () => validateListing(listing, { allowLocalFiles: true }).ok;
  const visit = (value: Record<string, unknown>): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
      if (typeof inner !== 'string' || KEPT.has(key)) continue;
      const isTaken = TEXTS.some((text) => {
        value[key] = text;
        return isValid();
      });
      if (!isTaken) value[key] = inner;
    }
  };
  expect(isValid()).toBe(true);
  visit(listing as Record<string, unknown>);
  expect(isValid()).toBe(true);
  return listing;
}

/** What the browser made of the texts. The page's own faults, such as a refusal of its policy, fail the test, too. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('typeof pwned')).toBe('undefined');
  const made = await page.evaluate(`[...document.querySelectorAll('*')].filter((element) =>
    element.matches('[onerror], [onload], [onclick], img[src="x"], svg[onload], [href^="javascript:" i], [src^="javascript:" i]')
    || (element.localName === 'script' && element.textContent.includes('pwned'))).length`);
  expect(made).toBe(0);
  const shown = await page.evaluate(
    `[document.body.innerText, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join(' ')`,
  );
  expect(/onclick=|onerror=/.test(shown as string)).toBe(true);
}

it('runs in none of report, studio and the page of serve', async () => {
  const texts = JSON.stringify(hostile);
  expect(texts.split('W'.repeat(10_000)).length).toBeGreaterThan(3);
  const created = await desk.run(['create', file, '--quality', 'draft', '--preview', '--json']);
  expect(created).toMatchObject({ exitCode: 0 });
  const out = path.join(desk.out, (await readdir(desk.out))[0]!);

  // The report, as a web server would show it.
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(path.basename(request.url ?? ''));
    const bytes = await readFile(path.join(out, name)).catch(() => null);
    const type = name.endsWith('.html') ? { 'content-type': 'text/html' } : {};
    response.writeHead(bytes === null ? 404 : 200, type).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expectHarmless(await openPage(`http://127.0.0.1:${port}/report.html`));

  // The studio with the results.
  const studio = desk.start(['studio', file, '--no-open', '--quality', 'draft']);
  onTestFinished(async () => {
    studio.kill('SIGINT');
    await studio.finished;
  });
  const [address] = await studio.says(/^http:\/\/127\.0\.0\.1:\d+\/\?token=\S+$/m);
  const page = await openPage(address);
  await page.locator('video').first().waitFor();
  await page.locator('canvas[data-frame]').first().waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expectHarmless(page);
  }

  // The page of serve: a task, and the form with this listing.
  const report = JSON.parse(await readFile(path.join(out, 'report.json'), 'utf8'));
  const service = await startFakeService();
  onTestFinished(() => service.close());
  const { street, city } = hostile.address as Record<string, string>;
  const task = service.addTask({
    state: 'SUCCEEDED',
    listing_id: String(hostile.id),
    listing_address: `${street}, ${city}`,
    agent_names: [MARKUP, SHORT],
    warnings: [...report.warnings, MARKUP],
    dropped_assets: [{ url: `https://example.com/${MARKUP}`, reason: MARKUP }],
    results: [
      {
        agent_id: SHORT,
        url: `${service.url}/files/none.mp4`,
        metadata: { crm: MARKUP },
        created_at: '2026-11-20T14:03:07.123+00:00',
      },
    ],
  });
  const tasks = await openPage(`${service.url}/`);
  await tasks.getByRole('link', { name: '<img src=x' }).first().waitFor();
  await expectHarmless(tasks);
  await tasks.goto(`${service.url}/#/tasks/${task.id}`);
  await tasks.getByRole('heading', { name: 'Worth knowing' }).waitFor();
  await expectHarmless(tasks);
  await tasks.goto(`${service.url}/#/new`);
  await tasks.getByLabel('Listing', { exact: true }).fill(JSON.stringify(hostile, null, 2));
  await tasks.getByRole('button', { name: 'Create the videos' }).click();
  await tasks.getByRole('heading', { name: /mistakes? to fix|left out/ }).waitFor();
  expect(await tasks.evaluate('typeof pwned')).toBe('undefined');
}, 240_000);
