/** What tests of this folder need around them: a temporary folder, an ffmpeg, and decoding with it. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type FoundFfmpeg, findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { FORMAT, readNumber } from './numbered-frames.ts';

/** The ffmpeg that this machine offers first, and the one that comes with npm if that is another. */
export async function availableFfmpegs(): Promise<FoundFfmpeg[]> {
  const preferred = await findFfmpeg({ searchPath: process.env.PATH });
  const packaged = await findFfmpeg({}).catch(() => preferred);
  return packaged.path === preferred.path ? [preferred] : [preferred, packaged];
}

/** An executable shell script, in a folder of its own. */
export async function writeScript(body: string, name = 'ffmpeg'): Promise<string> {
  const path = join(temporaryFolder(), name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Numbers of all frames of a video, as `numberedFrames` painted them. */
export async function decodeNumbers(ffmpeg: string, path: string): Promise<number[]> {
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'];
  const { stdout, stderr } = await execa(ffmpeg, [...args.slice(0, 6), '-vsync', '0', ...args.slice(6)], {
    encoding: 'buffer',
    maxBuffer: 1e9,
  });
  if (stderr.length > 0) throw new Error(Buffer.from(stderr).toString());
  const frameBytes = FORMAT.widthPx * FORMAT.heightPx;
  const numbers: number[] = [];
  for (let at = 0; at < stdout.length; at += frameBytes)
    numbers.push(readNumber(stdout.subarray(at, at + frameBytes)));
  return numbers;
}

/** Samples of one channel that a player hears. */
export async function decodeSound(ffmpeg: string, path: string): Promise<Int16Array> {
  const args = ['-v', 'error', '-i', path, '-map', '0:a', '-f', 's16le', '-ac', '1', 'pipe:1'];
  const { stdout } = await execa(ffmpeg, args, { encoding: 'buffer', maxBuffer: 1e9 });
  return new Int16Array(stdout.buffer, stdout.byteOffset, stdout.byteLength / 2);
}
