/** Whether a path leads into a folder, also through symbolic links. */
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from './disk-error.ts';

/**
 * The path of `file` without symbolic links when it is inside `folder`; null when it is elsewhere or unknown.
 *
 * A file that does not exist is where its nearest folder that exists is. Nothing outside `folder` is touched unless a
 * link in it leads there: a path can name a device, or a server that this machine would log in to.
 */
export function realPathInside(folder: string, file: string): string | null {
  const target = path.resolve(folder, file);
  const root = realPathOf(folder);
  if (root === null || !(isInside(folder, target) || isInside(root, target))) return null;
  const real = realPathOf(target);
  return real !== null && isInside(root, real) ? real : null;
}

/** Whether `file` is below `folder` by its name alone. Both are absolute. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}

/** Of a file that does not exist, where it would be; null if that is unknown. @param file - Absolute. */
export function realPathOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch (error) {
    const folder = path.dirname(file);
    // A link whose target is missing could get one later.
    if (errnoOf(error) !== 'ENOENT' || folder === file || isLink(file)) return null;
    const real = realPathOf(folder);
    return real === null ? null : path.join(real, path.basename(file));
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
