/** The sound of each video: found in the cache, or made once per music and length, whoever plays it. */
import type { DiskCache } from '../../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../../encode/find-ffmpeg.ts';
import { makeMusicTrack, musicTrackKey } from '../../encode/sound/music.ts';
import { ListingVideoError } from '../../errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { ChosenMusic } from '../plan/choose-music.ts';

export interface SoundtrackDeps {
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  /** Existing folder that gets the track files; they are good until it is removed. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** Key of the sound under a timeline: equal keys, equal sound. */
export function soundtrackKey({ music }: ChosenMusic, timeline: Timeline): string {
  return musicTrackKey(music, timeline.totalFrames, timeline.storyboard.fps);
}

/**
 * @returns Path of the track file.
 * @throws {@link ListingVideoError} `music_unusable`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function provideSoundtrack(
  chosen: ChosenMusic,
  timeline: Timeline,
  tools: SoundtrackDeps,
): Promise<string> {
  const key = soundtrackKey(chosen, timeline);
  const cached = await tools.cache.pin('audio', key, tools.workDir);
  if (cached) return cached;
  const made = await makeMusicTrack(chosen.music, {
    ffmpeg: tools.ffmpeg.path,
    durationFrames: timeline.totalFrames,
    fps: timeline.storyboard.fps,
    outDir: tools.workDir,
    signal: tools.signal,
  });
  await tools.cache.put('audio', key, made);
  return made;
}

/**
 * What will be heard in each video. Whether a file can be decoded shows only when its sound is made, so that is done here; one
 * that cannot gives way to its fallback, with a warning.
 *
 * @throws As {@link provideSoundtrack}; `music_unusable` only where there is no fallback.
 */
export async function settleMusic<Plan extends { readonly music: ChosenMusic; readonly timeline: Timeline }>(
  plans: readonly Plan[],
  tools: SoundtrackDeps,
): Promise<Plan[]> {
  const broken = new Map<string, ListingVideoError>();
  const settled: Plan[] = [];
  for (const plan of plans) {
    const { music, timeline } = plan;
    const key = soundtrackKey(music, timeline);
    if (music.music.kind === 'file' && !broken.has(key)) {
      try {
        await provideSoundtrack(music, timeline, tools);
      } catch (error) {
        if (!(error instanceof ListingVideoError) || error.code !== 'music_unusable') throw error;
        if (music.fallback === null) throw error;
        broken.set(key, error);
      }
    }
    const trouble = broken.get(key);
    settled.push(trouble && music.fallback ? { ...plan, music: giveWay(music.fallback, trouble) } : plan);
  }
  return settled;
}

function giveWay(fallback: ChosenMusic, trouble: Error): ChosenMusic {
  const warning = `template data "music": ${trouble.message}; "${fallback.name}" is used`;
  return { ...fallback, warnings: [warning, ...fallback.warnings] };
}
