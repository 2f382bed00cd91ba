/** The decoder of HEIC, on photos that anyone can send. It is WebAssembly: what it breaks is its own memory. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeic } from '../../src/media/assets/decode/decode-heic.ts';
import { UnusableAsset } from '../../src/media/assets/unusable-asset.ts';
import { codePoints, heic, heicGrid, iccProfile, imir, irot, TILE } from '../media/assets/heic-files.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const MAX_PIXELS = 1_000_000;
const SAMPLES = [
  heic(TILE),
  heic(TILE, codePoints(12, 16), irot(1), imir(0)),
  heic(TILE, iccProfile(Buffer.alloc(200, 7))),
  heicGrid(TILE, 3, 2, { widthPx: 160, heightPx: 100, properties: [irot(3)] }),
];

describe('a hostile HEIC', () => {
  it('gives pixels of its size or a reason, and never another error', {
    timeout: FUZZ_TIMEOUT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(...SAMPLES), async (bytes) => {
        const outcome = await decodeHeic(bytes, MAX_PIXELS).catch((error: unknown) => error);
        if (outcome instanceof UnusableAsset) return;
        const { data, widthPx, heightPx, channels } = outcome as Awaited<ReturnType<typeof decodeHeic>>;
        expect(widthPx * heightPx).toBeLessThanOrEqual(MAX_PIXELS);
        expect(data).toHaveLength(widthPx * heightPx * channels);
      }),
      fuzz(50),
    );
  });
});
