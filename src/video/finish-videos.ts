/** From segments to the files of one agent: MP4, poster, preview; each kept in the cache where that saves work. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../assets/photo.ts';
import { assembleVideo } from '../encode/assemble-video.ts';
import type { DiskCache } from '../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../encode/find-ffmpeg.ts';
import { encodePoster } from '../encode/poster-jpeg.ts';
import { encodePreviewGif, PREVIEW_VERSION } from '../encode/preview-gif.ts';
import { silentTrack, silentTrackKey } from '../encode/soundtrack.ts';
import { verifyVideo } from '../encode/verify-video.ts';
import type { RenderPool } from '../render/render-pool.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { PREVIEW_FPS, posterFrame, previewFrames, stillFrame } from './highlight-frames.ts';
import type { OutputFolder } from './output-folder.ts';
import type { PlannedVideo } from './plan-videos.ts';
import { toStillKey } from './video-key.ts';

/** Longer side of a preview and of a still in the report, px. */
const PREVIEW_SIDE_PX = 480;
const STILL_SIDE_PX = 320;

export interface FinishRequest {
  readonly folder: OutputFolder;
  readonly segmentPaths: ReadonlyMap<string, string>;
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly pool: RenderPool;
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Stages all files of one video.
 *
 * @throws {@link ListingVideoError} `encode_failed`, `verification_failed`, `disk_full`; the signal's reason.
 */
export async function finishVideo(plan: PlannedVideo, request: FinishRequest): Promise<void> {
  const { folder, signal } = request;
  const { timeline, names } = plan;
  const { widthPx, heightPx, fps, title, comment } = timeline.storyboard;
  const outPath = folder.stagedPath(names.video);
  await assembleVideo({
    format: { widthPx, heightPx, fps },
    segments: timeline.segments.map((segment) => request.segmentPaths.get(segment.key)!),
    audio: await provideSoundtrack(timeline, request),
    title,
    comment,
    outPath,
    signal,
  });
  await verifyVideo(outPath, { widthPx, heightPx, fps, frameCount: timeline.totalFrames, title, comment });
  await writeFile(folder.stagedPath(names.poster), await providePoster(timeline, request));
  if (names.preview)
    await writeFile(folder.stagedPath(names.preview), await providePreview(timeline, request));
}

/** Key of the sound under a timeline. */
export function soundtrackKey(timeline: Timeline): string {
  return silentTrackKey(timeline.totalFrames, timeline.storyboard.fps);
}

/** One JPEG per scene as a data URL, by its key; `keys` are in the order of the scenes. */
export async function provideStills(
  timeline: Timeline,
  request: Omit<FinishRequest, 'folder' | 'segmentPaths'>,
): Promise<{ keys: string[]; stills: Map<string, string> }> {
  const keys: string[] = [];
  const stills = new Map<string, string>();
  for (const index of timeline.storyboard.scenes.keys()) {
    const frame = stillFrame(timeline, index);
    const key = toStillKey(timeline, 'still', [frame]);
    keys.push(key.slice(0, 16));
    const jpeg = await provideBytes(request, 'stills', key, () =>
      renderJpeg(timeline, frame, STILL_SIDE_PX, 78, request),
    );
    stills.set(key.slice(0, 16), `data:image/jpeg;base64,${jpeg.toString('base64')}`);
  }
  return { keys, stills };
}

async function provideSoundtrack(timeline: Timeline, request: FinishRequest): Promise<string> {
  const key = soundtrackKey(timeline);
  const cached = await request.cache.pin('audio', key, request.workDir);
  if (cached) return cached;
  const made = await silentTrack({
    ffmpeg: request.ffmpeg.path,
    durationFrames: timeline.totalFrames,
    fps: timeline.storyboard.fps,
    outDir: request.workDir,
    signal: request.signal,
  });
  await request.cache.put('audio', key, made);
  return made;
}

function providePoster(timeline: Timeline, request: FinishRequest): Promise<Buffer> {
  const frame = posterFrame(timeline);
  const { widthPx, heightPx } = timeline.storyboard;
  const key = toStillKey(timeline, 'poster', [frame]);
  return provideBytes(request, 'posters', key, () =>
    renderJpeg(timeline, frame, Math.max(widthPx, heightPx), 88, request),
  );
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

async function renderJpeg(
  timeline: Timeline,
  frame: number,
  sidePx: number,
  quality: number,
  request: Omit<FinishRequest, 'folder' | 'segmentPaths'>,
): Promise<Uint8Array> {
  const size = fitSide(timeline, sidePx);
  const [rgba] = await request.pool.renderStills(
    { timeline, frames: [frame], size, photos: request.photos, graphics: request.graphics },
    request.signal,
  );
  return encodePoster({ rgba: rgba!, ...size, quality });
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

/** The frame scaled so that its longer side is `sidePx`, both sides even. */
function fitSide(timeline: Timeline, sidePx: number): { widthPx: number; heightPx: number } {
  const { widthPx, heightPx } = timeline.storyboard;
  const scale = sidePx / Math.max(widthPx, heightPx);
  const toEven = (px: number) => 2 * Math.round((px * scale) / 2);
  return { widthPx: toEven(widthPx), heightPx: toEven(heightPx) };
}
