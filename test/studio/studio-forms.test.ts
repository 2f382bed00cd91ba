/** The forms of the studio's page in Chromium: every field, for all agents and for one, with hostile values too. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { StudioDataLayer, StudioTemplate } from '../../src/studio/editor/protocol.ts';
import { type Sight, watchPages } from './browser.ts';
import { FakeEngine } from './fake-engine.ts';
import { openTestStudio, type TestStudio } from './open-test-studio.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const PORTRAIT = path.join(FIXTURES, 'agents/june-takemori.jpg');
const NONE = { default: '', example: '', min: null, max: null, options: null, max_length: null };

// biome-ignore lint/suspicious/noExplicitAny: tests put every kind of value into every place.
type AnyListing = any;

let studio: TestStudio;

afterEach(() => studio.close());
const openPage = watchPages();

function layer(
  name: string,
  type: StudioDataLayer['type'],
  more: Partial<StudioDataLayer> = {},
): StudioDataLayer {
  return { ...NONE, name, label: name.replaceAll('_', ' '), description: '', type, ...more };
}

const COMMON = [
  ...['headline', 'status', 'open_house', 'price', 'link'].map((name) => layer(name, 'text')),
  layer('label_bed', 'text', { description: 'Label of one bedroom.', default: 'bedroom' }),
  layer('accent', 'color', { label: 'Accent', default: '#8B6B3A' }),
  layer('pace', 'number', { default: '1', min: 0.8, max: 1.25 }),
  layer('grade', 'choice', { default: 'gentle', options: ['none', 'gentle'] }),
  layer('logo', 'image', { label: 'Logo' }),
  layer('music', 'text', { default: 'evening' }),
  layer('length', 'choice', {
    default: 'normal',
    options: ['short', 'normal', 'long'],
    ...{ min: 10, max: 90 },
  }),
];

function template(id: string, layers: readonly StudioDataLayer[]): StudioTemplate {
  return { id, name: id, description: `The ${id} design.`, from: 'built-in', problem: null, layers };
}

/** @param change - Of the sample listing with two agents, before it is opened. */
async function open(change?: (listing: AnyListing) => unknown, sight: Sight = {}): Promise<Page> {
  studio = await openTestStudio(new FakeEngine());
  const { stage } = studio;
  const update = stage.update.bind(stage);
  // This stage plans valid listings only.
  stage.update = (document, leftOut) => {
    const agents = Array.isArray(document.agents) ? document.agents.filter((agent) => agent?.id) : [];
    update({ ...document, agents }, leftOut);
  };
  stage.state = {
    ...stage.state,
    templates: [
      template('classic', [...COMMON, layer('ribbon', 'text', { max_length: 5 })]),
      template('modern', COMMON),
    ],
    music: [
      { id: 'evening', title: 'Evening', mood: 'slow piano', bpm: 66 },
      { id: 'harbor', title: 'Harbor walk', mood: null, bpm: 110 },
    ],
    images: [{ url: 'gone.png', digest: null, problem: 'unreachable: 404' }],
  };
  const page = await openPage(studio.url, { width: 1440, ...sight });
  await page.getByRole('tab', { name: 'Property' }).waitFor();
  if (change !== undefined) {
    const listing = structuredClone(await studio.read());
    change(listing);
    await studio.write(listing);
    await page.locator('.notice', { hasText: 'changed by another program' }).waitFor();
  }
  return page;
}

const field = (page: Page, label: string) => page.locator('.forms').getByLabel(label, { exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const button = (page: Page, name: string) =>
  page.locator('.forms').getByRole('button', { name, exact: true });
const spoken = (page: Page, text: string) =>
  page.locator('.spoken[role="status"]', { hasText: text }).waitFor({ state: 'attached' });
const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement);
const read = async (): Promise<AnyListing> => studio.read();
const dataOf = async (agent: number) => (await read()).agents[agent].video_options.template_data ?? {};

/** What a screen reader says after the field. */
async function notesOf(page: Page, label: string): Promise<string> {
  const ids = (await field(page, label).getAttribute('aria-describedby')) ?? '';
  const texts = ids
    .split(' ')
    .filter(Boolean)
    .map((id) => page.locator(`[id="${id}"]`).textContent());
  return (await Promise.all(texts)).join(' ');
}

describe('the forms', () => {
  it('change the facts with the formats of init, say what is wrong at the field, and are undone step by step', async () => {
    const page = await open();
    await field(page, 'Street and number').fill('9 Elm Row');
    await field(page, 'State').fill('oregon');
    await field(page, 'Square feet inside').fill('1,950');
    await field(page, 'Bedrooms').fill('');
    await expect.poll(async () => (await read()).interior_square_footage).toBe(1950);
    await expect.poll(async () => 'bedrooms' in (await read())).toBe(false);
    expect((await read()).address).toMatchObject({ street: '9 Elm Row', state: 'OR' });
    await expect.poll(() => field(page, 'Square feet inside').inputValue()).toBe('1,950');

    await field(page, 'Full bathrooms').pressSequentially('x');
    await expect.poll(() => field(page, 'Full bathrooms').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => notesOf(page, 'Full bathrooms')).toBe('Enter a whole number such as 3.');
    await page.getByRole('tab', { name: 'Property 1 to correct' }).waitFor();

    await field(page, 'Id of the listing').press('End');
    await page.keyboard.type('-typed');
    await expect.poll(async () => (await read()).id).toBe('HP-204128-typed');
    await page.keyboard.press('Control+z');
    await spoken(page, 'Undone: Change id of the listing.');
    await expect.poll(() => field(page, 'Id of the listing').inputValue()).toBe('HP-204128');
    await page.keyboard.press('Control+z');
    await spoken(page, 'Undone: Change full bathrooms.');
    await expect.poll(() => field(page, 'Full bathrooms').inputValue()).toBe('3');
  });

  it('set words of the video for all agents, or for one, and say whose they are', async () => {
    const page = await open((listing) => {
      delete listing.agents[1].video_options.template_id;
    });
    await field(page, 'Price').pressSequentially('500000');
    await expect.poll(async () => (await dataOf(1)).price).toBe('500000');
    expect((await read()).agents[1].video_options.template_id).toBe('classic');
    expect((await dataOf(0)).price).toBe('500000');
    await expect.poll(() => notesOf(page, 'Price')).toBe('Shown as $500,000.');

    await page.getByLabel('In the videos of').selectOption({ label: 'Marcus Adebanji' });
    await field(page, 'Status').fill('Sold');
    await expect.poll(async () => (await dataOf(1)).status).toBe('Sold');
    expect((await dataOf(0)).status).toBeUndefined();
    await expect.poll(() => notesOf(page, 'Status')).toBe('Only for Marcus Adebanji.');
    await page.getByLabel('In the videos of').selectOption({ label: 'all agents' });
    await field(page, 'Status, June Takemori').fill('Pending');
    await expect.poll(async () => (await dataOf(0)).status).toBe('Pending');
    await button(page, 'Use that of June Takemori for all').click();
    await expect.poll(async () => (await dataOf(1)).status).toBe('Pending');
    await expect.poll(() => isFocused(field(page, 'Status'))).toBe(true);

    await page.keyboard.press('Control+z');
    await spoken(page, 'Undone: Change status.');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => dataOf(0)).toEqual({ caption_03: 'Oak and stone' });
  });

  it('add, order and remove agents, and check how they are reached while it is typed', async () => {
    const page = await open();
    await tab(page, 'Agents');
    await button(page, 'Add agent').click();
    await page.keyboard.type('Ana');
    await button(page, 'Add e-mail').click();
    await page.keyboard.type('ana@');
    await expect.poll(() => notesOf(page, 'E-mail 1')).toMatch(/^Not a complete e-mail address/);
    await page.keyboard.type('example.com');
    await expect.poll(() => notesOf(page, 'E-mail 1')).toBe('');
    // Nobody is told that something is missing before they type or leave it.
    await button(page, 'Add phone').click();
    await expect.poll(async () => (await read()).agents[2]?.phones).toEqual([{}]);
    expect(await notesOf(page, 'Phone 1')).toBe('');
    await page.keyboard.press('Tab');
    await expect.poll(() => notesOf(page, 'Phone 1')).not.toBe('');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('5035550142');
    await page.getByText('In the video: (503) 555-0142').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('12');
    await expect.poll(() => notesOf(page, 'Phone 1')).toMatch(/“12” is not a US phone number/);
    await page.getByRole('tab', { name: 'Agents 1 note' }).waitFor();
    await page.locator('.forms input[type="file"]').first().setInputFiles(PORTRAIT);
    await spoken(page, 'Portrait: june-takemori.jpg is added.');
    await button(page, 'Add license').click();
    await page.keyboard.type('201234567');
    await button(page, 'Move Ana up').click();
    await expect
      .poll(async () => (await read()).agents[1])
      .toEqual({
        id: 'agent-3',
        first_name: 'Ana',
        last_name: '',
        emails: [{ address: 'ana@example.com' }],
        phones: [{ number: '12' }],
        licenses: [{ number: '201234567', state: 'OR' }],
        picture: 'june-takemori.jpg',
        video_options: { template_id: 'classic' },
      });
    await button(page, 'Remove Marcus Adebanji').click();
    await expect.poll(async () => (await read()).agents.length).toBe(2);
    await expect.poll(() => isFocused(button(page, 'Add agent'))).toBe(true);

    // A file that is no image.
    const picture = { name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no image') };
    await page.locator('.forms input[type="file"]').first().setInputFiles(picture);
    await page.getByText('x.png: ').first().waitFor();
  });

  it('keep their place, show what they change on the stage, and are reached from the checks', async () => {
    const page = await open();
    await tab(page, 'Agents');
    const state = page.locator('[data-path="/agents/0/licenses/0/state"]');
    await state.fill('');
    await expect.poll(() => notesOf(page, 'License 1')).toBe('State: OR, as the house.');
    await state.fill('Californa');
    const scrolled = () => page.locator('.forms').evaluate((each) => each.scrollTop);
    await tab(page, 'Property');
    await expect.poll(scrolled).toBe(0);
    await page.locator('.forms').evaluate((each) => each.scrollTo(0, 120));
    await tab(page, 'Music');
    await expect.poll(scrolled).toBe(0);
    await tab(page, 'Property');
    await expect.poll(scrolled).toBe(120);
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('Marcus Adebanji');
    const check =
      /^The state of a license of June Takemori is "Californa"; .* "California"\? License of June Takemori: state$/;
    await page.getByRole('region', { name: 'Checks' }).getByRole('button', { name: check }).click();
    await expect.poll(() => isFocused(state)).toBe(true);

    const shown = () => page.locator('.screen canvas').getAttribute('data-frame');
    await expect.poll(shown).toBe('255');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Agent', exact: true }).inputValue())
      .toBe('june-takemori');
    await tab(page, 'Property');
    await field(page, 'Price').focus();
    await expect.poll(shown).toBe('30');
  });

  it('show templates by keyboard, a form of their layers, what they do not use, and music to listen to', async () => {
    const page = await open((listing) => {
      for (const agent of listing.agents)
        agent.video_options.template_data = { ribbon: 'New', logo: 'gone.png', old_layer: 'kept' };
    });
    await tab(page, 'Template');
    await expect.poll(() => notesOf(page, 'Logo')).toBe('Could not be reached: 404.');
    await field(page, 'ribbon').fill('Longer');
    await expect.poll(() => notesOf(page, 'ribbon')).toMatch(/^1 more character/);
    await field(page, 'Accent').fill('1f5c4d');
    await expect.poll(() => page.getByLabel('Accent, picker').inputValue()).toBe('#1f5c4d');
    await button(page, 'Reset Accent').click();
    await field(page, 'Photo correction').selectOption('none');
    await expect
      .poll(() => dataOf(1))
      .toEqual({
        ribbon: 'Longer',
        logo: 'gone.png',
        old_layer: 'kept',
        grade: 'none',
      });
    // Six photos of 1.5 s each, in 9:16 of 0.8 s, and the last transition.
    await expect.poll(() => notesOf(page, 'Length')).toBe('Now 0:09 in 16:9, 0:05 in 9:16.');
    await field(page, 'Length').selectOption('Short');
    await expect.poll(async () => (await dataOf(1)).length).toBe('short');
    await field(page, 'Length').selectOption('In seconds');
    await expect.poll(async () => (await dataOf(1)).length).toBe('10s');
    await field(page, 'Seconds').fill('45');
    await expect.poll(async () => (await dataOf(0)).length).toBe('45s');
    await field(page, 'Length').selectOption('Normal');
    await expect.poll(async () => 'length' in (await dataOf(0))).toBe(false);
    await page.getByRole('radio', { name: 'classic' }).press('ArrowDown');
    await expect.poll(async () => (await read()).agents[1].video_options.template_id).toBe('modern');
    const unused = page.locator('.unused');
    await expect.poll(() => unused.locator('.label').allTextContents()).toEqual(['ribbon', 'old_layer']);
    await expect.poll(() => page.locator('.template img').count()).toBe(2);

    await tab(page, 'Music');
    // What the template has is one of its mood: the video says which.
    await page.getByRole('radio', { name: /^The template’s own: Evening/, checked: true }).waitFor();
    await page
      .locator('.music-choice', { hasText: 'Evening' })
      .nth(1)
      .getByText('slow piano, 66 bpm')
      .waitFor();
    await button(page, 'Listen to Evening').click();
    await button(page, 'Listen to Harbor walk').click();
    await expect.poll(() => page.locator('.music-choice button[aria-pressed="true"]').count()).toBe(1);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => page.locator('.music-choice button[aria-pressed="true"]').count()).toBe(0);
    await page.getByRole('radio', { name: 'No music' }).check();
    await expect.poll(async () => (await dataOf(0)).music).toBe('none');
    await page.getByRole('radio', { name: /^Evening/ }).check();
    await expect.poll(async () => (await dataOf(0)).music).toBe('evening');
    await page.getByRole('radio', { name: /^The template’s own/ }).check();
    await expect.poll(async () => 'music' in (await dataOf(0))).toBe(false);
    const listing = structuredClone(await read());
    for (const agent of listing.agents) agent.video_options.template_data = { music: 'our-song.mp3' };
    await studio.write(listing);
    const own = button(page, 'Listen to our-song.mp3');
    await own.click();
    await expect.poll(() => own.getAttribute('aria-pressed')).toBe('true');
  });

  it('hold with markup, long and right-to-left texts, and values of every wrong type, and lose none of them', async () => {
    const bad = `<img src=x onerror=alert(1)>\u202e שלום ${'long '.repeat(2000)}`;
    const options = { template_id: bad, ratio: bad, template_data: { price: bad, [bad]: bad, accent: bad } };
    const listing = {
      id: { deep: [bad] },
      address: bad,
      bedrooms: bad,
      interior_square_footage: [],
      agents: [
        {
          id: bad,
          first_name: bad,
          last_name: [1],
          phones: bad,
          emails: [7, { address: bad }],
          offices: [bad],
        },
        {
          id: 'b',
          first_name: 'B',
          last_name: '',
          picture: bad,
          licenses: [{ number: 1 }],
          video_options: options,
        },
        { id: 'c', first_name: 'C', last_name: '', video_options: bad },
        { id: 'd', first_name: 'D', last_name: '', video_options: { template_data: [bad] } },
        bad,
        null,
      ],
    };
    const page = await open((sample) => Object.assign(sample, listing));
    await page.getByText('Address, as it is in the file').waitFor();
    for (const name of ['Agents', 'Template', 'Music', 'Property']) {
      await tab(page, name);
      await page.getByRole('tabpanel', { name }).waitFor();
      const overflow = await page.locator('.forms').evaluate((each) => each.scrollWidth - each.clientWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await field(page, 'City').waitFor({ state: 'detached' });
    await field(page, 'Headline above the address').waitFor();
    await button(page, 'Remove it and start anew').click();
    await field(page, 'City').fill('Portland');
    await expect.poll(async () => (await read()).address).toEqual({ city: 'Portland' });
    await expect.poll(read).toMatchObject({ ...listing, address: { city: 'Portland' } });

    // From the list of checks to a field of an agent that is closed.
    await page
      .getByRole('region', { name: 'Checks' })
      .getByText(/found 1\b/)
      .click();
    const jumped = page.locator('[data-path="/agents/1/licenses/0/number"]');
    await expect.poll(() => isFocused(jumped)).toBe(true);
    await expect.poll(() => notesOf(page, 'License 1')).toBe('Expected text, found 1.');
  });
});
