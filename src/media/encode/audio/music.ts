/** The chosen music of a video (silence, a soundtrack or a file): its cache key and its track. */

import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MusicBeats } from './beats/find-beats.ts';
import { encodeLeveled } from './encode-leveled.ts';
import type { MusicFile } from './inspect-music.ts';
import { type Laying, laySoundtrack } from './lay-soundtrack.ts';
import type { LoadedSoundtrack } from './load-soundtrack.ts';
import { makeRiser, RISER_SAMPLES } from './riser.ts';
import {
  type AudioSource,
  audioSamples,
  bitRateWord,
  encodeSoundtrack,
  PCM_OPTIONS,
  type SoundtrackRequest,
  silentTrack,
  silentTrackKey,
} from './soundtrack.ts';
import { soundtrackGraph } from './soundtrack-graph.ts';

export type Music =
  | { readonly kind: 'none' }
  | { readonly kind: 'soundtrack'; readonly loaded: LoadedSoundtrack }
  /** `beats` absent or null: it has none that are known. */
  | { readonly kind: 'file'; readonly file: MusicFile; readonly beats?: MusicBeats | null };

/** The moments of a video that a soundtrack follows. */
export interface MusicCues {
  /** Scene changes that the music can lift at. */
  readonly changeFrames: readonly number[];
  /** The change to the facts; null without facts. */
  readonly factsFrame: number | null;
}

export interface MusicLength {
  readonly durationFrames: number;
  readonly fps: number;
  /** Absent: the music plays from its start. */
  readonly cues?: MusicCues;
  /** Bit/s; that of the usual file by default. */
  readonly bitRate?: number;
}

/** Raise it when the same music gives another track. */
const SOUND_VERSION = 2;

/** Cache key of a video's audio: equal keys mean equal audio. */
export function musicTrackKey(music: Music, length: MusicLength): string {
  const { durationFrames, fps, bitRate } = length;
  if (music.kind === 'none') return silentTrackKey(durationFrames, fps, bitRate);
  const digest = music.kind === 'soundtrack' ? music.loaded.digest : music.file.digest;
  const arranged = music.kind === 'soundtrack' ? arrange(music.loaded, length) : (music.beats ?? null);
  const arrangement = createHash('sha256').update(JSON.stringify(arranged)).digest('hex').slice(0, 12);
  return `${music.kind}-${digest.slice(0, 32)}-${audioSamples(durationFrames, fps)}-${arrangement}-v${SOUND_VERSION}${bitRateWord(bitRate)}`;
}

/**
 * Makes the track file of a video's audio.
 *
 * @returns Its path.
 * @throws {@link ListingVideoError} `music_unusable` for a file that cannot be decoded; `encode_failed`, `disk_full`,
 *   or the signal's reason.
 */
export async function makeMusicTrack(
  music: Music,
  { cues, ...request }: Omit<SoundtrackRequest, 'fileName'> & MusicLength,
): Promise<string> {
  const length = { ...request, ...(cues ? { cues } : {}) };
  const fileName = `${musicTrackKey(music, length)}.track`;
  switch (music.kind) {
    case 'none':
      return silentTrack(request);
    case 'soundtrack':
      return laidTrack(music.loaded, arrange(music.loaded, length), { ...request, fileName });
    case 'file': {
      const { ownTrack } = await import('./own-track.ts');
      return ownTrack(music.file, music.beats ?? null, { ...request, fileName });
    }
  }
}

interface Arrangement {
  readonly laying: Laying;
  readonly riserSample: number | null;
  readonly graph: string;
}

function arrange({ soundtrack }: LoadedSoundtrack, { durationFrames, fps, cues }: MusicLength): Arrangement {
  const totalSamples = audioSamples(durationFrames, fps);
  const frameSamples = audioSamples(1, fps);
  const laying = laySoundtrack(soundtrack, {
    totalSamples,
    changeSamples: (cues?.changeFrames ?? []).map((frame) => frame * frameSamples),
  });
  const factsFrame = cues?.factsFrame ?? null;
  const rise = factsFrame === null ? -1 : factsFrame * frameSamples - RISER_SAMPLES;
  // One that begins before the video, or leads into the ending, would be heard as a fault.
  const riserSample = rise >= 0 && rise + RISER_SAMPLES < laying.cutSample ? rise : null;
  return { laying, riserSample, graph: soundtrackGraph(soundtrack, laying, { totalSamples, riserSample }) };
}

async function laidTrack(
  { soundtrack, bodyPath, endingPath }: LoadedSoundtrack,
  { laying, riserSample, graph }: Arrangement,
  request: SoundtrackRequest,
): Promise<string> {
  const riserPath = join(request.outDir, `.${request.fileName}.riser`);
  const source: AudioSource = {
    addInputs: (command) => {
      for (const _ of laying.stretches) command.input(bodyPath);
      if (laying.endingSamples > 0) command.input(endingPath);
      if (riserSample !== null) command.input(riserPath).inputOptions(PCM_OPTIONS);
    },
    graph,
  };
  try {
    if (riserSample !== null) await writeFile(riserPath, makeRiser(soundtrack.riserDb));
    return (await encodeLeveled(source, request)) ?? (await encodeSoundtrack(request, source));
  } finally {
    await rm(riserPath, { force: true });
  }
}
