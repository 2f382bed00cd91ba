/** The video stream of a file beside the raw frames that it was made of: its bytes, and how close its pictures are. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { VideoFormat } from '../../src/media/encode/encode-settings.ts';
import { measureProcess } from './measure-process.ts';

export interface RawFrames {
  /** I420 frames, one after another. */
  readonly file: string;
  readonly format: Pick<VideoFormat, 'widthPx' | 'heightPx' | 'fps'>;
}

export interface VideoQuality {
  /** Of the H.264 stream, without sound and container. */
  readonly bytes: number;
  /** SSIM of luma over all frames, in dB: -10 log10(1 - SSIM), as ffmpeg prints it. */
  readonly ssimDb: number;
}

/** ffmpeg's input of raw frames. */
export function rawInput({ file, format: { widthPx, heightPx, fps } }: RawFrames): string[] {
  const size = `${widthPx}x${heightPx}`;
  return ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', size, '-framerate', `${fps}`, '-i', file];
}

/** @param folder - Existing, for temporary files. */
export async function compareVideo(
  ffmpeg: string,
  video: string,
  frames: RawFrames,
  folder: string,
): Promise<VideoQuality> {
  const stream = path.join(folder, 'stream.h264');
  const quiet = ['-hide_banner', '-nostdin', '-y'];
  await measureProcess([ffmpeg, ...quiet, '-i', video, '-map', '0:v', '-c', 'copy', '-f', 'h264', stream]);
  // Frame by frame: the time bases of the two inputs differ.
  const graph = '[0:v]settb=1/30,setpts=N[a];[1:v]settb=1/30,setpts=N[b];[a][b]ssim';
  const compared = await measureProcess([
    ...[ffmpeg, ...quiet, '-i', video, ...rawInput(frames)],
    ...['-lavfi', graph, '-f', 'null', '-'],
  ]);
  const ssim = Number(/SSIM Y:([\d.]+)/.exec(compared.stderr)?.[1]);
  return { bytes: (await stat(stream)).size, ssimDb: -10 * Math.log10(1 - ssim) };
}
