/**
 * Finds the photos of a row by `--photos "photos/{ListingId}/*.jpg"`.
 *
 * The folder is searched once, and the values of a row are only compared with the paths that were found. So no value
 * can lead out of the folder, whatever a row says, and a hundred thousand rows cost one search.
 */
import path from 'node:path';
import { escapePath, glob } from 'tinyglobby';
import { compareNames } from '../../video/photos/find-photos.ts';
import { nearestHint, usageError } from '../cli-error.ts';

type Token =
  | { readonly kind: 'text' | 'column'; readonly text: string }
  | { readonly kind: 'any'; readonly glob: string; readonly source: string };

/** Wildcards; `{jpg,png}` is one too, and `{Column}` stands for the value of a column. */
const TOKEN = /\*\*\/|\*|\?|\{([^{}]*)\}/g;

/** Answers for the values of one row. */
export interface PhotoMatcher {
  /** Names in `{}`, in their order. */
  readonly columns: readonly string[];
  /** @param values - Of the columns. @returns Absolute paths in natural order. */
  find(values: readonly string[]): string[];
}

/**
 * @param columns - Names that can stand in `{}`.
 * @throws ListingVideoError `usage`.
 */
export async function openPhotoMatcher(
  pattern: string,
  cwd: string,
  columns: readonly string[],
): Promise<PhotoMatcher> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(pattern))
    throw usageError('--photos takes files of this machine', 'put URLs into a column called Photos');
  const parts = (path.sep === '\\' ? pattern.replaceAll('\\', '/') : pattern).split('/');
  const first = parts.findIndex((part) => /[*?{}]/.test(part));
  if (first < 0)
    throw usageError(
      '--photos names the same files for every listing',
      'put a column into it: "photos/{ListingId}/*.jpg"',
    );
  const folder = path.resolve(cwd, parts.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.'));
  const tokens = toTokens(parts.slice(first).join('/'));
  const named = tokens.flatMap((token) => (token.kind === 'column' ? [token.text] : []));
  if (named.length === 0)
    throw usageError(
      '--photos names the same files for every listing',
      'put a column into it: "photos/{ListingId}/*.jpg"',
    );
  for (const name of named)
    if (!columns.includes(name))
      throw usageError(`--photos: there is no column ${JSON.stringify(name)}`, nearestHint(name, columns));
  const files = await search(folder, tokens);
  return {
    columns: named,
    find: (values) => findFiles(files, tokens, values).map((file) => path.join(folder, file)),
  };
}

function toTokens(pattern: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of pattern.matchAll(TOKEN)) {
    if (match.index > at) tokens.push({ kind: 'text', text: pattern.slice(at, match.index) });
    tokens.push(toToken(match[0], match[1]));
    at = match.index + match[0].length;
  }
  if (at < pattern.length) tokens.push({ kind: 'text', text: pattern.slice(at) });
  return tokens;
}

function toToken(text: string, inBraces: string | undefined): Token {
  if (inBraces?.includes(',')) {
    const choices = inBraces.split(',');
    return {
      kind: 'any',
      glob: `{${choices.map(escapePath).join(',')}}`,
      source: `(?:${choices.map(escapeRegExp).join('|')})`,
    };
  }
  if (inBraces !== undefined) return { kind: 'column', text: inBraces };
  if (text === '**/') return { kind: 'any', glob: text, source: '(?:.*/)?' };
  return { kind: 'any', glob: text, source: text === '*' ? '[^/]*' : '[^/]' };
}

interface FoundFile {
  /** For comparison: composed, in lower case. */
  readonly key: string;
  readonly file: string;
}

/** Sorted by key. Links are not followed: one to `/` would search the whole machine. */
async function search(folder: string, tokens: readonly Token[]): Promise<FoundFile[]> {
  const pattern = tokens.map((token) =>
    token.kind === 'any' ? token.glob : token.kind === 'column' ? '*' : escapePath(token.text),
  );
  const found = await glob([pattern.join('')], {
    cwd: folder,
    onlyFiles: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    caseSensitiveMatch: false,
  });
  return found
    .map((file) => ({ key: toKey(file), file }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Files of the values as they are written; without any, those that differ in case alone. */
function findFiles(
  files: readonly FoundFile[],
  tokens: readonly Token[],
  values: readonly string[],
): string[] {
  if (values.includes('')) return [];
  let column = 0;
  const filled = tokens.map(
    (token): Token => (token.kind === 'column' ? { ...token, text: values[column++] ?? '' } : token),
  );
  const wildcard = filled.findIndex(({ kind }) => kind === 'any');
  const prefix = toKey(textOf(filled.slice(0, wildcard < 0 ? filled.length : wildcard)));
  const source = filled.map((token) =>
    token.kind === 'any'
      ? token.source
      : token.kind === 'column'
        ? `(${escapeRegExp(token.text)})`
        : escapeRegExp(token.text),
  );
  const expression = new RegExp(`^${source.join('')}$`.normalize('NFC'), 'iu');
  const matches: { file: string; isExact: boolean }[] = [];
  for (let at = firstAtLeast(files, prefix); files[at]?.key.startsWith(prefix); at += 1) {
    const { file } = files[at]!;
    const match = expression.exec(file.normalize('NFC'));
    if (match !== null)
      matches.push({
        file,
        isExact: values.every((value, index) => match[index + 1] === value.normalize('NFC')),
      });
  }
  const exact = matches.filter(({ isExact }) => isExact);
  return (exact.length > 0 ? exact : matches).map(({ file }) => file).sort(compareNames);
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.kind === 'any' ? '' : token.text)).join('');
}

/** Binary search. */
function firstAtLeast(files: readonly FoundFile[], key: string): number {
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toKey(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
