/** Photos in kernel memory, scaled for their use, loaded ahead of their scene and freed behind it. YUV all the way. */
import { readFile } from 'node:fs/promises';
import type { Photo } from '../assets/photo.ts';
import { ListingVideoError } from '../errors.ts';
import type { KernelMemory } from './kernel/kernel-memory.ts';
import { type PlaneUse, useKey } from './plan-photo-planes.ts';
import { scalePlane } from './sharp-pixels.ts';

/** One photo at one size. Rows without padding. */
export interface PhotoPlanes {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Luma px between the left edge and the first chroma site: 1/2 in a master, less in what was reduced from one. */
  readonly chromaSiteX: number;
  readonly planes: readonly [PhotoPlane, PhotoPlane, PhotoPlane];
}

export interface PhotoPlane {
  readonly address: number;
  readonly w: number;
  readonly h: number;
}

interface Entry {
  readonly use: PlaneUse;
  readonly loading: Promise<void>;
  planes?: PhotoPlanes;
  block?: number;
  isDropped: boolean;
}

async function readMaster(photo: Photo): Promise<Buffer> {
  let bytes: Buffer;
  try {
    bytes = await readFile(photo.masterPath);
  } catch (cause) {
    throw new ListingVideoError('render_failed', `The decoded photo ${photo.masterPath} cannot be read.`, {
      cause,
      context: { url: photo.url, masterPath: photo.masterPath },
    });
  }
  const expected = (photo.widthPx * photo.heightPx * 3) / 2;
  if (bytes.length !== expected) {
    throw new ListingVideoError(
      'render_failed',
      `The decoded photo ${photo.masterPath} should hold ${expected} bytes, but holds ${bytes.length}.`,
      { context: { url: photo.url, masterPath: photo.masterPath } },
    );
  }
  return bytes;
}

/** Y, U and V of `photo` at the size of `use`, one after the other. */
async function loadPlanes(photo: Photo, use: PlaneUse): Promise<Uint8Array[]> {
  const master = await readMaster(photo);
  const luma = photo.widthPx * photo.heightPx;
  const planes = [
    master.subarray(0, luma),
    master.subarray(luma, (luma * 5) / 4),
    master.subarray((luma * 5) / 4),
  ];
  if (use.widthPx === photo.widthPx) return planes;
  const scaled: Uint8Array[] = [];
  // One after the other: three at once would only triple the memory.
  for (const [index, plane] of planes.entries()) {
    const half = index === 0 ? 1 : 2;
    const from = { widthPx: photo.widthPx / half, heightPx: photo.heightPx / half };
    const to = { widthPx: use.widthPx / half, heightPx: use.heightPx / half };
    scaled.push(await scalePlane(plane, from, to));
  }
  return scaled;
}

/** The photos of one render job that lie in kernel memory. */
export class PhotoPlaneStore {
  readonly #memory: KernelMemory;
  readonly #photos: ReadonlyMap<string, Photo>;
  readonly #entries = new Map<string, Entry>();

  constructor(memory: KernelMemory, photos: ReadonlyMap<string, Photo>) {
    this.#memory = memory;
    this.#photos = photos;
  }

  /**
   * Resolves when all of `uses` are loaded.
   *
   * @throws {@link ListingVideoError} `render_failed` when a master is missing or has the wrong length.
   */
  async load(uses: readonly PlaneUse[]): Promise<void> {
    await Promise.all(uses.map((use) => this.#entry(use).loading));
  }

  /** Frees all photos but those of `uses`. */
  retain(uses: readonly PlaneUse[]): void {
    const kept = new Set(uses.map(useKey));
    for (const [key, entry] of this.#entries) {
      if (kept.has(key)) continue;
      this.#entries.delete(key);
      entry.isDropped = true;
      if (entry.block !== undefined) this.#memory.free(entry.block);
    }
  }

  /**
   * The smallest loaded version of a photo that has at least `widthPx` pixels across, else the largest.
   *
   * @throws {@link ListingVideoError} `render_failed` when none is loaded.
   */
  pick(digest: string, widthPx: number): PhotoPlanes {
    let best: PhotoPlanes | undefined;
    for (const { use, planes } of this.#entries.values()) {
      if (use.digest !== digest || planes === undefined) continue;
      const [suits, bestSuits] = [planes.widthPx >= widthPx, (best?.widthPx ?? 0) >= widthPx];
      const isSmaller = planes.widthPx < (best?.widthPx ?? 0);
      if (best === undefined || (suits ? !bestSuits || isSmaller : !bestSuits && !isSmaller)) best = planes;
    }
    if (best === undefined) throw new ListingVideoError('render_failed', `Photo ${digest} is not loaded.`);
    return best;
  }

  #entry(use: PlaneUse): Entry {
    const key = useKey(use);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const created: Entry = {
        use,
        isDropped: false,
        loading: Promise.resolve().then(() => this.#fill(created)),
      };
      // A failed load that nobody awaits yet (loading ahead) must not end the thread; whoever needs it gets the error.
      created.loading.catch(() => {});
      this.#entries.set(key, created);
      entry = created;
    }
    return entry;
  }

  async #fill(entry: Entry): Promise<void> {
    const { use } = entry;
    const photo = this.#photos.get(use.digest);
    if (photo === undefined) {
      throw new ListingVideoError('render_failed', `Photo ${use.digest} was not handed in.`);
    }
    const loaded = await loadPlanes(photo, use);
    if (entry.isDropped) return;
    let address = this.#memory.allocate(loaded.reduce((sum, plane) => sum + plane.length, 0));
    entry.block = address;
    const planes = loaded.map((plane, index): PhotoPlane => {
      const half = index === 0 ? 1 : 2;
      const placed = { address, w: use.widthPx / half, h: use.heightPx / half };
      this.#memory.bytes.set(plane, address);
      address += plane.length;
      return placed;
    });
    entry.planes = {
      widthPx: use.widthPx,
      heightPx: use.heightPx,
      chromaSiteX: (0.5 * use.widthPx) / photo.widthPx,
      planes: planes as unknown as PhotoPlanes['planes'],
    };
  }
}
