/**
 * Proves that this machine can make videos: decodes a photo, renders frames of it, encodes them, and reads the video
 * back, all with the code of `create`. In a temporary folder, so that nothing is left and nothing comes from the cache.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Listing } from '../listing/listing.ts';
import type { FoundFfmpeg } from '../media/encode/ffmpeg/find-ffmpeg.ts';
import { createDiskCache } from '../platform/disk/cache/disk-cache.ts';
import { removeAtExit } from '../platform/disk/remove-at-exit.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { loadSharp } from '../platform/load-sharp.ts';
import { probePhoto } from './probe-photo.ts';
import type { RenderDeps } from './render-deps.ts';
import type { PreviewShot } from './templates/take-shot.ts';

/** A busy machine can take ten times as long as a quiet one. */
const TIMEOUT_MS = 60_000;
const TEMPLATE_ID = 'classic';
const CLIP: PreviewShot = { kind: 'clip', fromSec: 0, durationSec: 0.1, format: 'mp4' };
const STILL: PreviewShot = { kind: 'still', atSec: 0, format: 'jpg' };
export type ProvenFfmpeg = Pick<FoundFfmpeg, 'path' | 'version'>;

const LISTING: Listing = {
  id: 'doctor',
  assets: [{ url: 'photo.jpg' }],
  agents: [{ id: 'doctor', first_name: 'Ann', last_name: 'Example' }],
  address: { street: '1 Example Street' },
};

/**
 * @param ffmpeg - The one that `create` would use; null proves only photos and frames.
 * @throws The error that `create` would end with; `render_failed` when nothing is finished within a minute.
 */
export async function proveRendering(ffmpeg: ProvenFfmpeg | null, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-proof-'));
  const forget = removeAtExit(folder);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // It names the command that brings it back; a decode process that cannot start knows less.
    await loadSharp();
    await writeFile(path.join(folder, 'photo.jpg'), probePhoto());
    await makeClip(folder, ffmpeg, AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new ListingVideoError(
      'render_failed',
      `a small video is not finished within ${TIMEOUT_MS / 1000} s`,
      {
        cause: error,
        hint: 'this machine is overloaded, or this ffmpeg hangs: try another with --ffmpeg',
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
    forget();
  }
}

async function makeClip(
  folder: string,
  ffmpeg: ProvenFfmpeg | null,
  callerSignal: AbortSignal,
): Promise<void> {
  const [{ openRun }, { renderPoolWhenNeeded }, { takeShot }] = await Promise.all([
    import('./open-run.ts'),
    import('./make/render-pool-when-needed.ts'),
    import('./templates/take-shot.ts'),
  ]);
  const deps = toDeps(folder, ffmpeg);
  const options = { templateId: TEMPLATE_ID, quality: 'draft', minAssets: 0, force: false } as const;
  const run = await openRun({ listing: LISTING, baseDir: folder, options }, deps, {
    signal: callerSignal,
    onAssets: () => undefined,
  });
  const { signal } = run;
  const pool = renderPoolWhenNeeded({ threads: 1, prepare: run.requirePixels });
  try {
    const [dropped] = run.assets.dropped;
    if (dropped !== undefined)
      throw new ListingVideoError('internal_error', `photos cannot be decoded: ${dropped.reason}`);
    const [plan] = await run.plan({ fingerprint: () => 'proof' });
    const { timeline } = plan!;
    const { findFfmpeg } = deps;
    const shot = await takeShot(ffmpeg === null ? STILL : CLIP, { timeline, run, pool, findFfmpeg, signal });
    if (ffmpeg === null) return;
    const file = path.join(folder, 'video.mp4');
    await writeFile(file, shot.bytes);
    const { verifyVideo } = await import('../media/encode/mp4/verify-video.ts');
    const frameCount = shot.toFrame - shot.fromFrame;
    await verifyVideo(file, { ...timeline.storyboard, frameCount });
  } finally {
    await pool.close();
    await run.close();
  }
}

function toDeps(folder: string, ffmpeg: ProvenFfmpeg | null): RenderDeps {
  return {
    home: folder,
    cache: createDiskCache(path.join(folder, 'cache'), { maxBytes: 1e9 }),
    concurrency: 1,
    renderThreads: 1,
    addressPolicy: { allowPrivate: false, allowFrom: [] },
    templatesDirs: [],
    // Without one the shot is a still, which needs none.
    findFfmpeg: async () => ffmpeg as FoundFfmpeg,
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    generator: 'listing-video doctor',
  };
}
