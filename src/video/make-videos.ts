/** The use case: from a task's payload to its files and its report. It orders the steps; the layers below do them. */
import type { Timeline } from '../design/timeline/timeline.ts';
import { freshCache } from '../platform/disk/cache/fresh-cache.ts';
import { liveWhile } from '../platform/liveness.ts';
import type { FinishDeps, FinishedVideo } from './make/finish-videos.ts';
import { FrameStills, type WantedFrame, withFramesOfCuts } from './make/frame-stills.ts';
import type { MakeDeps } from './make/make-deps.ts';
import type { Previews } from './make/previews.ts';
import { createProgressMeter } from './make/progress-meter.ts';
import { provideSegments } from './make/provide-segments.ts';
import { settleMusic, soundtrackKey } from './make/provide-soundtracks.ts';
import { renderPoolWhenNeeded } from './make/render-pool-when-needed.ts';
import type { SegmentRequest } from './make/render-segments.ts';
import { retryWithRoom } from './make/retry-with-room.ts';
import { createStageClock } from './make/stage-clock.ts';
import type { VideoDivision } from './make/video-division.ts';
import { openRun, type Run } from './open-run.ts';
import { type EarlierVideo, findUnchangedVideo, readEarlierRun } from './plan/earlier-run.ts';
import { withDroppedAssets } from './plan/gather-assets.ts';
import type { PlannedVideo } from './plan/plan-videos.ts';
import { toVideoKey } from './plan/video-key.ts';
import { removeOldSmall, settleKept } from './publish/kept-videos.ts';
import { makeReport, type VideoToMake } from './publish/make-report.ts';
import type { OutputFolder } from './publish/output-folder.ts';
import { openFolderWhenFree } from './publish/output-folder.ts';
import { publishVideos } from './publish/publish-videos.ts';
import { stageSidecars } from './publish/stage-sidecars.ts';
import type { RenderDeps } from './render-deps.ts';
import type { Progress, Quality, Stage, VideoTaskOutcome, VideoTaskPayload } from './video-task.ts';

/** Hashing, flushing and deleting of files shows no progress. A slow disk takes minutes. */
const MAX_DISK_STEP_MS = 600_000;
/** In each thread: of the photo under all agents' cards, which come one after the other, and some portraits. */
const KEPT_PHOTO_BYTES = 8_000_000;

export interface MakeVideosContext {
  readonly taskId: string;
  /** Number of the claim under which this attempt runs. */
  readonly fence: number;
  readonly signal: AbortSignal;
  reportProgress(progress: Progress): void;
  /** Rejects when another process has taken the task over; called before any result becomes visible. */
  assertOwned(): Promise<void>;
  /** Opens the folder of the results; by default the payload's, as soon as no other process holds its lock. */
  openFolder?(): Promise<OutputFolder>;
}

/**
 * Makes every agent's video, or none: all files of the listing get their names together, after the last is verified.
 *
 * @throws {@link ListingVideoError} Any error of a step, with `dropped_assets` in its context once they are known; the
 *   signal's reason when aborted. The output folder is left unchanged then.
 */
export async function makeVideos(
  payload: VideoTaskPayload,
  context: MakeVideosContext,
  deps: RenderDeps,
): Promise<VideoTaskOutcome> {
  const outcome = await makeVideosTogether(payload, context, deps, null);
  if (outcome === null) throw new Error('a task that is not divided has no outcome');
  return outcome;
}

/**
 * As {@link makeVideos}, with other workers.
 *
 * @param division - Null: alone.
 * @returns Null if another worker finishes the task.
 */
export async function makeVideosTogether(
  payload: VideoTaskPayload,
  context: MakeVideosContext,
  deps: RenderDeps,
  division: VideoDivision | null,
): Promise<VideoTaskOutcome | null> {
  const { taskId, fence } = context;
  const attempt = { taskId, fence };
  const folder = await (context.openFolder?.() ??
    openFolderWhenFree(payload.outputDir, attempt, {
      signal: context.signal,
      onWait: () => context.reportProgress({ percent: 0, stage: 'lock', etaSeconds: null }),
    }));
  const signal = AbortSignal.any([context.signal, folder.lost]);
  const slot = createRenderSlot(deps, signal);
  const work: Omit<Job, 'earlier'> = {
    payload,
    context,
    deps,
    division,
    slot,
    stages: createStageClock(slot.workedMs),
    meter: createProgressMeter(context.reportProgress, slot.workedMs),
    folder,
  };
  try {
    const job: Job = { ...work, earlier: await readEarlierRun(folder.path, payload) };
    const onAssets = (done: number, total: number) => job.meter.report('assets', done / total);
    const run = await job.stages.measure('assets', () =>
      openRun(payload, deps, { signal, onAssets, known: division?.images, attempt }),
    );
    try {
      return await makeAll(run, job);
    } catch (error) {
      // Without its folders a step fails in its own way; the reason is that the folders are gone.
      const cause = await run.assertHeld().then(
        () => error,
        (lost: unknown) => lost,
      );
      throw withDroppedAssets(cause, run.assets.dropped);
    } finally {
      await liveWhile(run.close(), MAX_DISK_STEP_MS);
    }
  } catch (error) {
    await folder.assertHeld();
    throw error;
  } finally {
    await folder.close();
  }
}

interface Job {
  readonly payload: VideoTaskPayload;
  readonly context: MakeVideosContext;
  readonly deps: RenderDeps;
  readonly division: VideoDivision | null;
  readonly slot: ReturnType<typeof createRenderSlot>;
  readonly stages: ReturnType<typeof createStageClock>;
  readonly meter: ReturnType<typeof createProgressMeter>;
  readonly folder: OutputFolder;
  /** What the folder has from earlier runs of this listing. */
  readonly earlier: readonly EarlierVideo[];
}

async function makeAll(run: Run, job: Job): Promise<VideoTaskOutcome | null> {
  const { payload, context, deps, division, slot, stages, meter, folder, earlier } = job;
  const { options } = payload;
  const { workDir, photos, graphics, assets, signal, requirePixels } = run;
  // Each thread prepares the photos for itself, which costs more than the small frames of a draft.
  const threads = options.quality === 'draft' ? 1 : deps.renderThreads;
  const pool = renderPoolWhenNeeded({ threads, prepare: requirePixels, keptPhotoBytes: KEPT_PHOTO_BYTES });
  let previews: Previews | undefined;
  const step = <T>(stage: Stage, work: () => Promise<T>): Promise<T> =>
    stages.measure(stage, () => retryWithRoom(deps.cache, work));
  try {
    const videos = await step('storyboard', () => planAll(run, job));
    const pending = videos.filter((video) => video.earlier === null).map((video) => video.plan);
    const cache = options.force ? freshCache(deps.cache) : deps.cache;
    const ffmpeg = await deps.findFfmpeg();
    const shared = { ffmpeg, photos, graphics, cache, pool, workDir, signal };
    const stills = new FrameStills(shared);
    previews = await previewsOf(pending, options.quality, shared);
    const renderStartMs = slot.workedMs();
    const timelines = pending.map((plan) => plan.timeline);
    const wantedOf = (timeline: Timeline): WantedFrame[] => [
      ...stills.framesOf(
        timeline,
        pending.filter((plan) => plan.timeline === timeline),
      ),
      ...(previews?.framesOf(timeline) ?? []),
    ];
    const request: SegmentRequest = {
      ...shared,
      wantedFrames: (timeline) => withFramesOfCuts(timeline, timelines, wantedOf),
      timelines,
      quality: options.quality,
      limitRender: slot.run,
      onFrames: (done, total) => meter.report('render', done / total),
      onMoveRefused: deps.onMoveRefused,
    };
    const keepStills = async () => void (await Promise.all([stills.kept(), previews?.kept()]));
    const segments = await step('render', () =>
      division === null ? provideSegments(request) : division.provide(request, assets, keepStills),
    );
    if (segments === null) return null;
    deps.onRendered?.({
      frames: segments.renderedFrames,
      durationSec: (slot.workedMs() - renderStartMs) / 1000,
      segmentsRendered: segments.renderedKeys.size,
      segmentsReused: segments.paths.size - segments.renderedKeys.size,
    });
    const finishDeps: FinishDeps = {
      ...{ ...shared, stills, previews, folder, segmentPaths: segments.paths },
      tracks: new Map(),
    };
    const finished = await step('assemble', () => finishAll(pending, finishDeps, meter));
    meter.report('publish', 0);
    const plans = videos.map(({ plan }) => plan);
    const sidecars = await stageSidecars(plans, earlier, { payload, folder });
    const making = makeReport({
      payload,
      taskId: context.taskId,
      deps,
      videos,
      renderedKeys: segments.renderedKeys,
      finished,
      assets,
      folder,
      settle: async (made) => {
        await context.assertOwned();
        signal.throwIfAborted();
        await removeOldSmall(earlier, made, folder.path);
        return settleKept(earlier, made, payload, folder.path);
      },
      stills,
      sidecars,
    });
    const report = await liveWhile(making, MAX_DISK_STEP_MS);
    await context.assertOwned();
    signal.throwIfAborted();
    const media = pending.flatMap((plan) => stagedNames(plan, finished.get(plan)!));
    const publishing = publishVideos(folder, [...media, ...sidecars.staged], {
      ...report,
      timings: stages.read(),
    });
    return await liveWhile(publishing, MAX_DISK_STEP_MS);
  } finally {
    await previews?.close();
    await pool.close();
  }
}

/** Loaded only when a video gets a preview. */
async function previewsOf(
  plans: readonly PlannedVideo[],
  quality: Quality,
  deps: MakeDeps,
): Promise<Previews | undefined> {
  const shown = plans.filter(({ names }) => names.preview !== null);
  if (shown.length === 0) return undefined;
  const { Previews } = await import('./make/previews.ts');
  return new Previews(
    deps,
    quality,
    shown.map(({ timeline }) => timeline),
  );
}

/** Plans, each with the result of an earlier run that is up to date. */
async function planAll(run: Run, { payload, deps, folder, earlier }: Job): Promise<VideoToMake[]> {
  const planned = await run.plan({ earlier });
  const ffmpeg = await deps.findFfmpeg();
  const { workDir, signal } = run;
  const plans = await settleMusic(planned, { ffmpeg, cache: deps.cache, workDir, signal });
  const videos: VideoToMake[] = [];
  for (const plan of plans) {
    const { video, poster, preview, small } = plan.names;
    const sound = soundtrackKey(plan.music, plan.timeline, ffmpeg, plan.delivery);
    const key = toVideoKey(plan.timeline, plan.delivery, sound, preview !== null);
    const files = [video, poster, ...(preview === null ? [] : [preview])];
    const sameFile = earlier.filter(({ entry }) => entry.video.file === video);
    const entries = payload.options.force ? [] : sameFile.map(({ entry }) => entry);
    videos.push({
      plan,
      key,
      earlier: await findUnchangedVideo(entries, { key, files, small }, folder.path),
    });
  }
  return videos;
}

async function finishAll(pending: readonly PlannedVideo[], deps: FinishDeps, meter: Job['meter']) {
  const finished = new Map<PlannedVideo, FinishedVideo>();
  if (pending.length === 0) return finished;
  const { finishVideo } = await import('./make/finish-videos.ts');
  for (const [index, plan] of pending.entries()) {
    finished.set(plan, await finishVideo(plan, deps));
    meter.report('assemble', (index + 1) / pending.length);
  }
  return finished;
}

function stagedNames({ names }: PlannedVideo, { hasSmall }: FinishedVideo): string[] {
  const { video, poster, preview, small } = names;
  return [video, poster, preview, hasSmall ? small : null].filter((name) => name !== null);
}

/** A slot to render in, and a clock that stops while this task waits for it, so that times are those of this task. */
function createRenderSlot({ renderSlots, clock }: RenderDeps, signal: AbortSignal) {
  let waitedMs = 0;
  return {
    workedMs: () => clock.monotonicMs() - waitedMs,
    run: <T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> => {
      if (renderSlots === undefined) return work(false);
      const calledMs = clock.monotonicMs();
      return renderSlots.run((hasWaited) => {
        waitedMs += clock.monotonicMs() - calledMs;
        return work(hasWaited);
      }, signal);
    },
  };
}
