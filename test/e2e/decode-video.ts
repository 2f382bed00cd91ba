/** Decodes a video with the ffmpeg that the product finds, to see it as a player does. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';

const run = promisify(execFile);

export interface DecodedVideo {
  readonly frames: number;
  /** As the file declares them. */
  readonly probed: { readonly widthPx: number; readonly heightPx: number; readonly fps: number };
  readonly hasAudio: boolean;
  /** Mean sRGB of a 16 x 16 px square near the top right corner. */
  readonly firstFrameCorner: readonly number[];
  readonly lastFrameCorner: readonly number[];
}

/** @throws Error when the decoder complains about anything. */
export async function decodeVideo(file: string): Promise<DecodedVideo> {
  const ffmpeg = (await findFfmpeg({ searchPath: process.env.PATH })).path;
  const filter = 'crop=16:16:iw-24:8,scale=1:1:flags=area,format=rgb24';
  const { stdout, stderr } = await run(
    ffmpeg,
    [
      '-nostdin',
      '-v',
      'error',
      '-xerror',
      '-i',
      file,
      '-map',
      '0:v',
      '-vf',
      filter,
      '-vsync',
      '0',
      '-f',
      'rawvideo',
      '-',
    ],
    { encoding: 'buffer', maxBuffer: 1 << 26 },
  );
  if (stderr.length > 0) throw new Error(stderr.toString());
  const audio = await run(
    ffmpeg,
    ['-nostdin', '-v', 'error', '-i', file, '-map', '0:a', '-f', 's16le', '-'],
    {
      encoding: 'buffer',
      maxBuffer: 1 << 28,
    },
  );
  return {
    frames: stdout.length / 3,
    probed: await probe(file),
    hasAudio: audio.stdout.length > 0,
    firstFrameCorner: [...stdout.subarray(0, 3)],
    lastFrameCorner: [...stdout.subarray(stdout.length - 3)],
  };
}

async function probe(file: string): Promise<DecodedVideo['probed']> {
  const input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS });
  try {
    const track = (await input.getPrimaryVideoTrack())!;
    const [widthPx, heightPx] = [await track.getCodedWidth(), await track.getCodedHeight()];
    const { averagePacketRate } = await track.computePacketStats();
    return { widthPx, heightPx, fps: averagePacketRate };
  } finally {
    input.dispose();
  }
}
