/** Takes a still, a sheet of all scenes, or a short clip of a planned video, straight from the frame renderer. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Timeline } from '../../design/timeline/timeline.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import type { RenderPool } from '../../media/render/render-pool.ts';
import { formatTenths } from '../format-clock.ts';
import { fitSide } from '../make/frame-stills.ts';
import type { Run } from '../open-run.ts';
import { PREVIEW_STEP, previewFps, stillFrame } from '../plan/highlight-frames.ts';
import type { RenderDeps } from '../render-deps.ts';

/** A time is before the end of the video. */
export type PreviewShot =
  | { readonly kind: 'still'; readonly atSec: number; readonly format: 'png' | 'jpg' }
  | { readonly kind: 'sheet'; readonly format: 'png' | 'jpg' }
  | {
      readonly kind: 'clip';
      readonly fromSec: number;
      readonly durationSec: number;
      readonly format: 'mp4' | 'gif';
    };

type Clip = PreviewShot & { kind: 'clip' };

export interface ShotDeps extends Pick<RenderDeps, 'findFfmpeg'> {
  readonly timeline: Timeline;
  readonly run: Run;
  readonly pool: RenderPool;
  readonly signal: AbortSignal;
}

/** The finished file, and the frames that it shows, `[fromFrame, toFrame)`. */
export interface Shot {
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fromFrame: number;
  readonly toFrame: number;
}

interface FrameSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Longer side of a still on a sheet, and of a GIF, px. */
const SMALL_SIDE_PX = 480;
const SHEET_COLUMNS: Readonly<Record<AspectRatio, number>> = { '1920:1080': 4, '1080:1920': 6 };

/**
 * @throws {@link ListingVideoError} `render_failed`; for an MP4 also `ffmpeg_missing`, `encode_failed`; the signal's
 *   reason.
 */
export function takeShot(shot: PreviewShot, deps: ShotDeps): Promise<Shot> {
  if (shot.kind === 'still') return takeStill(shot, deps);
  if (shot.kind === 'sheet') return takeSheet(shot, deps);
  return shot.format === 'gif' ? takeGif(shot, deps) : takeClip(shot, deps);
}

async function takeStill({ atSec, format }: PreviewShot & { kind: 'still' }, deps: ShotDeps): Promise<Shot> {
  const { timeline } = deps;
  const { widthPx, heightPx } = timeline.storyboard;
  const frame = frameAt(atSec, timeline);
  const [rgba] = await renderStills([frame], { widthPx, heightPx }, deps);
  const bytes = await encodeStill({ rgba: rgba!, widthPx, heightPx }, format);
  return { bytes, widthPx, heightPx, fromFrame: frame, toFrame: frame + 1 };
}

async function takeSheet({ format }: PreviewShot & { kind: 'sheet' }, deps: ShotDeps): Promise<Shot> {
  const { timeline } = deps;
  const { scenes, fps, ratio } = timeline.storyboard;
  const size = fitSide(timeline, SMALL_SIDE_PX);
  const frames = scenes.map((_, index) => stillFrame(timeline, index));
  const stills = await renderStills(frames, size, deps);
  const [{ makeContactSheet }, { createTextRasterizer }, { createTextMeasurer }] = await Promise.all([
    import('./contact-sheet.ts'),
    import('../../design/text/text-rasterizer.ts'),
    import('../../design/text/text-measurer.ts'),
  ]);
  const labeled = stills.map((rgba, index) => ({
    rgba,
    ...size,
    label: scenes[index]!.id.replace(/^scene-/, '').replace('-', ' '),
    time: formatTenths(frames[index]! / fps),
  }));
  const fonts = { measurer: await createTextMeasurer(), rasterizer: await createTextRasterizer() };
  const sheet = await makeContactSheet(labeled, SHEET_COLUMNS[ratio], fonts);
  const { widthPx, heightPx } = sheet;
  const bytes = await encodeStill(sheet, format);
  return { bytes, widthPx, heightPx, fromFrame: 0, toFrame: timeline.totalFrames };
}

async function takeGif(clip: Clip, deps: ShotDeps): Promise<Shot> {
  const { encodeGif } = await import('../../media/encode/gif/preview-gif.ts');
  const { timeline, signal } = deps;
  const size = fitSide(timeline, SMALL_SIDE_PX);
  const { fromFrame, toFrame } = spanOf(clip, timeline);
  const count = Math.ceil((toFrame - fromFrame) / PREVIEW_STEP);
  const indexes = Array.from({ length: count }, (_, index) => fromFrame + index * PREVIEW_STEP);
  const frames = await renderStills(indexes, size, deps);
  const bytes = await encodeGif({ frames, ...size, fps: previewFps(timeline) }, signal);
  return { bytes, ...size, fromFrame, toFrame };
}

/** An MP4 of one segment, with silence. */
async function takeClip(clip: Clip, { timeline, run, pool, findFfmpeg, signal }: ShotDeps): Promise<Shot> {
  const [{ encodeSegments, segmentFileName }, { assembleVideo }, { makeMusicTrack }] = await Promise.all([
    import('../../media/encode/encode-segments.ts'),
    import('../../media/encode/mp4/assemble-video.ts'),
    import('../../media/encode/audio/music.ts'),
  ]);
  const { workDir, photos, graphics } = run;
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const { fromFrame, toFrame } = spanOf(clip, timeline);
  const segment = { key: 'clip', startFrame: fromFrame, endFrame: toFrame };
  const { path: ffmpeg } = await findFfmpeg();
  await encodeSegments({
    ffmpeg,
    format: { widthPx, heightPx, fps, quality: 'draft' },
    frames: pool.renderSpans({ timeline, photos, graphics, spans: [segment] }, signal),
    segments: [segment],
    outDir: workDir,
    signal,
  });
  const durationFrames = toFrame - fromFrame;
  const silence = { kind: 'none' } as const;
  const outPath = path.join(workDir, 'clip.mp4');
  await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments: [path.join(workDir, segmentFileName(segment.key))],
    audio: await makeMusicTrack(silence, { ffmpeg, durationFrames, fps, outDir: workDir, signal }),
    title,
    comment,
    outPath,
    signal,
  });
  return { bytes: await readFile(outPath), widthPx, heightPx, fromFrame, toFrame };
}

function renderStills(
  frames: readonly number[],
  size: FrameSize,
  { timeline, run: { photos, graphics }, pool, signal }: ShotDeps,
): Promise<Uint8Array[]> {
  return pool.renderStills({ timeline, photos, graphics, frames, size }, signal);
}

async function encodeStill(
  still: FrameSize & { readonly rgba: Uint8Array },
  format: 'png' | 'jpg',
): Promise<Uint8Array> {
  const { encodePng, encodePoster } = await import('../../media/encode/still-image.ts');
  return format === 'png' ? encodePng(still) : encodePoster(still);
}

function frameAt(sec: number, { storyboard, totalFrames }: Timeline): number {
  return Math.max(0, Math.min(totalFrames - 1, Math.round(sec * storyboard.fps)));
}

function spanOf({ fromSec, durationSec }: Clip, timeline: Timeline) {
  const fromFrame = frameAt(fromSec, timeline);
  const count = Math.max(1, Math.round(durationSec * timeline.storyboard.fps));
  return { fromFrame, toFrame: Math.min(timeline.totalFrames, fromFrame + count) };
}
