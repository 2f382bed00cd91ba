import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseListingText } from '../../src/listing/json/parse-json.ts';
import type { Listing } from '../../src/listing/listing.ts';
import { findUnknownProperties } from '../../src/listing/rules/unknown-properties.ts';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import { agentCard } from '../../src/listing/words/agent-card.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

function read(name: string): Listing {
  const { value } = parseListingText(readFileSync(new URL(name, FIXTURES)), name);
  expect(findUnknownProperties(value)).toEqual([]);
  const result = validateListing(value, { allowLocalFiles: true });
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  expect(result.listing).toEqual(value);
  return result.listing;
}

describe.each(['listing.json', 'small/listing.json'])('fixtures/%s', (name) => {
  it('is valid on the command line, and its images exist', () => {
    const listing = read(name);
    const base = new URL(name, FIXTURES);
    const pictures = [
      ...listing.assets.map(({ url }) => url),
      ...listing.agents.flatMap(({ picture, video_options }) => [
        picture,
        video_options?.template_data?.logo,
      ]),
    ].filter((url) => url != null);
    for (const url of pictures) expect(existsSync(new URL(url, base)), url).toBe(true);
    expect(new Set(listing.assets.map(({ url }) => url)).size).toBe(listing.assets.length);
  });

  it('is refused by the API, which never reads files', () => {
    const result = validateListing(read(name), { allowLocalFiles: false });
    if (result.ok) throw new Error('accepted');
    expect(new Set(result.violations.map(({ type }) => type))).toEqual(new Set(['url_parsing']));
  });
});

describe('the example listing', () => {
  it('has twelve photos and three different agents', () => {
    const { assets, agents } = read('listing.json');
    expect(assets).toHaveLength(12);
    expect(assets[0]?.url).toBe('photos/01-front.jpg');
    expect(
      agents.map(({ id, video_options }) => [
        id,
        video_options?.ratio,
        video_options?.create_preview ?? false,
      ]),
    ).toEqual([
      ['june-takemori', '1920:1080', true],
      ['marcus-adebanji', '1080:1920', true],
      ['rosa-hollingbrook', '1920:1080', false],
    ]);
    expect(Object.keys(agents[0]?.video_options?.metadata ?? {})).not.toEqual([]);
  });

  it('shows vanity and foreign numbers, and both licenses, on Rosa’s card', () => {
    const listing = read('listing.json');
    const card = agentCard(listing.agents[2]!, listing);
    expect(card.phones.map(({ display }) => display)).toEqual(['(503) 555-7463', '+44 20 7946 0167']);
    expect(card.licenses).toEqual(['OR 201250167', 'WA 118034']);
    expect(card.office?.name).toBe('Harbor & Pine Realty');
    expect(card.leftOut).toEqual([`${card.name} has two offices; the card shows the first`]);
  });
});

it('the small photos are small', () => {
  for (const name of ['front', 'living-room', 'kitchen', 'bedroom', 'pool']) {
    expect(statSync(new URL(`small/photos/${name}.jpg`, FIXTURES)).size).toBeLessThan(20_000);
  }
});
