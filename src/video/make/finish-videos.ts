/** From segments to the files of one video: MP4, smaller MP4, poster and preview. */
import { writeFile } from 'node:fs/promises';
import { type AssembleVideoRequest, assembleVideo } from '../../media/encode/mp4/assemble-video.ts';
import { verifyVideo } from '../../media/encode/mp4/verify-video.ts';
import type { PlannedVideo } from '../plan/plan-videos.ts';
import type { OutputFolder } from '../publish/output-folder.ts';
import { type FrameStills, posterOf } from './frame-stills.ts';
import type { MakeDeps } from './make-deps.ts';
import type { Previews } from './previews.ts';
import { provideSoundtrack } from './provide-soundtracks.ts';
import { makeSmallVideo } from './small-videos.ts';

export interface FinishDeps extends MakeDeps {
  readonly folder: OutputFolder;
  /** By segment key. */
  readonly segmentPaths: ReadonlyMap<string, string>;
  /** Segments and soundtracks that the videos before had too. */
  readonly tracks: NonNullable<AssembleVideoRequest['tracks']>;
  readonly stills: FrameStills;
  /** Absent when no video has a preview. */
  readonly previews: Previews | undefined;
}

export interface FinishedVideo {
  /** Integrated loudness of the audio, LUFS; null for silence. */
  readonly loudnessLufs: number | null;
  /** It has a smaller file. */
  readonly hasSmall: boolean;
  /** Sentences for the report. */
  readonly warnings: readonly string[];
}

/**
 * Stages all files of one video.
 *
 * @throws {@link ListingVideoError} `encode_failed`, `verification_failed`, `disk_full`; the signal's reason.
 */
export async function finishVideo(plan: PlannedVideo, deps: FinishDeps): Promise<FinishedVideo> {
  const { folder, signal } = deps;
  const { timeline, names, delivery } = plan;
  const { hasEditLists } = delivery;
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const outPath = folder.stagedPath(names.video);
  const audio = await provideSoundtrack(plan.music, timeline, deps, delivery);
  const { loudnessLufs } = await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments: timeline.segments.map(({ key, of, startFrame, endFrame }) => {
      const path = deps.segmentPaths.get(key)!;
      return of === undefined ? path : { path, frames: endFrame - startFrame };
    }),
    audio,
    title,
    comment,
    hasEditLists,
    outPath,
    tracks: deps.tracks,
    signal,
  });
  const frameCount = timeline.totalFrames;
  await verifyVideo(outPath, { widthPx, heightPx, fps, frameCount, title, comment, hasEditLists });
  const small = await makeSmallVideo(plan, audio, deps);
  const poster = await deps.stills.provide(timeline, posterOf(plan));
  await writeFile(folder.stagedPath(names.poster), poster);
  if (names.preview !== null && deps.previews !== undefined)
    await writeFile(folder.stagedPath(names.preview), await deps.previews.provide(timeline));
  const warnings = small === 'impossible' ? [TOO_LONG_TO_SHRINK] : [];
  return { loudnessLufs, hasSmall: small === 'made', warnings };
}

const TOO_LONG_TO_SHRINK =
  'no smaller file for web pages: the video is too long for one under 8 MB; give it a shorter --length';
