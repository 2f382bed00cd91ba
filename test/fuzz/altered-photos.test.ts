/** An altered photo is never seen without its label, nor a photo of a listing with a disclosure without it. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { judge, listings } from './random-altered-photos.ts';

describe('altered photos and disclosures', () => {
  it('are seen with their words, whole and uncovered, in every frame', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(listings, (listing) => void judge(listing)),
      fuzz(6),
    );
  });
});
