/** Encodes the pictures of a finished video again: smaller frames, and at most so many bytes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { usableCpuCount } from '../../platform/settings/container-limits.ts';
import { readPackets, segmentFileName, threadsFor } from './encode-segments.ts';
import { type ShrinkFormat, toShrinkArgs } from './encode-settings.ts';
import { startFfmpeg } from './ffmpeg/run-ffmpeg.ts';
import { SegmentCutter } from './h264/segment-cutter.ts';
import { readTrackFile } from './mp4/track-file.ts';

export interface ShrinkRequest {
  /** Path of an ffmpeg that `findFfmpeg` accepted. */
  readonly ffmpeg: string;
  /** A finished MP4. */
  readonly video: string;
  readonly format: ShrinkFormat;
  readonly frameCount: number;
  /** Of the packets. */
  readonly maxBytes: number;
  /** Existing folder; the track appears in it as a segment of this key. */
  readonly outDir: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Two passes miss their size by less, also in videos of a few seconds. */
const AIM = 0.97;
const MAX_TRIES = 4;
/** x264 refuses to start with less than 1,000 bit/s; no video for people needs so little. */
const MIN_BIT_RATE = 5_000;

/**
 * First at constant quality, which most videos need no more than. What is larger is encoded again for its size, with
 * what the first pass found out.
 *
 * @returns Path of the track file; null if the video cannot be so small.
 * @throws {@link ListingVideoError} `encode_failed`, `disk_full`; the signal's reason.
 */
export async function shrinkVideo(request: ShrinkRequest): Promise<string | null> {
  const { frameCount, format, maxBytes, outDir, key } = request;
  const statsFile = join(outDir, key);
  const path = join(outDir, segmentFileName(key));
  let aimBytes = maxBytes * AIM;
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const bitRate = Math.floor((aimBytes * 8 * format.fps) / frameCount);
      if (bitRate < MIN_BIT_RATE) break;
      await encodeOnce(request, { bitRate: tries === 0 ? null : bitRate, statsFile });
      const { packetBytes = Number.POSITIVE_INFINITY } = (await readTrackFile(path)) ?? {};
      if (packetBytes <= maxBytes) return path;
      if (tries > 0) aimBytes *= (maxBytes / packetBytes) * AIM;
    }
    await rm(path, { force: true });
    return null;
  } finally {
    for (const ending of ['-0.log', '-0.log.mbtree']) await rm(`${statsFile}${ending}`, { force: true });
  }
}

async function encodeOnce(
  { ffmpeg, video, format, frameCount, outDir, key, signal }: ShrinkRequest,
  pass: { readonly bitRate: number | null; readonly statsFile: string },
): Promise<void> {
  signal.throwIfAborted();
  const args = toShrinkArgs(video, format, { ...pass, threads: threadsFor(usableCpuCount()) });
  const encoder = startFfmpeg(ffmpeg, args, signal);
  encoder.stdin.end();
  const cutter = new SegmentCutter({
    format,
    segments: [{ key, startFrame: 0, endFrame: frameCount }],
    outDir,
  });
  try {
    await readPackets(encoder, {
      onConfig: (config) => cutter.setConfig(config),
      onPacket: (packet) => cutter.take(packet),
    });
    await cutter.finish();
  } catch (error) {
    encoder.stop();
    await encoder.done.catch(() => {});
    signal.throwIfAborted();
    throw error;
  } finally {
    await cutter.close();
  }
}
