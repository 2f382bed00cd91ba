/** From segments to the files of one video: MP4, poster and preview. */
import { writeFile } from 'node:fs/promises';
import { assembleVideo } from '../../encode/assemble-video.ts';
import { encodePreviewGif, PREVIEW_VERSION } from '../../encode/preview-gif.ts';
import { verifyVideo } from '../../encode/verify-video.ts';
import { DRAFT_FPS } from '../../storyboard/draft-storyboard.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { previewFps, previewFrames } from '../plan/highlight-frames.ts';
import type { PlannedVideo } from '../plan/plan-videos.ts';
import { toStillKey } from '../plan/video-key.ts';
import type { OutputFolder } from '../publish/output-folder.ts';
import { type FrameStills, fitSide, posterOf } from './frame-stills.ts';
import { type MakeDeps, provideBytes } from './make-deps.ts';
import { provideSoundtrack } from './provide-soundtracks.ts';

/** Longer side of a preview, px, and of a draft's. */
const PREVIEW_SIDE_PX = 480;
const DRAFT_PREVIEW_SIDE_PX = 320;

export interface FinishDeps extends MakeDeps {
  readonly folder: OutputFolder;
  /** By segment key. */
  readonly segmentPaths: ReadonlyMap<string, string>;
  readonly stills: FrameStills;
}

export interface FinishedVideo {
  /** Integrated loudness of the audio, LUFS; null for silence. */
  readonly loudnessLufs: number | null;
}

/**
 * Stages all files of one video.
 *
 * @throws {@link ListingVideoError} `encode_failed`, `verification_failed`, `disk_full`; the signal's reason.
 */
export async function finishVideo(plan: PlannedVideo, deps: FinishDeps): Promise<FinishedVideo> {
  const { folder, signal } = deps;
  const { timeline, names } = plan;
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const outPath = folder.stagedPath(names.video);
  const { loudnessLufs } = await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments: timeline.segments.map((segment) => deps.segmentPaths.get(segment.key)!),
    audio: await provideSoundtrack(plan.music, timeline, deps),
    title,
    comment,
    outPath,
    signal,
  });
  await verifyVideo(outPath, { widthPx, heightPx, fps, frameCount: timeline.totalFrames, title, comment });
  const poster = await deps.stills.provide(timeline, posterOf(timeline));
  await writeFile(folder.stagedPath(names.poster), poster);
  if (names.preview) await writeFile(folder.stagedPath(names.preview), await providePreview(timeline, deps));
  return { loudnessLufs };
}

function providePreview(timeline: Timeline, deps: FinishDeps): Promise<Buffer> {
  const { pool, photos, graphics, signal } = deps;
  const frames = previewFrames(timeline);
  const isDraft = timeline.storyboard.fps === DRAFT_FPS;
  const size = fitSide(timeline, isDraft ? DRAFT_PREVIEW_SIDE_PX : PREVIEW_SIDE_PX);
  const key = toStillKey(timeline, `preview-${PREVIEW_VERSION}`, frames);
  return provideBytes(deps, { kind: 'previews', key }, async () => {
    const rendered = await pool.renderStills({ timeline, frames, size, photos, graphics }, signal);
    return encodePreviewGif({ frames: rendered, ...size, fps: previewFps(timeline), signal });
  });
}
