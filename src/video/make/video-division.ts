/**
 * Divides the making of a listing's videos among workers: each renders some segments, and the last one makes the videos
 * of all.
 */
import { encodedSegment } from '../../design/timeline/timeline.ts';
import type { KnownImage } from '../../media/assets/known-image.ts';
import type { PreparedAssets } from '../../media/assets/prepare-assets.ts';
import type { JsonValue } from '../../platform/disk/json-codec.ts';
import { openBatch, sealBatch } from './batch-work.ts';
import { divideSegments, type WeighedSegment } from './divide-segments.ts';
import { type ProvidedSegments, provideSegments } from './provide-segments.ts';
import { framesToRender, type MissingSegment, type SegmentRequest } from './render-segments.ts';

/** What the engine offers to divide a task, and a cache that all workers read. */
export interface DivisionDeps {
  /** What this process does; null for the whole task. */
  readonly batch: JsonValue | null;
  countIdle(): Promise<number>;
  divide(batches: readonly JsonValue[]): Promise<boolean>;
  endBatch(): Promise<boolean>;
  /** From now on the cache of this run shares photos and stills with other workers, not only segments and audio. */
  shareAll(): void;
  /** Waits until others can read what was put into the cache. False if they will not find some of it. */
  flush(): Promise<boolean>;
}

type SharedAssets = Pick<PreparedAssets, 'known' | 'share' | 'decodedCount'>;

/** The part of this process in a task that can be divided. */
export class VideoDivision {
  readonly #deps: DivisionDeps;
  readonly #secret: string;
  /** The images as the first worker found them; undefined in that one. */
  readonly images: readonly KnownImage[] | undefined;
  /** Keys of the segments that this process renders; null before the task is divided. */
  #own: ReadonlySet<string> | null = null;
  /** All batches are done, and this process makes the videos. */
  #isLast = false;

  /**
   * @param secret - The name secret of the task.
   * @throws {@link ListingVideoError} `store_corrupt` if the stored batch was edited.
   */
  constructor(deps: DivisionDeps, secret: string) {
    this.#deps = deps;
    this.#secret = secret;
    if (deps.batch === null) return;
    deps.shareAll();
    const { images, segments } = openBatch(deps.batch, secret);
    this.images = images;
    this.#own = new Set(segments);
  }

  /**
   * Provides all segments, or those of a batch. It can be called again after a failure.
   *
   * @param keepStills - Waits until the cache has the stills of the frames that were rendered.
   * @returns Null if others finish the task.
   * @throws As `provideSegments`; `lease_lost`.
   */
  async provide(
    request: SegmentRequest,
    assets: SharedAssets,
    keepStills: () => Promise<void>,
  ): Promise<ProvidedSegments | null> {
    if (this.#isLast) return provideSegments(request);
    const sharing =
      this.#own === null && this.#isLikely(request, assets) ? this.#share(request, assets) : null;
    const choose = async (missing: readonly MissingSegment[]) => {
      this.#own ??= await this.#divide(missing, request, assets, sharing);
      return this.#own;
    };
    const own = await provideSegments({ ...request, wanted: this.#own ?? undefined, choose });
    await sharing;
    if (this.#own === null) return own;
    await keepStills();
    // What did not reach the bucket is rendered by the worker that finishes the task.
    await this.#deps.flush();
    this.#isLast = await this.#deps.endBatch();
    if (!this.#isLast) return null;
    const rest = await provideSegments(request);
    return {
      paths: rest.paths,
      renderedKeys: new Set([...own.renderedKeys, ...rest.renderedKeys]),
      renderedFrames: own.renderedFrames + rest.renderedFrames,
    };
  }

  /** The segments that are left for this process; null if it renders all. */
  async #divide(
    missing: readonly MissingSegment[],
    request: SegmentRequest,
    assets: SharedAssets,
    sharing: Promise<void> | null,
  ): Promise<ReadonlySet<string> | null> {
    const { countIdle, divide, flush } = this.#deps;
    const batches = divideSegments(weigh(missing, request), 1 + (await countIdle()));
    if (batches.length < 2) return null;
    await (sharing ?? this.#share(request, assets));
    // Without the photos, other workers would fetch them again.
    if (!(await flush())) return null;
    const works = batches.map((keys) => sealBatch({ segments: keys, images: assets.known }, this.#secret));
    return (await divide(works)) ? new Set(batches[0]) : null;
  }

  /** True if the photos are new, so that all segments are, and there are enough of them. Their upload can begin. */
  #isLikely(request: SegmentRequest, { decodedCount }: SharedAssets): boolean {
    const all = request.timelines.flatMap((timeline) =>
      timeline.segments.map((segment) => {
        const encoded = encodedSegment(timeline, segment);
        return [segment.key, { ...encoded.segment, timeline: encoded.timeline }] as const;
      }),
    );
    return decodedCount > 0 && divideSegments(weigh([...new Map(all).values()], request), 2).length > 1;
  }

  /** It never rejects: what is not shared, others do not find. */
  async #share({ cache }: SegmentRequest, assets: SharedAssets): Promise<void> {
    this.#deps.shareAll();
    await assets.share(cache).catch(() => {});
  }
}

function weigh(segments: readonly MissingSegment[], { photos, renderer }: SegmentRequest): WeighedSegment[] {
  const count = renderer?.framesToRender ?? framesToRender;
  return segments.map((segment) => ({ key: segment.key, frames: count(segment, photos) }));
}
