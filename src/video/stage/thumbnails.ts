/** Thumbnails of photos, portraits and logos, made from their masters; each once. */
import { readFile } from 'node:fs/promises';
import type { CachedImage } from '../../media/assets/photo-cache.ts';
import { writeRgba } from '../../media/render/color.ts';
import { scalePlane, scaleRgba } from '../../media/render/photos/sharp-pixels.ts';
import { loadSharp } from '../../platform/load-sharp.ts';
import { createSemaphore } from '../make/semaphore.ts';
import type { ThumbnailSize } from './stage.ts';

/** Longer side. */
const SIDES_PX: Readonly<Record<ThumbnailSize, number>> = { small: 320, large: 960 };
const QUALITY = 80;
/** About 15 kB each; a large one, of a photo that is looked at alone, 100 kB. */
const MAX_KEPT = 1_000;
/** Behind a light and a dark logo. */
const PLATES = { light: '#FFFFFF', dark: '#2B2B2B' } as const;

export class Thumbnails {
  readonly #made = new Map<string, Promise<Uint8Array>>();
  /** A master has 7 MB: not all are read at once. */
  readonly #turns = createSemaphore(2);
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** A JPEG. */
  provide(cached: CachedImage, size: ThumbnailSize): Promise<Uint8Array> {
    const key = `${cached.digest} ${size}`;
    const made =
      this.#made.get(key) ?? this.#turns.run(() => makeThumbnail(cached, SIDES_PX[size]), this.#signal);
    this.#made.delete(key);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    for (const oldest of [...this.#made.keys()].slice(0, -MAX_KEPT)) this.#made.delete(oldest);
    return made;
  }
}

async function makeThumbnail({ masterPath, image }: CachedImage, sidePx: number): Promise<Uint8Array> {
  const master = await readFile(masterPath);
  const { widthPx, heightPx } = image;
  const scale = Math.min(1, sidePx / Math.max(widthPx, heightPx));
  const size = {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
  const isPhoto = master.length === (widthPx * heightPx * 3) / 2;
  const rgba = isPhoto
    ? await photoPixels(master, image, size)
    : await scaleRgba(master, { widthPx, heightPx }, size);
  const sharp = await loadSharp();
  return sharp(rgba, { raw: { width: size.widthPx, height: size.heightPx, channels: 4 } })
    .flatten({ background: isLight(image.medianColor) ? PLATES.dark : PLATES.light })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

async function photoPixels(
  master: Uint8Array,
  { widthPx, heightPx }: CachedImage['image'],
  size: { readonly widthPx: number; readonly heightPx: number },
): Promise<Uint8Array> {
  const lumaBytes = widthPx * heightPx;
  const half = { widthPx: widthPx / 2, heightPx: heightPx / 2 };
  const [y, u, v] = await Promise.all([
    scalePlane(master.subarray(0, lumaBytes), { widthPx, heightPx }, size),
    scalePlane(master.subarray(lumaBytes, 1.25 * lumaBytes), half, size),
    scalePlane(master.subarray(1.25 * lumaBytes), half, size),
  ]);
  const rgba = new Uint8ClampedArray(4 * y.length);
  for (let i = 0; i < y.length; i += 1) writeRgba(rgba, 4 * i, y[i]!, u[i]!, v[i]!);
  return new Uint8Array(rgba.buffer);
}

/** @param color - `#RRGGBB`; null for an image that needs no plate. */
function isLight(color: string | null | undefined): boolean {
  if (color == null) return false;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 150;
}
