/** Photos that were left out of the listing. They are no part of it, so the studio remembers them. */
import { captionLayer } from '../../listing/words/caption-layer.ts';
import {
  isListedPhoto,
  type ListedPhoto,
  type ListingObject,
  leftOutBy,
  photoFiles,
  photosOf,
} from '../document/json.ts';
import type { StudioMemory } from './studio-memory.ts';

/** Names only. A folder of a photographer can have thousands. */
const MAX_LEFT_OUT = 20_000;
/** Photos that are shown, and whose thumbnails are made, until the person asks for more. */
const SHOWN_AT_ONCE = 200;

export class LeftOutPhotos {
  readonly #memory: StudioMemory;
  #assets: readonly ListedPhoto[];
  #shown = SHOWN_AT_ONCE;

  constructor(memory: StudioMemory) {
    this.#memory = memory;
    const remembered = memory.get('left_out');
    this.#assets = Array.isArray(remembered) ? remembered.filter(isListedPhoto) : [];
  }

  /**
   * Those that the listing does not have, newest first. An original comes and goes with its altered photo.
   *
   * @returns Those that are shown, and how many more there are.
   */
  of(document: ListingObject): { readonly shown: readonly ListedPhoto[]; readonly more: number } {
    const all = leftOutBy(document, this.#assets);
    const shown = all.slice(0, this.#shown);
    return { shown, more: all.length - shown.length };
  }

  showMore(): void {
    this.#shown += SHOWN_AT_ONCE;
  }

  /** Remembers the photos that an edit removed, with the captions that they had, and originals that it removed. */
  notice(before: ListingObject, after: ListingObject): void {
    const kept = new Set(photoFiles(photosOf(after)));
    const listed: readonly unknown[] = Array.isArray(before.assets) ? before.assets : [];
    const removed = listed.flatMap((asset, index) =>
      isListedPhoto(asset) && !kept.has(asset.url) ? withCaption(asset, before, index) : [],
    );
    for (const url of photoFiles(removed)) kept.add(url);
    const originals = photoFiles(photosOf(before)).filter((url) => !kept.has(url));
    this.add([...removed, ...originals.map((url) => ({ url }))]);
  }

  /** Adds photos that the listing has no place for. */
  add(assets: readonly ListedPhoto[]): void {
    if (assets.length === 0) return;
    const urls = new Set(assets.map(({ url }) => url));
    this.#assets = [...assets, ...this.#assets.filter(({ url }) => !urls.has(url))].slice(0, MAX_LEFT_OUT);
    this.#memory.set('left_out', this.#assets);
  }
}

/** The caption that only an agent's data has is about a place of the listing, which the photo has no more. */
function withCaption(asset: ListedPhoto, { agents }: ListingObject, index: number): ListedPhoto {
  if (asset.caption !== undefined || !Array.isArray(agents)) return asset;
  const layer = captionLayer(index);
  const captions = agents.map((agent) => agent?.video_options?.template_data?.[layer] as unknown);
  const caption = captions.find((text) => typeof text === 'string' && text.trim() !== '');
  return caption === undefined ? asset : { ...asset, caption };
}
