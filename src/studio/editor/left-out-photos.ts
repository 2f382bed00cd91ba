/**
 * Photos that were left out of the listing. They are no part of it, so the data folder remembers them, by the place of
 * the listing file. Losing that file loses no photo, only the list of those to bring back.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { captionLayer } from '../../listing/words/caption-layer.ts';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import {
  isListedPhoto,
  type ListedPhoto,
  type ListingObject,
  leftOutBy,
  photoFiles,
  photosOf,
} from '../document/json.ts';

const MAX_LEFT_OUT = 500;
const VERSION = 1;

export class LeftOutPhotos {
  readonly #file: string;
  readonly #onError: (error: unknown) => void;
  #assets: readonly ListedPhoto[];
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, assets: readonly ListedPhoto[], onError: (error: unknown) => void) {
    this.#file = file;
    this.#assets = assets;
    this.#onError = onError;
  }

  /**
   * @param home - The data folder.
   * @param listingFile - Absolute.
   * @param onError - Called when the list cannot be written. It is kept in memory.
   */
  static async open(
    home: string,
    listingFile: string,
    onError: (error: unknown) => void,
  ): Promise<LeftOutPhotos> {
    const name = createHash('sha256').update(listingFile).digest('hex').slice(0, 32);
    const file = path.join(home, 'studio', `${name}.json`);
    const assets = await readFile(file, 'utf8').then(parse, () => []);
    return new LeftOutPhotos(file, assets, onError);
  }

  /** Those that the listing does not have, newest first. An original comes and goes with its altered photo. */
  of(document: ListingObject): readonly ListedPhoto[] {
    return leftOutBy(document, this.#assets);
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
    this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    await makeFolder(path.dirname(this.#file), false);
    const text = JSON.stringify({ version: VERSION, left_out: this.#assets });
    await writeFileAtomically(this.#file, text, { durable: false });
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

function parse(text: string): ListedPhoto[] {
  try {
    const { left_out: assets } = JSON.parse(text) as { readonly left_out?: unknown };
    return Array.isArray(assets) ? assets.filter(isListedPhoto) : [];
  } catch {
    return [];
  }
}
