/** Where imported listings go: a folder with a listing.json for each, or a file or stream of one listing per line. */
import type { Listing } from '../../listing/listing.ts';

/** What became of a listing that was handed over. `kept`: a file that people have changed stays as it is. */
export type WriteState = 'written' | 'unchanged' | 'kept';

/** Takes one listing after the other. */
export interface ListingTarget {
  /** Absolute folder that the paths of photos in the listing are relative to. */
  folderOf(id: string): string;
  /** @returns What became of it, and the file as it is shown; null for stdout. */
  write(id: string, listing: Listing): Promise<{ state: WriteState; file: string | null }>;
  close(): Promise<void>;
  /** Call it in place of `close` when the import ends early. */
  abandon(): Promise<void>;
}
