/** Where imported listings go: a folder with a listing.json for each, or a file or stream of one listing per line. */
import type { Listing } from '../../listing/listing.ts';

/** What became of a listing that was handed over. `kept`: a file that people have changed stays as it is. */
export type WriteState = 'written' | 'unchanged' | 'kept';

/** A listing that is there from an earlier import. */
export interface EarlierListing {
  /** As it is shown. */
  readonly file: string;
  /** A person changed it since then, and it is to stay. */
  readonly isKept: boolean;
  /** `ListingKey` of its property; null when that import knew none. */
  readonly key: string | null;
  /** The words that viewers read; null without one. */
  readonly status: string | null;
}

/** Takes one listing after the other. */
export interface ListingTarget {
  /** Absolute folder that the paths of photos in the listing are relative to. */
  folderOf(id: string): Promise<string>;
  /** Null for nothing, and for a target that is written anew. */
  earlier(id: string): Promise<EarlierListing | null>;
  /**
   * @param key - `ListingKey` of the property, by which a later import knows it.
   * @returns What became of it, and the file as it is shown; null for stdout.
   */
  write(
    id: string,
    listing: Listing,
    key: string | null,
  ): Promise<{ state: WriteState; file: string | null }>;
  close(): Promise<void>;
  /** Call it in place of `close` when the import ends early. */
  abandon(): Promise<void>;
}
