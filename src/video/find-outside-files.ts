/** The files that a listing names and that are not in its own folder. */

import type { Listing, Violation } from '../listing/listing.ts';
import { type Loc, valueError } from '../listing/rules/violation.ts';
import { toLocalPath } from '../media/assets/read-local-asset.ts';
import { parseMusic } from '../media/encode/audio/parse-music.ts';
import { realPathInside } from '../platform/disk/path-inside.ts';

/**
 * A violation for every asset, portrait, logo and music file outside `folder`, in the order of the document. A symbolic
 * link is where it leads to. Other images of a template are checked when they are read.
 */
export function findOutsideFiles({ assets, agents }: Listing, folder: string): Violation[] {
  const findOne = (loc: Loc, value: string | null | undefined, toPath: (value: string) => string | null) => {
    const file = typeof value === 'string' && value.trim() !== '' ? toPath(value) : null;
    if (file === null || realPathInside(folder, file) !== null) return [];
    const problem = `${value} is outside the folder of the listing, and an untrusted listing can use only files inside it`;
    return [valueError(['body', ...loc], value, problem)];
  };
  const image = (url: string) => imagePath(url, folder);
  return [
    ...assets.flatMap(({ url, original }, index) => [
      ...findOne(['assets', index, 'url'], url, image),
      ...findOne(['assets', index, 'original'], original, image),
    ]),
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
