/** The audio of live plans as WAV files: the samples that the MP4 will play, in a form that every browser plays. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  listSoundtracks,
  loadSoundtrack,
  soundtrackDirsOf,
} from '../../media/encode/audio/load-soundtrack.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { SoundedTimeline } from '../make/music-cues.ts';
import { musicKey, provideSoundtrack } from '../make/provide-soundtracks.ts';
import type { ChosenMusic } from '../plan/music/choose-music.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { LivePlan } from './live-plan.ts';
import type { StageSoundtrack } from './stage-state.ts';
import { makeWaveFile } from './wave-file.ts';

/** A minute of WAV has 11.5 MB. */
const MAX_KEPT = 12;
const LISTEN_SEC = 60;
const LISTEN_FPS = 30;

export interface StageAudioOptions {
  readonly deps: RenderDeps;
  /** Existing; gets the files. */
  readonly workDir: string;
  readonly templatesDirs: readonly string[];
  readonly signal: AbortSignal;
  /** Called when music turns out to be unusable: only decoding shows it. */
  readonly onBroken: () => void;
}

export class StageAudio {
  readonly #options: StageAudioOptions;
  readonly #made = new Map<string, Promise<string>>();
  /** Messages by soundtrack key. */
  readonly #broken = new Map<string, string>();

  constructor(options: StageAudioOptions) {
    this.#options = options;
  }

  /** The path of a WAV file. @throws {@link ListingVideoError} as `provideSoundtrack`. */
  async provide({ music, timeline }: Pick<LivePlan, 'music' | 'timeline'>): Promise<string> {
    const key = musicKey(music, timeline);
    try {
      return await this.#provideWave(key, music, timeline);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'music_unusable' || music.fallback === null)
        throw error;
      if (!this.#broken.has(key)) {
        this.#broken.set(key, error.message);
        this.#options.onBroken();
      }
      return this.provide({ music: music.fallback, timeline });
    }
  }

  /** Why the music of a plan cannot be played; null when it can, or was not tried yet. */
  problemOf({ music, timeline }: Pick<LivePlan, 'music' | 'timeline'>): string | null {
    const message = this.#broken.get(musicKey(music, timeline));
    return message === undefined ? null : `${message}; "${music.fallback?.name}" is used`;
  }

  /** A minute of a soundtrack; null when there is none of this name. */
  async listen(id: string): Promise<string | null> {
    const loaded = await loadSoundtrack(id, soundtrackDirsOf(this.#options.templatesDirs));
    if (loaded === undefined) return null;
    const music = {
      music: { kind: 'soundtrack', loaded },
      name: id,
      title: null,
      beats: null,
      warnings: [],
      fallback: null,
    } as const;
    const timeline = {
      totalFrames: LISTEN_SEC * LISTEN_FPS,
      storyboard: { fps: LISTEN_FPS, scenes: [] },
      sceneSpans: [],
    };
    return this.#provideWave(`listen-${loaded.digest}`, music, timeline);
  }

  async list(): Promise<StageSoundtrack[]> {
    const dirs = soundtrackDirsOf(this.#options.templatesDirs);
    const found: StageSoundtrack[] = [];
    for (const id of await listSoundtracks(dirs)) {
      const loaded = await loadSoundtrack(id, dirs).catch(() => undefined);
      if (loaded === undefined) continue;
      const { title, mood, bpm } = loaded.soundtrack;
      found.push({ id, title, mood, bpm });
    }
    return found;
  }

  async #provideWave(key: string, music: ChosenMusic, timeline: SoundedTimeline): Promise<string> {
    const made = this.#made.get(key) ?? this.#make(key, music, timeline);
    this.#made.delete(key);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    const file = await made;
    for (const oldest of [...this.#made.keys()].slice(0, -MAX_KEPT)) await this.#remove(oldest);
    return file;
  }

  async #make(key: string, music: ChosenMusic, timeline: SoundedTimeline): Promise<string> {
    const { deps, workDir, signal } = this.#options;
    const ffmpeg = await deps.findFfmpeg();
    const trackPath = await provideSoundtrack(music, timeline, {
      cache: deps.cache,
      ffmpeg,
      workDir,
      signal,
    });
    const outPath = path.join(workDir, `${key}.wav`);
    await makeWaveFile({ trackPath, outPath, ffmpeg: ffmpeg.path, signal });
    await rm(trackPath, { force: true });
    return outPath;
  }

  async #remove(key: string): Promise<void> {
    const file = await this.#made.get(key)?.catch(() => null);
    this.#made.delete(key);
    if (file != null) await rm(file, { force: true });
  }
}
