/** The listing that the studio makes of a folder of photos, and the photo that it proposes as the opening. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { makeFirstListing } from '../../src/studio/editor/first-listing.ts';
import { folderOf, listing } from '../cli/listing-files.ts';
import { aStudio } from './a-studio.ts';

const PHOTO = fileURLToPath(new URL('../../fixtures/small/photos/bedroom.jpg', import.meta.url));

async function folderOfPhotos(count: number): Promise<string> {
  const folder = await folderOf({ 'notes.txt': 'x' });
  for (let number = 1; number <= count; number += 1) await cp(PHOTO, path.join(folder, `${number}.jpg`));
  return folder;
}

it('has the photos in natural order, an agent to fill in, and no fact that nobody said', async () => {
  const folder = await folderOfPhotos(10);
  const first = await makeFirstListing(folder);
  const document = JSON.parse(await readFile(path.join(folder, 'listing.json'), 'utf8'));
  expect(document).toEqual({
    $schema: expect.any(String),
    id: expect.stringMatching(/^folder-\w+-[0-9a-f]{6}$/),
    assets: Array.from({ length: 10 }, (_, index) => ({ url: `${index + 1}.jpg` })),
    agents: [{ id: 'agent-1', first_name: '', last_name: '' }],
  });
  expect(validateListing(document, { allowLocalFiles: true }).ok).toBe(true);
  expect(first).toMatchObject({ photoCount: 10, leftOut: [], skipped: [{ file: 'notes.txt' }] });
});

it('has the photos of the folder `photos` if there are some, as init does', async () => {
  const folder = await folderOfPhotos(1);
  await cp(PHOTO, path.join(folder, 'photos', 'a.jpg'));
  const { file, photoCount } = (await makeFirstListing(folder))!;
  expect([path.dirname(file), photoCount]).toEqual([folder, 1]);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ assets: [{ url: 'photos/a.jpg' }] });
});

it('has the street that somebody said, also as its id', async () => {
  const folder = await folderOfPhotos(1);
  await makeFirstListing(folder, '12 Main St');
  const document = JSON.parse(await readFile(path.join(folder, 'listing.json'), 'utf8'));
  expect(document).toMatchObject({ id: '12-main-st', address: { street: '12 Main St' } });
});

it('has 100 photos at most, and names the others', async () => {
  const first = await makeFirstListing(await folderOfPhotos(102));
  expect(first).toMatchObject({ photoCount: 100, leftOut: ['101.jpg', '102.jpg'] });
});

it('never replaces a listing, and is made of a folder with files only if one is a photo', async () => {
  const folder = await folderOfPhotos(1);
  await writeFile(path.join(folder, 'listing.json'), 'mine');
  await makeFirstListing(folder);
  expect(await readFile(path.join(folder, 'listing.json'), 'utf8')).toBe('mine');
  expect(await makeFirstListing(await folderOf({ 'notes.txt': 'x' }))).toBeNull();
  expect(await makeFirstListing(path.join(folder, 'none'))).toBeNull();
});

it('of an empty folder waits for photos', async () => {
  const folder = await folderOf({});
  await mkdir(path.join(folder, 'photos'));
  expect(await makeFirstListing(folder)).toMatchObject({ photoCount: 0, skipped: [] });
  expect(JSON.parse(await readFile(path.join(folder, 'listing.json'), 'utf8'))).toMatchObject({ assets: [] });
});

it.each([
  ['becomes the opening once the photos are read, as a step to undo', false],
  ['stays where it is when the person has begun to work', true],
])('a view of the outside %s', async (_, hasBegun) => {
  const document = { ...listing(), assets: ['a.jpg', 'b.jpg', 'c.jpg'].map((url) => ({ url })) };
  const guesses: (readonly string[])[] = [];
  const { studio, stage, folder, edit } = await aStudio(document, {
    guessOpening: async (files) => {
      guesses.push(files);
      return files[1]!;
    },
  });
  const skipped = [{ file: 'e.txt', reason: 'text' }];
  studio.beginWithPhotos({ leftOut: ['d.jpg'], skipped });
  expect(studio.state.skipped).toEqual(skipped);
  expect(studio.state.left_out).toMatchObject([{ asset: { url: 'd.jpg' } }]);
  if (hasBegun) await edit('Bedrooms', { op: 'add', path: '/bedrooms', value: 1 });
  expect(guesses).toEqual([]);
  const photo = {
    original: null,
    guess: null,
    digest: null,
    problem: null,
    width_px: 1,
    height_px: 1,
    state: 'usable' as const,
  };
  const changed = new Promise<void>((resolve) => {
    const stop = studio.subscribe(({ listing: changed }) => {
      if (changed === undefined) return;
      stop();
      resolve();
    });
  });
  stage.state = { ...stage.state, photos: document.assets.map(({ url }) => ({ url, ...photo })) };
  stage.onChange();
  if (!hasBegun) await changed;
  else for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  expect(guesses).toEqual([['a.jpg', 'b.jpg', 'c.jpg'].map((name) => path.join(folder, name))]);
  expect(studio.state).toMatchObject(
    hasBegun
      ? {
          undo: 'Bedrooms',
          guessed_opening: null,
          listing: { assets: [{ url: 'a.jpg' }, { url: 'b.jpg' }, { url: 'c.jpg' }] },
        }
      : {
          undo: 'Open with b.jpg',
          guessed_opening: { url: 'b.jpg', from: 1 },
          listing: { assets: [{ url: 'b.jpg' }, { url: 'a.jpg' }, { url: 'c.jpg' }] },
        },
  );
});

it('a folder of 5,000 photos says what is not taken, and each of them can be brought in', async () => {
  const { studio, request, stage } = await aStudio({ id: 'L-1', assets: [], agents: [] });
  const leftOut = Array.from({ length: 4_900 }, (_, index) => `${index + 101}.jpg`);
  studio.beginWithPhotos({ leftOut, skipped: [] });
  expect(studio.state).toMatchObject({ not_taken: 4_900, left_out_more: 4_700 });
  expect(studio.state.left_out).toHaveLength(200);
  for (let asked = 0; asked < 24; asked += 1) await request('POST', '/api/left-out/more');
  const { left_out, left_out_more } = studio.state;
  expect([left_out.at(-1)?.url, left_out.length, left_out_more]).toEqual(['5000.jpg', 4_900, 0]);
  expect(stage.leftOut).toHaveLength(4_900);
});
