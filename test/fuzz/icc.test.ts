/** The reader of colour profiles, which photos carry. */
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { toProfileConverter } from '../../src/media/assets/decode/icc-profile.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const image = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
const PROFILES = await Promise.all(
  ['p3', 'srgb', 'cmyk'].map(async (name) => {
    const file = await image.clone().withIccProfile(name).jpeg().toBuffer();
    const { icc } = await sharp(file).metadata();
    return icc!;
  }),
);

/** A table of 16,385 bytes, curves of 256 values for three channels, and a cube of colours. */
const PROFILE_MEMORY_BYTES = 50_000;

describe('a hostile colour profile', () => {
  it('is read or ignored', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...PROFILES), (bytes) => {
        const { value, error, allocatedBytes } = contain(() => toProfileConverter(bytes));
        expect(error).toBeUndefined();
        expect(allocatedBytes).toBeLessThan(PROFILE_MEMORY_BYTES);
        const pixels = Uint8Array.from({ length: 4 * 64 }, (_, index) => index * 37);
        const alphas = pixels.filter((_, index) => index % 4 === 3);
        const converted = contain(() => value?.convert(pixels, 4));
        expect(converted.error).toBeUndefined();
        expect(pixels.filter((_, index) => index % 4 === 3)).toEqual(alphas);
      }),
      fuzz(200),
    );
  });

  it('is read as a profile without damage', () => {
    expect(PROFILES.map((profile) => toProfileConverter(profile)?.isSrgb)).toEqual([false, true, undefined]);
  });
});
