/** The reader of WOFF2 fonts. Its fonts come from packages, so this finds what a damaged or forged package could do. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fontPath } from '../../src/design/text/fonts/bundled-fonts.ts';
import { readWoff2 } from '../../src/design/text/fonts/read-woff2.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles, mutated } from './mutations.ts';

const FONTS = [
  ['@fontsource-variable/noto-sans-hebrew', 'files/noto-sans-hebrew-cyrillic-ext-wght-normal.woff2'],
  ['@fontsource-variable/noto-sans-thai', 'files/noto-sans-thai-thai-wght-normal.woff2'],
].map(([packageName, file]) => readFileSync(fontPath({ id: file!, packageName: packageName!, file: file! })));

/** The parts of a WOFF2 file: header with directory, and the tables. */
interface Parts {
  readonly head: Buffer;
  readonly stream: Buffer;
}

/** Offset of each table's entry in the directory by its number, and the end of the directory. */
function walkDirectory(font: Buffer): { readonly places: ReadonlyMap<number, number>; readonly end: number } {
  const skipNumber = (at: number): number => (font[at]! < 128 ? at + 1 : skipNumber(at + 1));
  const places = new Map<number, number>();
  let at = 48;
  for (let count = font.readUInt16BE(12); count > 0; count -= 1) {
    const flags = font[at]!;
    const known = flags & 63;
    places.set(known, at);
    const isTransformed = (known === 10 || known === 11) !== flags > 63;
    at = skipNumber(at + (known === 63 ? 5 : 1));
    if (isTransformed) at = skipNumber(at);
  }
  return { places, end: at };
}

function split(font: Buffer): Parts {
  const { end } = walkDirectory(font);
  const stream = brotliDecompressSync(font.subarray(end, end + font.readUInt32BE(20)));
  return { head: font.subarray(0, end), stream };
}

function join({ head, stream }: Parts): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 0 };
  const compressed = brotliCompressSync(stream, { params });
  const file = Buffer.concat([head, compressed]);
  if (file.length >= 24) file.writeUInt32BE(compressed.length, 20);
  return file;
}

const ZLIB_ERROR = /^(?:ERR_BUFFER_TOO_LARGE|ERR__ERROR_|Z_)/;

function expectBounded(file: Buffer, streamBytes: number): void {
  const { value, error, allocatedBytes } = contain(() => readWoff2(file));
  if (error !== undefined && !ZLIB_ERROR.test(String((error as NodeJS.ErrnoException).code)))
    expect(error).toBeInstanceOf(RangeError);
  // A glyph without a box takes 3 bytes and becomes 16; the writer doubles its memory; the parts are joined.
  expect(allocatedBytes).toBeLessThan(40 * (streamBytes + file.length) + 100_000);
  expect((value?.length ?? 0) < 10 * (streamBytes + file.length)).toBe(true);
}

describe('a hostile WOFF2 font', () => {
  it('is read or refused', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(damagedFiles(...FONTS), (file) => expectBounded(file, MAX_STREAM_BYTES_OF_SAMPLES)),
      fuzz(100),
    );
  });

  it.each(FONTS.map((font, index) => [index, split(font)] as const))(
    'with damaged tables is read or refused (%d)',
    { timeout: FUZZ_TIMEOUT_MS },
    (_, { head, stream }) => {
      fc.assert(
        fc.property(mutated(stream), (damaged) => {
          // The size of the last table takes up what was cut or inserted only in some runs; the others must be refused.
          const sameSize = Buffer.alloc(stream.length);
          damaged.copy(sameSize);
          expectBounded(join({ head, stream: sameSize }), stream.length);
          expectBounded(join({ head, stream: damaged }), damaged.length);
        }),
        fuzz(60),
      );
    },
  );

  it('cannot unpack to more than its tables', () => {
    const { head } = split(FONTS[0]!);
    const { error } = contain(() => readWoff2(join({ head, stream: Buffer.alloc(100_000_000) })));
    expect(error).toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
  });

  it('with outlines but without head is refused', () => {
    const { head, stream } = split(FONTS[1]!);
    const renamed = Buffer.from(head);
    // Sill (62) is a table that nothing reads; head is 1.
    renamed[walkDirectory(head).places.get(1)!] = 62;
    const { error } = contain(() => readWoff2(join({ head: renamed, stream })));
    expect(error).toBeInstanceOf(RangeError);
  });
});

const MAX_STREAM_BYTES_OF_SAMPLES = Math.max(...FONTS.map((font) => split(font).stream.length));
