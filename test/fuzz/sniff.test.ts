/** The format of a file by its first bytes: of photos, web pages and anything else that a photo's URL can lead to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SNIFF_BYTES, sniffFormat } from '../../src/media/assets/decode/sniff-format.ts';
import { tiff } from '../media/assets/sample-pictures.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const SAMPLES = [
  latin('\xff\xd8\xff\xe0JFIF'),
  tiff({ 254: 1, 271: 'NIKON CORPORATION', 330: 900 }),
  latin('\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf'),
  latin('<?xml version="1.0"?><!-- a --><svg:svg xmlns="x"><a:b/></svg:svg>'),
  latin('<!doctype html><html><body><svg/></body></html>'),
  latin('%PDF-1.4 BM P6 640 480'),
  Buffer.from('\ufeff<html>', 'utf16le'),
  Buffer.from('\ufeff<html>', 'utf16le').swap16(),
];
/** Pieces that markup is made of: many of them, in any order, are hard for patterns. */
const MARKUP = [
  '<',
  '!',
  '--',
  '<!--',
  '-->',
  '?',
  '>',
  'a',
  ':',
  'svg',
  '.',
  '-',
  ' ',
  '/',
  '\n',
  '<!doctype ',
];

describe('the first bytes of a hostile file', () => {
  const expectFormat = (bytes: Uint8Array): void => {
    const { value, error, allocatedBytes } = contain(() => sniffFormat(bytes.subarray(0, SNIFF_BYTES)));
    expect(error).toBeUndefined();
    expect(value?.kind).toMatch(/^(?:supported|unsupported|not_an_image)$/);
    expect(allocatedBytes).toBeLessThan(4 * SNIFF_BYTES);
  };

  it('have a format', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(fc.property(damagedFiles(...SAMPLES), expectFormat), fuzz(300));
  });

  it('have a format if they are made of markup', { timeout: FUZZ_TIMEOUT_MS }, () => {
    const markup = fc
      .tuple(fc.array(fc.constantFrom(...MARKUP), { minLength: 1, maxLength: 12 }), fc.nat(SNIFF_BYTES))
      .map(([parts, length]) => latin(parts.join('').repeat(length)).subarray(0, SNIFF_BYTES));
    fc.assert(fc.property(markup, expectFormat), fuzz(100));
  });
});
