/** The audio of each video: taken from the cache, or made once per music and length. */

import { createHash } from 'node:crypto';
import type { Timeline } from '../../design/timeline/timeline.ts';
import { type MusicLength, makeMusicTrack, musicTrackKey } from '../../media/encode/audio/music.ts';
import type { FoundFfmpeg } from '../../media/encode/ffmpeg/find-ffmpeg.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { Delivery } from '../destinations/delivery.ts';
import type { ChosenMusic } from '../plan/music/choose-music.ts';
import type { MakeDeps } from './make-deps.ts';
import { musicCues, type SoundedTimeline } from './music-cues.ts';

export type SoundtrackDeps = Pick<MakeDeps, 'cache' | 'ffmpeg' | 'workDir' | 'signal'>;

/** Identity of a video's audio in this process: equal keys, equal audio from the same ffmpeg. */
export function musicKey({ music }: ChosenMusic, timeline: SoundedTimeline, sound?: Sound): string {
  return musicTrackKey(music, lengthOf(timeline, sound));
}

/** How the sound is encoded; absent: as usual. */
type Sound = Pick<Delivery, 'audioBitRate'>;

function lengthOf(timeline: SoundedTimeline, sound?: Sound): MusicLength {
  const { totalFrames, storyboard } = timeline;
  const bitRate = sound && { bitRate: sound.audioBitRate };
  return { durationFrames: totalFrames, fps: storyboard.fps, cues: musicCues(timeline), ...bitRate };
}

/** Identity of a video's audio on every machine: the version of ffmpeg, which decodes and encodes it, is part of it. */
export function soundtrackKey(
  chosen: ChosenMusic,
  timeline: SoundedTimeline,
  { version }: Pick<FoundFfmpeg, 'version'>,
  sound?: Sound,
): string {
  const encoder = createHash('sha256').update(version).digest('hex').slice(0, 12);
  return `${musicKey(chosen, timeline, sound)}-${encoder}`;
}

/**
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `music_unusable`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function provideSoundtrack(
  chosen: ChosenMusic,
  timeline: SoundedTimeline,
  { cache, ffmpeg, workDir, signal }: SoundtrackDeps,
  sound?: Sound,
): Promise<string> {
  const key = soundtrackKey(chosen, timeline, ffmpeg, sound);
  const cached = await cache.pin('audio', key, workDir);
  if (cached) return cached;
  const made = await makeMusicTrack(chosen.music, {
    ffmpeg: ffmpeg.path,
    decodesMusic: ffmpeg.decodesMusic,
    ...lengthOf(timeline, sound),
    outDir: workDir,
    signal,
  });
  await cache.put('audio', key, made);
  return made;
}

/**
 * Decides the music of each video. Only decoding a file shows whether it is usable, so its soundtrack is made here; an
 * unusable file is replaced by its fallback, with a warning.
 *
 * @throws As {@link provideSoundtrack}; `music_unusable` only where there is no fallback.
 */
export async function settleMusic<
  Plan extends { readonly music: ChosenMusic; readonly timeline: Timeline; readonly delivery: Sound },
>(plans: readonly Plan[], deps: SoundtrackDeps): Promise<Plan[]> {
  const broken = new Map<string, ListingVideoError>();
  const settled: Plan[] = [];
  for (const plan of plans) {
    const { music, timeline, delivery } = plan;
    const key = musicKey(music, timeline, delivery);
    if (music.music.kind === 'file' && !broken.has(key)) {
      try {
        await provideSoundtrack(music, timeline, deps, delivery);
      } catch (error) {
        if (!(error instanceof ListingVideoError) || error.code !== 'music_unusable') throw error;
        if (music.fallback === null) throw error;
        broken.set(key, error);
      }
    }
    const failure = broken.get(key);
    settled.push(failure && music.fallback ? { ...plan, music: toFallback(music.fallback, failure) } : plan);
  }
  return settled;
}

function toFallback(fallback: ChosenMusic, failure: Error): ChosenMusic {
  const warning = `template data "music": ${failure.message}; "${fallback.name}" is used`;
  return { ...fallback, warnings: [warning, ...fallback.warnings] };
}
