/** The error for a data folder that an earlier version wrote. No version reads the files of another layout. */
import { ListingVideoError } from '../../platform/errors.ts';

export function earlierLayout(home: string): ListingVideoError {
  return new ListingVideoError(
    'store_corrupt',
    `an earlier version of listing-video wrote the data folder ${home}`,
    {
      hint: 'choose another folder with --home',
      context: { path: home },
    },
  );
}
