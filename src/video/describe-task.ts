/** What a task would make, without rendering: the document of `create --dry-run`. */
import type { DroppedAsset } from '../design/photo.ts';
import { encodedSegment, type Segment } from '../design/timeline/timeline.ts';
import type { AspectRatio } from '../listing/listing.ts';
import type { PreparedAssets } from '../media/assets/prepare-assets.ts';
import { segmentFileName } from '../media/encode/h264/segment-cutter.ts';
import type { DestinationName } from './destinations/destination-table.ts';
import { openRun } from './open-run.ts';
import { readEarlierRun } from './plan/earlier-run.ts';
import { withDroppedAssets } from './plan/gather-assets.ts';
import { tempoOfFile } from './plan/music/choose-music.ts';
import { describeAltered, describeMark, describePlan, type PlannedVideo } from './plan/plan-videos.ts';
import { removeNothing, settleKept } from './publish/kept-videos.ts';
import {
  type ReportAlteredPhoto,
  type ReportListing,
  type ReportScene,
  toReportListing,
} from './publish/report.ts';
import type { RenderDeps } from './render-deps.ts';
import type { VideoTaskPayload, WorkOptions } from './video-task.ts';

/** What a dry run reports about every video. */
export interface PlannedEntry {
  readonly template_id: string;
  readonly ratio: AspectRatio;
  readonly width_px: number;
  readonly height_px: number;
  /** 30, or 15 in a draft. */
  readonly fps: number;
  readonly frames: number;
  readonly duration_sec: number;
  /** `none`, a soundtrack's name, or a music file's without its folder. A dry run does not say whether a file can be decoded. */
  readonly music: string;
  /** Tempo of a music file; null where none was found, and for soundtracks. */
  readonly music_bpm: number | null;
  /** Numbers of segments; those shared with an earlier video of the same run count as reused. */
  readonly segments: { readonly to_render: number; readonly reused: number };
  readonly scenes: readonly Omit<ReportScene, 'still'>[];
  readonly altered_photos: readonly ReportAlteredPhoto[];
  /** Places that the file would be made for; absent without `--for`. */
  readonly destinations?: readonly DestinationName[];
  /** As `--length` has it; absent without several. */
  readonly length?: string;
  /** The words for places and length in the file name; absent where the agent would have one file only. */
  readonly named_for?: string;
  readonly warnings: readonly string[];
}

export interface PlannedAgentEntry extends PlannedEntry {
  readonly agent_id: string;
  readonly agent_name: string;
}

export interface TaskDescription {
  readonly listing: ReportListing;
  readonly videos: readonly PlannedAgentEntry[];
  /** The agents' videos in the other ratio; absent unless requested. */
  readonly also_ratio?: readonly PlannedAgentEntry[];
  /** The agents' further files for places of `--for` and lengths of `--length`; absent without any. */
  readonly also_for?: readonly PlannedAgentEntry[];
  /** Videos without branding, one per ratio; absent unless requested. */
  readonly unbranded?: readonly PlannedEntry[];
  readonly assets: { readonly given: number; readonly used: number };
  readonly dropped_assets: readonly DroppedAsset[];
  /** Sentences about the listing; each video has its own too. */
  readonly warnings: readonly string[];
  /** Names of the files in the output folder that `--clean` would remove; absent without `clean`. */
  readonly to_remove?: readonly string[];
  /** One credit is one agent's video. */
  readonly cost: { readonly credits: number; readonly frames_to_render: number };
}

/**
 * Fetches and checks the assets and plans every video; writes only to the cache.
 *
 * @throws {@link ListingVideoError} `output_exists`, `no_usable_assets`, `template_not_found`, `ffmpeg_missing`; the
 *   signal's reason.
 */
export async function describeTask(
  payload: VideoTaskPayload,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TaskDescription> {
  const { listing, options } = payload;
  const earlier = await readEarlierRun(payload.outputDir, payload);
  const onAssets = (done: number, total: number) =>
    onProgress({ percent: (100 * done) / total, stage: 'assets', etaSeconds: null });
  const run = await openRun(payload, deps, { signal, onAssets });
  const { assets, workDir } = run;
  try {
    const plans = await run.plan({ earlier });
    const made = plans.map(({ names }) => ({ video: { file: names.video } }));
    const settled = await settleKept(earlier, made, payload, payload.outputDir, removeNothing);
    const counted = new Set<string>();
    /** Counted for the first video that shows it, unless the cache has it. */
    const isMissing = async ({ key }: Segment): Promise<boolean> => {
      if (counted.has(key)) return false;
      counted.add(key);
      return options.force || !(await deps.cache.pin('segments', segmentFileName(key), workDir));
    };
    const videos: PlannedAgentEntry[] = [];
    const alsoRatio: PlannedAgentEntry[] = [];
    const alsoFor: PlannedAgentEntry[] = [];
    const unbranded: PlannedEntry[] = [];
    let framesToRender = 0;
    for (const plan of plans) {
      let toRender = 0;
      for (const segment of plan.timeline.segments) {
        if (!(await isMissing(segment))) continue;
        toRender += 1;
        const { startFrame, endFrame } = encodedSegment(plan.timeline, segment).segment;
        framesToRender += endFrame - startFrame;
      }
      const entry = toEntry(plan, assets, toRender);
      if (plan.agent === null) unbranded.push(entry);
      else {
        const ofAgent = { agent_id: plan.agent.id, agent_name: plan.agent.name, ...entry };
        (plan.isOtherShape ? alsoRatio : plan.isFurther ? alsoFor : videos).push(ofAgent);
      }
    }
    return {
      listing: toReportListing(payload),
      videos,
      ...(options.alsoRatio !== undefined ? { also_ratio: alsoRatio } : {}),
      ...(alsoFor.length > 0 ? { also_for: alsoFor } : {}),
      ...(options.alsoUnbranded === true ? { unbranded } : {}),
      assets: { given: listing.assets.length, used: assets.photos.length },
      dropped_assets: assets.dropped,
      warnings: [...(plans[0]?.listingNotes ?? []), ...(options.clean === true ? settled.warnings : [])],
      ...(options.clean === true ? { to_remove: settled.removed } : {}),
      cost: { credits: videos.length, frames_to_render: framesToRender },
    };
  } catch (error) {
    throw withDroppedAssets(error, assets.dropped);
  } finally {
    await run.close();
  }
}

function toEntry(plan: PlannedVideo, assets: PreparedAssets, toRender: number): PlannedEntry {
  const { options, timeline, music, notes, delivery } = plan;
  const { widthPx, heightPx, fps } = timeline.storyboard;
  return {
    template_id: options.templateId,
    ratio: options.ratio,
    width_px: widthPx,
    height_px: heightPx,
    fps,
    frames: timeline.totalFrames,
    duration_sec: timeline.totalFrames / fps,
    music: music.name,
    music_bpm: tempoOfFile(music),
    segments: { to_render: toRender, reused: timeline.segments.length - toRender },
    scenes: describePlan(plan, assets),
    altered_photos: describeAltered(plan),
    ...(delivery.places.length > 0 ? { destinations: delivery.places } : {}),
    ...describeMark(plan),
    warnings: [...notes, ...timeline.storyboard.warnings, ...music.warnings],
  };
}
