/** The folders that whoever drives the program may name files in. Symbolic links count as where they lead. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ListingVideoError } from '../errors.ts';
import { isInside, realPathInside, realPathOf } from './path-inside.ts';

export class AllowedFolders {
  /** As each was named, and where it was then: a link that takes its place later leads nowhere. */
  readonly #folders: readonly { readonly named: string; readonly real: string }[];

  /** @param folders - Absolute; each exists. */
  constructor(folders: readonly string[]) {
    this.#folders = folders.map((named) => ({ named: path.resolve(named), real: realpathSync(named) }));
  }

  /** Without symbolic links, in the order in which they were named. */
  get folders(): readonly string[] {
    return this.#folders.map(({ real }) => real);
  }

  /** The path without symbolic links; null outside of the folders. A file that does not exist yet has one too. */
  realPath(file: string): string | null {
    const target = path.resolve(file);
    const isIn = (folder: string, place: string): boolean => place === folder || isInside(folder, place);
    // Nothing else is touched: a path can name a device, or a server that this machine would log in to.
    if (!this.#folders.some(({ named, real }) => isIn(named, target) || isIn(real, target))) return null;
    const found = realPathOf(target);
    return found !== null && this.folders.some((real) => isIn(real, found)) ? found : null;
  }

  /**
   * @param shown - The file as it was named.
   * @returns The path without symbolic links.
   * @throws {@link ListingVideoError} `usage` outside of the folders.
   */
  require(file: string, shown = file): string {
    const real = this.realPath(file);
    if (real !== null) return real;
    throw new ListingVideoError('usage', `${shown} is outside of the folders that can be used here`, {
      hint: `name a file or folder in ${this.folders.join(', ')}; whoever started this can add folders with \`--root\``,
    });
  }
}

/**
 * The path to read `file` at, null where it must not be read.
 *
 * @param folder - The only folder for it, beside the limits of `folders`; null for any.
 */
export function pathToRead(
  file: string,
  folder: string | null,
  folders: AllowedFolders | undefined,
): string | null {
  const real = folder === null ? file : realPathInside(folder, file);
  return real === null || folders === undefined ? real : folders.realPath(real);
}
