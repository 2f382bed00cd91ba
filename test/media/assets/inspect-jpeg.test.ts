/** JPEGs checked by their markers and their codes, without decoding. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspectJpeg } from '../../../src/media/assets/decode/damage/inspect-jpeg.ts';
import { isJpegScanBroken } from '../../../src/media/assets/decode/damage/walk-jpeg-scan.ts';
import { manyScans, texture } from './sample-pictures.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/photos', import.meta.url));
const end = Buffer.from([0xff, 0xd9]);
const encode = (options: JpegOptions) => texture(1).jpeg(options).toBuffer();

describe('the skeleton of a JPEG', () => {
  it('is whole up to its end marker, whatever follows', async () => {
    const jpeg = await encode({});
    for (const tail of [Buffer.alloc(0), Buffer.alloc(500), Buffer.from('junk'), jpeg]) {
      expect(inspectJpeg(Buffer.concat([jpeg, tail]))).toEqual({ damage: null, paddingBytes: 0 });
    }
    const padded = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(77), end]);
    expect(inspectJpeg(padded)).toEqual({ damage: null, paddingBytes: 77 });
  });

  it('ends too early wherever it is cut, and never throws', async () => {
    const jpeg = await encode({ progressive: true });
    for (let length = 0; length < jpeg.length; length += 211) {
      expect(inspectJpeg(jpeg.subarray(0, length)).damage).toBe('the file ends too early');
    }
  });

  it('counts its passes', async () => {
    expect(inspectJpeg(await manyScans(400, 64, 64)).damage).toBe(null);
    expect(inspectJpeg(await manyScans(600, 64, 64)).damage).toBe('more than 500 passes over the picture');
  });
});

describe('the data of a JPEG', () => {
  it.each<[string, JpegOptions]>([
    ['plain', {}],
    ['unsampled', { chromaSubsampling: '4:4:4' }],
    ['standard tables', { optimiseCoding: false }],
    ['optimised', { mozjpeg: true, progressive: false }],
    ['coarse', { quality: 5 }],
    ['fine', { quality: 100 }],
    ['progressive', { progressive: true }],
    ['progressive, in many passes', { mozjpeg: true }],
  ])('is sound: %s', async (_, options) => expect(isJpegScanBroken(await encode(options))).toBe(false));

  it('is sound: grey, CMYK, plain, tiny, and every photo of the fixture', async () => {
    const grey = await texture(1).greyscale().jpeg().toBuffer();
    const print = await texture(1).toColourspace('cmyk').jpeg().toBuffer();
    const plain = { width: 3000, height: 2000, channels: 3 as const, background: '#fff' };
    const wall = await sharp({ create: plain }).jpeg().toBuffer();
    const tiny = await sharp({ create: { ...plain, width: 3, height: 5 } })
      .jpeg()
      .toBuffer();
    const photos = readdirSync(FIXTURES).map((name) => readFileSync(join(FIXTURES, name)));
    expect([grey, print, wall, tiny, ...photos].map(isJpegScanBroken)).not.toContain(true);
  });

  it('is broken by a hole, a gap or foreign bytes', async () => {
    for (const options of [{}, { chromaSubsampling: '4:4:4' }, { quality: 30 }]) {
      const jpeg = await encode(options);
      const half = jpeg.length >> 1;
      const hole = Buffer.from(jpeg).fill(0, half, half + 1500);
      const gap = Buffer.concat([jpeg.subarray(0, half), jpeg.subarray(half + 1500)]);
      const foreign = Buffer.concat([
        jpeg.subarray(0, half),
        Buffer.from('error '.repeat(50)),
        jpeg.subarray(half),
      ]);
      const sealed = Buffer.concat([jpeg.subarray(0, half), end]);
      expect([hole, gap, foreign, sealed].map(isJpegScanBroken)).toEqual([true, true, true, true]);
    }
  });

  it.each([{}, { progressive: true }, { mozjpeg: true }])(
    'is broken when its brightness leaves the range of a picture: %o',
    async (options) => {
      const jpeg = await encode({ quality: 90, ...options });
      // The factor of all means: a picture of it is black and white.
      const factorAt = jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 5;
      expect(isJpegScanBroken(jpeg)).toBe(false);
      jpeg[factorAt] = 255;
      expect(isJpegScanBroken(jpeg)).toBe(true);
    },
  );

  it('never makes the walk fail, whatever the bytes', async () => {
    const jpeg = await encode({ quality: 20 });
    for (let at = 2; at < 700; at += 1) {
      const broken = Buffer.from(jpeg);
      broken[at] = broken[at]! ^ 0xff;
      expect(() => isJpegScanBroken(broken)).not.toThrow();
    }
    for (let length = 0; length < 900; length += 13) {
      expect(() => isJpegScanBroken(jpeg.subarray(0, length))).not.toThrow();
    }
  });
});
