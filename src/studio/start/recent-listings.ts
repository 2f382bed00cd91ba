/** The listings that the studio had open before, the latest first. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { namesIn } from '../../platform/disk/folder.ts';
import { memoryFolder, pictureBeside, readMemory } from '../editor/studio-memory.ts';
import { shownPath } from './new-folder.ts';
import type { RecentListing } from './protocol.ts';

export interface Remembered extends RecentListing {
  /** Absolute. */
  readonly listingFile: string;
  /** Absolute folder of its videos; null when it is not known. */
  readonly out: string | null;
}

const MAX_RECENT = 24;
/** Memories that are read: some are of listings that are gone. */
const MAX_READ = 100;
const MEMORY = /^[0-9a-f]{32}\.json$/;

/** @param home - The data folder. @param homeDir - Of the user. */
export async function readRecent(home: string, homeDir: string): Promise<Remembered[]> {
  const folder = memoryFolder(home);
  const names = (await namesIn(folder)).filter((name) => MEMORY.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, changedMs: await changedMs(path.join(folder, name)) })),
  );
  const latest = dated.sort((a, b) => (b.changedMs ?? 0) - (a.changedMs ?? 0)).slice(0, MAX_READ);
  const read = await Promise.all(latest.map(({ name }) => readOne(path.join(folder, name), homeDir)));
  return read
    .filter((listing) => listing !== null)
    .sort((a, b) => b.opened_at.localeCompare(a.opened_at))
    .slice(0, MAX_RECENT);
}

/** Null for a listing that is gone, and for one that an earlier edition remembered without its place. */
async function readOne(memoryFile: string, homeDir: string): Promise<Remembered | null> {
  const { file, out, title, opened_at } = await readMemory(memoryFile);
  if (typeof file !== 'string' || !path.isAbsolute(file) || (await changedMs(file)) === null) return null;
  const folder = path.dirname(file);
  const pictureMs = await changedMs(pictureBeside(memoryFile));
  const key = path.basename(memoryFile, '.json');
  return {
    key,
    title: typeof title === 'string' ? title : path.basename(folder),
    place: shownPath(folder, homeDir),
    opened_at: typeof opened_at === 'string' ? opened_at : '',
    poster: pictureMs === null ? null : `/api/posters/${key}?v=${Math.floor(pictureMs)}`,
    listingFile: file,
    out: typeof out === 'string' && path.isAbsolute(out) ? out : null,
  };
}

/** Null: there is no such file. */
async function changedMs(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? found.mtimeMs : null;
}
