/** Lists the folders below the home folder, with how many photos each has. Nothing outside of it is read. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { realPathInside } from '../../platform/disk/path-inside.ts';
import { compareNames } from '../../video/photos/find-photos.ts';
import { IMAGE_ENDINGS } from '../editor/add-file.ts';
import { LISTING_NAME } from '../editor/first-listing.ts';
import type { FolderEntry, FolderView } from './protocol.ts';

/** Of one folder. */
const MAX_SHOWN = 500;
/** Folders that are read at once. */
const MAX_READ_AT_ONCE = 16;
/** Where the photos of a house are, as for a listing that is made of a folder. */
const PHOTO_FOLDER = 'photos';

/**
 * @param at - From the home folder; empty for itself.
 * @returns The real path; null when it leads out of the home folder, or is no folder.
 */
export function folderInHome(homeDir: string, at: string): string | null {
  // A null byte would be an error of the file system.
  if (at.includes('\0')) return null;
  if (at === '') return homeDir;
  return path.isAbsolute(at) ? null : realPathInside(homeDir, at);
}

/** Null when there is no such folder in the home folder, or it cannot be read. */
export async function listFolders(homeDir: string, at: string): Promise<FolderView | null> {
  const folder = folderInHome(homeDir, at);
  const entries = folder === null ? null : await read(folder);
  if (folder === null || entries === null) return null;
  const names = entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort(compareNames);
  const limit = pLimit(MAX_READ_AT_ONCE);
  const shown = names.slice(0, MAX_SHOWN);
  const folders = await Promise.all(shown.map((name) => limit(() => describe(homeDir, folder, name))));
  return {
    at: at.split(/[\\/]/).filter(Boolean).join('/'),
    ...(await countIn(folder, entries)),
    folders: folders.filter((entry) => entry !== null),
    more: names.length - shown.length,
  };
}

/** Null for a file, a folder that cannot be read, and a link that leads out of the home folder. */
async function describe(homeDir: string, parent: string, name: string): Promise<FolderEntry | null> {
  const folder = realPathInside(homeDir, path.join(parent, name));
  const entries = folder === null ? null : await read(folder);
  return folder === null || entries === null ? null : { name, ...(await countIn(folder, entries)) };
}

async function countIn(
  folder: string,
  entries: readonly Dirent[],
): Promise<Pick<FolderEntry, 'photos' | 'has_listing'>> {
  const inside = entries.some((entry) => entry.isDirectory() && entry.name === PHOTO_FOLDER)
    ? await read(path.join(folder, PHOTO_FOLDER))
    : null;
  return {
    photos: countPhotos(inside ?? []) || countPhotos(entries),
    has_listing: entries.some((entry) => entry.name === LISTING_NAME),
  };
}

function countPhotos(entries: readonly Dirent[]): number {
  return entries.filter(
    (entry) => !entry.isDirectory() && !entry.name.startsWith('.') && isPhotoName(entry.name),
  ).length;
}

function isPhotoName(name: string): boolean {
  return IMAGE_ENDINGS.includes(path.extname(name).toLowerCase());
}

function read(folder: string): Promise<Dirent[] | null> {
  return readdir(folder, { withFileTypes: true }).catch(() => null);
}
