/**
 * The asset stage: turns URLs and paths into checked, decoded images on disk, and reports why others were dropped.
 *
 * It decides the order of the checks; other files fetch, sniff, decode and compare. It never loads sharp.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import type { AddressPolicy } from '../../platform/network/guard-address.ts';
import type { NetworkDeps } from '../../platform/network/guarded-connector.ts';
import type { Proxies } from '../../platform/network/proxies.ts';
import { usableCpuCount } from '../../platform/settings/container-limits.ts';
import { type AssetLimits, DEFAULT_ASSET_LIMITS } from './asset-limits.ts';
import {
  type CollectedAssets,
  collectAssets,
  type ImageOutcome,
  type ImageOutcomes,
  imageKey,
  type NamedImages,
  photoUrls,
} from './collect-assets.ts';
import { DecodePool } from './decode/decode-process.ts';
import type { ImageKind } from './decode/decode-protocol.ts';
import { explainFormat, type SupportedFormat, sniffFormat } from './decode/sniff-format.ts';
import type { AssetFetcher, SourceFile } from './fetch-asset.ts';
import type { KnownImage } from './known-image.ts';
import { type CachedImage, imageDigest, PhotoCache } from './photo-cache.ts';
import { isNetworkUrl, readLocalAsset, toLocalPath } from './read-local-asset.ts';
import { UnusableAsset } from './unusable-asset.ts';

export interface AssetRequest extends NamedImages {
  /** Relative paths resolve against it; null forbids paths and `file:` URLs. */
  readonly baseDir: string | null;
  /** Where to read the local file of a URL; null where it must not be read. Absent: every file can be. */
  readonly pathToRead?: (file: string, url: string) => string | null;
  /**
   * The file that stands for a URL, which is then never fetched; null for every other URL.
   *
   * @param to - Where the file can be put if it is not on this machine. It is removed after its use.
   */
  readonly storedFile?: (url: string, to: string, signal: AbortSignal) => Promise<string> | null;
  /** Absent limits have their defaults. */
  readonly limits?: Partial<AssetLimits>;
  readonly policy: AddressPolicy;
  /** Absent: every connection is direct. */
  readonly proxies?: Proxies | null;
  /** What another worker found out about the same images: those that the cache has are neither fetched nor checked. */
  readonly known?: readonly KnownImage[] | undefined;
  /** Keeps the masters for later runs. */
  readonly cache: DiskCache;
  /** The task's own folder, created when absent. It gets the masters, so remove it only after their use. */
  readonly workDir: string;
  /** Maximum parallel downloads, and maximum parallel decodes. */
  readonly concurrency: number;
  /** Limits decoding over all listings of this process. Absent: this call has its own limit. */
  readonly limitDecode?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with each image as soon as it is known. Its master can be linked elsewhere until `workDir` is removed. */
  readonly onImage?: (key: string, outcome: ImageOutcome) => Promise<void>;
  /** For tests. */
  readonly network?: NetworkDeps;
}

export interface PreparedAssets extends Omit<CollectedAssets, 'reasons' | 'originalReasons'> {
  /** Number of images that were decoded; the others came from the cache. */
  readonly decodedCount: number;
  readonly known: readonly KnownImage[];
  share(cache: Pick<DiskCache, 'put'>): Promise<void>;
  /**
   * Reads the masters that came from the cache: until then only their sizes are known to be right. Call it before
   * pixels are used. False when one is damaged or cannot be read: the same request with an empty cache makes it again
   * at the same path.
   *
   * @throws The signal's reason.
   */
  areMastersIntact(): Promise<boolean>;
}

/** A decode is short and heavy, so more processes than this only cost memory. */
const MAX_DECODE_PROCESSES = 4;
/** A download is in memory until it is complete: 8 of 25 MiB each are 200 MiB at most. */
const MAX_DOWNLOADS = 8;

/**
 * Fetches, checks and decodes every image of a listing, each distinct URL once. Unusable assets are results, not
 * errors.
 *
 * @throws the signal's reason when aborted. After any error no process and no temporary file is left.
 * @throws {@link ListingVideoError} `disk_full`, `store_unwritable`, or `internal_error` when nothing can be decoded
 *   here.
 */
export async function prepareAssets(request: AssetRequest): Promise<PreparedAssets> {
  request.signal.throwIfAborted();
  const limits = { ...DEFAULT_ASSET_LIMITS, ...request.limits };
  const concurrency = Math.max(1, Math.floor(request.concurrency));
  const maxProcesses = Math.min(concurrency, MAX_DECODE_PROCESSES, usableCpuCount());
  const { workDir, known = [] } = request;
  // The sources in the work folder are links to the user's files, so the decode process writes to a folder of its own.
  const decodeDir = join(workDir, 'decoded');
  await mkdir(decodeDir, { recursive: true }).catch((cause) => {
    throw toStoreError(cause, decodeDir);
  });
  const stopper = new AbortController();
  // Opened only when needed: loading the packages of the network takes longer than a small run with local photos.
  const network: { opening?: Promise<AssetFetcher>; fetcher?: AssetFetcher } = {};
  const jobs = toJobs(request);
  const context: AssetContext = {
    ...request,
    limits,
    signal: AbortSignal.any([request.signal, stopper.signal]),
    photoCache: new PhotoCache(request.cache, { workDir, decodeDir }),
    knownImages: new Map(known.map((image) => [imageKey(image.kind, image.url), image])),
    openFetcher: async () => {
      network.opening ??= openFetcher(limits, request, jobs);
      network.fetcher = await network.opening;
      return network.fetcher;
    },
    isSlow: (url) => network.fetcher?.isSlow(url) === true,
    pool: new DecodePool({
      maxProcesses,
      timeoutMs: limits.decodeTimeoutMs,
      memoryLimitBytes: limits.decodeMemoryBytes,
      folders: { readDir: workDir, writeDir: decodeDir },
    }),
  };
  try {
    const outcomes = await runJobs(context, jobs, concurrency, stopper);
    return toPreparedAssets(request, limits, outcomes);
  } finally {
    await Promise.all([network.opening?.then((fetcher) => fetcher.close()), context.pool.close()]);
    await rm(decodeDir, { recursive: true, force: true });
  }
}

async function openFetcher(
  limits: AssetLimits,
  { policy, proxies, network }: AssetRequest,
  jobs: readonly Job[],
): Promise<AssetFetcher> {
  const { createAssetFetcher } = await import('./fetch-asset.ts');
  const photoCount = jobs.filter(({ url }) => isNetworkUrl(url)).length;
  return createAssetFetcher({ limits, policy, proxies, photoCount, network });
}

interface AssetContext extends Omit<AssetRequest, 'limits'> {
  readonly limits: AssetLimits;
  readonly photoCache: PhotoCache;
  readonly knownImages: ReadonlyMap<string, KnownImage>;
  readonly openFetcher: () => Promise<AssetFetcher>;
  /** True when photos of the host of this URL have timed out. */
  readonly isSlow: (url: string) => boolean;
  readonly pool: DecodePool;
}

interface Job {
  readonly url: string;
  readonly kind: ImageKind;
}

/** One job for each distinct URL and kind: a portrait that several agents share is downloaded once. */
function toJobs(request: AssetRequest): Job[] {
  const jobs = new Map<string, Job>();
  const add = (kind: ImageKind, urls: readonly { readonly url: string }[]) => {
    for (const { url } of urls) jobs.set(imageKey(kind, url), { kind, url });
  };
  add('photo', photoUrls(request.assets));
  add('photo', request.pictures);
  add('graphic', request.logos);
  return [...jobs.values()];
}

/**
 * Resolves when every job has ended. The first error of our own (not an unusable asset) stops the others and is thrown.
 */
async function runJobs(
  context: AssetContext,
  jobs: readonly Job[],
  concurrency: number,
  stopper: AbortController,
): Promise<ImageOutcomes> {
  const outcomes = new Map<string, ImageOutcome>();
  const downloads = pLimit(Math.min(concurrency, MAX_DOWNLOADS));
  const decodes = context.limitDecode ?? pLimit(concurrency);
  const waiting = [...jobs];
  const lane = async (): Promise<void> => {
    while (waiting.length > 0 && !context.signal.aborted) {
      // Photos of a host that times out come last: they must not use up the time of the others.
      const quick = waiting.findIndex(({ url }) => !context.isSlow(url));
      const [job] = waiting.splice(Math.max(0, quick), 1) as [Job];
      try {
        const key = imageKey(job.kind, job.url);
        const outcome = await prepareOne(context, job, downloads, decodes);
        outcomes.set(key, outcome);
        await context.onImage?.(key, outcome);
        context.onProgress?.(outcomes.size, jobs.length);
      } catch (error) {
        stopper.abort(error);
      }
    }
  };
  context.onProgress?.(0, jobs.length);
  // Twice as many jobs as downloads: the next image downloads while one is decoded.
  await Promise.all(Array.from({ length: Math.min(2 * concurrency, jobs.length) }, lane));
  context.signal.throwIfAborted();
  return outcomes;
}

type Limit = <T>(work: () => Promise<T>) => Promise<T>;

async function prepareOne(
  context: AssetContext,
  job: Job,
  downloads: Limit,
  decodes: Limit,
): Promise<ImageOutcome> {
  const known = context.knownImages.get(imageKey(job.kind, job.url));
  if (known !== undefined && 'code' in known) return new UnusableAsset(known.code, known.detail);
  if (known !== undefined) {
    const image = await context.photoCache.findMaster(known.digest, job.kind, known.image);
    if (image !== null) return { image, isFresh: false };
  }
  const temporary = join(context.workDir, `source-${randomUUID()}`);
  try {
    const source = await downloads(() => obtain(context, job.url, temporary));
    const format = requireFormat(source.head);
    const digest = imageDigest(source.sha256, job.kind);
    const cached = await context.photoCache.find(digest, job.kind);
    if (cached !== null) return { image: cached, isFresh: false };
    const image = await decodes(() => decode(context, job.kind, source, format, digest));
    return { image, isFresh: true };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof UnusableAsset) return error;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function obtain(context: AssetContext, url: string, temporary: string): Promise<SourceFile> {
  context.signal.throwIfAborted();
  const stored = (await context.storedFile?.(url, temporary, context.signal)) ?? null;
  const path = stored ?? toLocalPath(url, context.baseDir);
  if (path !== null) {
    const look = () => (stored === null && context.pathToRead ? context.pathToRead(path, url) : path);
    const allowed = look();
    const outside = 'the file is outside the folder of the listing';
    if (allowed === null) throw new UnusableAsset('blocked_address', outside);
    const source = await readLocalAsset(allowed, context.limits.maxBytes, context.signal);
    // A link that was put in its place meanwhile. Later ones do not count: the decoder compares the hash.
    if (look() !== allowed) throw new UnusableAsset('blocked_address', outside);
    // The decode process can read only this run's folder. A link there is enough; some file systems have no links.
    if (allowed !== temporary) {
      await symlink(allowed, temporary)
        .catch(() => copyFile(allowed, temporary))
        .catch((cause) => {
          throw toStoreError(cause, temporary);
        });
    }
    return { ...source, path: temporary };
  }
  return (await context.openFetcher()).fetch(url, temporary, context.signal);
}

/** @throws {@link UnusableAsset} `not_an_image` or `unsupported_format`. */
export function requireFormat(head: Buffer): SupportedFormat {
  const sniffed = sniffFormat(head);
  if (sniffed.kind === 'supported') return sniffed.format;
  if (sniffed.kind === 'not_an_image') throw new UnusableAsset('not_an_image', sniffed.what);
  throw new UnusableAsset('unsupported_format', explainFormat(sniffed)!);
}

async function decode(
  context: AssetContext,
  kind: ImageKind,
  source: SourceFile,
  format: SupportedFormat,
  digest: string,
): Promise<CachedImage> {
  const masterPath = context.photoCache.temporaryPath(digest);
  try {
    const image = await context.pool.decode(
      {
        kind,
        sourcePath: source.path,
        sourceSha256: source.sha256,
        format,
        maxPixels: context.limits.maxPixels,
        masterPath,
      },
      context.signal,
    );
    return await context.photoCache.adopt(digest, kind, masterPath, image);
  } catch (error) {
    await rm(masterPath, { force: true });
    throw error;
  }
}

/** The result of the call, once every image has an outcome. */
function toPreparedAssets(
  request: AssetRequest,
  limits: AssetLimits,
  outcomes: ImageOutcomes,
): PreparedAssets {
  const { reasons: _, originalReasons: __, ...collected } = collectAssets(request, limits, outcomes);
  const usable = [...outcomes.values()].flatMap((outcome) =>
    outcome instanceof UnusableAsset ? [] : [outcome],
  );
  return {
    ...collected,
    decodedCount: usable.filter(({ isFresh }) => isFresh).length,
    known: toJobs(request).map(({ url, kind }): KnownImage => {
      const outcome = outcomes.get(imageKey(kind, url))!;
      if (outcome instanceof UnusableAsset) return { url, kind, code: outcome.code, detail: outcome.detail };
      const { digest, image } = outcome.image;
      return { url, kind, digest, image };
    }),
    async share(cache) {
      const masters = usable.map(({ image: { masterPath } }) => masterPath);
      for (const file of new Set(masters)) {
        request.signal.throwIfAborted();
        await cache.put('photos', basename(file), file);
      }
    },
    async areMastersIntact() {
      // One after another, since each read has a buffer of its own.
      for (const { image } of usable) {
        request.signal.throwIfAborted();
        reportLiveness();
        if (!(await image.isIntact())) return false;
      }
      return true;
    },
  };
}
