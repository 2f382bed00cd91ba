/** Where new listings go: a folder of their own below the user's videos. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { toId } from '../../listing/words/to-id.ts';
import { errnoOf, outputUnwritable } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { isInside } from '../../platform/disk/path-inside.ts';

const NAME = 'Listing Videos';
/** As any file of an editor, less the umask. */
const FOLDER_MODE = 0o777;

/**
 * In the user's folder of videos, else that of documents, else the home folder.
 *
 * @param configDir - Where desktops of Linux keep the names of these folders, which can be in the user's language.
 */
export async function findListingsRoot(homeDir: string, configDir: string): Promise<string> {
  const named = await readFile(path.join(configDir, 'user-dirs.dirs'), 'utf8').catch(() => '');
  const folderOf = (kind: string): string[] => {
    const [, place] = new RegExp(`^XDG_${kind}_DIR="\\$HOME/(.+)"$`, 'm').exec(named) ?? [];
    return place === undefined ? [] : [path.join(homeDir, place)];
  };
  const places = (names: readonly string[]): string[] => names.map((name) => path.join(homeDir, name));
  const candidates = [
    ...folderOf('VIDEOS'),
    ...places(['Videos', 'Movies']),
    ...folderOf('DOCUMENTS'),
    ...places(['Documents']),
  ];
  for (const folder of candidates)
    if (isInside(homeDir, folder) && (await stat(folder).catch(() => null))?.isDirectory())
      return path.join(folder, NAME);
  return path.join(homeDir, NAME);
}

/**
 * Makes `<root>/<name>`, or `<name>-2` and so on when that is taken.
 *
 * @param words - Of the name, such as an address. Without a letter or digit, `spare` is the name.
 * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
 */
export async function makeNewFolder(root: string, words: string, spare: string): Promise<string> {
  const name = toId(words) || spare;
  try {
    await makeFolder(root, false, FOLDER_MODE);
    for (let number = 1; ; number += 1) {
      const folder = path.join(root, number === 1 ? name : `${name}-${number}`);
      try {
        await mkdir(folder, { mode: FOLDER_MODE });
        return folder;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
      }
    }
  } catch (error) {
    throw outputUnwritable(error, path.join(root, name), 'make that folder writable');
  }
}

/** `~/Videos/house` for a folder of the user. */
export function shownPath(folder: string, homeDir: string): string {
  if (process.platform === 'win32' || !isInside(homeDir, folder)) return folder;
  return `~/${path.relative(homeDir, folder)}`;
}
