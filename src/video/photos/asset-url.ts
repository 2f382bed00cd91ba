/** How a listing names a photo of this machine. */
import path from 'node:path';

/**
 * A URL unchanged; a path relative to `folder`, with slashes, never like a URL.
 *
 * @param folder - Absolute folder of the listing file.
 */
export function toAssetUrl(place: string, folder: string): string {
  if (/^(?:https?|file):/i.test(place)) return place;
  const relative = path.relative(folder, place).split(path.sep).join('/');
  return /^[a-z][a-z0-9+.-]*:/i.test(relative) && !path.isAbsolute(relative) ? `./${relative}` : relative;
}
