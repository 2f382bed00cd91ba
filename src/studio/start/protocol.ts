/**
 * What the start page and its server say to each other, as JSON. Types only: page and server both import this file. Who
 * is let in, and how a request is refused, is as in `editor/protocol.ts`.
 *
 *     GET  /api/start                          -> StartState
 *     GET  /api/events?page=NAME               SSE: `state` with the StartState once, `ping` every 20 s
 *     GET  /api/posters/:key                   -> image/jpeg
 *     GET  /api/folders?at=Pictures/shoot      -> FolderView; 404 Problem
 *     POST /api/open      OpenRequest          -> OpenAnswer; 404, 422 Problem
 *     POST /api/files?draft=NAME&name=kitchen.jpg   bytes of a photo -> AddedFile; 422 Problem
 *     POST /api/imports?name=listings.csv      bytes of MLS data -> ImportView; 422 Problem
 */

export interface StartState {
  /** The latest first. */
  readonly recent: readonly RecentListing[];
  /** Where new listings go, as people write it: `~/Videos/Listing Videos`. */
  readonly folder: string;
}

export interface RecentListing {
  /** Names the listing in requests. */
  readonly key: string;
  readonly title: string;
  /** Its folder, as people write it. */
  readonly place: string;
  /** ISO 8601. */
  readonly opened_at: string;
  /** Path on this server; null: there is no picture yet. */
  readonly poster: string | null;
}

/** A folder below the home folder. Hidden ones, and links that lead out of it, are left out. */
export interface FolderView {
  /** From the home folder, with `/` between the names; empty for itself. */
  readonly at: string;
  readonly photos: number;
  readonly has_listing: boolean;
  readonly folders: readonly FolderEntry[];
  /** Folders beyond those that are shown. */
  readonly more: number;
}

export interface FolderEntry {
  readonly name: string;
  /** By the names of files. */
  readonly photos: number;
  readonly has_listing: boolean;
}

export type OpenRequest =
  /** One of {@link StartState.recent}, or that an import has made. */
  | { readonly listing: string }
  /** {@link FolderView.at}. */
  | { readonly folder: string; readonly street?: string }
  /** The name under which the page has sent photos. */
  | { readonly draft: string; readonly street?: string }
  | { readonly sample: true };

export interface OpenAnswer {
  /** The studio of the listing. Works once. */
  readonly url: string;
}

export interface ImportView {
  /** Where the listings are, as people write it. */
  readonly folder: string;
  readonly listings: readonly ImportedListing[];
}

export interface ImportedListing {
  /** For {@link OpenRequest}; null when there is no file to open. */
  readonly key: string | null;
  /** The id in the MLS, else the place in the file. */
  readonly name: string;
  readonly state: 'written' | 'unchanged' | 'kept' | 'skipped' | 'invalid';
  readonly photos: number;
  /** Why it was skipped, kept or is invalid. */
  readonly reasons: readonly string[];
}
