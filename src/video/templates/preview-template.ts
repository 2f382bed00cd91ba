/**
 * A look at a template without making a video: a still, a sheet of all scenes, or a short clip, straight from the frame
 * renderer. What is shown is what `create` would make of the same listing.
 */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DroppedAsset } from '../../assets/photo.ts';
import type { PreparedAssets } from '../../assets/prepare-assets.ts';
import { writeFileAtomically } from '../../disk/atomic-write.ts';
import { toOutputError } from '../../disk/disk-error.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import type { RenderPool } from '../../render/render-pool.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { fitSide } from '../make/fit-side.ts';
import {
  gatherAssets,
  graphicsByDigest,
  photosByDigest,
  requireEnoughAssets,
} from '../plan/gather-assets.ts';
import { PREVIEW_FPS, stillFrame } from '../plan/highlight-frames.ts';
import { planVideos } from '../plan/plan-videos.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskPayload, WorkOptions } from '../video-task.ts';
import { openWorkFolder } from '../work-folder.ts';

/** What of the film is wanted. Times beyond its end mean its last frame. */
export type PreviewShot =
  | { readonly kind: 'still'; readonly atSec: number; readonly format: 'png' | 'jpg' }
  | { readonly kind: 'sheet'; readonly format: 'png' | 'jpg' }
  | {
      readonly kind: 'clip';
      readonly fromSec: number;
      readonly durationSec: number;
      readonly format: 'mp4' | 'gif';
    };

export interface PreviewRequest {
  /** With one agent: the one whose film is shown. */
  readonly listing: Listing;
  readonly baseDir: string | null;
  readonly templateId: string;
  readonly templatesDirs: readonly string[];
  readonly templateData?: Readonly<Record<string, string>>;
  /** Absent: the agent's own. */
  readonly ratio?: AspectRatio;
  readonly shot: PreviewShot;
  /** Absolute; replaced when it is there. */
  readonly file: string;
}

export interface TemplatePreview {
  readonly file: string;
  readonly templateId: string;
  readonly ratio: AspectRatio;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Of the whole film. */
  readonly filmSec: number;
  /** What is shown, `[from, to)`; a still has one frame. */
  readonly shownSec: readonly [from: number, to: number];
  readonly warnings: readonly string[];
  readonly dropped_assets: readonly DroppedAsset[];
}

/** Share of the time that photos take when none of them is in the cache. */
const ASSETS_PERCENT = 60;
/** Longer side of a still on a sheet, and of a GIF, px. */
const SMALL_SIDE_PX = 480;
const SHEET_COLUMNS: Readonly<Record<AspectRatio, number>> = { '1920:1080': 4, '1080:1920': 6 };

/**
 * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `no_usable_assets`, `render_failed`,
 *   `output_unwritable`, `disk_full`; for an MP4 besides `ffmpeg_missing`, `encode_failed`; the signal's reason.
 */
export async function previewTemplate(
  order: PreviewRequest,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TemplatePreview> {
  const { listing, baseDir, templatesDirs, shot } = order;
  const options: VideoTaskPayload['options'] = {
    templateId: order.templateId,
    ...(order.templateData === undefined ? {} : { templateData: order.templateData }),
    ...(order.ratio === undefined ? {} : { ratio: order.ratio }),
    ...{ quality: 'draft', minAssets: 1, force: false },
  };
  const work = await openWorkFolder(deps.home);
  const { createRenderPool } = await import('../../render/render-pool.ts');
  const pool = createRenderPool({ threads: deps.renderThreads });
  try {
    const payload = { listing, listingFile: null, baseDir, outputDir: path.dirname(order.file), options };
    const own = { ...deps, templatesDirs };
    const assets = await gatherAssets(payload, own, work.path, signal, (done, total) =>
      onProgress({ percent: (ASSETS_PERCENT * done) / total, stage: 'assets', etaSeconds: null }),
    );
    requireEnoughAssets(assets, listing.assets.length, 1);
    const fingerprint = () => 'preview';
    const [plan] = await planVideos({
      listing,
      options,
      assets,
      baseDir,
      templatesDirs,
      signal,
      fingerprint,
    });
    const { timeline, music } = plan!;
    onProgress({ percent: ASSETS_PERCENT, stage: 'render', etaSeconds: null });
    const camera: Camera = { timeline, assets, pool, signal, workDir: work.path, deps };
    const { bytes, ...shown } = await takeShot(shot, camera);
    await writePicture(order.file, bytes);
    const { fps } = timeline.storyboard;
    return {
      file: order.file,
      templateId: order.templateId,
      ratio: timeline.storyboard.ratio,
      widthPx: shown.widthPx,
      heightPx: shown.heightPx,
      filmSec: timeline.totalFrames / fps,
      shownSec: [shown.fromFrame / fps, shown.toFrame / fps],
      warnings: [...timeline.storyboard.warnings, ...music.warnings],
      dropped_assets: assets.dropped,
    };
  } finally {
    await pool.close();
    await work.close();
  }
}

interface Camera {
  readonly timeline: Timeline;
  readonly assets: PreparedAssets;
  readonly pool: RenderPool;
  readonly workDir: string;
  readonly deps: RenderDeps;
  readonly signal: AbortSignal;
}

interface Shown {
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fromFrame: number;
  readonly toFrame: number;
}

function takeShot(shot: PreviewShot, camera: Camera): Promise<Shown> {
  switch (shot.kind) {
    case 'still':
      return takeStill(shot, camera);
    case 'sheet':
      return takeSheet(shot, camera);
    case 'clip':
      return shot.format === 'gif' ? takeGif(shot, camera) : takeClip(shot, camera);
  }
}

async function takeStill(shot: PreviewShot & { kind: 'still' }, camera: Camera): Promise<Shown> {
  const { timeline } = camera;
  const { widthPx, heightPx } = timeline.storyboard;
  const frame = frameAt(shot.atSec, timeline);
  const [rgba] = await stills([frame], { widthPx, heightPx }, camera);
  const bytes = await encodeStill({ rgba: rgba!, widthPx, heightPx }, shot.format);
  return { bytes, widthPx, heightPx, fromFrame: frame, toFrame: frame + 1 };
}

async function takeSheet(shot: PreviewShot & { kind: 'sheet' }, camera: Camera): Promise<Shown> {
  const { timeline } = camera;
  const { scenes, fps, ratio } = timeline.storyboard;
  const size = fitSide(timeline, SMALL_SIDE_PX);
  const frames = scenes.map((_, index) => stillFrame(timeline, index));
  const pictures = await stills(frames, size, camera);
  const [{ makeContactSheet }, { createTextRasteriser }, { createTextMeasurer }] = await Promise.all([
    import('./contact-sheet.ts'),
    import('../../text/text-rasteriser.ts'),
    import('../../text/text-measurer.ts'),
  ]);
  const labelled = pictures.map((rgba, index) => ({
    ...{ rgba, ...size },
    label: scenes[index]!.id.replace(/^scene-/, '').replace('-', ' '),
    time: formatClock(frames[index]! / fps),
  }));
  const fonts = { measurer: await createTextMeasurer(), rasteriser: await createTextRasteriser() };
  const sheet = await makeContactSheet(labelled, SHEET_COLUMNS[ratio], fonts);
  const { widthPx, heightPx } = sheet;
  const bytes = await encodeStill(sheet, shot.format);
  return { bytes, widthPx, heightPx, fromFrame: 0, toFrame: timeline.totalFrames };
}

async function takeGif(shot: PreviewShot & { kind: 'clip' }, camera: Camera): Promise<Shown> {
  const { encodePreviewGif } = await import('../../encode/preview-gif.ts');
  const { timeline, signal } = camera;
  const size = fitSide(timeline, SMALL_SIDE_PX);
  const { fromFrame, toFrame } = spanOf(shot, timeline);
  const step = timeline.storyboard.fps / PREVIEW_FPS;
  const frames = Array.from(
    { length: Math.ceil((toFrame - fromFrame) / step) },
    (_, index) => fromFrame + index * step,
  );
  const pictures = await stills(frames, size, camera);
  const bytes = await encodePreviewGif({ frames: pictures, ...size, fps: PREVIEW_FPS, signal });
  return { bytes, ...size, fromFrame, toFrame };
}

/** One segment of its own, without sound. */
async function takeClip(shot: PreviewShot & { kind: 'clip' }, camera: Camera): Promise<Shown> {
  const { timeline, assets, pool, workDir, deps, signal } = camera;
  const [{ encodeSegments, segmentFileName }, { assembleVideo }, { makeMusicTrack }, { readFile }] =
    await Promise.all([
      import('../../encode/encode-segments.ts'),
      import('../../encode/assemble-video.ts'),
      import('../../encode/sound/music.ts'),
      import('node:fs/promises'),
    ]);
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const { fromFrame, toFrame } = spanOf(shot, timeline);
  const segment = { key: 'clip', startFrame: fromFrame, endFrame: toFrame };
  const { path: ffmpeg } = await deps.findFfmpeg();
  const sources = { timeline, photos: photosByDigest(assets), graphics: graphicsByDigest(assets) };
  await encodeSegments({
    ffmpeg,
    format: { widthPx, heightPx, fps, quality: 'draft' },
    frames: pool.renderSpans({ ...sources, spans: [segment] }, signal),
    segments: [segment],
    outDir: workDir,
    signal,
  });
  const durationFrames = toFrame - fromFrame;
  const audio = await makeMusicTrack(
    { kind: 'none' },
    { ffmpeg, durationFrames, fps, outDir: workDir, signal },
  );
  const outPath = path.join(workDir, 'clip.mp4');
  const segments = [path.join(workDir, segmentFileName(segment.key))];
  await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments,
    audio,
    title,
    comment,
    outPath,
    signal,
  });
  return { bytes: await readFile(outPath), widthPx, heightPx, fromFrame, toFrame };
}

function stills(
  frames: readonly number[],
  size: { readonly widthPx: number; readonly heightPx: number },
  { timeline, assets, pool, signal }: Camera,
): Promise<Uint8Array[]> {
  const sources = { timeline, photos: photosByDigest(assets), graphics: graphicsByDigest(assets) };
  return pool.renderStills({ ...sources, frames, size }, signal);
}

async function encodeStill(
  picture: { readonly rgba: Uint8Array; readonly widthPx: number; readonly heightPx: number },
  format: 'png' | 'jpg',
): Promise<Uint8Array> {
  const { encodePng, encodePoster } = await import('../../encode/still-picture.ts');
  return format === 'png' ? encodePng(picture) : encodePoster(picture);
}

function frameAt(sec: number, { storyboard, totalFrames }: Timeline): number {
  return Math.max(0, Math.min(totalFrames - 1, Math.round(sec * storyboard.fps)));
}

function spanOf({ fromSec, durationSec }: PreviewShot & { kind: 'clip' }, timeline: Timeline) {
  const fromFrame = frameAt(fromSec, timeline);
  const wanted = Math.max(1, Math.round(durationSec * timeline.storyboard.fps));
  return { fromFrame, toFrame: Math.min(timeline.totalFrames, fromFrame + wanted) };
}

/** Written aside, so that a viewer that follows the file never shows half of it. */
async function writePicture(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  try {
    await mkdir(folder, { recursive: true });
    await writeFileAtomically(file, bytes, { durable: false });
  } catch (error) {
    throw toOutputError(error, folder);
  }
}

/** `0:07.5`. */
function formatClock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`;
}
