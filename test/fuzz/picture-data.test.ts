/** The readers that look for damage in WebP, GIF and TIFF, on photos that anyone can send. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDataBroken } from '../../src/media/assets/decode/damage/is-data-broken.ts';
import { texture } from '../media/assets/sample-pictures.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const small = texture(3, 96, 64);
const SAMPLES = {
  webp: [small.clone().webp(), small.clone().webp({ lossless: true })],
  gif: [small.clone().gif(), small.clone().gif({ progressive: true })],
  tiff: (['none', 'lzw', 'deflate', 'packbits', 'jpeg'] as const).flatMap((compression) => [
    small.clone().tiff({ compression }),
    small.clone().tiff({ compression, tile: true, bigtiff: true }),
  ]),
};

describe('a hostile picture', () => {
  it.each(['webp', 'gif', 'tiff'] as const)(
    'cannot keep its readers busy or make them throw: %s',
    {
      timeout: FUZZ_TIMEOUT_MS,
    },
    async (format) => {
      const samples = await Promise.all(SAMPLES[format].map((sample) => sample.toBuffer()));
      for (const sample of samples) expect(isDataBroken(sample, format, 96 * 64)).toBe(false);
      fc.assert(
        fc.property(damagedFiles(...samples), (bytes) => {
          const { error, value } = contain(() => isDataBroken(bytes, format, 96 * 64));
          expect(error).toBeUndefined();
          expect(value).toBeTypeOf('boolean');
        }),
        fuzz(150),
      );
    },
  );
});
