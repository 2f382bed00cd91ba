/** Fills in the report of a run before anything is published; the caller adds the timings. */

import type { Timeline } from '../../design/timeline/timeline.ts';
import type { PreparedAssets } from '../../media/assets/prepare-assets.ts';
import { judgeFile } from '../destinations/judge-file.ts';
import type { FinishedVideo } from '../make/finish-videos.ts';
import { alteredStillsOf, type FrameStill, type FrameStills, stillsOf } from '../make/frame-stills.ts';
import { tempoOfFile } from '../plan/music/choose-music.ts';
import { describeAltered, describeMark, describePlan, type PlannedVideo } from '../plan/plan-videos.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import type { SettledVideos } from './kept-videos.ts';
import { type FilesOfVideo, madeOf } from './made-of.ts';
import type { OutputFolder } from './output-folder.ts';
import { resultsOf } from './publish-videos.ts';
import {
  formatTimestamp,
  REPORT_SCHEMA,
  REPORT_VERSION,
  type Report,
  type ReportAlteredPhoto,
  type ReportEntry,
  type ReportVideo,
  toReportListing,
} from './report.ts';
import type { StagedSidecars } from './stage-sidecars.ts';

/** A planned video, the key of its inputs, and the entry of an earlier report when its files are up to date. */
export interface VideoToMake {
  readonly plan: PlannedVideo;
  readonly key: string;
  readonly earlier: ReportEntry | null;
}

export interface ReportRequest {
  readonly payload: VideoTaskPayload;
  readonly taskId: string;
  readonly deps: RenderDeps;
  readonly videos: readonly VideoToMake[];
  readonly renderedKeys: ReadonlySet<string>;
  readonly finished: ReadonlyMap<PlannedVideo, FinishedVideo>;
  readonly assets: PreparedAssets;
  readonly folder: OutputFolder;
  /** Settles what the folder keeps beside these entries, which can remove files. */
  readonly settle: (made: readonly ReportEntry[]) => Promise<SettledVideos>;
  readonly stills: FrameStills;
  readonly sidecars: StagedSidecars;
}

/** @returns The report; its stills are rendered here when no earlier step made them. */
export async function makeReport(request: ReportRequest): Promise<Omit<Report, 'timings'>> {
  const { payload, taskId, deps, assets } = request;
  const { listing } = payload;
  const dataUrls = new Map<string, string>();
  const videos: ReportVideo[] = [];
  const alsoRatio: ReportVideo[] = [];
  const alsoFor: ReportVideo[] = [];
  const unbranded: ReportEntry[] = [];
  // A segment counts as rendered for the first video that shows it, and as reused for the others.
  const counted = new Set<string>();
  for (const video of request.videos) {
    const { timeline } = video.plan;
    const provide = (still: FrameStill) => addStill(timeline, still, request.stills, dataUrls);
    const stillKeys: string[] = [];
    for (const still of stillsOf(timeline)) stillKeys.push(await provide(still));
    const altered = await describeWithStills(video.plan, provide);
    const entry = await describeVideo(video, { stillKeys, altered }, counted, request);
    const { agent, options, isOtherShape, isFurther } = video.plan;
    if (agent === null) unbranded.push(entry);
    else {
      const ofAgent = { agent_id: agent.id, agent_name: agent.name, ...entry, metadata: options.metadata };
      (isOtherShape ? alsoRatio : isFurther ? alsoFor : videos).push(ofAgent);
    }
  }
  const made = [...videos, ...alsoRatio, ...alsoFor, ...unbranded];
  const cleaned = await request.settle(made);
  return {
    $schema: REPORT_SCHEMA,
    schema_version: REPORT_VERSION,
    generator: deps.generator,
    task_id: taskId,
    created_at: formatTimestamp(deps.clock.now()),
    listing: toReportListing(payload),
    quality: payload.options.quality,
    results: resultsOf(videos, request.folder.path),
    videos,
    ...(payload.options.alsoRatio !== undefined ? { also_ratio: alsoRatio } : {}),
    ...(alsoFor.length > 0 ? { also_for: alsoFor } : {}),
    ...(payload.options.alsoUnbranded === true ? { unbranded } : {}),
    ...(cleaned.kept.length > 0 ? { kept: cleaned.kept } : {}),
    ...(cleaned.removed.length > 0 ? { removed: cleaned.removed } : {}),
    assets: { given: listing.assets.length, used: assets.photos.length },
    dropped_assets: assets.dropped,
    warnings: [...(request.videos[0]?.plan.listingNotes ?? []), ...cleaned.warnings],
    notes: [
      ...describeReuse(made),
      ...request.sidecars.notes,
      ...cleaned.notes,
      ...describeMissingShapes(payload, alsoRatio),
    ],
    stills: Object.fromEntries(dataUrls),
  };
}

async function describeVideo(
  video: VideoToMake,
  { stillKeys, altered }: { readonly stillKeys: readonly string[]; readonly altered: ReportAlteredPhoto[] },
  counted: Set<string>,
  request: ReportRequest,
): Promise<ReportEntry> {
  const { plan, key, earlier } = video;
  const { options, timeline, music, notes } = plan;
  const made = request.finished.get(plan);
  const files = earlier ?? (await describeFiles(plan, request));
  const { widthPx, heightPx, fps } = timeline.storyboard;
  return {
    template_id: options.templateId,
    ratio: options.ratio,
    width_px: widthPx,
    height_px: heightPx,
    fps,
    quality: request.payload.options.quality,
    key,
    video: files.video,
    poster: files.poster,
    preview: files.preview,
    ...(files.small_video && { small_video: files.small_video }),
    ...request.sidecars.of.get(plan),
    frames: timeline.totalFrames,
    duration_sec: timeline.totalFrames / fps,
    sound: earlier?.sound ?? {
      music: music.name,
      title: music.title,
      bpm: tempoOfFile(music),
      loudness_lufs: made?.loudnessLufs ?? null,
    },
    segments: countSegments(video, request.renderedKeys, counted),
    is_unchanged: earlier !== null,
    created_at: earlier?.created_at ?? formatTimestamp(request.deps.clock.now()),
    scenes: describePlan(plan, request.assets).map((scene, at) => ({ ...scene, still: stillKeys[at] ?? '' })),
    altered_photos: altered,
    made_of: madeOf(withUsualLength(request.payload, plan), {
      agentId: plan.agent?.id ?? null,
      ratio: options.ratio,
      files: { ...filesOf(request.assets), ...plan.ownFiles },
    }),
    ...describeDelivery(plan, files.video.size_bytes),
    ...describeMark(plan),
    warnings: [...notes, ...timeline.storyboard.warnings, ...music.warnings, ...(made?.warnings ?? [])],
  };
}

/** A video of the usual length among several is not as long as the listing says. */
function withUsualLength(payload: VideoTaskPayload, { length, options }: PlannedVideo): VideoTaskPayload {
  if (length === null || options.templateData.length !== undefined) return payload;
  const templateData = { ...payload.options.templateData, length: '' };
  return { ...payload, options: { ...payload.options, templateData } };
}

/** The places of a file, and whether it fits them. */
function describeDelivery({ isBranded, delivery, timeline }: PlannedVideo, sizeBytes: number) {
  const { places, hasEditLists, audioBitRate } = delivery;
  if (places.length === 0) return {};
  const { widthPx, heightPx, fps } = timeline.storyboard;
  const file = {
    ...{ widthPx, heightPx, fps, durationSec: timeline.totalFrames / fps, sizeBytes },
    ...{ audioBitRate, hasEditLists, isBranded },
  };
  const destinations = places.map((name) => {
    const reasons = judgeFile(file, name);
    return { name, fits: reasons.length === 0, reasons };
  });
  return { destinations };
}

function filesOf({ photos, known }: PreparedAssets): FilesOfVideo {
  const images = known.map((image) => [image.url, 'digest' in image ? image.digest : null] as const);
  return { photos: photos.map(({ digest }) => digest), images: new Map(images) };
}

async function describeWithStills(
  plan: PlannedVideo,
  provide: (still: FrameStill) => Promise<string>,
): Promise<ReportAlteredPhoto[]> {
  const stills = alteredStillsOf(plan.timeline);
  const photos: ReportAlteredPhoto[] = [];
  for (const [index, photo] of describeAltered(plan).entries()) {
    const { still, originalStill } = stills[index]!;
    photos.push({
      ...photo,
      ...(still ? { still: await provide(still) } : {}),
      ...(originalStill ? { original_still: await provide(originalStill) } : {}),
    });
  }
  return photos;
}

/** Adds a JPEG as a data URL, unless it is there. @returns Its key. */
async function addStill(
  timeline: Timeline,
  still: FrameStill,
  stills: FrameStills,
  dataUrls: Map<string, string>,
): Promise<string> {
  const key = still.key.slice(0, 16);
  if (dataUrls.has(key)) return key;
  const jpeg = await stills.provide(timeline, still);
  dataUrls.set(key, `data:image/jpeg;base64,${jpeg.toString('base64')}`);
  return key;
}

async function describeFiles(plan: PlannedVideo, { folder, finished }: ReportRequest) {
  const { video, poster, preview, small } = plan.names;
  const hasSmall = small !== null && finished.get(plan)?.hasSmall === true;
  return {
    video: await folder.describe(video),
    poster: await folder.describe(poster),
    preview: preview === null ? null : await folder.describe(preview),
    ...(hasSmall ? { small_video: await folder.describe(small) } : {}),
  };
}

function countSegments(
  { plan, earlier }: VideoToMake,
  renderedKeys: ReadonlySet<string>,
  counted: Set<string>,
) {
  let rendered = 0;
  for (const { key } of earlier ? [] : plan.timeline.segments) {
    if (renderedKeys.has(key) && !counted.has(key)) rendered += 1;
    counted.add(key);
  }
  return { rendered, reused: plan.timeline.segments.length - rendered };
}

/** One sentence when some or all videos are up to date. */
export function describeReuse(videos: readonly Pick<ReportEntry, 'is_unchanged'>[]): string[] {
  const unchanged = videos.filter((video) => video.is_unchanged).length;
  if (unchanged === 0) return [];
  if (unchanged < videos.length)
    return [`${unchanged} of ${videos.length} videos ${unchanged === 1 ? 'is' : 'are'} up to date`];
  return videos.length === 1
    ? ['nothing has changed: the video is up to date (--force renders it again)']
    : ['nothing has changed: all videos are up to date (--force renders them again)'];
}

function describeMissingShapes(
  { listing, options }: VideoTaskPayload,
  made: readonly ReportEntry[],
): string[] {
  const missing = listing.agents.length - made.length;
  if (options.alsoRatio === undefined || missing === 0) return [];
  const videos = missing === 1 ? '1 video has' : `${missing} videos have`;
  return [`${videos} the shape ${options.alsoRatio} already and no other`];
}
