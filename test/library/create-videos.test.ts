/** The `create` command as a function, before it renders. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../src/library/create-app.ts';
import { createVideos } from '../../src/library/create-videos.ts';
import { inLibraryWords, inOptions } from '../../src/library/library-words.ts';
import { validateListing } from '../../src/library/validate-listing.ts';
import { wholePercents } from '../../src/library/whole-percents.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { listing } from '../cli/listing-files.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const folder = temporaryFolder();

it('refuses an untrusted listing that names a file outside its folder, and starts nothing', async () => {
  const stranger = { ...listing(), assets: [...listing().assets, { url: '../secret.jpg' }] };
  const options = {
    home: path.join(folder, 'home'),
    out: path.join(folder, 'out'),
    baseDir: path.join(folder, 'in'),
  };
  await expect(createVideos(stranger, { ...options, untrusted: true })).rejects.toMatchObject({
    code: 'invalid_listing',
    context: { violations: [{ loc: ['body', 'assets', 5, 'url'], type: 'value_error' }] },
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('names misspelled fields of a listing, valid or not, and slips of a valid one', () => {
  const slip = { ...listing(), bedroms: 4, interior_square_footage: 2.84 };
  const options = { allowLocalFiles: true };
  const unknown = {
    loc: ['body', 'bedroms'],
    message: 'unknown property "bedroms" is ignored; did you mean "bedrooms"?',
    suggestion: 'bedrooms',
  };
  const area = { loc: ['body', 'interior_square_footage'], message: expect.any(String) };
  expect(validateListing(slip, options)).toMatchObject({ ok: true, warnings: [unknown, area] });
  expect(validateListing({ ...slip, id: 7 }, options)).toMatchObject({ ok: false, warnings: [unknown] });
  expect(validateListing(listing(), options).warnings).toEqual([]);
});

it('refuses an entry of a list that is no host, address or block', async () => {
  await expect(createVideos(listing(), { denyAssetsFrom: ['10.0.0.0/99'] })).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

it('names options where the command line names flags', async () => {
  await expect(createVideos(listing(), { minAssets: 0 })).rejects.toMatchObject({
    message: 'minAssets: expected a whole number from 1 to 100, found 0',
    stack: expect.stringMatching(/^ListingVideoError: minAssets: expected/),
  });
  await expect(createApp({ publicUrl: 'ftp://x' })).rejects.toMatchObject({
    message: expect.stringMatching(/^publicUrl: /),
  });
});

it('names options in hints and warnings, and leaves commands as they are', () => {
  const hint =
    'lower --min-assets, choose another folder with --out, or run `listing-video keys create --home x`';
  const error = inLibraryWords(new ListingVideoError('usage', 'x', { hint, context: { at: '--out' } }));
  expect(error).toMatchObject({
    hint: 'lower minAssets, choose another folder with out, or run `listing-video keys create --home x`',
    context: { at: '--out' },
  });
  expect(inOptions('add it to --unbranded-keep (--foreign)')).toBe('add it to unbrandedKeep (--foreign)');
});

it('gives each whole percent once', async () => {
  const seen: unknown[] = [];
  const report = wholePercents((progress) => seen.push(progress));
  for (const [percent, stage] of [
    [0, 'assets'],
    [0.4, 'assets'],
    [1.2, 'assets'],
    [1.9, 'render'],
    [3, 'render'],
    [99.99, 'publish'],
    [100, 'publish'],
  ] as const)
    report({ percent, stage, etaSeconds: 2 });
  expect(seen).toEqual([
    { percent: 0, stage: 'assets', etaSeconds: 2 },
    { percent: 1, stage: 'assets', etaSeconds: 2 },
    { percent: 3, stage: 'render', etaSeconds: 2 },
    { percent: 99, stage: 'publish', etaSeconds: 2 },
    { percent: 100, stage: 'publish', etaSeconds: 2 },
  ]);
});
