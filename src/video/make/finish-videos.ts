/** From segments to the files of one agent: MP4, poster, preview; each kept in the cache where that saves work. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../../assets/photo.ts';
import { assembleVideo } from '../../encode/assemble-video.ts';
import type { DiskCache } from '../../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../../encode/find-ffmpeg.ts';
import { encodePreviewGif, PREVIEW_VERSION } from '../../encode/preview-gif.ts';
import { verifyVideo } from '../../encode/verify-video.ts';
import type { RenderPool } from '../../render/render-pool.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { PREVIEW_FPS, previewFrames } from '../plan/highlight-frames.ts';
import type { PlannedVideo } from '../plan/plan-videos.ts';
import { toStillKey } from '../plan/video-key.ts';
import type { OutputFolder } from '../publish/output-folder.ts';
import { fitSide } from './fit-side.ts';
import { type FrameStills, posterOf } from './frame-stills.ts';
import { provideSoundtrack } from './provide-soundtracks.ts';

/** Longer side of a preview, px. */
const PREVIEW_SIDE_PX = 480;

export interface FinishRequest {
  readonly folder: OutputFolder;
  readonly segmentPaths: ReadonlyMap<string, string>;
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly pool: RenderPool;
  readonly pictures: FrameStills;
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  readonly workDir: string;
  readonly signal: AbortSignal;
}

export interface FinishedVideo {
  /** Integrated loudness of its sound, LUFS; null for silence. */
  readonly loudnessLufs: number | null;
}

/**
 * Stages all files of one video.
 *
 * @throws {@link ListingVideoError} `encode_failed`, `verification_failed`, `disk_full`; the signal's reason.
 */
export async function finishVideo(plan: PlannedVideo, request: FinishRequest): Promise<FinishedVideo> {
  const { folder, signal } = request;
  const { timeline, names } = plan;
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const outPath = folder.stagedPath(names.video);
  const { loudnessLufs } = await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments: timeline.segments.map((segment) => request.segmentPaths.get(segment.key)!),
    audio: await provideSoundtrack(plan.music, timeline, request),
    title,
    comment,
    outPath,
    signal,
  });
  await verifyVideo(outPath, { widthPx, heightPx, fps, frameCount: timeline.totalFrames, title, comment });
  await writeFile(
    folder.stagedPath(names.poster),
    await request.pictures.provide(timeline, posterOf(timeline)),
  );
  if (names.preview)
    await writeFile(folder.stagedPath(names.preview), await providePreview(timeline, request));
  return { loudnessLufs };
}

function providePreview(timeline: Timeline, request: FinishRequest): Promise<Buffer> {
  const frames = previewFrames(timeline);
  const size = fitSide(timeline, PREVIEW_SIDE_PX);
  return provideBytes(
    request,
    'previews',
    toStillKey(timeline, `preview-${PREVIEW_VERSION}`, frames),
    async () => {
      const rendered = await request.pool.renderStills(
        { timeline, frames, size, photos: request.photos, graphics: request.graphics },
        request.signal,
      );
      return encodePreviewGif({ frames: rendered, ...size, fps: PREVIEW_FPS, signal: request.signal });
    },
  );
}

/** From the cache, or made and put there. */
async function provideBytes(
  { cache, workDir }: Pick<FinishRequest, 'cache' | 'workDir'>,
  namespace: string,
  key: string,
  make: () => Promise<Uint8Array>,
): Promise<Buffer> {
  const cached = await cache.pin(namespace, key, workDir);
  if (cached) return readFile(cached);
  const bytes = Buffer.from(await make());
  const file = path.join(workDir, `${namespace}-${key}`);
  await writeFile(file, bytes);
  await cache.put(namespace, key, file);
  return bytes;
}
