/**
 * The use case: from a task's payload to its files and its report. This is the handler of the task engine; it says what
 * happens in which order and leaves every step to the layer that knows how.
 */

import type { PreparedAssets } from '../assets/prepare-assets.ts';
import { encoderFingerprint } from '../encode/encode-settings.ts';
import type { FoundFfmpeg } from '../encode/find-ffmpeg.ts';
import { freshCache } from '../encode/fresh-cache.ts';
import { RENDERER_VERSION } from '../render/renderer-version.ts';
import { fontsFingerprint } from '../text/bundled-fonts.ts';
import type { FinishedVideo, FinishRequest } from './make/finish-videos.ts';
import { FrameStills } from './make/frame-stills.ts';
import { createProgressMeter } from './make/progress-meter.ts';
import { provideSegments } from './make/provide-segments.ts';
import { type SoundtrackDeps, settleMusic, soundtrackKey } from './make/provide-soundtracks.ts';
import { renderPoolWhenNeeded } from './make/render-pool-when-needed.ts';
import { createStageClock } from './make/stage-clock.ts';
import { findUnchangedVideo, readPreviousReport } from './plan/earlier-run.ts';
import {
  gatherAssets,
  graphicsByDigest,
  photosByDigest,
  requireEnoughAssets,
  withDroppedAssets,
} from './plan/gather-assets.ts';
import { type PlannedVideo, planVideos } from './plan/plan-videos.ts';
import { toVideoKey } from './plan/video-key.ts';
import { makeReport } from './publish/make-report.ts';
import { type OutputFolder, openOutputFolder } from './publish/output-folder.ts';
import { publishVideos, REPORT_NAME } from './publish/publish-videos.ts';
import type { ReportEntry } from './publish/report.ts';
import type { RenderDeps } from './render-deps.ts';
import type { Progress, Quality, VideoTaskOutcome, VideoTaskPayload } from './video-task.ts';
import { openWorkFolder } from './work-folder.ts';

export interface MakeVideosContext {
  readonly taskId: string;
  readonly signal: AbortSignal;
  reportProgress(progress: Progress): void;
  /** Rejects when another process has taken the task over; called before anything becomes visible. */
  assertOwned(): Promise<void>;
}

/** A video to be: its plan, the key of its inputs, and the earlier run's entry when that still stands. */
export interface VideoToMake {
  readonly plan: PlannedVideo;
  readonly key: string;
  readonly standing: ReportEntry | null;
}

/**
 * Makes every agent's video, or none: all files of the listing get their names together, after the last is verified.
 *
 * @throws {@link ListingVideoError} Whatever a step raises, with `dropped_assets` in its context from the moment they
 *   are known; the signal's reason when aborted. Nothing is left in the output folder then.
 */
export async function makeVideos(
  payload: VideoTaskPayload,
  context: MakeVideosContext,
  deps: RenderDeps,
): Promise<VideoTaskOutcome> {
  const folder = await openOutputFolder(payload.outputDir);
  try {
    const work = await openWorkFolder(deps.home);
    try {
      return await makeAll(payload, context, deps, folder, work.path);
    } finally {
      await work.close();
    }
  } finally {
    await folder.close();
    await deps.cache.trim();
  }
}

async function makeAll(
  payload: VideoTaskPayload,
  context: MakeVideosContext,
  deps: RenderDeps,
  folder: OutputFolder,
  workDir: string,
): Promise<VideoTaskOutcome> {
  const { listing, options } = payload;
  const { signal } = context;
  const slot = createRenderSlot(deps, signal);
  const stages = createStageClock(slot.workedMs);
  const meter = createProgressMeter(context.reportProgress, slot.workedMs);
  const assets = await stages.measure('assets', () =>
    gatherAssets(payload, deps, workDir, signal, (done, total) => meter.report('assets', done / total)),
  );
  try {
    requireEnoughAssets(assets, listing.assets.length, options.minAssets);
    const ffmpeg = await deps.findFfmpeg();
    const videos = await stages.measure('storyboard', () =>
      planAll(payload, assets, { ffmpeg, cache: deps.cache, workDir, signal }, deps, folder),
    );
    const outstanding = videos.filter((video) => video.standing === null).map((video) => video.plan);
    const pool = renderPoolWhenNeeded({ threads: deps.renderThreads });
    try {
      const sources = { ...toTools(assets, ffmpeg, deps, options), pool, workDir, signal };
      const tools = { ...sources, pictures: new FrameStills(sources) };
      const renderStartMs = slot.workedMs();
      const segments = await stages.measure('render', () =>
        provideSegments({
          ...tools,
          timelines: outstanding.map((plan) => plan.timeline),
          quality: options.quality,
          limitRender: slot.run,
          onFrames: (done, total) => meter.report('render', done / total),
        }),
      );
      deps.onRendered?.({
        frames: segments.renderedFrames,
        durationSec: (slot.workedMs() - renderStartMs) / 1000,
        segmentsRendered: segments.renderedKeys.size,
        segmentsReused: segments.paths.size - segments.renderedKeys.size,
      });
      const finished = new Map<PlannedVideo, FinishedVideo>();
      await stages.measure('assemble', async () => {
        if (outstanding.length === 0) return;
        const { finishVideo } = await import('./make/finish-videos.ts');
        for (const [index, plan] of outstanding.entries()) {
          const request = { ...tools, folder, segmentPaths: segments.paths };
          finished.set(plan, await finishVideo(plan, request));
          meter.report('assemble', (index + 1) / outstanding.length);
        }
      });
      meter.report('publish', 0);
      const report = await makeReport({
        payload,
        context,
        deps,
        videos,
        segments,
        finished,
        assets,
        folder,
        tools,
      });
      await context.assertOwned();
      signal.throwIfAborted();
      const media = outstanding.flatMap(({ names }) =>
        [names.video, names.poster, names.preview ?? []].flat(),
      );
      return await publishVideos(folder, media, { ...report, timings: stages.read() });
    } finally {
      await pool.close();
    }
  } catch (error) {
    throw withDroppedAssets(error, assets.dropped);
  }
}

/** A slot to render in, and a clock that stops while this task waits for it, so that times are those of this task. */
function createRenderSlot({ renderSlots, clock }: RenderDeps, signal: AbortSignal) {
  let waitedMs = 0;
  return {
    workedMs: () => clock.monotonicMs() - waitedMs,
    run: <T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> => {
      if (renderSlots === undefined) return work(false);
      const askedMs = clock.monotonicMs();
      return renderSlots.run((hasWaited) => {
        waitedMs += clock.monotonicMs() - askedMs;
        return work(hasWaited);
      }, signal);
    },
  };
}

/** Plans, with what an earlier run made and still stands. */
async function planAll(
  { listing, options, nameSecret, baseDir }: VideoTaskPayload,
  assets: PreparedAssets,
  sounds: SoundtrackDeps,
  { templatesDirs }: RenderDeps,
  folder: OutputFolder,
): Promise<VideoToMake[]> {
  const planned = await planVideos({
    listing,
    options,
    nameSecret,
    assets,
    baseDir,
    templatesDirs,
    signal: sounds.signal,
    fingerprint: toFingerprint(sounds.ffmpeg, options.quality),
  });
  const plans = await settleMusic(planned, sounds);
  const previous = options.force ? null : await readPreviousReport(`${folder.path}/${REPORT_NAME}`);
  const videos: VideoToMake[] = [];
  for (const plan of plans) {
    const { video, poster, preview } = plan.names;
    const key = toVideoKey(plan.timeline, soundtrackKey(plan.music, plan.timeline), preview !== null);
    const files = [video, poster, ...(preview === null ? [] : [preview])];
    const films: readonly ReportEntry[] | undefined =
      plan.agent === null
        ? previous?.unbranded
        : previous?.videos.filter(({ agent_id }) => agent_id === plan.agent?.id);
    const standing = await findUnchangedVideo(films ?? [], { key, files }, folder.path);
    videos.push({ plan, key, standing });
  }
  return videos;
}

/** What the bits of a segment depend on beside what it shows. */
export function toFingerprint(ffmpeg: FoundFfmpeg, quality: Quality) {
  // Picked one by one: a caller hands in a storyboard, and whatever else it has must not tell equal segments apart.
  return ({ widthPx, heightPx, fps }: { widthPx: number; heightPx: number; fps: number }) => {
    const encoder = encoderFingerprint(ffmpeg.version, { widthPx, heightPx, fps, quality });
    return [RENDERER_VERSION, fontsFingerprint(), encoder].join(' ');
  };
}

function toTools(
  assets: PreparedAssets,
  ffmpeg: FoundFfmpeg,
  deps: RenderDeps,
  options: VideoTaskPayload['options'],
) {
  return {
    ffmpeg,
    photos: photosByDigest(assets),
    graphics: graphicsByDigest(assets),
    cache: options.force ? freshCache(deps.cache) : deps.cache,
  };
}

export type VideoTools = Omit<FinishRequest, 'folder' | 'segmentPaths'>;
