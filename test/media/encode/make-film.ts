/** Segments as one checked MP4, as a video of the program is made of them. */
import { join } from 'node:path';
import { silentTrack } from '../../../src/media/encode/audio/soundtrack.ts';
import { type EncodeSegmentsRequest, encodeSegments } from '../../../src/media/encode/encode-segments.ts';
import type { SegmentToEncode } from '../../../src/media/encode/h264/segment-cutter.ts';
import { assembleVideo } from '../../../src/media/encode/mp4/assemble-video.ts';
import { verifyVideo } from '../../../src/media/encode/mp4/verify-video.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

/** @returns The file's path. */
export async function makeFilm(
  request: Pick<EncodeSegmentsRequest<SegmentToEncode>, 'ffmpeg' | 'format' | 'segments' | 'frames'>,
): Promise<string> {
  const { ffmpeg, format, segments } = request;
  const outDir = temporaryFolder();
  await encodeSegments({ ...request, outDir });
  const frameCount = segments.at(-1)!.endFrame;
  const outPath = join(outDir, 'film.mp4');
  const texts = { title: 'Film', comment: 'of segments' };
  await assembleVideo({
    ...{ format, outPath, ...texts },
    segments: segments.map(({ key }) => join(outDir, `${key}.segment`)),
    audio: await silentTrack({ ffmpeg, durationFrames: frameCount, fps: format.fps, outDir }),
  });
  await verifyVideo(outPath, { ...format, ...texts, frameCount });
  return outPath;
}
