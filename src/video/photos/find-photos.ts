/** Finds the photos of a folder. Every file that is not taken is named with its reason. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { findPhotoProblem } from '../../media/assets/probe-photo.ts';
import { type AllowedFolders, pathToRead } from '../../platform/disk/allowed-folders.ts';

/** The files of a folder. Both lists are in the order of {@link compareNames}. */
export interface FoundPhotos {
  /** File names. Their first bytes are those of a photo. */
  readonly photos: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

export interface SkippedFile {
  readonly file: string;
  /** Such as `camera raw (NEF); export it as JPEG`. */
  readonly reason: string;
}

/** Files that systems put into every folder. Nobody expects them in a video, so they are not named. */
const SYSTEM_FILE = /^(\.|(thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$)/i;
/** Files that are opened at once. */
const MAX_OPEN_FILES = 16;

const NATURAL = new Intl.Collator('en', { numeric: true });

/** Natural order: `2.jpg` before `10.jpg`. The extension counts last: `2.jpg` comes before its copy `2 (1).jpg`. */
export function compareNames(a: string, b: string): number {
  return NATURAL.compare(withoutExtension(a), withoutExtension(b)) || NATURAL.compare(a, b);
}

function withoutExtension(name: string): string {
  return name.slice(0, name.length - path.extname(name).length);
}

/**
 * Null for a folder that does not exist or cannot be read. Folders inside it and hidden files are left out.
 *
 * @param folders - Links out of them are skipped; absent: none.
 */
export async function findPhotos(folder: string, folders?: AllowedFolders): Promise<FoundPhotos | null> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return null;
  }
  const names = entries
    .filter((entry) => !entry.isDirectory() && !SYSTEM_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort(compareNames);
  const limit = pLimit(MAX_OPEN_FILES);
  const problems = await Promise.all(names.map((name) => limit(() => findProblem(folder, name, folders))));
  return {
    photos: names.filter((_, index) => problems[index] === null),
    skipped: names.flatMap((file, index) => {
      const reason = problems[index];
      return reason ? [{ file, reason }] : [];
    }),
  };
}

async function findProblem(folder: string, name: string, folders?: AllowedFolders): Promise<string | null> {
  // Node replaces bytes that are not UTF-8, and then the name opens no file.
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8; rename it';
  const file = pathToRead(path.join(folder, name), null, folders);
  return file === null ? 'a link out of the folders that can be used here' : findPhotoProblem(file);
}
