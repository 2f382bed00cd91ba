/** Keeps photos in kernel memory, scaled for their use: loaded before their scene, freed after it. All in YUV. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Photo } from '../../../design/photo.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type PlaneUse, useKey } from '../compose/plane-use.ts';
import { type Enlarger, enlargePlane, LUMA_SHARPENING } from './enlarge-plane.ts';
import { gradePlanes } from './grade-planes.ts';

import { type Size, scalePlane } from './sharp-pixels.ts';

/** One photo at one size. Rows without padding. */
export interface PhotoPlanes {
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Luma px between the left edge and the first chroma site: 1/2 in a master, less when reduced, more when enlarged.
   */
  readonly chromaSiteX: number;
  readonly planes: readonly [PhotoPlane, PhotoPlane, PhotoPlane];
}

interface PhotoPlane {
  readonly address: number;
  readonly w: number;
  readonly h: number;
}

/** A plane in a master, and its place in kernel memory. */
interface PlaneToFill {
  readonly file: FileHandle;
  /** In the file. */
  readonly position: number;
  readonly from: Size;
  readonly address: number;
  readonly to: Size;
  /** Where it is enlarged. */
  readonly sharpening: number;
}

interface Entry {
  readonly use: PlaneUse;
  readonly loading: Promise<void>;
  planes?: PhotoPlanes;
  block?: number;
  isDropped: boolean;
}

/** @throws {@link ListingVideoError} `render_failed` when the master is missing or has the wrong length. */
async function openMaster(photo: Photo): Promise<FileHandle> {
  const context = { url: photo.url, masterPath: photo.masterPath };
  let file: FileHandle;
  try {
    file = await open(photo.masterPath);
  } catch (cause) {
    throw new ListingVideoError('render_failed', `The decoded photo ${photo.masterPath} cannot be read.`, {
      cause,
      context,
    });
  }
  const expected = (photo.widthPx * photo.heightPx * 3) / 2;
  const { size } = await file.stat();
  if (size === expected) return file;
  await file.close();
  throw new ListingVideoError(
    'render_failed',
    `The decoded photo ${photo.masterPath} should hold ${expected} bytes, but holds ${size}.`,
    { context },
  );
}

async function readInto(file: FileHandle, target: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < target.length) {
    const { bytesRead } = await file.read(target, done, target.length - done, position + done);
    if (bytesRead === 0)
      throw new ListingVideoError('render_failed', 'A decoded photo was cut off while it was read.');
    done += bytesRead;
  }
}

/**
 * The photos in a thread's kernel memory, shared by its render jobs: the cards of many agents follow the same photo,
 * which is scaled once for all.
 */
export class PhotoPlaneStore {
  readonly #kernel: Enlarger;
  /** What each renderer needs now. */
  readonly #claims = new Map<object, readonly PlaneUse[]>();
  readonly #entries = new Map<string, Entry>();
  /** Photos load one after the other through one buffer: buffers must not pile up until they are collected. */
  #buffer = Buffer.alloc(0);
  #queue: Promise<unknown> = Promise.resolve();

  readonly #keptBytes: number;

  /** @param keptBytes - Photos that no renderer needs stay up to this size together, the last used ones. */
  constructor(kernel: Enlarger, keptBytes = 0) {
    this.#kernel = kernel;
    this.#keptBytes = keptBytes;
  }

  /**
   * Resolves when all of `uses` are loaded.
   *
   * @param photos - By digest; must hold those of `uses`.
   * @throws {@link ListingVideoError} `render_failed` when a master is missing or has the wrong length.
   */
  async load(uses: readonly PlaneUse[], photos: ReadonlyMap<string, Photo>): Promise<void> {
    await Promise.all(uses.map((use) => this.#entry(use, photos.get(use.digest)).loading));
  }

  /** Says that `user` now needs `uses` and no others; frees what no user needs. */
  retain(user: object, uses: readonly PlaneUse[]): void {
    this.#claims.set(user, uses);
    const needed = new Set([...this.#claims.values()].flat().map(useKey));
    for (const key of needed) this.#touch(key);
    let keptBytes = 0;
    // The last used first.
    for (const [key, entry] of [...this.#entries].reverse()) {
      if (needed.has(key)) continue;
      keptBytes += (entry.use.widthPx * entry.use.heightPx * 3) / 2;
      if (keptBytes > this.#keptBytes) this.#drop(key, entry);
    }
  }

  /** Makes it the last used. */
  #touch(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** Forgets `user`. Its photos stay until the next `retain`: the next job often starts where this one ended. */
  release(user: object): void {
    this.#claims.delete(user);
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    entry.isDropped = true;
    if (entry.block !== undefined) this.#kernel.memory.free(entry.block);
  }

  /** @throws {@link ListingVideoError} `render_failed` when it is not loaded. */
  planesOf(use: PlaneUse): PhotoPlanes {
    const planes = this.#entries.get(useKey(use))?.planes;
    if (planes !== undefined) return planes;
    throw new ListingVideoError('render_failed', `Photo ${use.digest} is not loaded.`);
  }

  #entry(use: PlaneUse, photo: Photo | undefined): Entry {
    const key = useKey(use);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const created: Entry = {
        use,
        isDropped: false,
        loading: this.#queue.then(() => this.#fill(created, photo)),
      };
      // A failed load that nobody awaits yet (loading ahead) must not end the thread; the frame that needs it gets the
      // error. The entry is dropped: the next job may bring a master that can be read.
      this.#queue = created.loading.catch(() => {
        if (this.#entries.get(key) === created) this.#drop(key, created);
      });
      this.#entries.set(key, created);
      entry = created;
    }
    return entry;
  }

  /** Loads one photo, plane by plane. */
  async #fill(entry: Entry, photo: Photo | undefined): Promise<void> {
    const { use } = entry;
    if (entry.isDropped) return;
    if (photo === undefined) {
      throw new ListingVideoError('render_failed', `Photo ${use.digest} was not handed in.`);
    }
    const file = await openMaster(photo);
    const block = this.#kernel.memory.allocate((use.widthPx * use.heightPx * 3) / 2);
    try {
      const planes: PhotoPlane[] = [];
      let [address, position] = [block, 0];
      for (const half of [1, 2, 2]) {
        const from = { widthPx: photo.widthPx / half, heightPx: photo.heightPx / half };
        const to = { widthPx: use.widthPx / half, heightPx: use.heightPx / half };
        const sharpening = half === 1 ? LUMA_SHARPENING : 0;
        await this.#fillPlane({ file, position, from, address, to, sharpening });
        planes.push({ address, w: to.widthPx, h: to.heightPx });
        address += to.widthPx * to.heightPx;
        position += from.widthPx * from.heightPx;
      }
      if (use.grade !== undefined) {
        const yuv = this.#kernel.memory.view(block, (use.widthPx * use.heightPx * 3) / 2);
        gradePlanes(yuv, use.widthPx, use.heightPx, use.grade);
      }
      if (entry.isDropped) {
        this.#kernel.memory.free(block);
        return;
      }
      entry.block = block;
      entry.planes = {
        widthPx: use.widthPx,
        heightPx: use.heightPx,
        chromaSiteX: (0.5 * use.widthPx) / photo.widthPx,
        planes: planes as unknown as PhotoPlanes['planes'],
      };
    } catch (error) {
      this.#kernel.memory.free(block);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #fillPlane({ file, position, from, address, to, sharpening }: PlaneToFill): Promise<void> {
    const { memory } = this.#kernel;
    const [fromBytes, toBytes] = [from.widthPx * from.heightPx, to.widthPx * to.heightPx];
    if (from.widthPx === to.widthPx && from.heightPx === to.heightPx) {
      await readInto(file, memory.view(address, toBytes), position);
      return;
    }
    if (to.widthPx > from.widthPx) {
      const source = memory.allocate(fromBytes);
      try {
        await readInto(file, memory.view(source, fromBytes), position);
        enlargePlane(this.#kernel, source, from, address, to, sharpening);
      } finally {
        memory.free(source);
      }
      return;
    }
    if (this.#buffer.length < fromBytes) this.#buffer = Buffer.allocUnsafeSlow(fromBytes);
    const source = this.#buffer.subarray(0, fromBytes);
    await readInto(file, source, position);
    memory.bytes.set(await scalePlane(source, from, to), address);
  }
}
