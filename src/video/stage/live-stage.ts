/** The state of a stage, and the loop that plans: after each edit, and as photos become ready. */
import { setTimeout as wait } from 'node:timers/promises';
import type { AspectRatio } from '../../listing/listing.ts';
import type { NamedImages } from '../../media/assets/collect-assets.ts';
import type { StillOpener } from '../../media/render/render-pool.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { withWordsOfCopies } from '../plan/copied-photos.ts';
import { graphicsByDigest, photosByDigest, requireEnoughAssets } from '../plan/gather-assets.ts';
import { posterFrame } from '../plan/highlight-frames.ts';
import { describeListing } from '../plan/listing-notes.ts';
import { createBeatFinder } from '../plan/music/music-beats.ts';
import type { RequestedVideo } from '../plan/requested-videos.ts';
import { ImageLibrary } from './image-library.ts';
import { keepLast } from './keep-last.ts';
import { type LivePlan, toLivePlan } from './live-plan.ts';
import { LiveTemplates } from './live-templates.ts';
import { imagesOf, StagePlanner } from './plan-stage.ts';
import type { FrameRequest, StageOptions, ThumbnailSize } from './stage.ts';
import { StageAudio } from './stage-audio.ts';
import { StageFrames } from './stage-frames.ts';
import { type AssetUrls, assetUrls, toStageImage, toStagePhotos } from './stage-images.ts';
import type { StageImage, StagePhoto, StageSoundtrack, StageState, StageWarning } from './stage-state.ts';
import { describeListingWarnings, describeWarnings } from './stage-warnings.ts';
import { Thumbnails } from './thumbnails.ts';
import { toUsableListing, type UsableListing } from './usable-listing.ts';

/** Plans of earlier edits, which the page can still be asking for. */
const KEPT_PLANS = 64;
/** While photos are read, plans are made so often. */
const READING_PAUSE_MS = 500;

interface LiveStageOptions extends StageOptions {
  readonly pool: StillOpener;
  readonly imagesDir: string;
  readonly audioDir: string;
}

/** A video of the state. */
interface Shown {
  readonly plan: LivePlan;
  readonly warnings: readonly StageWarning[];
}

/** What the images of the last document are. */
interface Wanted {
  readonly urls: readonly AssetUrls[];
  readonly listing: NamedImages;
  /** For each asset of `listing` its index in `urls`. */
  readonly assetIndexes: readonly number[];
  readonly leftOut: readonly { readonly url: string }[];
}

const NOTHING: Wanted = {
  urls: [],
  listing: { assets: [], pictures: [], logos: [] },
  assetIndexes: [],
  leftOut: [],
};

export class LiveStage {
  readonly #options: LiveStageOptions;
  readonly #closing = new AbortController();
  readonly #library: ImageLibrary;
  readonly #templates: LiveTemplates;
  readonly #planner: StagePlanner;
  readonly #frames: StageFrames;
  readonly #audio: StageAudio;
  readonly #thumbnails: Thumbnails;
  #document: Readonly<Record<string, unknown>> | null = null;
  #leftOut: readonly { readonly url: string }[] = [];
  #usable: (UsableListing & { ok: true }) | null = null;
  #wanted = NOTHING;
  #photos: readonly StagePhoto[] = [];
  #images: readonly StageImage[] = [];
  #leftOutImages: readonly StageImage[] = [];
  /** By agent and ratio. */
  #videos = new Map<string, Shown>();
  #listingWarnings: readonly StageWarning[] = [];
  #plans = new Map<string, LivePlan>();
  #problem: string | null = null;
  #music: readonly StageSoundtrack[] = [];
  readonly #listing: Promise<void>;
  /** The video that was drawn last. */
  #watched = '';
  #isDue = false;
  /** A person waits for the next plan. */
  #isEdited = false;
  #loop: Promise<void> | null = null;
  #round = new AbortController();

  constructor(options: LiveStageOptions) {
    this.#options = options;
    const { deps, baseDir, unbrandedKeep, pool, imagesDir, audioDir } = options;
    const { templatesDirs } = deps;
    const { signal } = this.#closing;
    this.#library = new ImageLibrary({
      deps,
      baseDir,
      workDir: imagesDir,
      onChange: () => this.#imageRead(),
    });
    this.#templates = new LiveTemplates(templatesDirs);
    const findBeats = createBeatFinder({ ...deps, workDir: audioDir, signal });
    this.#planner = new StagePlanner({ baseDir, templatesDirs, findBeats, unbrandedKeep });
    this.#frames = new StageFrames(pool);
    this.#thumbnails = new Thumbnails(signal);
    const onBroken = () => this.#changed();
    this.#audio = new StageAudio({ deps, workDir: audioDir, templatesDirs, signal, onBroken });
    this.#listing = this.#listMusic();
  }

  get state(): StageState {
    const shown = [...this.#videos.values()];
    return {
      photos: this.#photos,
      images: this.#images,
      left_out: this.#leftOutImages,
      videos: shown.map(({ plan }) => plan.video),
      warnings: [
        ...this.#listingWarnings,
        ...shown.flatMap(({ plan, warnings }) => [...warnings, ...this.#audioWarnings(plan, warnings)]),
      ],
      planning: this.#loop !== null || this.#library.isReading,
      plan_problem: this.#problem,
      templates: this.#templates.list,
      music: this.#music,
    };
  }

  update(
    document: Readonly<Record<string, unknown>>,
    leftOut: readonly { readonly url: string }[] = [],
  ): void {
    this.#document = document;
    this.#leftOut = leftOut;
    this.#isEdited = true;
    // What is being planned is of an earlier edit.
    this.#round.abort();
    this.#plan();
  }

  /** Plans again when a template of the user's own has changed. */
  async lookAtTemplates(): Promise<void> {
    if (await this.#templates.refresh().catch(() => false)) {
      this.#round.abort();
      this.#plan();
    }
  }

  /** Reads images and music again whose files have changed. */
  async lookAtFiles(): Promise<void> {
    if (this.#library.isReading) return;
    const changed = await Promise.all([this.#library.haveFilesChanged(), this.#planner.hasMusicChanged()]);
    if (!changed.includes(true)) return;
    this.#isEdited = true;
    this.#round.abort();
    this.#plan();
  }

  async settled(): Promise<void> {
    await this.#listing;
    while (this.#loop !== null || this.#library.isReading)
      await Promise.all([this.#loop, this.#library.settled()]);
  }

  async frame({ plan: id, ...request }: FrameRequest): Promise<Uint8Array | null> {
    const plan = this.#plans.get(id);
    if (plan === undefined) return null;
    this.#watched = keyOf(plan.video);
    return this.#frames.draw(plan, request);
  }

  async thumbnail(digest: string, size: ThumbnailSize = 'small'): Promise<Uint8Array | null> {
    const found = this.#library.findByDigest(digest);
    return found === undefined ? null : this.#thumbnails.provide(found.image, size);
  }

  async still(templateId: string, ratio: AspectRatio): Promise<Uint8Array | null> {
    const usable = this.#usable;
    if (usable === null) return null;
    const { listing } = usable;
    const first = { ...listing, agents: listing.agents.slice(0, 1) };
    const [entry] = await this.#planner.request(first, this.#templates.cache, { templateId });
    if (entry === undefined) return null;
    if ('error' in entry) throw entry.error;
    const video = entry.videos.find(({ options }) => options.ratio === ratio)!;
    const assets = this.#library.collect(imagesOf(listing, [entry]));
    if (assets.photos.length === 0) return null;
    const plan = await this.#planner.plan(
      withWordsOfCopies(video, assets.heirs),
      assets,
      this.#closing.signal,
    );
    const live = toLivePlan(plan, video, toSources(assets), new Map());
    return this.#frames.drawForGallery(live, posterFrame(live.timeline));
  }

  async audio(id: string): Promise<string | null> {
    const plan = this.#plans.get(id);
    return plan === undefined ? null : this.#audio.provide(plan);
  }

  music(id: string): Promise<string | null> {
    return this.#audio.listen(id);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#round.abort();
    this.#frames.close();
    await this.#library.close();
    await Promise.all([this.#loop, this.#listing]);
  }

  async #listMusic(): Promise<void> {
    this.#music = await this.#audio.list().catch(() => []);
    this.#changed();
  }

  #changed(): void {
    if (!this.#closing.signal.aborted) this.#options.onChange();
  }

  #imageRead(): void {
    this.#showImages();
    this.#changed();
    this.#plan();
  }

  #plan(): void {
    this.#isDue = true;
    if (this.#loop !== null || this.#document === null || this.#closing.signal.aborted) return;
    this.#loop = this.#planAll().finally(() => {
      this.#loop = null;
      this.#changed();
    });
    this.#changed();
  }

  async #planAll(): Promise<void> {
    while (this.#isDue && !this.#closing.signal.aborted) {
      this.#isDue = false;
      this.#round = new AbortController();
      const { signal } = this.#round;
      try {
        await this.#planOnce(signal);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    }
  }

  async #planOnce(signal: AbortSignal): Promise<void> {
    await this.#templates.refresh();
    const isEdited = this.#isEdited;
    this.#isEdited = false;
    const document = this.#document!;
    const usable = toUsableListing(document);
    const urls = assetUrls(document);
    if (!usable.ok) {
      this.#wanted = { ...NOTHING, urls, leftOut: this.#leftOut };
      this.#showImages();
      this.#fail(new Error(usable.problem));
      return;
    }
    const { listing, assetIndexes, agentIndexes } = usable;
    this.#usable = usable;
    const requested = await this.#planner.request(listing, this.#templates.cache);
    const images = imagesOf(listing, requested);
    this.#wanted = { urls, listing: images, assetIndexes, leftOut: this.#leftOut };
    await this.#library.want({ ...images, assets: [...images.assets, ...this.#leftOut] });
    this.#showImages();
    this.#changed();
    // The first plan uses the photos that are there; later ones come with several more photos each.
    if (this.#library.isReading && this.#videos.size > 0 && !isEdited)
      await wait(READING_PAUSE_MS, undefined, { signal });
    const { isReading } = this.#library;
    const assets = this.#library.collect(images);
    if (assets.photos.length === 0 && isReading) return;
    if (this.#library.failure !== null) throw this.#library.failure;
    requireEnoughAssets(assets, listing.assets.length, 1);
    this.#listingWarnings = describeListingWarnings(describeListing(listing, assets), assetIndexes);
    const photoIndexes = new Map<string, number>();
    const named = [
      ...listing.assets.map(({ url }, at) => [at, url] as const),
      ...listing.assets.flatMap(({ original }, at) =>
        original === undefined ? [] : [[at, original] as const],
      ),
    ];
    for (const [at, url] of named) {
      const outcome = this.#library.find('photo', url);
      if (outcome !== undefined && !(outcome instanceof Error) && !photoIndexes.has(outcome.image.digest))
        photoIndexes.set(outcome.image.digest, assetIndexes[at]!);
    }
    const failed = requested.find((entry) => 'error' in entry);
    this.#problem = failed === undefined ? null : problemOf(failed);
    const order = requested.flatMap((entry, at) =>
      'error' in entry
        ? []
        : entry.videos.map((video) => ({
            video: withWordsOfCopies(video, assets.heirs),
            agentIndex: agentIndexes[at]!,
          })),
    );
    const keys = requested.flatMap(({ agentId, ratios }) => ratios.map((ratio) => `${agentId} ${ratio}`));
    const sources = toSources(assets);
    let watched: LivePlan | null = null;
    for (const { video, agentIndex } of order.toSorted((a, b) => this.#rank(a.video) - this.#rank(b.video))) {
      try {
        const planned = await this.#planner.plan(video, assets, signal);
        signal.throwIfAborted();
        const plan = toLivePlan(planned, video, sources, photoIndexes);
        watched ??= plan;
        this.#show(plan, describeWarnings(planned, video, { agentIndex, agentIndexes, assetIndexes }), keys);
      } catch (error) {
        signal.throwIfAborted();
        this.#fail(error);
      }
      // The others come when all photos are there.
      if (this.#library.isReading) break;
    }
    if (watched !== null && !this.#library.isReading) this.#frames.warm(watched);
  }

  #rank({ id, options: { ratio } }: RequestedVideo): number {
    return this.#watched === keyOf({ agent_id: id, ratio }) ? 0 : 1;
  }

  /** @param keys - Of all videos in their order: others are of agents that are gone. */
  #show(plan: LivePlan, warnings: readonly StageWarning[], keys: readonly string[]): void {
    const videos = new Map(this.#videos).set(keyOf(plan.video), { plan, warnings });
    this.#videos = new Map(
      keys.flatMap((key) => {
        const video = videos.get(key);
        return video === undefined ? [] : [[key, video] as const];
      }),
    );
    keepLast(this.#plans, plan.video.plan, plan, KEPT_PLANS + keys.length);
    this.#changed();
  }

  #showImages(): void {
    const { urls, listing, assetIndexes, leftOut } = this.#wanted;
    const { reasons, originalReasons, photos } = this.#library.collect(listing);
    const looks = new Map(photos.map(({ assetIndex, looksLike }) => [assetIndex, looksLike]));
    const byIndex = new Map(
      reasons.map((reason, at) => {
        const looksLike = looks.get(at);
        const originalReason = originalReasons[at] ?? null;
        return [assetIndexes[at]!, { reason, originalReason, ...(looksLike && { looksLike }) }];
      }),
    );
    const findPhoto = (url: string) => this.#library.find('photo', url);
    this.#photos = toStagePhotos(urls, byIndex, findPhoto, this.#library.isReading);
    this.#leftOutImages = leftOut.map(({ url }) => toStageImage(url, findPhoto(url)));
    this.#images = [
      ...listing.pictures.map(({ url }) => toStageImage(url, findPhoto(url))),
      ...listing.logos.map(({ url }) => toStageImage(url, this.#library.find('graphic', url))),
    ];
  }

  #audioWarnings(plan: LivePlan, [first]: readonly StageWarning[]): StageWarning[] {
    const message = this.#audio.problemOf(plan);
    const { agent_id, ratio } = plan.video;
    return message === null ? [] : [{ path: first?.path ?? null, agent_id, ratio, message }];
  }

  #fail(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error);
    this.#changed();
  }
}

/** A file that is no template is no fault of the agent that has it. */
function problemOf({ agentId, error }: { readonly agentId: string; readonly error: Error }): string {
  const isOfFile = error instanceof ListingVideoError && error.code === 'template_invalid';
  return isOfFile ? error.message : `agent "${agentId}": ${error.message}`;
}

function keyOf({ agent_id, ratio }: { readonly agent_id: string; readonly ratio: AspectRatio }): string {
  return `${agent_id} ${ratio}`;
}

function toSources(assets: Parameters<typeof photosByDigest>[0] & Parameters<typeof graphicsByDigest>[0]) {
  return { photos: photosByDigest(assets), graphics: graphicsByDigest(assets) };
}
