/** Finds the beats of the user's music file. The file is not trusted; `decode-music.ts` reads it. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ListingVideoError } from '../../../../platform/errors.ts';
import { decodeMusic, type MusicDecoder } from '../decode-music.ts';
import type { MusicFile } from '../inspect-music.ts';
import { SOUND_RATE_HZ } from '../soundtrack.ts';
import { findBeats, type MusicBeats } from './find-beats.ts';

/** As long as the longest video without a length of its own. */
const HEARD_SEC = 60;
/** Of the raw samples: what is above 12 kHz begins with what is below. */
const HEARD_RATE_HZ = SOUND_RATE_HZ / 2;

/**
 * @param request.outDir - For a temporary file.
 * @returns Null for music without a constant tempo, and for a file that cannot be decoded.
 * @throws {@link ListingVideoError} `disk_full`, `ffmpeg_missing`, or the signal's reason.
 */
export async function beatsOfFile(
  music: MusicFile,
  { outDir, ...decoder }: MusicDecoder & { readonly outDir: string },
): Promise<MusicBeats | null> {
  const decoded = join(outDir, `.${music.digest}.beats`);
  try {
    await decodeMusic(music, { to: decoded, totalSamples: HEARD_SEC * SOUND_RATE_HZ }, decoder);
    return findBeats(toMono(await readFile(decoded)), HEARD_RATE_HZ);
  } catch (error) {
    // It is reported when the audio is made.
    if (error instanceof ListingVideoError && error.code === 'music_unusable') return null;
    throw error;
  } finally {
    await rm(decoded, { force: true });
  }
}

/** The mean of both channels and of two neighbors. */
function toMono(raw: Buffer): Float32Array {
  const values = new Float32Array(raw.buffer, raw.byteOffset, Math.floor(raw.byteLength / 4));
  return Float32Array.from({ length: values.length >> 2 }, (_, sample) => {
    const at = 4 * sample;
    return (values[at]! + values[at + 1]! + values[at + 2]! + values[at + 3]!) / 4;
  });
}
