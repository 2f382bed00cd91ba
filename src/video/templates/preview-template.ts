/**
 * `templates preview`: an image or clip of a template, rendered as `create` would render it, without making the video.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DroppedAsset } from '../../design/photo.ts';
import type { Timeline } from '../../design/timeline/timeline.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { renderPoolWhenNeeded } from '../make/render-pool-when-needed.ts';
import { openRun } from '../open-run.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskOptions, WorkOptions } from '../video-task.ts';
import { type PreviewShot, takeShot } from './take-shot.ts';

export interface PreviewRequest {
  /** With one agent: the preview shows that agent's video. */
  readonly listing: Listing;
  readonly baseDir: string | null;
  readonly templateId: string;
  readonly templatesDirs: readonly string[];
  readonly templateData?: Readonly<Record<string, string>> | undefined;
  /** Absent: the agent's own. */
  readonly ratio?: AspectRatio;
  /** As in the options of a task. */
  readonly unbrandedKeep?: VideoTaskOptions['unbrandedKeep'];
  readonly shot: PreviewShot;
  /** Absolute; an existing file is replaced. */
  readonly file: string;
}

/** Printed as the JSON document of the command. */
export interface TemplatePreview {
  readonly file: string;
  readonly template_id: string;
  readonly ratio: AspectRatio;
  readonly width_px: number;
  readonly height_px: number;
  readonly video_sec: number;
  /** Shown span, `[from, to)`; a still has one frame. */
  readonly shown_sec: readonly [from: number, to: number];
  readonly warnings: readonly string[];
  readonly dropped_assets: readonly DroppedAsset[];
}

/** Share of the time that photos take when none of them is in the cache. */
const ASSETS_PERCENT = 60;

/**
 * @throws {@link ListingVideoError} `usage` for a time after the end; `template_not_found`, `template_invalid`,
 *   `no_usable_assets`, `render_failed`, `output_unwritable`, `disk_full`; for an MP4 also `ffmpeg_missing`,
 *   `encode_failed`; the signal's reason.
 */
export async function previewTemplate(
  {
    listing,
    baseDir,
    templateId,
    templatesDirs,
    templateData,
    ratio,
    unbrandedKeep,
    shot,
    file,
  }: PreviewRequest,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TemplatePreview> {
  const options: VideoTaskOptions = {
    templateId,
    templateData,
    ratio,
    unbrandedKeep,
    quality: 'standard',
    minAssets: 1,
    force: false,
  };
  const onAssets = (done: number, total: number) =>
    onProgress({ percent: (ASSETS_PERCENT * done) / total, stage: 'assets', etaSeconds: null });
  const run = await openRun({ listing, baseDir, options }, { ...deps, templatesDirs }, { signal, onAssets });
  const pool = renderPoolWhenNeeded({ threads: deps.renderThreads, prepare: run.requirePixels });
  try {
    // No segment is cached, so the keys need no encoder: stills work without ffmpeg.
    const [plan] = await run.plan({ fingerprint: () => 'preview' });
    const { timeline, music } = plan!;
    requireTimeInVideo(shot, timeline);
    onProgress({ percent: ASSETS_PERCENT, stage: 'render', etaSeconds: null });
    const { findFfmpeg } = deps;
    const { bytes, ...shown } = await takeShot(shot, { timeline, run, pool, findFfmpeg, signal });
    await writePreview(file, bytes);
    const { fps, warnings } = timeline.storyboard;
    return {
      file,
      template_id: templateId,
      ratio: timeline.storyboard.ratio,
      width_px: shown.widthPx,
      height_px: shown.heightPx,
      video_sec: timeline.totalFrames / fps,
      shown_sec: [shown.fromFrame / fps, shown.toFrame / fps],
      warnings: [...warnings, ...music.warnings],
      dropped_assets: run.assets.dropped,
    };
  } finally {
    await pool.close();
    await run.close();
  }
}

/** @throws {@link ListingVideoError} `usage` for a time after the end. */
function requireTimeInVideo(shot: PreviewShot, { totalFrames, storyboard }: Timeline): void {
  const atSec = shot.kind === 'still' ? shot.atSec : shot.kind === 'clip' ? shot.fromSec : 0;
  const lengthSec = totalFrames / storyboard.fps;
  if (atSec < lengthSec) return;
  // Rounded down, so that the time is in the video.
  const lastSec = Math.floor(((totalFrames - 1) / storyboard.fps) * 10) / 10;
  throw new ListingVideoError(
    'usage',
    `--at: ${atSec} s is after the end: the video is ${lengthSec.toFixed(1)} s long`,
    { hint: `--at ${lastSec}s, or an earlier time` },
  );
}

async function writePreview(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  try {
    await mkdir(folder, { recursive: true });
    await writeFileAtomically(file, bytes, { durable: false });
  } catch (error) {
    throw toOutputError(error, folder);
  }
}
