/** `init`: without a terminal through its flags, and the validation that flags and questions share. */
import { cp, readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  licenseRule,
  listingRule,
  optional,
  validateArea,
  validateCount,
  validateFocus,
  validateLink,
  validatePhone,
  validatePrice,
  validateState,
} from '../../src/cli/init/validate-answer.ts';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { toId, unusedId } from '../../src/listing/words/to-id.ts';
import { ListingLock } from '../../src/video/listing-lock.ts';
import { toAssetUrl } from '../../src/video/photos/asset-url.ts';
import { dng } from '../media/assets/sample-pictures.ts';
import { folderOf } from './listing-files.ts';
import { run } from './run-cli.ts';

const PHOTOS = Object.fromEntries([1, 2, 3, 9, 10].map((n) => [`photos/${n}.jpg`, 'GIF89a']));
const SMALL = fileURLToPath(new URL('../../fixtures/small/photos', import.meta.url));
const AGENT = ['--agent', 'June Takemori'];
/** With an order, init need not look at the photos, which takes most of the time of a test. */
const ORDER = ['--order', 'name'];

async function written(cwd: string, name = 'listing.json') {
  const listing = JSON.parse(await readFile(path.join(cwd, name), 'utf8'));
  expect(validateListing(listing, { allowLocalFiles: true })).toMatchObject({ ok: true });
  const { $schema, ...answers } = listing;
  expect($schema).toMatch(/^(\.|file:).*\/dist\/listing\/listing\.schema\.json$/);
  return answers;
}

describe('init --yes', () => {
  it('replaces no listing that a studio has open', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'listing.json': '{}' });
    const file = path.join(cwd, 'listing.json');
    const taken = await ListingLock.take(file);
    if (!('lock' in taken)) throw new Error('the lock is taken');
    const init = () => run(['init', '--yes', '--force', ...ORDER, ...AGENT], { cwd });
    const { exitCode, stderr } = await init();
    expect([exitCode, await readFile(file, 'utf8')]).toEqual([1, '{}']);
    expect(stderr).toContain(`listing.json is open in a studio, by process ${process.pid}`);
    await taken.lock.close();
    expect((await init()).exitCode).toBe(0);
  });

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
      'skipped: notes.txt: a text file',
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
      await run(['init', '--yes', '--street', '', ...ORDER, ...AGENT], { cwd });
      ids.push((await written(cwd)).id);
      await run(['init', 'again.json', '--yes', ...ORDER, ...AGENT], { cwd });
      expect((await written(cwd, 'again.json')).id, house).toBe(ids.at(-1));
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('takes every answer from a flag, each agent having what follows it', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'june.png': '' });
    const words = [
      ...['init', 'made/house.json', '--yes', ...ORDER, '--id', 'L-7', '--photos', 'photos'],
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

  it('sorts and names photos, and writes what the video says', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'logo.png': '' });
    const words = [
      ...[
        'init',
        '--yes',
        ...AGENT,
        '--first',
        '9.jpg',
        '--caption',
        '10.jpg=The pool = warm',
        '--caption',
        '1=Front',
      ],
      ...['--price', '500000', '--status', 'Just listed', '--open-house', 'Saturday, 1 to 4 pm'],
      ...['--headline', 'Light on every floor', '--link', 'example.com/h', '--logo', 'logo.png'],
      ...['--length', '30s'],
    ];
    expect((await run(words, { cwd })).exitCode).toBe(0);
    const { assets, agents } = await written(cwd);
    expect(assets).toEqual([
      { url: 'photos/9.jpg', caption: 'Front' },
      { url: 'photos/1.jpg' },
      { url: 'photos/2.jpg' },
      { url: 'photos/3.jpg' },
      { url: 'photos/10.jpg', caption: 'The pool = warm' },
    ]);
    expect(agents[0].video_options).toEqual({
      ratio: '1920:1080',
      template_id: 'classic',
      template_data: {
        price: '500000',
        status: 'Just listed',
        open_house: 'Saturday, 1 to 4 pm',
        headline: 'Light on every floor',
        length: '30s',
        link: 'example.com/h',
        logo: 'logo.png',
      },
    });
  });

  it('says which photos are altered, with their originals, which are floor plans, and what matters', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'photos/4-empty.jpg': 'GIF89a', 'roof.jpg': 'GIF89a' });
    const words = [
      ...['init', '--yes', ...ORDER, ...AGENT, '--altered', '2.jpg', '--altered', '3.jpg=Virtually staged'],
      ...['--original', '3.jpg=4-empty.jpg', '--original', '1.jpg=roof.jpg', '--floor-plan', '5'],
      ...['--caption', '4=The pool', '--emphasis', '1.jpg', '--emphasis', '4=low', '--focus', '2=0.25,0.6'],
    ];
    const { exitCode, stderr } = await run(words, { cwd });
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect((await written(cwd)).assets).toEqual([
      { url: 'photos/1.jpg', altered: true, original: 'roof.jpg', emphasis: 'high' },
      { url: 'photos/2.jpg', altered: true, focus: { x: 0.25, y: 0.6 } },
      { url: 'photos/3.jpg', altered: 'Virtually staged', original: 'photos/4-empty.jpg' },
      { url: 'photos/9.jpg', caption: 'The pool', emphasis: 'low' },
      { url: 'photos/10.jpg', kind: 'floor_plan' },
    ]);
  });

  it('sorts by time, and says whose time counts', async () => {
    const cwd = await folderOf(PHOTOS);
    for (const [index, name] of ['3', '1', '10', '9', '2'].entries()) {
      await utimes(path.join(cwd, 'photos', `${name}.jpg`), 1_000_000 + index, 1_000_000 + index);
    }
    const { stderr } = await run(['init', '--yes', ...AGENT, '--order', 'time'], { cwd });
    expect(stderr).toContain(
      '3.jpg and 4 more photos do not have the time of the camera: the time of the file counts',
    );
    const urls = (await written(cwd)).assets.map(({ url }: { url: string }) => url);
    expect(urls).toEqual(['3', '1', '10', '9', '2'].map((name) => `photos/${name}.jpg`));
  });

  it('sorts photos of --photo by name when asked to', async () => {
    const cwd = await folderOf();
    const photos = ['b/10.jpg', 'a/9.jpg', 'https://example.com/1.jpg', 'c.jpg', 'd.jpg'];
    const words = ['init', '--yes', ...AGENT, ...photos.flatMap((name) => ['--photo', name])];
    expect((await run([...words, '--order', 'name', '--first', '4'], { cwd })).exitCode).toBe(0);
    const urls = (await written(cwd)).assets.map(({ url }: { url: string }) => url);
    expect(urls).toEqual(['c.jpg', 'https://example.com/1.jpg', 'a/9.jpg', 'b/10.jpg', 'd.jpg']);
  });

  it('keeps the order by name, hints at a photo of the outside and at copies, and names the command for both shapes', async () => {
    const cwd = await folderOf();
    await cp(SMALL, path.join(cwd, 'photos'), { recursive: true });
    await cp(path.join(SMALL, 'kitchen.jpg'), path.join(cwd, 'photos', 'z.jpg'));
    const { stderr } = await run(['init', '--yes', ...AGENT, '--also-ratio', '1920:1080'], { cwd });
    expect(stderr.split('\n')).toEqual([
      'hint: z.jpg looks like a copy of kitchen.jpg; videos leave out copies',
      'hint: front.jpg looks like a view of the outside; add --first front.jpg to open with it',
      'next: listing-video create listing.json --also-ratio 1920:1080',
      '',
    ]);
    const { assets, agents } = await written(cwd);
    expect(assets[0]).toEqual({ url: 'photos/bedroom.jpg' });
    expect(agents[0].video_options).toEqual({ ratio: '1080:1920' });
  });

  it('renders at once with --render, under the same global options', async () => {
    const { cwd, exitCode, json, settings } = await run(
      ['init', '--yes', ...ORDER, ...AGENT, '--render', '--json', '--home', 'elsewhere'],
      { files: PHOTOS, env: { LISTING_VIDEO_SERVER: 'https://videos.example' } },
    );
    expect(exitCode).toBe(0);
    expect(json().data).toMatchObject([{ state: 'SUCCEEDED', listing_file: 'listing.json' }]);
    // Photos of this machine are no server's.
    expect(settings?.server).toBeUndefined();
    expect(settings?.home).toBe(path.join(cwd, 'elsewhere'));
  });

  it('prints the path as JSON', async () => {
    const { cwd, json } = await run(['init', '--yes', ...AGENT, '--json'], { files: PHOTOS });
    expect(json()).toEqual({ file: path.join(cwd, 'listing.json') });
  });

  it('replaces a file only with --force', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'listing.json': 'mine' });
    const { exitCode, stderr } = await run(['init', '--yes', ...AGENT], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('listing.json already exists')]);
    expect(await readFile(path.join(cwd, 'listing.json'), 'utf8')).toBe('mine');
    expect((await run(['init', '--yes', ...ORDER, ...AGENT, '--force'], { cwd })).exitCode).toBe(0);
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
      '--photos: .: at least 5 photos are needed, there are 0; 1 skipped, such as x.heic: no bytes at all',
    ],
    [[...AGENT, '--photo', 'a.jpg'], '--photo: 5 to 100 photos are needed, there is 1'],
    [[...AGENT, '--photo', 'a.jpg', '--photos', 'photos'], 'cannot be combined with'],
    [[...AGENT, '--photos', 'photos', '--first', 'front.jpg'], '--first: no photo "front.jpg"'],
    [[...AGENT, '--photos', 'photos', '--first', '6'], '--first: no photo "6"'],
    [[...AGENT, '--photos', 'photos', '--order', 'as-given'], '--order as-given: a folder has no order'],
    [
      [
        ...AGENT,
        '--order',
        'time',
        ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => ['--photo', `http://x.y/${name}`]),
      ],
      '--order time: the time of a URL is not known: http://x.y/a',
    ],
    [
      [...AGENT, '--photos', 'photos', '--caption', 'Kitchen'],
      '--caption: expected photo=caption, found "Kitchen"',
    ],
    [[...AGENT, '--photos', 'photos', '--caption', '11.jpg=x'], '--caption: no photo "11.jpg"'],
    [
      [...AGENT, '--photos', 'photos', '--caption', `1=${'x'.repeat(121)}`],
      '--caption: 1: the text can have 120 characters at most, and has 121',
    ],
    [[...AGENT, '--altered', '11.jpg'], '--altered: no photo "11.jpg"'],
    [
      [...AGENT, '--altered', `1.jpg=${'x'.repeat(61)}`],
      '--altered: 1.jpg: the text can have 60 characters at most, and has 61',
    ],
    [[...AGENT, '--original', '1.jpg'], '--original: expected photo=original, found "1.jpg"'],
    [[...AGENT, '--original', '1.jpg=roof.jpg'], '--original: 1.jpg: no such file: '],
    [[...AGENT, '--original', '1.jpg=2.jpg'], '--photos: 5 to 100 photos are needed, there are 4'],
    [[...AGENT, '--floor-plan', 'plan.png'], '--floor-plan: no photo "plan.png"'],
    [[...AGENT, '--emphasis', '1=most'], '--emphasis: 1: expected "normal", "high" or "low", found "most"'],
    [[...AGENT, '--focus', '1=left'], '--focus: 1: expected two numbers from 0 to 1'],
    [[...AGENT, '--focus', '1=0.5,2'], '--focus: 1: expected 1 or less, found 2'],
    [[...AGENT, '--picture', 'nobody.jpg'], '--picture: no such file: '],
    [[...AGENT, '--price', '-5'], '--price: expected an amount such as 500000, or words'],
    [[...AGENT, '--length', '5s'], '--length: expected short, normal, long or 10s to 90s'],
    [[...AGENT, '--link', 'javascript:alert(1)'], '--link: the link does not begin with http:// or https://'],
    [[...AGENT, '--logo', 'photos'], '--logo: not a file: '],
    [[...AGENT, '--phone', '123'], '--phone: expected a phone number such as'],
    [[...AGENT, '--email', 'june@'], '--email: not a complete e-mail address'],
    [[...AGENT, '--license', 'OR'], '--license: expected state and number'],
    [[...AGENT, '--bedrooms', 'many'], '--bedrooms: expected a whole number such as 3'],
    [
      [...AGENT, '--bathrooms', '2.5'],
      '--bathrooms: count full bathrooms only; half bathrooms are asked next',
    ],
    [[...AGENT, '--city', 'Portland'], 'an address needs a street'],
    [[...AGENT, '--template', 'nope'], '--template: no template is called "nope"'],
    [[...AGENT, ...AGENT, '--agent-id', 'june-takemori'], '--agent-id: an earlier agent has this id'],
    [['--phone', '5035550128', ...AGENT], '--phone: put it after the --agent it belongs to'],
  ])('refuses %j, writing nothing', async (words, message) => {
    const cwd = await folderOf({ ...PHOTOS, 'x.heic': '' });
    const { exitCode, stderr } = await run(['init', '--yes', ...words], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await readdir(cwd)).sort()).toEqual(['photos', 'x.heic']);
  });
});

describe('init --no-input', () => {
  it('asks nothing in a terminal: a missing answer is an error that names its option', async () => {
    const cwd = await folderOf(PHOTOS);
    const refused = await run(['init', '--no-input', ...ORDER], { cwd, isTty: true, stdin: null });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--agent is missing: a listing needs an agent'),
    ]);
    const made = await run(['init', ...ORDER, ...AGENT, '--no-input'], { cwd, isTty: true, stdin: null });
    expect([made.exitCode, made.stdout]).toEqual([0, 'listing.json\n']);
    expect((await written(cwd)).assets).toHaveLength(5);
  });

  it('replaces no file without --force', async () => {
    const cwd = await folderOf({ ...PHOTOS, 'listing.json': {} });
    const words = ['init', '--no-input', ...ORDER, ...AGENT];
    const { exitCode, stderr } = await run(words, { cwd, isTty: true, stdin: null });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect((await run([...words, '-f'], { cwd, isTty: true, stdin: null })).exitCode).toBe(0);
  });
});

it.each([[['init']], [['init', '--json']]])('%j without a terminal exits 2 and says how', async (words) => {
  const { exitCode, stdout, stderr } = await run(words, { files: PHOTOS });
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toContain('init needs a terminal to ask questions');
  expect(stdout + stderr).toContain('init --yes');
});

describe('an answer', () => {
  const shownBy = <T>(judge: (text: string) => { ok: boolean } & T, text: string) => judge(text);

  it.each([
    [validatePhone, '5035550128', '(503) 555-0128'],
    [validatePhone, '(503) 555-0128', '(503) 555-0128'],
    [listingRule('agents.0.emails.0.address'), ' june@example.com ', 'june@example.com'],
    [listingRule('assets.0.focus', validateFocus), '0.25, 1', { x: 0.25, y: 1 }],
    [validateState, 'Oregon', 'OR'],
    [validateState, 'Bavaria', 'Bavaria'],
    [validateCount, ' 3 ', 3],
    [validatePrice, '500000', '500000'],
    [validatePrice, 'Price on request', 'Price on request'],
    [validateLink, ' harborpine.example/tour ', 'harborpine.example/tour'],
    [validateArea, '2,840', 2840],
    [validateArea, '2840.5', 2840.5],
    [licenseRule(null), 'new york 1040', { state: 'NY', number: '1040' }],
    [licenseRule('OR'), '201234567', { state: 'OR', number: '201234567' }],
    [optional(validatePhone), '  ', null],
  ])('%o of %j is understood', (judge, text, value) => {
    expect(shownBy(judge as never, text)).toEqual({ ok: true, value });
  });

  it.each([
    [validatePhone, '503555'],
    [listingRule('agents.0.emails.0.address'), 'june@example'],
    [listingRule('assets.0.focus', validateFocus), '0.25,1.1'],
    [validateFocus, '0.25'],
    [validateFocus, ',1'],
    [validateCount, '-1'],
    [validateCount, '1.5'],
    [validateArea, '0'],
    [validateArea, '1,2,3'],
    [licenseRule(null), '201234567'],
    [licenseRule('OR'), 'OR'],
    [optional(listingRule('agents.0.emails.0.address')), 'x'],
    [listingRule('assets.0.caption'), 'x'.repeat(121)],
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

it.each([
  ['/a/mailto:me.jpg', './mailto:me.jpg'],
  ['/a/b#1.jpg', 'b#1.jpg'],
  ['/a/100%25.jpg', '100%25.jpg'],
])('%s is named as a path, also when it looks like a URL', (file, url) => {
  expect(toAssetUrl(file, '/a')).toBe(url);
});
