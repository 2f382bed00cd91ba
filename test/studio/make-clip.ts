/** A second of moving picture, small enough for tests: as MP4 (H.264), as GIF, and its first frame as JPEG. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';

export interface Clip {
  readonly mp4: Uint8Array<ArrayBuffer>;
  readonly gif: Uint8Array<ArrayBuffer>;
  readonly jpg: Uint8Array<ArrayBuffer>;
}

export async function makeClip(): Promise<Clip> {
  // The search for ffmpeg remembers there what it found.
  const cacheDir = await mkdtemp(join(tmpdir(), 'listing-video-clip-'));
  const places = { ffmpegBin: process.env.FFMPEG_BIN, searchPath: process.env.PATH };
  const { path } = await findFfmpeg(places, { cacheDir });
  await rm(cacheDir, { recursive: true, force: true });
  const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10:duration=1'];
  const write = async (...target: string[]) => {
    const { stdout } = await execa(path, [...source, ...target, 'pipe:1'], { encoding: 'buffer' });
    return new Uint8Array(stdout);
  };
  return {
    // A pipe cannot be sought, so the index goes into fragments.
    mp4: await write(...'-c:v libx264 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov -f mp4'.split(' ')),
    gif: await write('-f', 'gif'),
    jpg: await write('-frames:v', '1', '-f', 'mjpeg'),
  };
}
