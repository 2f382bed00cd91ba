/** The beats of music files, found once for each content and kept in the cache. */
import { beatsOfFile } from '../../../media/encode/audio/beats/beats-of-file.ts';
import type { MusicBeats } from '../../../media/encode/audio/beats/find-beats.ts';
import type { MusicFile } from '../../../media/encode/audio/inspect-music.ts';
import type { RenderDeps } from '../../render-deps.ts';

/** Raise it when other beats are found in the same file. */
const BEATS_VERSION = 1;

export interface BeatFinderDeps extends Pick<RenderDeps, 'cache' | 'findFfmpeg'> {
  /** For temporary files. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** @throws {@link ListingVideoError} `disk_full`, `ffmpeg_missing`; the signal's reason. */
export type FindMusicBeats = (file: MusicFile) => Promise<MusicBeats | null>;

export function createBeatFinder({ cache, findFfmpeg, workDir, signal }: BeatFinderDeps): FindMusicBeats {
  return async (file) => {
    const name = `beats-${file.digest}-v${BEATS_VERSION}.json`;
    const kept = await cache.read('audio', name);
    if (kept !== undefined) return JSON.parse(kept.toString()) as MusicBeats | null;
    const { path: ffmpeg, decodesMusic } = await findFfmpeg();
    const beats = await beatsOfFile(file, { ffmpeg, decodesMusic, outDir: workDir, signal });
    await cache.putBytes('audio', name, Buffer.from(JSON.stringify(beats)));
    return beats;
  };
}
