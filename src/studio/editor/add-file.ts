/** Copies a file that was dropped in to the folder of the listing, under a safe name and never over another file. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createFile } from '../../platform/disk/atomic-write.ts';
import { flushFolder } from '../../platform/disk/folder.ts';
import { safeName } from '../../platform/disk/safe-name.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import type { FilePurpose } from './protocol.ts';

/** Photos that differ in nothing but this number. */
const MAX_SAME_NAMES = 1_000;
export const IMAGE_ENDINGS = [
  '.jpg',
  '.jpeg',
  '.png',
  '.webp',
  '.avif',
  '.heic',
  '.heif',
  '.gif',
  '.tif',
  '.tiff',
];
const MUSIC_ENDINGS = ['.mp3', '.m4a', '.wav', '.flac', '.ogg', '.oga', '.opus', '.aac', '.mp4'];

export interface FileToAdd {
  /** As the browser sends it: anything. */
  readonly name: string;
  readonly purpose: FilePurpose;
  /** Checked: they are a photo, or music. */
  readonly bytes: Uint8Array;
  /** Folder of the same disk for the temporary file; null: that of the listing. */
  readonly aside?: string | null;
}

/**
 * A file that is already there with these bytes is used as it is.
 *
 * @param folder - Absolute folder of the listing.
 * @returns How the listing names the file.
 * @throws an error of the file system.
 */
export async function addFile(
  folder: string,
  { name, purpose, bytes, aside = null }: FileToAdd,
): Promise<string> {
  const { stem, ending } = safeParts(name, purpose);
  for (let number = 1; number <= MAX_SAME_NAMES; number += 1) {
    const file = path.join(folder, `${stem}${number === 1 ? '' : `-${number}`}${ending}`);
    const isNew = await createFile(file, bytes, { durable: true, aside });
    if (isNew) await flushFolder(folder);
    if (isNew || (await holds(file, bytes))) return toUrl(file, folder, purpose);
  }
  throw new Error(`the folder has ${MAX_SAME_NAMES} files that are called ${stem}${ending}`);
}

/** The last part of the name, whatever the system of the browser, without what a file system could refuse. */
function safeParts(name: string, purpose: FilePurpose): { stem: string; ending: string } {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const found = path.extname(last).toLowerCase();
  const endings = purpose === 'music' ? MUSIC_ENDINGS : IMAGE_ENDINGS;
  const ending = endings.includes(found) ? found : endings[0]!;
  const stem = endings.includes(found) ? last.slice(0, -found.length) : last;
  return { stem: stem.trim() === '' ? purpose : safeName(stem), ending };
}

async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  // Reading a pipe of this name would never end.
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size !== bytes.length) return false;
  const read = await readFile(file).catch(() => null);
  return read !== null && Buffer.compare(read, bytes) === 0;
}

function toUrl(file: string, folder: string, purpose: FilePurpose): string {
  const url = toAssetUrl(file, folder);
  // In a data layer a bare word is the name of a soundtrack.
  return purpose === 'music' ? `./${url}` : url;
}
