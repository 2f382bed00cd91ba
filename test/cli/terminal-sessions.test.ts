/** The program in a real terminal: the wizard, what moves, Ctrl-C, narrow windows, no colours. Needs the build. */
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { SETTING_NAMES } from '../../src/settings/setting-table.ts';
import { folderOf, listing } from './listing-files.ts';
import { KEYS, startProgram, startSession, type TerminalSession } from './terminal-session.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small/photos', import.meta.url));
const SLOW = fileURLToPath(new URL('./slow-program.js', import.meta.url));
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
  it('asks, validates while one types, and writes a valid listing', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init'], { cwd, rows: 40 });
    await session.shows('? Folder of photos (photos)');
    session.type('pho');
    await session.shows('no such folder');
    session.type('tos');
    await session.shows('5 photos, from bedroom.jpg to pool.jpg');
    session.type(KEYS.enter);

    await session.shows('❯   1  bedroom.jpg');
    session.type(KEYS.down);
    await session.shows('❯   2  front.jpg');
    session.type(KEYS.left);
    await session.shows(/❯ {3}1 {2}front\.jpg\n {4}2 {2}bedroom\.jpg/);
    session.type(' ');
    await session.shows('❯   -  front.jpg');
    session.type(KEYS.enter);
    await session.shows('> at least 5 photos are needed, not 4');
    session.type(' ');
    await session.shows('❯   1  front.jpg');
    session.type(KEYS.enter);
    await session.shows('✔ Order of the photos 5, front.jpg first');

    await answer(session, [
      ['Street and number', '128 Harbor Pine Lane'],
      ['City', 'Portland'],
      ['State', 'oregon'],
      ['Postal code', ''],
      ['Id of the listing', ''],
    ]);
    expect(session.screen()).toContain('✔ State OR');
    await answer(session, [
      ['Bedrooms', '4'],
      ['Bathrooms', ''],
      ['Half bathrooms', ''],
      ['Square feet inside', '2,840'],
      ["Agent's first name", 'June'],
      ["Agent's last name", 'Takemori'],
      ['Designation', ''],
    ]);
    await session.shows('? Phone');
    session.type('503555');
    await session.shows('expected a phone number');
    session.type('0128');
    await session.shows('? Phone 5035550128\n  (503) 555-0128');
    session.type(KEYS.enter);
    await session.shows('✔ Phone (503) 555-0128');
    session.type('june@');
    await session.shows('expected an e-mail address');
    session.type(KEYS.enter);
    await session.shows('> expected an e-mail address');
    session.type('example.com');
    await session.shows(/june@example\.com$/);
    session.type(KEYS.enter);
    await answer(session, [
      ['Licence', ''],
      ['Office', ''],
      ['Portrait', ''],
      ['Id of the agent', ''],
      ['Another agent\\?', ''],
      ['Template', ''],
      ['Size of the videos', KEYS.down],
      ['Also make a short GIF', 'y'],
      ['Render the videos now\\?', 'n'],
    ]);
    expect(await session.ended).toBe(0);
    expect(session.screen()).toContain('listing.json\nnext: listing-video create listing.json');

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
          phones: [{ number: '(503) 555-0128' }],
          emails: [{ address: 'june@example.com' }],
          video_options: { ratio: '1080:1920', template_id: 'classic', create_preview: true },
        },
      ],
    });
    expect(written.assets.map(({ url }: { url: string }) => url)).toEqual([
      'photos/front.jpg',
      'photos/bedroom.jpg',
      'photos/kitchen.jpg',
      'photos/living-room.jpg',
      'photos/pool.jpg',
    ]);
    expect(written.address).not.toHaveProperty('postal_code');
  });

  it('leaves nothing behind at Ctrl-C', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init', '--photos', 'photos', '--street', '1 Main St'], { cwd });
    await session.shows('? City');
    session.type(`Port${KEYS.ctrlC}`);
    expect(await session.ended).toBe(130);
    expect(session.screen()).toContain('init was stopped; nothing was written');
    expect(session.raw().endsWith('\u001b[?25l')).toBe(false);
    expect(await readdir(cwd)).toEqual(['photos']);
  });

  it('has no colours under NO_COLOR, and fits 40 columns', async () => {
    const cwd = await folderOfPhotos();
    const session = startProgram(['init'], { cwd, columns: 40, env: { NO_COLOR: '1' } });
    await session.shows('? Folder of photos');
    session.type(KEYS.enter);
    await session.shows('❯   1  bedroom.jpg');
    session.type(KEYS.enter);
    await session.shows('✔ Order of the photos 5');
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
    const words = [SLOW, 'obedient', 'create', 'a listing with a rather long name.json'];
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
    expect(lines[0]).toMatch(/^SETTING +VALUE +SOURCE +UNIT$/);
    expect(lines[1]).toMatch(/^home .*… +flag$/);
    // A line that had wrapped would be two.
    expect(lines).toHaveLength(SETTING_NAMES.length + 1);
  });
});

it('a typo gets a suggestion', async () => {
  const session = startProgram(['initt'], { cwd: await folderOf() });
  expect(await session.ended).toBe(2);
  expect(session.screen()).toBe("error: unknown command 'initt'\n  try: did you mean init?");
});
