/** The photos of a folder by their names: what the wizard offers. Whether a file really is a picture is judged by a run. */
import { readdir } from 'node:fs/promises';

/** What a folder holds. */
export interface FoundPhotos {
  /** File names in natural order: `2.jpg` before `10.jpg`. */
  readonly names: readonly string[];
  /** Pictures of kinds that are not read, such as HEIC. */
  readonly unreadable: readonly string[];
}

const READ = /\.(?:jpe?g|png|webp|avif|gif|tiff?)$/i;
const NOT_READ = /\.(?:hei[cf]|bmp|jxl|raw|dng|cr[23]|nef|arw|psd|svg)$/i;

/** Null when there is no such folder, or none that may be read. */
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
