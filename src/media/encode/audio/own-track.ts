/**
 * Makes the audio of a video from the user's music file: loops or cuts it, and sets its loudness. The file is not
 * trusted; `decode-music.ts` reads it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MusicBeats } from './beats/find-beats.ts';
import { decodeMusic, musicUnusable } from './decode-music.ts';
import { encodeLeveled } from './encode-leveled.ts';
import type { MusicFile } from './inspect-music.ts';
import { loopPcm } from './loop-pcm.ts';
import {
  type AudioSource,
  audioSamples,
  PCM_OPTIONS,
  SOUND_RATE_HZ,
  type SoundtrackRequest,
} from './soundtrack.ts';
import { fadeFilters } from './soundtrack-graph.ts';

/** Minimum length of a music file. */
const MIN_SAMPLES = SOUND_RATE_HZ;
const LOOP_CROSSFADE_SAMPLES = SOUND_RATE_HZ / 4;
const FADES = { inSamples: 14_400, inCurve: 'tri', outSamples: 72_000 } as const;

/**
 * @param beats - A file that is repeated is repeated after whole beats. Null: it has none that are known.
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `music_unusable` when the file cannot be decoded, is silent, or is too short;
 *   `encode_failed`, `disk_full`, or the signal's reason.
 */
export async function ownTrack(
  music: MusicFile,
  beats: MusicBeats | null,
  request: SoundtrackRequest,
): Promise<string> {
  const base = join(request.outDir, `.${request.fileName}`);
  const [decoded, looped] = [`${base}.pcm`, `${base}.loop`];
  try {
    const totalSamples = audioSamples(request.durationFrames, request.fps);
    const samples = await decodeMusic(music, { to: decoded, totalSamples }, request);
    if (samples < Math.min(MIN_SAMPLES, totalSamples))
      throw musicUnusable(music, 'it holds less than a second of sound');
    const isLooped = samples < totalSamples;
    if (isLooped) {
      const crossfadeSamples = LOOP_CROSSFADE_SAMPLES;
      const loop = { samples: wholeBeats(samples, beats), totalSamples, crossfadeSamples };
      await loopPcm(decoded, looped, loop, request.signal);
    }
    const source: AudioSource = {
      addInputs: (command) => command.input(isLooped ? looped : decoded).inputOptions(PCM_OPTIONS),
      graph: `[0:a]${fadeFilters(totalSamples, FADES)}`,
    };
    const path = await encodeLeveled(source, request);
    if (path === null) throw musicUnusable(music, 'it is silent');
    return path;
  } finally {
    for (const path of [decoded, looped]) await rm(path, { force: true });
  }
}

/** So much of `samples` that the beats go on where the music begins again. */
function wholeBeats(samples: number, beats: MusicBeats | null): number {
  if (beats === null) return samples;
  const beatSamples = (60 * SOUND_RATE_HZ) / beats.bpm;
  const count = Math.floor((samples - LOOP_CROSSFADE_SAMPLES) / beatSamples);
  return Math.round(count * beatSamples) + LOOP_CROSSFADE_SAMPLES;
}
