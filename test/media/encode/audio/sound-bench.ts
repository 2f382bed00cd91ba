/** Soundtracks and music files made for tests, and what is heard of a track file. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { readTrackFile } from '../../../../src/media/encode/mp4/track-file.ts';

export const RATE = 48_000;

/** A stereo WAV of 32-bit floats whose two channels are `valueAt(sample)`. */
export async function writeWav(
  path: string,
  samples: number,
  valueAt: (sample: number) => number,
): Promise<string> {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples * 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(3, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 8, 28);
  header.writeUInt16LE(8, 32);
  header.writeUInt16LE(32, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples * 8, 40);
  const data = new Float32Array(samples * 2);
  for (let sample = 0; sample < samples; sample++) data.fill(valueAt(sample), sample * 2, sample * 2 + 2);
  await writeFile(path, Buffer.concat([header, Buffer.from(data.buffer)]));
  return path;
}

/** The left channel of raw stereo floats. */
export async function readPcm(path: string): Promise<Float32Array> {
  const bytes = await readFile(path);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return all.filter((_, index) => index % 2 === 0);
}

/** Loudness and true peak of a track file as it is decoded, by ffmpeg's own meter. */
export async function hear(
  ffmpeg: string,
  track: string,
  folder: string,
): Promise<{ integrated: number; truePeak: number }> {
  const adts = await writeAdts(track, folder);
  const args = ['-hide_banner', '-nostats', '-i', adts, '-af', 'ebur128=peak=true:framelog=verbose'];
  const { stderr } = await execa(ffmpeg, [...args, '-f', 'null', '-']);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  return {
    integrated: Number(/I:\s+(\S+) LUFS/.exec(summary)?.[1]),
    truePeak: Number(/Peak:\s+(\S+) dBFS/.exec(summary)?.[1]),
  };
}

/** The left channel of a track file as it is decoded. */
export async function decodeTrack(ffmpeg: string, track: string, folder: string): Promise<Float32Array> {
  const pcm = join(folder, 'heard.pcm');
  const adts = await writeAdts(track, folder);
  await execa(ffmpeg, ['-y', '-v', 'error', '-i', adts, '-f', 'f32le', '-ar', `${RATE}`, '-ac', '2', pcm]);
  return readPcm(pcm);
}

async function writeAdts(track: string, folder: string): Promise<string> {
  const { index } = (await readTrackFile(track))!;
  const bytes = await readFile(track);
  const parts: Buffer[] = [];
  let offset = 0;
  for (const size of index.sizes) {
    const length = size + 7;
    parts.push(
      Buffer.from([
        ...[0xff, 0xf1, 0x4c, 0x80 | (length >> 11)],
        ...[(length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc],
      ]),
      bytes.subarray(offset, offset + size),
    );
    offset += size;
  }
  const adts = join(folder, 'heard.aac');
  await writeFile(adts, Buffer.concat(parts));
  return adts;
}
