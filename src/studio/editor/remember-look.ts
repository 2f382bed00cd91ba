/** Remembers how a listing looks, so that the start page can show it while it is closed: a title and a picture. */
import { copyFile, writeFile } from 'node:fs/promises';
import { replaceFile } from '../../platform/disk/atomic-write.ts';
import { exists } from '../../platform/disk/folder.ts';
import { type ListingObject, valueAt } from '../document/json.ts';
import type { StudioState } from './protocol.ts';
import type { StudioMemory } from './studio-memory.ts';

export interface LookSource {
  readonly memory: StudioMemory;
  /** A JPEG of a photo; null when there is none. */
  readonly thumbnail: (digest: string) => Promise<Uint8Array | null>;
  /** Absolute path of a finished file. */
  readonly locate: (name: string) => string | null;
}

/**
 * Called after each change. The picture is the poster of the first video, before that the first photo.
 *
 * @throws an error of the file system.
 */
export async function rememberLook(
  { listing, planning, photos, results }: Pick<StudioState, 'listing' | 'planning' | 'photos' | 'results'>,
  { memory, thumbnail, locate }: LookSource,
): Promise<void> {
  const title = titleOf(listing);
  if (memory.get('title') !== title) memory.set('title', title);
  const poster = results.videos.find((video) => video.poster !== null)?.poster ?? null;
  // Until all are read, only the first is known to be the first that can be used.
  const known = planning ? photos.slice(0, 1) : photos;
  const digest = known.find((photo) => photo.state === 'usable')?.digest ?? null;
  const look = poster?.url ?? digest;
  if (look === null || look === memory.get('look')) return;
  const file = poster && locate(poster.name);
  // A person can have removed the poster.
  const hasPoster = file !== null && (await exists(file));
  const bytes = hasPoster || digest === null ? null : await thumbnail(digest);
  if (!hasPoster && bytes === null) return;
  await replaceFile(memory.pictureFile, (aside) =>
    bytes === null ? copyFile(file!, aside) : writeFile(aside, bytes),
  );
  memory.set('look', look);
}

/** `4417 Alder Creek Road, Portland`; null while nobody wrote an address. */
function titleOf(listing: ListingObject): string | null {
  const parts = (['street', 'city'] as const).map((field) => valueAt(listing, ['address', field]));
  const words = parts.filter((part): part is string => typeof part === 'string' && part.trim() !== '');
  return words.length === 0 ? null : words.join(', ');
}
