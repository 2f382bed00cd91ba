/** Finds the listing files that the words of a command line name: files, folders, globs and `-` (stdin). */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent } from '../../platform/disk/disk-error.ts';
import { packageFile } from '../../platform/program-files.ts';
import { PROJECT_FILE_NAME } from '../../platform/settings/project-file.ts';
import { usageError } from '../cli-error.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** One listing to read. */
export interface ListingInput {
  /** As it is shown and reported: the word given, or the path found below it; `-` for stdin. */
  readonly name: string;
  /** Absolute; null for stdin. */
  readonly path: string | null;
  /** Why there is nothing to read; null when there is. */
  readonly problem: string | null;
  /** What to do about the problem. */
  readonly hint?: string;
  /** The problem is that nothing has this name. */
  readonly isMissing?: boolean;
}

/** JSON files that often lie beside listings and are none. */
const NOT_LISTINGS =
  /^(?:report\.json|manifest(?:-\d+-of-\d+)?\.json|package\.json|package-lock\.json|tsconfig\.json|listing-video\.config\.json)$/;

const SAMPLE_LISTING = packageFile('fixtures/listing.json');

/** The listing of the package, to try a template without your own. */
export const SAMPLE_INPUT: ListingInput = { name: SAMPLE_LISTING, path: SAMPLE_LISTING, problem: null };

/**
 * The listings in the order of the words; within a folder or glob in natural order of their names. A file that
 * several words name comes once. A word that names nothing gives an input with its `problem`. A folder names the
 * `*.json` files in it and every `listing.json` below it.
 *
 * @param untrusted - Strangers wrote the folders: links in them are not followed, or one to `/` would search the
 * whole machine. The same where only some `folders` can be used.
 * @throws ListingVideoError `usage` for an empty word.
 */
export async function collectInputs(
  words: readonly string[],
  cwd: string,
  { untrusted = false, folders }: { readonly untrusted?: boolean; readonly folders?: unknown } = {},
): Promise<ListingInput[]> {
  const seen = new Set<string>();
  const inputs: ListingInput[] = [];
  for (const word of words) {
    // The working folder would be the wrong guess: a variable of the shell is empty.
    if (word === '')
      throw usageError('the name of a listing is empty', 'name a listing file, or . for this folder');
    for (const input of await expandWord(word, cwd, !untrusted && folders === undefined)) {
      const identity = input.path === null ? input.name : await realpath(input.path).catch(() => input.path!);
      if (seen.has(identity)) continue;
      seen.add(identity);
      inputs.push(input);
    }
  }
  // A shell puts the project file into `*.json`.
  const listings = inputs.filter((input) => path.basename(input.name) !== PROJECT_FILE_NAME);
  return listings.length > 0 ? listings : inputs;
}

async function expandWord(word: string, cwd: string, followLinks: boolean): Promise<ListingInput[]> {
  if (word === '-') return [{ name: '-', path: null, problem: null }];
  const absolute = path.resolve(cwd, word);
  const found = await stat(absolute).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) {
    if (!found.isDirectory()) return [{ name: word, path: absolute, problem: null }];
    return findInFolder(word, absolute, followLinks);
  }
  // An existing path was taken literally above: only a missing one can be a glob.
  if (/[*?[\]{}!()]/.test(word) && !word.includes('\0')) {
    return findByGlob(word, cwd, followLinks);
  }
  const isMissing = isAbsent(found);
  const hint = isMissing && { hint: 'check the name, or write a listing with listing-video init' };
  return [{ name: word, path: absolute, problem: unreadableBecause(found), isMissing, ...hint }];
}

async function findInFolder(word: string, folder: string, followLinks: boolean): Promise<ListingInput[]> {
  const found = await glob(['*.json', '**/listing.json'], folder, followLinks);
  const listings = found.filter((name) => !NOT_LISTINGS.test(path.basename(name)));
  if (listings.length === 0) {
    const hint = (await hasPhotos(folder)) && { hint: photosHint(word) };
    return [{ name: word, path: null, problem: 'no *.json file in this folder', ...hint }];
  }
  return listings.map((name) => ({
    name: path.join(word, name),
    path: path.join(folder, name),
    problem: null,
  }));
}

/** By their names alone: `init` looks into the files. */
async function hasPhotos(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => /\.(?:jpe?g|png|webp|avif|hei[cf]|tiff?)$/i.test(name));
}

/** What to do with photos where a listing is expected. @param folder - As the command line names it. */
export function photosHint(folder: string): string {
  const word = folder.length > 1 ? folder.replace(/[/\\]+$/, '') || folder : folder;
  return `listing-video init --photos ${shellWord(word)}`;
}

async function findByGlob(word: string, cwd: string, followLinks: boolean): Promise<ListingInput[]> {
  // Globs use slashes; on Windows a word can have backslashes.
  const pattern = path.sep === '\\' ? word.replaceAll('\\', '/') : word;
  const found = await glob([pattern], cwd, followLinks);
  if (found.length === 0) return [{ name: word, path: null, problem: 'no file matches', isMissing: true }];
  return found.map((name) => ({ name: path.normalize(name), path: path.resolve(cwd, name), problem: null }));
}

async function glob(patterns: readonly string[], folder: string, followLinks: boolean): Promise<string[]> {
  const tinyglobby = await import('tinyglobby');
  const found = await tinyglobby.glob([...patterns], {
    cwd: folder,
    ignore: ['**/node_modules/**'],
    onlyFiles: true,
    expandDirectories: false,
    followSymbolicLinks: followLinks,
  });
  return found.sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** Why a file cannot be read, in words. */
export function unreadableBecause(error: unknown): string {
  const code = errnoOf(error);
  if (isAbsent(error)) return 'no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? error.message : String(error);
}
