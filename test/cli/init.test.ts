/** `init`: without a terminal through its flags, and the validation that flags and questions share. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftListing, toId, unusedId } from '../../src/cli/init/draft-listing.ts';
import {
  optional,
  validateArea,
  validateCount,
  validateEmailAnswer,
  validateLicense,
  validatePhone,
  validateState,
} from '../../src/cli/init/validate-answer.ts';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { dng } from '../assets/sample-pictures.ts';
import { folderOf } from './listing-files.ts';
import { run } from './run-cli.ts';

const PHOTOS = Object.fromEntries([1, 2, 3, 9, 10].map((n) => [`photos/${n}.jpg`, 'GIF89a']));
const AGENT = ['--agent', 'June Takemori'];

async function written(cwd: string, name = 'listing.json') {
  const listing = JSON.parse(await readFile(path.join(cwd, name), 'utf8'));
  expect(validateListing(listing, { allowLocalFiles: true })).toMatchObject({ ok: true });
  return listing;
}

describe('init --yes', () => {
  it('makes a valid listing of a folder of photos and an agent', async () => {
    const cwd = await folderOf({
      ...PHOTOS,
      'photos/4.dng': dng(),
      'photos/20.dng': dng(),
      'photos/notes.txt': 'front, kitchen',
      'photos/._1.jpg': '',
      'photos/Thumbs.db': '',
      'photos/more/6.jpg': 'GIF89a',
    });
    const { exitCode, stdout, stderr } = await run(['init', '--yes', ...AGENT], { cwd });
    expect([exitCode, stdout]).toEqual([0, 'listing.json\n']);
    expect(stderr.split('\n')).toEqual([
      'skipped: 4.dng, 20.dng: camera raw (DNG); export it as JPEG',
      'skipped: notes.txt: text',
      'next: listing-video create listing.json',
      '',
    ]);
    expect(await written(cwd)).toEqual({
      id: expect.stringMatching(/^photos-[0-9a-f]{6}$/),
      assets: [1, 2, 3, 9, 10].map((n) => ({ url: `photos/${n}.jpg` })),
      agents: [
        {
          id: 'june-takemori',
          first_name: 'June',
          last_name: 'Takemori',
          video_options: { ratio: '1920:1080' },
        },
      ],
    });
  });

  it('gives two houses without a street two ids, so that their videos go to two folders', async () => {
    const ids: string[] = [];
    for (const house of ['north', 'south']) {
      const cwd = await folderOf(PHOTOS);
      await run(['init', '--yes', '--street', '', ...AGENT], { cwd });
      ids.push((await written(cwd)).id);
      await run(['init', 'again.json', '--yes', ...AGENT], { cwd });
      expect((await written(cwd, 'again.json')).id, house).toBe(ids.at(-1));
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('takes every answer from a flag, each agent having what follows it', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'june.png': '' });
    const words = [
      ...['init', 'made/house.json', '--yes', '--id', 'L-7', '--photos', 'photos'],
      ...[
        '--street',
        '128 Harbor Pine Lane',
        '--city',
        'Portland',
        '--state',
        'oregon',
        '--postal-code',
        '97205',
      ],
      ...['--bedrooms', '4', '--bathrooms', '3', '--half-bathrooms', '1', '--square-feet', '2,840'],
      ...['--template', 'classic', '--ratio', '1080:1920', '--preview'],
      ...[...AGENT, '--phone', '5035550128', '--email', 'june@example.com', '--license', 'New York 1040'],
      ...['--designation', 'Broker', '--office', 'Pine & Co', '--picture', 'june.png', '--agent-id', 'june'],
      ...['--agent', 'Maria de la Cruz', '--last-name', 'de la Cruz', '--phone', '+44 2079460958'],
      ...['--agent', 'Maria de la Cruz', '--last-name', 'de la Cruz', '--agent-id', 'second'],
    ];
    expect((await run(words, { cwd })).exitCode).toBe(0);
    const look = { ratio: '1080:1920', template_id: 'classic', create_preview: true };
    expect(await written(cwd, 'made/house.json')).toEqual({
      id: 'L-7',
      address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR', postal_code: '97205' },
      bedrooms: 4,
      bathrooms: 3,
      half_bathrooms: 1,
      interior_square_footage: 2840,
      assets: [1, 2, 3, 9, 10].map((n) => ({ url: `../photos/${n}.jpg` })),
      agents: [
        {
          id: 'june',
          first_name: 'June',
          last_name: 'Takemori',
          designation: 'Broker',
          picture: '../june.png',
          phones: [{ number: '(503) 555-0128' }],
          emails: [{ address: 'june@example.com' }],
          licenses: [{ number: '1040', state: 'NY' }],
          offices: [{ name: 'Pine & Co' }],
          video_options: look,
        },
        {
          id: 'maria-de-la-cruz',
          first_name: 'Maria',
          last_name: 'de la Cruz',
          phones: [{ number: '+44 20 7946 0958' }],
          video_options: look,
        },
        { id: 'second', first_name: 'Maria', last_name: 'de la Cruz', video_options: look },
      ],
    });
  });

  it('keeps the order of --photo, and names what lies elsewhere', async () => {
    const cwd = await folderOf({ 'lists/x': '', 'a.jpg': '' });
    const photos = ['b.jpg', 'a.jpg', 'https://example.com/c.jpg', 'd.jpg', 'e.jpg'];
    const words = [
      'init',
      'lists/one.json',
      '--yes',
      ...AGENT,
      ...photos.flatMap((name) => ['--photo', name]),
    ];
    expect((await run(words, { cwd })).exitCode).toBe(0);
    const { assets } = await written(cwd, 'lists/one.json');
    expect(assets.map(({ url }: { url: string }) => url)).toEqual([
      '../b.jpg',
      '../a.jpg',
      'https://example.com/c.jpg',
      '../d.jpg',
      '../e.jpg',
    ]);
  });

  it('renders at once with --render, under the same global options', async () => {
    const cwd = await folderOf(PHOTOS);
    const { exitCode, json, settings } = await run(
      ['init', '--yes', ...AGENT, '--render', '--json', '--home', 'elsewhere'],
      { cwd, env: { LISTING_VIDEO_SERVER: 'https://videos.example' } },
    );
    expect(exitCode).toBe(0);
    expect(json().data).toMatchObject([{ state: 'SUCCEEDED', listing_file: 'listing.json' }]);
    // Photos of this machine are no server's.
    expect(settings?.server).toBeUndefined();
    expect(settings?.home).toBe(path.join(cwd, 'elsewhere'));
  });

  it('prints the path as JSON', async () => {
    const cwd = await folderOf(PHOTOS);
    const { json } = await run(['init', '--yes', ...AGENT, '--json'], { cwd });
    expect(json()).toEqual({ file: path.join(cwd, 'listing.json') });
  });

  it('replaces a file only with --force', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'listing.json': 'mine' });
    const { exitCode, stderr } = await run(['init', '--yes', ...AGENT], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('listing.json already exists')]);
    expect(await readFile(path.join(cwd, 'listing.json'), 'utf8')).toBe('mine');
    expect((await run(['init', '--yes', ...AGENT, '--force'], { cwd })).exitCode).toBe(0);
    await written(cwd);
  });

  it.each(['photos', 'x.heic/listing.json'])('says at once that %s cannot be written', async (file) => {
    const cwd = await folderOf({ ...PHOTOS, 'x.heic': '' });
    const { exitCode, stderr } = await run(['init', file, '--yes'], { cwd });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`cannot write ${cwd}/${file}`)]);
  });

  it.each([
    [[], '--agent is missing: a listing needs an agent'],
    [[...AGENT, '--photos', 'nowhere'], '--photos: nowhere: no such folder'],
    [
      [...AGENT, '--photos', '.'],
      '--photos: .: photos found: 0, needed: at least 5; 1 skipped, such as x.heic: no bytes at all',
    ],
    [[...AGENT, '--photo', 'a.jpg'], '--photo: expected 5 to 100 photos, found 1'],
    [[...AGENT, '--photo', 'a.jpg', '--photos', 'photos'], 'cannot be used with'],
    [[...AGENT, '--phone', '123'], '--phone: expected a phone number such as'],
    [[...AGENT, '--email', 'june@'], '--email: expected an e-mail address'],
    [[...AGENT, '--license', 'OR'], '--license: expected state and number'],
    [[...AGENT, '--bedrooms', 'many'], '--bedrooms: expected a whole number such as 3'],
    [
      [...AGENT, '--bathrooms', '2.5'],
      '--bathrooms: count full bathrooms only; half bathrooms are asked next',
    ],
    [[...AGENT, '--city', 'Portland'], 'an address needs a street'],
    [[...AGENT, '--template', 'nope'], '--template: no template is called "nope"'],
    [[...AGENT, ...AGENT, '--agent-id', 'june-takemori'], '--agent-id: an earlier agent has this id'],
    [['--phone', '5035550128', ...AGENT], 'Put it after the --agent it belongs to.'],
  ])('refuses %j, writing nothing', async (words, message) => {
    const cwd = await folderOf({ ...PHOTOS, 'x.heic': '' });
    const { exitCode, stderr } = await run(['init', '--yes', ...words], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await readdir(cwd)).sort()).toEqual(['photos', 'x.heic']);
  });
});

it.each([[['init']], [['init', '--json']]])('%j without a terminal exits 2 and says how', async (words) => {
  const { exitCode, stdout, stderr } = await run(words, { cwd: await folderOf(PHOTOS) });
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toContain('init needs a terminal to ask questions');
  expect(stdout + stderr).toContain('init --yes');
});

describe('an answer', () => {
  const shownBy = <T>(judge: (text: string) => { ok: boolean } & T, text: string) => judge(text);

  it.each([
    [validatePhone, '5035550128', '(503) 555-0128', '(503) 555-0128'],
    [validatePhone, '(503) 555-0128', '(503) 555-0128', null],
    [validateEmailAnswer, ' june@example.com ', 'june@example.com', null],
    [validateState, 'Oregon', 'OR', 'OR'],
    [validateState, 'Bavaria', 'Bavaria', null],
    [validateCount, ' 3 ', 3, null],
    [validateArea, '2,840', 2840, null],
    [validateArea, '2840.5', 2840.5, null],
    [validateLicense, 'new york 1040', { state: 'NY', number: '1040' }, '1040, NY'],
    [optional(validatePhone), '  ', null, null],
  ])('%o of %j is understood', (judge, text, value, note) => {
    expect(shownBy(judge as never, text)).toEqual({ ok: true, value, note });
  });

  it.each([
    [validatePhone, '503555'],
    [validateEmailAnswer, 'june@example'],
    [validateCount, '-1'],
    [validateCount, '1.5'],
    [validateArea, '0'],
    [validateArea, '1,2,3'],
    [validateLicense, 'OR'],
    [optional(validateEmailAnswer), 'x'],
  ])('%o of %j is refused', (judge, text) => {
    expect(shownBy(judge as never, text)).toMatchObject({ ok: false });
  });
});

it.each([
  ['128 Harbor Pine Lane', '128-harbor-pine-lane'],
  ['Größe & Ähre', 'große-ahre'],
  ['家', '家'],
  ['!!', ''],
])('the id of %j is %j', (text, id) => expect(toId(text)).toBe(id));

it('an id that is taken gets a number', () => {
  expect(unusedId('june', ['june', 'june-2'])).toBe('june-3');
  expect(unusedId('', [])).toBe('agent');
});

it('a photo whose name looks like a URL is named as a path', () => {
  const answers = {
    ...{ id: 'x', street: null, city: null, state: null, postalCode: null, template: null, preview: false },
    ...{ bedrooms: null, bathrooms: null, halfBathrooms: null, squareFeet: null, agents: [] },
    ratio: '1920:1080' as const,
    photos: ['/a/mailto:me.jpg', '/a/b#1.jpg', '/a/100%25.jpg'],
  };
  expect(draftListing(answers, '/a').assets.map(({ url }) => url)).toEqual([
    './mailto:me.jpg',
    'b#1.jpg',
    '100%25.jpg',
  ]);
});
