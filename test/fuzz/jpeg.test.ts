/** The readers of JPEG markers and scans, on photos that anyone can send. */
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspectJpeg } from '../../src/media/assets/decode/damage/inspect-jpeg.ts';
import { isJpegScanBroken } from '../../src/media/assets/decode/damage/walk-jpeg-scan.ts';
import { texture } from '../media/assets/sample-pictures.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const PHOTO = fileURLToPath(new URL('../../fixtures/photos/01-front.jpg', import.meta.url));
const small = texture(3, 96, 64);
const SAMPLES = await Promise.all([
  small.clone().jpeg().toBuffer(),
  small.clone().jpeg({ chromaSubsampling: '4:4:4', quality: 30 }).toBuffer(),
  small.clone().jpeg({ progressive: true }).toBuffer(),
  small.clone().greyscale().jpeg().toBuffer(),
  small.clone().toColourspace('cmyk').jpeg().toBuffer(),
  sharp(PHOTO).resize(160).jpeg({ optimiseCoding: false }).toBuffer(),
]);

/** 8 tables that map 16 bits to a symbol, and the lists of one scan's blocks. */
const SCAN_MEMORY_BYTES = 8 * 65_536 * 2 + 1_000_000;

/** A JPEG of one segment after the other, each a marker and its body. */
function jpegOf(...segments: readonly (readonly [marker: number, body: Buffer])[]): Buffer {
  const parts = segments.map(([marker, body]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  });
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts]);
}

/** A scan of two components without blocks, so that walking it never reaches its end. */
const ENDLESS_SCAN = jpegOf(
  [0xc4, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(16), Buffer.from([0x10, 1]), Buffer.alloc(16)])],
  [0xc0, Buffer.from([8, 0, 64, 0, 64, 2, 1, 0, 0, 2, 0, 0])],
  [0xda, Buffer.from([2, 1, 0, 2, 0, 0, 63, 0])],
);

describe('a hostile JPEG', () => {
  it('cannot keep its readers busy or make them throw', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...SAMPLES), (bytes) => {
        const skeleton = contain(() => inspectJpeg(bytes));
        expect(skeleton.error).toBeUndefined();
        expect(skeleton.allocatedBytes).toBe(0);
        const scan = contain(() => isJpegScanBroken(bytes));
        expect(scan.error).toBeUndefined();
        expect(scan.value).toBeTypeOf('boolean');
        expect(scan.allocatedBytes).toBeLessThan(SCAN_MEMORY_BYTES);
      }),
      fuzz(150),
    );
  });

  it('without sampling factors has no blocks to walk for ever', () => {
    const { error, value } = contain(() => isJpegScanBroken(ENDLESS_SCAN));
    expect([error, value]).toEqual([undefined, false]);
  });

  it('that libjpeg decodes cannot hide such a scan from it behind a marker without a length', async () => {
    const [sample] = SAMPLES;
    // TEM. A reader that takes the next two bytes as its length lands in the comment after the APP1 segment.
    const lone = Buffer.from([0xff, 0x01]);
    const app1 = Buffer.alloc(2 + 65_500);
    app1.writeUInt16BE(0xffe1, 0);
    app1.writeUInt16BE(65_500, 2);
    const landing = Buffer.alloc(7, 0xff);
    const comment = Buffer.concat([landing, ENDLESS_SCAN.subarray(2)]);
    const file = Buffer.concat([
      sample!.subarray(0, 2),
      ...[lone, app1, jpegOf([0xfe, comment]).subarray(2), sample!.subarray(2)],
    ]);
    expect(await sharp(file).stats()).toMatchObject({ isOpaque: true });
    const { error, value } = contain(() => isJpegScanBroken(file));
    expect([error, value]).toEqual([undefined, false]);
  });

  it('made of code tables builds none that its scan does not use', () => {
    const tables = Array.from({ length: 2_000 }, (_, n) =>
      Buffer.concat([Buffer.from([n % 4]), Buffer.alloc(16)]),
    );
    const file = jpegOf(...Array.from({ length: 20 }, () => [0xc4, Buffer.concat(tables)] as const));
    const { error, value, allocatedBytes } = contain(() => isJpegScanBroken(file));
    expect([error, value]).toEqual([undefined, false]);
    expect(allocatedBytes).toBeLessThan(SCAN_MEMORY_BYTES);
  });
});
