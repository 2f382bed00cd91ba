/** The video of a listing that is not finished: what breaks a rule is left out, and the rest is found again. */
import { describe, expect, it } from 'vitest';
import { toUsableListing } from '../../../src/video/stage/usable-listing.ts';

const photo = (name: string) => ({ url: `photos/${name}.jpg` });
const PHOTOS = ['a', 'b', 'c', 'd', 'e', 'f'].map(photo);
const AGENT = { id: 'june', first_name: 'June', last_name: 'Takemori' };

function usable(document: Record<string, unknown>) {
  const found = toUsableListing(document);
  if (!found.ok) throw new Error(found.problem);
  return found;
}

describe('the part of a listing that can be shown', () => {
  it('needs no id, no five photos and no full name', () => {
    const { listing, assetIndexes } = usable({
      assets: PHOTOS.slice(0, 1),
      agents: [{ id: 'june', first_name: 'June' }],
    });
    expect(listing.assets.map(({ url }) => url)).toEqual(['photos/a.jpg']);
    expect(assetIndexes).toEqual([0]);
    expect(listing.agents[0]).toMatchObject({ first_name: 'June', last_name: '' });
  });

  it('leaves out wrong values and says where the rest stands in the document', () => {
    const document = {
      id: 'HP-1',
      bedrooms: 'four',
      assets: [{ url: 7 }, ...PHOTOS],
      agents: ['nobody', { ...AGENT, emails: [{ email: 'no address' }] }],
    };
    const before = structuredClone(document);
    const { listing, assetIndexes, agentIndexes } = usable(document);
    expect(listing.assets).toHaveLength(6);
    expect(assetIndexes).toEqual([1, 2, 3, 4, 5, 6]);
    expect(agentIndexes).toEqual([1]);
    expect(listing.bedrooms ?? null).toBeNull();
    expect(document).toEqual(before);
  });

  it('is nothing without photos or agents, and says why', () => {
    for (const document of [{}, { assets: 'none', agents: [AGENT] }, { assets: PHOTOS }]) {
      expect(toUsableListing(document)).toMatchObject({ ok: false, problem: expect.stringMatching(/\w/) });
    }
  });
});
