/** The program in a real terminal: the wizard, what moves, Ctrl-C, narrow windows, no colors. Needs the build. */
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { SETTING_NAMES } from '../../src/platform/settings/setting-table.ts';
import { buildModule } from '../build-module.ts';
import { folderOf, listing } from './listing-files.ts';
import { KEYS, startProgram, startSession, type TerminalSession } from './terminal-session.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small/photos', import.meta.url));
const slow = await buildModule('test/cli/slow-program.ts');
afterAll(() => slow.remove());
const COLOR = /\u001b\[[\d;]*m/;

async function folderOfPhotos(): Promise<string> {
  const cwd = await folderOf();
  await cp(SMALL, path.join(cwd, 'photos'), { recursive: true });
  return cwd;
}

/** Waits for each question and answers it; an empty answer is Enter alone. */
async function answer(
  session: TerminalSession,
  answers: readonly (readonly [question: string, keys: string])[],
) {
  for (const [question, keys] of answers) {
    await session.shows(new RegExp(`^\\? ${question}`, 'm'));
    session.type(keys + KEYS.enter);
    // The prompt that has its answer is ticked off; typing ahead would be lost between two prompts.
    await session.shows(new RegExp(`^✔ ${question}`, 'm'));
  }
}

describe('init', () => {
  it('asks for a house and an agent, says what is wrong with an answer, and writes a valid listing', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init'], { cwd, rows: 40 });
    await session.shows('? Folder of photos (photos)');
    session.type(`pho${KEYS.enter}`);
    await session.shows('> no such folder');
    session.type(`tos${KEYS.enter}`);
    await session.shows('? front.jpg looks like a view of the outside. Open the video with it? (y/N)');
    session.type(`y${KEYS.enter}`);
    await answer(session, [
      ['Are any of these photos altered', 'y'],
      ['Which ones\\?', `${KEYS.down} `],
      ['Label on', 'Virtually staged'],
      ['Original of', 'https://example.com/empty.jpg'],
      ['Is a photo a floor plan', 'y'],
      ['Which are floor plans\\?', ''],
      ['Which are more important', ' '],
      ['Which are less important', ' '],
      ['Street and number', '128 Harbor Pine Lane'],
      ['City', ' Portland '],
      ['State', 'oregon'],
      ['Postal code', ''],
      ['Bedrooms', '4'],
      ['Full bathrooms', ''],
      ['Half bathrooms', ''],
      ['Square feet inside', '2,840'],
      ['Price', '500000'],
      ['Open house', 'Saturday, 1 to 4 pm'],
      ['Shape of the videos', KEYS.down + KEYS.down],
      ["Agent's name", 'June Takemori'],
    ]);
    await session.shows('? Phone (optional)');
    session.type(`503555${KEYS.enter}`);
    await session.shows('> expected a phone number');
    session.type(`0128${KEYS.enter}`);
    await session.shows('✔ Phone (optional) 5035550128');
    await answer(session, [
      ['E-mail', 'june@example.com'],
      ['License', ''],
      ['Office', ''],
    ]);
    await session.shows('? Portrait');
    session.type(`nobody.jpg${KEYS.enter}`);
    await session.shows('> no such file:');
    session.type(KEYS.backspace.repeat('nobody.jpg'.length));
    await answer(session, [
      ['Portrait', 'photos/pool.jpg'],
      ['Another agent\\?', ''],
      ['Check your answers', ''],
      ['What next\\?', KEYS.down + KEYS.down],
    ]);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toContain(
      'listing.json\nnext: listing-video create listing.json --also-ratio 1080:1920',
    );

    const written = JSON.parse(await readFile(path.join(cwd, 'listing.json'), 'utf8'));
    expect(validateListing(written, { allowLocalFiles: true })).toMatchObject({ ok: true });
    expect(written).toMatchObject({
      id: '128-harbor-pine-lane',
      address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR' },
      bedrooms: 4,
      interior_square_footage: 2840,
      agents: [
        {
          id: 'june-takemori',
          first_name: 'June',
          last_name: 'Takemori',
          phones: [{ number: '(503) 555-0128' }],
          emails: [{ address: 'june@example.com' }],
          picture: 'photos/pool.jpg',
          video_options: {
            ratio: '1920:1080',
            template_id: 'classic',
            template_data: { price: '500000', open_house: 'Saturday, 1 to 4 pm' },
          },
        },
      ],
    });
    expect(written.assets[0]).toEqual({ url: 'photos/front.jpg', emphasis: 'high' });
    const altered = { altered: 'Virtually staged', original: 'https://example.com/empty.jpg' };
    expect(written.assets[1]).toEqual({ url: expect.any(String), ...altered, emphasis: 'low' });
    expect((await readdir(cwd)).filter((name) => name !== '.local')).toEqual(['listing.json', 'photos']);
    expect(written.address).not.toHaveProperty('postal_code');
  });

  it('keeps the answers at Ctrl-C, and continues with them', async () => {
    const cwd = await folderOfPhotos();
    const place = ['--postal-code', '97205'];
    const words = ['init', '--photos', 'photos', '--first', 'front.jpg', '--no-render', ...place];
    const first = startProgram(words, { cwd });
    await answer(first, [
      ['Are any of these photos altered', ''],
      ['Is a photo a floor plan', ''],
    ]);
    await first.shows('? Street and number');
    first.type(KEYS.enter);
    // A postal code alone is no address.
    await first.shows('> an answer is needed');
    first.type(`1 Main St${KEYS.enter}`);
    await first.shows('? City');
    first.type(`Port${KEYS.ctrlC}`);
    expect(await first.ended).toBe(130);
    expect(first.screen()).toContain('init was stopped; listing.json.draft keeps your answers');
    expect(first.screen()).toContain('run the same command again to continue');
    expect(first.raw().endsWith('\u001b[?25l')).toBe(false);

    const second = startProgram([...words, '--agent', 'June Takemori', '--template', 'modern'], { cwd });
    await second.shows('? listing.json.draft has 3 answers of an unfinished init. Continue with it?');
    second.type(KEYS.enter);
    const rest = ['City', 'State', 'Bedrooms', 'Full bathrooms', 'Half bathrooms'];
    await answer(
      second,
      [...rest, 'Square feet', 'Price', 'Open house', 'Shape of the videos', 'Check your answers'].map(
        (question) => [question, ''] as const,
      ),
    );
    expect(await second.ended).toBe(0);
    expect(await readdir(cwd)).not.toContain('listing.json.draft');
    const written = JSON.parse(await readFile(path.join(cwd, 'listing.json'), 'utf8'));
    expect(written.address).toEqual({ street: '1 Main St', postal_code: '97205' });
    expect(written.assets[0]).toEqual({ url: 'photos/front.jpg' });
  });

  it('writes nothing at Ctrl-C before the first answer', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init'], { cwd });
    await session.shows('? Folder of photos');
    session.type(KEYS.ctrlC);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toContain('init was stopped; nothing was written');
    expect(await readdir(cwd)).toEqual(['photos']);
  });

  it('has no colors under NO_COLOR, and fits 40 columns', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init'], { cwd, columns: 40, env: { NO_COLOR: '1' } });
    await session.shows('? Folder of photos');
    session.type(KEYS.enter);
    await session.shows('? front.jpg looks like a view of the');
    session.type(KEYS.enter);
    await session.shows('? Are any of these photos altered');
    session.type(KEYS.enter);
    await session.shows('? Is a photo a floor plan');
    session.type(KEYS.enter);
    await session.shows('? Street and number');
    session.type(KEYS.ctrlC);
    expect(await session.ended).toBe(130);
    expect(session.raw()).not.toMatch(COLOR);
  });

  it('asks before it replaces a file', async () => {
    const cwd = await folderOf({ 'listing.json': 'mine' });
    const session = startProgram(['init'], { cwd });
    await session.shows('listing.json already exists. Replace it?');
    session.type(KEYS.enter);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toContain('listing.json is unchanged');
    expect(await readFile(path.join(cwd, 'listing.json'), 'utf8')).toBe('mine');
  });
});

describe('create', () => {
  const startSlow = async (columns: number, env = {}) => {
    const cwd = await folderOf({ 'a listing with a rather long name.json': listing() });
    const words = [slow.path, 'obedient', 'create', 'a listing with a rather long name.json'];
    return startSession(process.execPath, words, { cwd, columns, env });
  };

  it('moves one line, narrow as the window is, and takes it away at Ctrl-C', async () => {
    const session = await startSlow(30);
    await session.shows('⠋ …me.json: 10 %, rendering');
    session.type(KEYS.ctrlC);
    const exitCode = await session.ended;
    const screen = session.screen();
    expect([exitCode, screen]).toEqual([130, expect.stringContaining('cancelled')]);
    expect(screen).not.toContain('⠋');
    expect(screen.replaceAll('\n', '')).toContain('stopping cleanly; press Ctrl-C again to stop at once');
    expect(screen.replaceAll('\n', '')).toContain('cancelled');
    expect(session.raw()).toMatch(COLOR);
  });

  it.each([{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])('%j is respected', async (env) => {
    const session = await startSlow(100, env);
    await session.shows('10 %, rendering');
    session.type(KEYS.ctrlC);
    expect(await session.ended).toBe(130);
    if (!('CI' in env)) expect(session.raw()).not.toMatch(COLOR);
    // Only a terminal that can is drawn upon.
    expect(session.screen().includes('a listing with a rather long name.json: 10 %')).toBe(
      !('NO_COLOR' in env),
    );
  });
});

describe('tables', () => {
  it('fit a narrow window, wide characters too', async () => {
    const cwd = await folderOf();
    const home = path.join(cwd, '海の見える家の動画の置き場所としての大きなフォルダ');
    const session = startProgram(['config', 'list', '--home', home], { cwd, columns: 48 });
    expect(await session.ended).toBe(0);
    const lines = session.screen().split('\n');
    expect(lines[0]).toMatch(/^SETTING +VALUE +SOURCE$/);
    expect(lines[1]).toMatch(/^home .*… +flag$/);
    // A line that had wrapped would be two.
    expect(lines).toHaveLength(SETTING_NAMES.length + 1);
  });
});

it('a typo gets a suggestion', async () => {
  const session = startProgram(['initt'], { cwd: await folderOf() });
  expect(await session.ended).toBe(2);
  expect(session.screen()).toBe("error: unknown command 'initt'\n  did you mean init?");
});
