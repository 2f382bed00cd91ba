/** The smaller file of a video, for pages: the same pictures in smaller frames, with the same audio. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Timeline } from '../../design/timeline/timeline.ts';
import { assembleVideo } from '../../media/encode/mp4/assemble-video.ts';
import { verifyVideo } from '../../media/encode/mp4/verify-video.ts';
import { shrinkVideo } from '../../media/encode/shrink-video.ts';
import type { SmallVideoRule } from '../destinations/destination-table.ts';
import type { PlannedVideo } from '../plan/plan-videos.ts';
import { segmentNames } from '../plan/video-key.ts';
import type { OutputFolder } from '../publish/output-folder.ts';
import type { MakeDeps } from './make-deps.ts';

/** Raise it when other settings make other files of the same video. */
const SMALL_VERSION = 1;

export interface SmallVideoDeps extends Pick<MakeDeps, 'cache' | 'ffmpeg' | 'workDir' | 'signal'> {
  readonly folder: OutputFolder;
}

/**
 * Stages the smaller file of a video that is staged, if the video is larger than the rule allows.
 *
 * @param audio - Path of the video's track file.
 * @returns Whether it is there; `impossible` where even the least quality would be larger.
 * @throws {@link ListingVideoError} `encode_failed`, `verification_failed`, `disk_full`; the signal's reason.
 */
export async function makeSmallVideo(
  { timeline, names, delivery: { small: rule, hasEditLists } }: PlannedVideo,
  audio: string,
  deps: SmallVideoDeps,
): Promise<'made' | 'needless' | 'impossible'> {
  if (rule === null || names.small === null) return 'needless';
  const video = deps.folder.stagedPath(names.video);
  if ((await stat(video)).size <= rule.maxBytes) return 'needless';
  const { fps, title, comment } = timeline.storyboard;
  const format = { ...smallSize(timeline.storyboard, rule), fps };
  const segment = await provideSegment(timeline, { rule, video, audio, format }, deps);
  if (segment === null) return 'impossible';
  const outPath = deps.folder.stagedPath(names.small);
  const content = { title, comment, hasEditLists };
  await assembleVideo({ format, segments: [segment], audio, ...content, outPath, signal: deps.signal });
  await verifyVideo(outPath, { ...format, frameCount: timeline.totalFrames, ...content });
  return 'made';
}

/** With the shorter side of the rule, never enlarged; both sides even. */
export function smallSize(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  { shortSidePx }: SmallVideoRule,
): { widthPx: number; heightPx: number } {
  const scale = Math.min(1, shortSidePx / Math.min(widthPx, heightPx));
  const toEven = (px: number): number => 2 * Math.round((px * scale) / 2);
  return { widthPx: toEven(widthPx), heightPx: toEven(heightPx) };
}

interface SmallSource {
  readonly rule: SmallVideoRule;
  readonly video: string;
  readonly audio: string;
  readonly format: { readonly widthPx: number; readonly heightPx: number; readonly fps: number };
}

/** From the cache, or encoded now. */
async function provideSegment(
  timeline: Timeline,
  { rule, video, audio, format }: SmallSource,
  { cache, ffmpeg, workDir, signal }: SmallVideoDeps,
): Promise<string | null> {
  const { totalFrames } = timeline;
  const { size: audioBytes } = await stat(audio);
  const maxBytes = rule.maxBytes - audioBytes - HEAD_BYTES - HEAD_BYTES_PER_FRAME * totalFrames;
  const parts = [SMALL_VERSION, ffmpeg.version, format, maxBytes, segmentNames(timeline)];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const cached = await cache.pin('segments', key, workDir);
  if (cached) return cached;
  const request = { ffmpeg: ffmpeg.path, video, format, frameCount: totalFrames, maxBytes, key };
  const made = await shrinkVideo({ ...request, outDir: workDir, signal });
  if (made !== null) await cache.put('segments', key, made);
  return made;
}

/** Of the boxes in front of the pictures: the words, and at most so much for a frame and its audio. */
const HEAD_BYTES = 20_000;
const HEAD_BYTES_PER_FRAME = 24;
