/** The files that a listing names and that are not in its own folder. */
import path from 'node:path';
import type { Listing, Violation } from '../listing/listing.ts';
import { listPhotos } from '../listing/rules/list-photos.ts';
import { type Loc, valueError } from '../listing/rules/violation.ts';
import { toLocalPath } from '../media/assets/read-local-asset.ts';
import { parseMusic } from '../media/encode/audio/parse-music.ts';
import { type AllowedFolders, pathToRead } from '../platform/disk/allowed-folders.ts';

/** Where files of a listing can be. */
export interface FileLimits {
  /** Only in the folder of the listing. */
  readonly untrusted: boolean;
  /** Absent: everywhere. */
  readonly folders?: AllowedFolders | undefined;
}

/**
 * A violation for every photo, portrait, logo and music file outside of the limits, in the order of the document. A symbolic
 * link is where it leads to. Other images of a template are checked when they are read.
 */
export function findOutsideFiles(
  { assets, agents }: Listing,
  folder: string,
  { untrusted, folders }: FileLimits = { untrusted: true },
): Violation[] {
  const findOne = (loc: Loc, value: string | null | undefined, toPath: (value: string) => string | null) => {
    const file = typeof value === 'string' && value.trim() !== '' ? toPath(value) : null;
    if (file === null || pathToRead(path.resolve(folder, file), untrusted ? folder : null, folders) !== null)
      return [];
    const problem = untrusted
      ? `${value} is outside the folder of the listing, and an untrusted listing can use only files inside it`
      : `${value} is outside of the folders that can be used here`;
    return [valueError(['body', ...loc], value, problem)];
  };
  const image = (url: string) => imagePath(url, folder);
  return [
    ...listPhotos(assets).flatMap(({ place, url }) => findOne(place, url, image)),
    ...agents.flatMap(({ picture, video_options: options }, index) => {
      const data = options?.template_data;
      const place = ['agents', index, 'video_options', 'template_data'];
      return [
        ...findOne(['agents', index, 'picture'], picture, image),
        ...findOne([...place, 'logo'], data?.logo, image),
        ...findOne([...place, 'music'], data?.music, musicPath),
      ];
    }),
  ];
}

function imagePath(url: string, folder: string): string | null {
  try {
    return toLocalPath(url, folder);
  } catch {
    // Not a path at all: it is reported where photos are read.
    return null;
  }
}

function musicPath(value: string): string | null {
  const target = parseMusic(value);
  return target.kind === 'path' ? target.path : null;
}
