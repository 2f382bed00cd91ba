/** Payloads from the store are checked before use: a file can be edited by hand. */
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/errors.ts';
import { readPayload } from '../../src/video/read-payload.ts';

const sound = () => ({
  listing: {
    id: 'L',
    assets: Array.from({ length: 5 }, (_, index) => ({ url: `photos/${index}.jpg` })),
    agents: [{ id: 'a', first_name: 'Ann', last_name: 'Lee' }],
  },
  listingFile: '/in/a.json',
  baseDir: '/in',
  outputDir: '/out/L',
  options: { quality: 'standard', minAssets: 1, force: false },
});

function problemsOf(value: unknown): unknown {
  try {
    readPayload(value, 'T');
    return [];
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
    return error.context?.problems;
  }
}

describe('a stored payload', () => {
  it('that is valid is returned unchanged', () => {
    const payload = sound();
    expect(readPayload(payload, 'T')).toBe(payload);
    expect(
      problemsOf({
        ...payload,
        options: { ...payload.options, ratio: '1080:1920', preview: true, alsoUnbranded: true },
      }),
    ).toEqual([]);
  });

  it.each([
    [{ outputDir: undefined }, ['outputDir']],
    [{ outputDir: 'relative' }, ['outputDir']],
    [{ listingFile: 7 }, ['listingFile']],
    [{ options: null }, ['options.quality', 'options.minAssets', 'options.force']],
    [
      { options: { ...sound().options, music: 7, ratio: '1:1', templateData: { a: 1 } } },
      ['options.music', 'options.ratio', 'options.templateData'],
    ],
    [
      { listing: { ...sound().listing, agents: [{ id: 'a' }] } },
      ['listing.agents.0.first_name', 'listing.agents.0.last_name'],
    ],
    [{ baseDir: null }, Array.from({ length: 5 }, (_, index) => `listing.assets.${index}.url`)],
  ])('with %j names what is damaged', (change, problems) => {
    expect(problemsOf({ ...sound(), ...change })).toEqual(problems);
  });

  it.each([[null], [7], [[]], ['x']])('that is %j is damaged, not a crash', (value) => {
    expect(problemsOf(value)).toContain('outputDir');
  });
});
