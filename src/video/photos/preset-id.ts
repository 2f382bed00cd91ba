/**
 * The id that is proposed for a new listing. Pure. The id names the folder of the results, so two houses need two ids.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { toId } from '../../listing/words/to-id.ts';

/** Hex digits: folders of one name (`photos`) are then told apart, and the id stays readable. */
const HASH_LENGTH = 6;

/**
 * The street as an id. Without a street the name of the photos' folder, which houses often share, with a hash of its
 * path: `photos-3f9a2c`.
 *
 * @param folder - Absolute folder of the first photo. The same folder gets the same id.
 */
export function presetId(street: string | null, folder: string): string {
  const fromStreet = toId(street ?? '');
  if (fromStreet !== '') return fromStreet;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, HASH_LENGTH);
  return `${toId(path.basename(folder)) || 'listing'}-${hash}`;
}
