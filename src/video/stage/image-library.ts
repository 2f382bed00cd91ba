/**
 * The images of a listing that is edited: each is fetched and decoded once, and again when its file changes. Reading
 * goes on while the listing is edited; only what no listing needs any more is stopped.
 */
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_ASSET_LIMITS } from '../../media/assets/asset-limits.ts';
import {
  type CollectedAssets,
  collectAssets,
  type ImageOutcome,
  imageKey,
  type NamedImages,
  photoUrls,
} from '../../media/assets/collect-assets.ts';
import { prepareAssets } from '../../media/assets/prepare-assets.ts';
import { localPathOf } from '../../media/assets/read-local-asset.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { freshCache } from '../../platform/disk/cache/fresh-cache.ts';
import { errnoOf } from '../../platform/disk/disk-error.ts';
import { createSemaphore, type Semaphore } from '../make/semaphore.ts';
import type { RenderDeps } from '../render-deps.ts';

/** An image of the network that could not be reached is asked for again with an edit after this time. */
const RETRY_MS = 30_000;

interface LibraryImage {
  readonly outcome: ImageOutcome;
  /** Size and time of the local file; changes with it. */
  readonly stamp: string;
  readonly atMs: number;
}

interface Batch {
  readonly keys: Set<string>;
  readonly stopper: AbortController;
  readonly done: Promise<void>;
}

type Kind = 'photo' | 'graphic';

export interface ImageLibraryOptions {
  readonly deps: RenderDeps;
  /** Existing; gets the masters, which stay until it is removed. */
  readonly workDir: string;
  readonly baseDir: string | null;
  /** Called after each image, and when reading ends. */
  readonly onChange: () => void;
}

export class ImageLibrary {
  readonly #options: ImageLibraryOptions;
  readonly #limits;
  readonly #decodes: Semaphore;
  readonly #images = new Map<string, LibraryImage>();
  readonly #digests = new Map<string, ImageOutcome>();
  readonly #batches = new Set<Batch>();
  #wanted: ReadonlyMap<string, { readonly kind: Kind; readonly url: string }> = new Map();
  #batchNumber = 0;
  #failure: unknown = null;

  constructor(options: ImageLibraryOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_ASSET_LIMITS, ...options.deps.assetLimits };
    this.#decodes = options.deps.decodeSlots ?? createSemaphore(Math.max(1, options.deps.concurrency));
  }

  /** True while images are read. */
  get isReading(): boolean {
    return this.#batches.size > 0;
  }

  /** Why the last images could not be read at all, such as a full disk; null when they could. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Starts to read what is not known yet, and stops what is not needed. */
  async want(images: NamedImages): Promise<void> {
    const wanted = new Map<string, { kind: Kind; url: string }>();
    const add = (kind: Kind, urls: readonly { readonly url: string }[]): void => {
      for (const { url } of urls) wanted.set(imageKey(kind, url), { kind, url });
    };
    add('photo', photoUrls(images.assets));
    add('photo', images.pictures);
    add('graphic', images.logos);
    this.#wanted = wanted;
    for (const batch of this.#batches) {
      if (![...batch.keys].some((key) => wanted.has(key))) batch.stopper.abort();
    }
    const stamps = new Map(
      await Promise.all([...wanted].map(async ([key, { url }]) => [key, await this.#stampOf(url)] as const)),
    );
    const isBeingRead = (key: string) =>
      [...this.#batches].some(({ keys, stopper }) => !stopper.signal.aborted && keys.has(key));
    const unread = [...wanted].filter(([key]) => {
      const known = this.#images.get(key);
      return (known?.stamp !== stamps.get(key) || this.#isRetryDue(known)) && !isBeingRead(key);
    });
    if (unread.length > 0) this.#read(new Map(unread), stamps, this.#options.deps.cache);
  }

  /** True if a file of the images that are wanted is not the one that was read. */
  async haveFilesChanged(): Promise<boolean> {
    const changed = [...this.#wanted].map(async ([key, { url }]) => {
      const known = this.#images.get(key);
      return known !== undefined && known.stamp !== (await this.#stampOf(url));
    });
    return (await Promise.all(changed)).includes(true);
  }

  /** What is known of these images so far. */
  collect(images: NamedImages): CollectedAssets {
    return collectAssets(images, this.#limits, this.#outcomes());
  }

  find(kind: Kind, url: string): ImageOutcome | undefined {
    return this.#images.get(imageKey(kind, url))?.outcome;
  }

  findByDigest(digest: string): Exclude<ImageOutcome, Error> | undefined {
    const outcome = this.#digests.get(digest);
    return outcome === undefined || outcome instanceof Error ? undefined : outcome;
  }

  /** Waits until nothing is read. */
  async settled(): Promise<void> {
    while (this.#batches.size > 0) await Promise.all([...this.#batches].map(({ done }) => done));
  }

  async close(): Promise<void> {
    for (const { stopper } of this.#batches) stopper.abort();
    await this.settled();
  }

  #nowMs(): number {
    return this.#options.deps.clock.monotonicMs();
  }

  #isRetryDue(known: LibraryImage | undefined): boolean {
    if (known === undefined || known.stamp !== '' || !(known.outcome instanceof Error)) return false;
    const { code } = known.outcome;
    return (code === 'unreachable' || code === 'timeout') && this.#nowMs() - known.atMs > RETRY_MS;
  }

  #outcomes(): Map<string, ImageOutcome> {
    return new Map([...this.#images].map(([key, { outcome }]) => [key, outcome]));
  }

  async #stampOf(url: string): Promise<string> {
    const file = localPathOf(url, this.#options.baseDir);
    if (file === null) return '';
    return stat(file).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      (error: unknown) => errnoOf(error) ?? 'unreadable',
    );
  }

  #read(
    jobs: ReadonlyMap<string, { readonly kind: Kind; readonly url: string }>,
    stamps: ReadonlyMap<string, string>,
    cache: DiskCache,
  ): void {
    const stopper = new AbortController();
    const keys = new Set(jobs.keys());
    const damaged = new Map<string, { readonly kind: Kind; readonly url: string }>();
    const workDir = path.join(this.#options.workDir, `batch-${this.#batchNumber++}`);
    const take = async (key: string, outcome: ImageOutcome): Promise<void> => {
      const adopted = await this.#adopt(outcome);
      if (adopted === null) damaged.set(key, jobs.get(key)!);
      else {
        this.#images.set(key, { outcome: adopted, stamp: stamps.get(key)!, atMs: this.#nowMs() });
        if (!(adopted instanceof Error)) this.#digests.set(adopted.image.digest, adopted);
        keys.delete(key);
        this.#options.onChange();
      }
    };
    const batch: Batch = {
      keys,
      stopper,
      done: this.#prepare([...jobs.values()], { workDir, cache, stopper, take }).finally(() => {
        this.#batches.delete(batch);
        if (damaged.size > 0 && !stopper.signal.aborted) this.#read(damaged, stamps, freshCache(cache));
        this.#options.onChange();
      }),
    };
    this.#batches.add(batch);
  }

  async #prepare(
    jobs: readonly { readonly kind: Kind; readonly url: string }[],
    batch: {
      readonly workDir: string;
      readonly cache: DiskCache;
      readonly stopper: AbortController;
      readonly take: (key: string, outcome: ImageOutcome) => Promise<void>;
    },
  ): Promise<void> {
    const { deps, baseDir } = this.#options;
    const { signal } = batch.stopper;
    const ofKind = (kind: Kind) => jobs.filter((job) => job.kind === kind).map(({ url }) => ({ url }));
    try {
      await mkdir(batch.workDir, { recursive: true });
      await prepareAssets({
        ...{ assets: ofKind('photo'), pictures: [], logos: ofKind('graphic'), baseDir },
        ...(deps.assetLimits === undefined ? {} : { limits: deps.assetLimits }),
        policy: deps.addressPolicy,
        proxies: deps.proxies ?? null,
        cache: batch.cache,
        workDir: batch.workDir,
        concurrency: deps.concurrency,
        limitDecode: (work) => this.#decodes.run(work, signal),
        signal,
        onImage: batch.take,
      });
      this.#failure = null;
    } catch (error) {
      if (!signal.aborted) this.#failure = error;
    } finally {
      await rm(batch.workDir, { recursive: true, force: true });
    }
  }

  /** Keeps the master beyond its batch. Null for a damaged one from the cache. */
  async #adopt(outcome: ImageOutcome): Promise<ImageOutcome | null> {
    if (outcome instanceof Error) return outcome;
    const { image, isFresh } = outcome;
    if (!isFresh && !(await image.isIntact())) return null;
    const masterPath = path.join(this.#options.workDir, path.basename(image.masterPath));
    await link(image.masterPath, masterPath).catch(async (error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') await copyFile(image.masterPath, masterPath);
    });
    return { isFresh, image: { ...image, masterPath } };
  }
}
