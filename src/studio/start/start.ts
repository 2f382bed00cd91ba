/**
 * The start page's work: the listings of before, new ones of photos, of MLS data and of the sample, and the studios of
 * those that are open. Knows no HTTP.
 */
import { realpath, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { removeAbandoned } from '../../platform/disk/owned-folder.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { addFile } from '../editor/add-file.ts';
import { LISTING_NAME } from '../editor/first-listing.ts';
import { memoryFolder, memoryName, pictureBeside } from '../editor/studio-memory.ts';
import { folderInHome } from './list-folders.ts';
import { makeNewFolder, shownPath } from './new-folder.ts';
import type { ImportedListing, ImportView, OpenRequest, StartState } from './protocol.ts';
import { readRecent } from './recent-listings.ts';

/** A listing file, or a folder of photos that gets one. `street`: of the house, where somebody said it. */
export type Place = { readonly listing: string } | { readonly photos: string; readonly street?: string };

/** The studio of a listing. */
export interface OpenListing {
  /** Absolute. */
  readonly listingFile: string;
  /** Each time another address, which works once. */
  readonly urlToOpen: string;
  /** Resolves when its pages have been closed for a while and nothing is being done. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** What an import says of one record. */
export interface ImportEntry extends Pick<ImportedListing, 'state' | 'photos' | 'reasons'> {
  readonly source: string;
  readonly listing_id: string | null;
  /** Absolute. */
  readonly file: string | null;
}

export interface StartOptions {
  /** The data folder. */
  readonly home: string;
  readonly homeDir: string;
  /** Where new listings go, absolute. */
  readonly root: string;
  /** The folder of all videos, if the person has set one. Else they go beside their listing. */
  readonly out: string | null;
  /** Null: the folder has files, and none is a photo. `other`: the address of a studio that has it open already. */
  readonly openListing: (
    place: Place,
    out: string,
  ) => Promise<OpenListing | { readonly other: string } | null>;
  /** Why a photo cannot be used; null when it can. */
  readonly checkPhoto: (bytes: Uint8Array) => Promise<string | null>;
  /** Makes listings in `out` of MLS data. @throws {@link ListingVideoError} */
  readonly importFile: (name: string, bytes: Uint8Array, out: string) => Promise<readonly ImportEntry[]>;
  /** Copies the sample into an empty folder. */
  readonly copySample: (folder: string) => Promise<void>;
  readonly nowMs: () => number;
}

export class Start {
  readonly #options: StartOptions;
  /** By their listing file. */
  readonly #open = new Map<string, OpenListing>();
  /** Files that an import has made, by their keys. */
  readonly #imported = new Map<string, string>();
  /** Folders of photos that pages have sent, by the names that the pages gave them. */
  readonly #drafts = new Map<string, Promise<string>>();
  /** Photos that are being written, on the disk of their folders. */
  #incoming: Promise<TemporaryFolder> | null = null;
  /** One after the other: two clicks open one studio. */
  readonly #inTurn = pLimit(1);
  #working = 0;

  constructor(options: StartOptions) {
    this.#options = options;
  }

  /** Something goes on that is not to end with the last page. */
  get isBusy(): boolean {
    return this.#open.size > 0 || this.#working > 0;
  }

  async state(): Promise<StartState> {
    const { home, homeDir, root } = this.#options;
    const recent = await readRecent(home, homeDir);
    return {
      recent: recent.map(({ listingFile, out, ...shown }) => shown),
      folder: shownPath(root, homeDir),
    };
  }

  /** Absolute path of the picture of a listing, which need not exist. Null for what is no key. */
  locatePoster(key: string): string | null {
    const isKey = /^[0-9a-f]{32}$/.test(key);
    return isKey ? pictureBeside(path.join(memoryFolder(this.#options.home), `${key}.json`)) : null;
  }

  /**
   * @returns The address of its studio, which works once.
   * @throws {@link ListingVideoError} `file_not_found`, `invalid_listing`; what opening throws.
   */
  open(request: OpenRequest): Promise<string> {
    return this.#inTurn(() => this.#work(() => this.#openNow(request)));
  }

  /**
   * Keeps a photo for the listing that the page is about to open.
   *
   * @param draft - The name that the page gave it.
   * @param words - For the name of the folder; may be empty.
   * @returns How the listing will name it, or why it cannot be used.
   */
  addPhoto(draft: string, words: string, name: string, bytes: Uint8Array) {
    return this.#work(async (): Promise<{ readonly url: string } | { readonly problem: string }> => {
      const problem = await this.#options.checkPhoto(bytes);
      if (problem !== null) return { problem: `it cannot be used: ${problem}` };
      const folder = this.#drafts.get(draft) ?? this.#makeFolder(words);
      this.#drafts.set(draft, folder);
      folder.catch(() => this.#drafts.delete(draft));
      this.#incoming ??= folder.then(() => openTemporaryFolder(this.#incomingRoot, null, incomingLost));
      const aside = (await this.#incoming).path;
      return { url: await addFile(await folder, { name, purpose: 'photo', bytes, aside }) };
    });
  }

  /** @throws {@link ListingVideoError} When the file is none that can be imported. */
  import(name: string, bytes: Uint8Array): Promise<ImportView> {
    const { root, homeDir, importFile } = this.#options;
    return this.#work(async () => {
      const entries = await importFile(name, bytes, root);
      const listings = entries.map(
        ({ source, listing_id, state, file, photos, reasons }): ImportedListing => {
          const key = file === null ? null : memoryName(file);
          if (file !== null && key !== null) this.#imported.set(key, file);
          return { key, name: listing_id ?? source, state, photos, reasons };
        },
      );
      return { folder: shownPath(root, homeDir), listings };
    });
  }

  /** Closes the studios of all listings, also of one that is being opened. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all([...this.#open.values()].map((studio) => studio.close()));
      this.#open.clear();
      await (await this.#incoming)?.close();
      await rmdir(this.#incomingRoot).catch(() => {});
    });
  }

  /** Removes what a process left that was killed while it wrote a photo. */
  async removeLeftovers(): Promise<void> {
    await removeAbandoned(this.#incomingRoot);
    await rmdir(this.#incomingRoot).catch(() => {});
  }

  get #incomingRoot(): string {
    return path.join(this.#options.root, '.incoming');
  }

  async #openNow(request: OpenRequest): Promise<string> {
    const { place, out } = await this.#find(request);
    const file = 'listing' in place ? await realpath(place.listing).catch(() => place.listing) : null;
    const before = file === null ? undefined : this.#open.get(file);
    if (before !== undefined) return before.urlToOpen;
    const folder = 'listing' in place ? path.dirname(place.listing) : place.photos;
    const own = this.#options.out ?? path.join(folder, 'videos');
    const opened = await this.#options.openListing(place, out ?? own);
    if (opened === null)
      throw new ListingVideoError('invalid_listing', 'this folder has no photos: choose another one');
    if ('draft' in request) this.#drafts.delete(request.draft);
    if ('other' in opened) return opened.other;
    this.#open.set(opened.listingFile, opened);
    void opened.closed.then(() => this.#closeListing(opened));
    return opened.urlToOpen;
  }

  async #closeListing(opened: OpenListing): Promise<void> {
    // In turn: a page that opens it again gets a new studio.
    await this.#inTurn(async () => {
      if (this.#open.delete(opened.listingFile)) await opened.close();
    });
  }

  async #find(request: OpenRequest): Promise<{ readonly place: Place; readonly out?: string | null }> {
    const { home, homeDir, copySample } = this.#options;
    if ('listing' in request) {
      const imported = this.#imported.get(request.listing);
      if (imported !== undefined) return { place: { listing: imported } };
      const known = (await readRecent(home, homeDir)).find(({ key }) => key === request.listing);
      if (known === undefined) throw gone('this listing is not there any more');
      return { place: { listing: known.listingFile }, out: known.out };
    }
    if ('sample' in request) {
      const folder = await this.#makeFolder('sample house');
      await copySample(folder);
      return { place: { listing: path.join(folder, LISTING_NAME) } };
    }
    const { street } = request;
    const said = street === undefined ? {} : { street };
    if ('draft' in request) {
      const photos = await this.#drafts.get(request.draft);
      if (photos === undefined) throw gone('no photo has come yet');
      return { place: { photos, ...said } };
    }
    const folder = folderInHome(homeDir, request.folder);
    if (folder === null) throw gone('this folder is not there any more');
    const listing = path.join(folder, LISTING_NAME);
    const hasListing = (await stat(listing).catch(() => null))?.isFile() === true;
    return { place: hasListing ? { listing } : { photos: folder, ...said } };
  }

  #makeFolder(words: string): Promise<string> {
    // Sweden writes dates as ISO 8601.
    const today = new Date(this.#options.nowMs()).toLocaleDateString('sv-SE');
    return makeNewFolder(this.#options.root, words, today);
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
    }
  }
}

function incomingLost(folder: string): ListingVideoError {
  return new ListingVideoError('output_unwritable', `the temporary folder ${folder} was removed`);
}

function gone(message: string): ListingVideoError {
  return new ListingVideoError('file_not_found', message);
}
