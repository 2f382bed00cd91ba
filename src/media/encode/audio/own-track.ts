/**
 * Makes the audio of a video from the user's music file: loops or cuts it, and sets its loudness. The file is not
 * trusted; `decode-music.ts` reads it.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMusic, musicUnusable } from './decode-music.ts';
import { inspectMusic, type MusicFile } from './inspect-music.ts';
import { levelFilters } from './level-filters.ts';
import { loopPcm } from './loop-pcm.ts';
import {
  type AudioSource,
  audioSamples,
  encodeSoundtrack,
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
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `music_unusable` when the file cannot be decoded, is silent, or is too short;
 *   `encode_failed`, `disk_full`, or the signal's reason.
 */
export async function ownTrack(music: MusicFile, request: SoundtrackRequest): Promise<string> {
  const base = join(request.outDir, `.${request.fileName}`);
  const [copy, decoded, looped] = [`${base}.copy`, `${base}.pcm`, `${base}.loop`];
  try {
    // Decodes a link to the inspected file, with a name that ffmpeg can only read as a file.
    await copyFile(music.path, copy);
    const found = await inspectMusic(copy, request.signal);
    if (!('file' in found) || found.file.digest !== music.digest)
      throw musicUnusable(music, 'it is being changed');
    const totalSamples = audioSamples(request.durationFrames, request.fps);
    const samples = await decodeMusic(music, { from: copy, to: decoded, totalSamples }, request);
    if (samples < Math.min(MIN_SAMPLES, totalSamples))
      throw musicUnusable(music, 'it holds less than a second of sound');
    const isLooped = samples < totalSamples;
    if (isLooped) {
      const crossfadeSamples = LOOP_CROSSFADE_SAMPLES;
      await loopPcm(decoded, looped, { samples, totalSamples, crossfadeSamples }, request.signal);
    }
    const source: AudioSource = {
      addInputs: (command) => command.input(isLooped ? looped : decoded).inputOptions(PCM_OPTIONS),
      graph: `[0:a]${fadeFilters(totalSamples, FADES)}`,
    };
    const level = await levelFilters(source, request);
    if (level === null) throw musicUnusable(music, 'it is silent');
    return await encodeSoundtrack(request, { ...source, graph: `${source.graph},${level}` });
  } finally {
    for (const path of [copy, decoded, looped]) await rm(path, { force: true });
  }
}
