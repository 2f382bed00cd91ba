/** The photos that a listing names, with their places. Pure. */
import type { Asset } from '../listing.ts';
import type { Loc } from './violation.ts';

export interface PhotoPlace {
  readonly place: Loc;
  readonly url: string;
}

/** Every asset, an altered one followed by its original. */
export function listPhotos(assets: readonly Asset[]): PhotoPlace[] {
  return assets.flatMap(({ url, original }, index) => [
    { place: ['assets', index, 'url'], url },
    ...(original === undefined ? [] : [{ place: ['assets', index, 'original'], url: original }]),
  ]);
}
