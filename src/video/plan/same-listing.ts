/**
 * Whether the videos of a folder belong to another listing that has the same id by chance, such as two houses whose
 * listings were both called "photos". Pure. In doubt the id is trusted: addresses, files and photos are edited.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPhotos } from '../../listing/rules/list-photos.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { Report } from '../publish/report.ts';
import type { VideoTaskPayload } from '../video-task.ts';

type Task = Pick<VideoTaskPayload, 'listing' | 'listingFile' | 'baseDir'>;

/**
 * True when nothing joins the two (listing file, address with a street, a photo), and the file or the address shows
 * that they differ.
 *
 * @param report - Of an earlier run.
 */
export function isOtherListing(report: Report, task: Task): boolean {
  const { id, file: fileBefore, address: addressBefore } = report.listing ?? {};
  // The id can differ: the report was written, and the process killed, before the folder and the listing had the new one.
  if (fileBefore && fileBefore === task.listingFile) return false;
  if (typeof id === 'string' && id !== task.listing.id) return true;
  const { street = '', full = '' } = task.listing.address ? addressWords(task.listing.address) : {};
  if (street !== '' && addressBefore === full) return false;
  if (hasCommonPhoto(report, task)) return false;
  const hasOtherFile = Boolean(fileBefore) && task.listingFile !== null;
  const hasOtherAddress = Boolean(addressBefore) && full !== '' && addressBefore !== full;
  return hasOtherFile || hasOtherAddress;
}

export function otherListing(report: Report, payload: VideoTaskPayload): ListingVideoError {
  const { address = null, file = null } = report.listing ?? {};
  const other = [address, file].filter(Boolean).join(', ');
  return new ListingVideoError(
    'output_exists',
    `${payload.outputDir} has the videos of another listing with the id "${payload.listing.id}"${other === '' ? '' : `: ${other}`}`,
    {
      hint: 'give this listing an id of its own, choose another folder with --out, or replace those videos with --force',
      context: { path: payload.outputDir, listing_id: payload.listing.id, listing_file: file, address },
    },
  );
}

function hasCommonPhoto({ videos, dropped_assets: dropped, listing }: Report, task: Task): boolean {
  const folderBefore = typeof listing?.file === 'string' ? path.dirname(listing.file) : null;
  const scenes = videos.flatMap((video) => video?.scenes ?? []);
  const urls: unknown[] = [scenes.map((scene) => scene?.photos), dropped.map((asset) => asset?.url)].flat(2);
  const before = new Set(urls.flatMap((url) => (typeof url === 'string' ? toPlace(url, folderBefore) : [])));
  const folderNow = task.listingFile === null ? null : task.baseDir;
  return listPhotos(task.listing.assets).some(({ url }) => before.has(toPlace(url, folderNow)));
}

/** A photo's address without the signature in its query, or its absolute path. */
function toPlace(url: string, folder: string | null): string {
  try {
    const { protocol, origin, pathname } = new URL(url);
    return protocol === 'file:' ? fileURLToPath(url) : `${origin}${pathname}`;
  } catch {
    return folder === null ? url : path.resolve(folder, url);
  }
}
