/** The chosen music of a video (silence, a soundtrack or a file): its cache key and its track. */

import type { MusicFile } from './inspect-music.ts';
import { laySoundtrack } from './lay-soundtrack.ts';
import type { LoadedSoundtrack } from './load-soundtrack.ts';
import {
  audioSamples,
  encodeSoundtrack,
  type SoundtrackRequest,
  silentTrack,
  silentTrackKey,
} from './soundtrack.ts';
import { soundtrackGraph } from './soundtrack-graph.ts';

export type Music =
  | { readonly kind: 'none' }
  | { readonly kind: 'soundtrack'; readonly loaded: LoadedSoundtrack }
  | { readonly kind: 'file'; readonly file: MusicFile };

/** Raise it when the same music gives another track. */
const SOUND_VERSION = 1;

/** Cache key of a video's audio: equal keys mean equal audio. */
export function musicTrackKey(music: Music, durationFrames: number, fps: number): string {
  if (music.kind === 'none') return silentTrackKey(durationFrames, fps);
  const digest = music.kind === 'soundtrack' ? music.loaded.digest : music.file.digest;
  return `${music.kind}-${digest.slice(0, 32)}-${audioSamples(durationFrames, fps)}-v${SOUND_VERSION}`;
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
  request: Omit<SoundtrackRequest, 'fileName'>,
): Promise<string> {
  const fileName = `${musicTrackKey(music, request.durationFrames, request.fps)}.track`;
  switch (music.kind) {
    case 'none':
      return silentTrack(request);
    case 'soundtrack':
      return laidTrack(music.loaded, { ...request, fileName });
    case 'file': {
      const { ownTrack } = await import('./own-track.ts');
      return ownTrack(music.file, { ...request, fileName });
    }
  }
}

async function laidTrack(loaded: LoadedSoundtrack, request: SoundtrackRequest): Promise<string> {
  const { soundtrack, bodyPath, endingPath } = loaded;
  const totalSamples = audioSamples(request.durationFrames, request.fps);
  // The length of a video that ends on a bar line was rounded to a frame.
  const laying = laySoundtrack(soundtrack, totalSamples, audioSamples(1, request.fps) / 2);
  return encodeSoundtrack(request, {
    addInputs: (command) => {
      for (const _ of laying.stretches) command.input(bodyPath);
      if (laying.endingSamples > 0) command.input(endingPath);
    },
    graph: soundtrackGraph(soundtrack, laying, totalSamples),
  });
}
