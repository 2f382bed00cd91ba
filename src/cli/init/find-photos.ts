/** Finds the photos of a folder by their names. Whether a file really is a photo shows when it is rendered. */
import { readdir } from 'node:fs/promises';

/** The photos of a folder. */
export interface FoundPhotos {
  /** File names in natural order: `2.jpg` before `10.jpg`. */
  readonly names: readonly string[];
  /** Photos in formats that cannot be read, such as HEIC. */
  readonly unreadable: readonly string[];
}

const READ = /\.(?:jpe?g|png|webp|avif|gif|tiff?)$/i;
const NOT_READ = /\.(?:hei[cf]|bmp|jxl|raw|dng|cr[23]|nef|arw|psd|svg)$/i;

/** Null for a folder that does not exist or cannot be read. */
export async function findPhotos(folder: string): Promise<FoundPhotos | null> {
  let entries: import('node:fs').Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return null;
  }
  const { compare } = new Intl.Collator('en', { numeric: true });
  const names = entries
    // macOS leaves `._front.jpg` on drives of other systems.
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.includes('\ufffd'))
    .map(({ name }) => name)
    .sort(compare);
  return {
    names: names.filter((name) => READ.test(name)),
    unreadable: names.filter((name) => NOT_READ.test(name)),
  };
}
