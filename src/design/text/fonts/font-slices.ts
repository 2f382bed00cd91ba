/** Finds the files of a font package that can have a character, by the package's `unicode.json`. Reads no font. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FallbackFont } from './fallback-fonts.ts';
import { foldersRevision, packageFolder } from './font-folders.ts';

interface Slice {
  readonly file: string;
  /** First and last code point, first and last, and so on. */
  readonly ranges: readonly number[];
}

const indexes = new Map<string, readonly Slice[]>();

/**
 * Files that can have the character, as paths inside the package; empty when none does or the package is not
 * installed. A font of one file always returns it.
 */
export function findSlices(font: FallbackFont, codePoint: number): string[] {
  const name = `${font.id} ${foldersRevision()}`;
  let index = indexes.get(name);
  if (index === undefined) {
    index = readIndex(font);
    indexes.set(name, index);
  }
  return index.filter(({ ranges }) => isInside(ranges, codePoint)).map(({ file }) => file);
}

/** All files of a font, as paths inside its package; empty when the package is not installed. */
export function sliceFiles(font: FallbackFont): string[] {
  return readIndex(font).map(({ file }) => file);
}

function readIndex(font: FallbackFont): Slice[] {
  const folder = packageFolder(font.packageName);
  if (folder === undefined) return [];
  if (font.file !== undefined) return [{ file: font.file, ranges: [0, 0x10ffff] }];
  const listed = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
  const stem = font.packageName.slice(font.packageName.indexOf('/') + 1);
  return Object.entries(listed).flatMap(([key, ranges]) => {
    // `[12]` is a numbered slice of a large font, `thai` a named one.
    const isNumbered = key.startsWith('[');
    if (font.slices === undefined ? !isNumbered : !font.slices.includes(key)) return [];
    const name = isNumbered ? key.slice(1, -1) : key;
    const file = `files/${stem}-${name}-${font.sliceWeight ?? 'wght'}-normal.woff2`;
    return [{ file, ranges: parseRanges(ranges) }];
  });
}

/** `U+41,U+4e00-4e10` as pairs of first and last. */
function parseRanges(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first, last] = range
      .trim()
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return [first!, last ?? first!];
  });
}

function isInside(ranges: readonly number[], codePoint: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (codePoint >= ranges[index]! && codePoint <= ranges[index + 1]!) return true;
  }
  return false;
}
