/** Plans the videos of a listing in both ratios, again after each edit. What did not change is not made again. */
import { setImmediate } from 'node:timers/promises';
import type { TemplateCache } from '../../design/template/load-template.ts';
import type { TextMeasurer } from '../../design/text/text.ts';
import { createTextMeasurer } from '../../design/text/text-measurer.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import type { CollectedAssets, NamedImages } from '../../media/assets/collect-assets.ts';
import { soundtrackDirsOf } from '../../media/encode/audio/load-soundtrack.ts';
import { transitionDrawer } from '../../media/render/draw-transitions.ts';
import { toAgentOptions } from '../plan/agent-options.ts';
import { toNamedPhotos } from '../plan/copied-photos.ts';
import { photosByDigest } from '../plan/gather-assets.ts';
import { createMusicChooser, type MusicChooser } from '../plan/music/choose-music.ts';
import type { FindMusicBeats } from '../plan/music/music-beats.ts';
import { createLightMeter } from '../plan/photo-light.ts';
import { createToneMeter } from '../plan/photo-tone.ts';
import { type PlanTools, planVideo, type VideoPlan } from '../plan/plan-video.ts';
import { agentVideos, imageLayers, otherShapes, type RequestedVideo } from '../plan/requested-videos.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import { keepLast } from './keep-last.ts';
import { musicStamp } from './music-stamp.ts';

/** Storyboards of 100 kB that are not made again, for undo and for texts that return. */
const MAX_STORYBOARDS = 120;
const MAX_MUSIC_FILES = 8;

const OTHER: Readonly<Record<AspectRatio, AspectRatio>> = {
  '1920:1080': '1080:1920',
  '1080:1920': '1920:1080',
};

export type AgentVideos = {
  readonly agentId: string;
  /** The agent's own first. */
  readonly ratios: readonly [own: AspectRatio, other: AspectRatio];
} & ({ readonly videos: readonly [own: RequestedVideo, other: RequestedVideo] } | { readonly error: Error });

interface StagePlannerOptions extends Pick<VideoTaskOptions, 'unbrandedKeep'> {
  readonly baseDir: string | null;
  readonly templatesDirs: readonly string[];
  readonly findBeats: FindMusicBeats;
}

export class StagePlanner {
  readonly #baseDir: string | null;
  readonly #templatesDirs: readonly string[];
  readonly #findBeats: FindMusicBeats;
  readonly #storyboards = new Map<string, Buffer>();
  readonly #tools: Omit<PlanTools, 'musicChooser' | 'drawTransition'>;
  #measurer: Promise<TextMeasurer> | undefined;
  readonly #musicChoosers = new Map<string, MusicChooser>();
  /** By what the data layer says. */
  readonly #musicStamps = new Map<string, string>();

  constructor({ baseDir, templatesDirs, findBeats, unbrandedKeep }: StagePlannerOptions) {
    this.#baseDir = baseDir;
    this.#templatesDirs = templatesDirs;
    this.#findBeats = findBeats;
    this.#tools = {
      quality: 'standard',
      unbrandedKeep,
      storyboards: {
        fingerprint: 'stage',
        cache: {
          read: async (_, name) => this.#storyboards.get(name),
          putBytes: async (_, name, bytes) => {
            keepLast(this.#storyboards, name, Buffer.from(bytes), MAX_STORYBOARDS);
            return true;
          },
        },
      },
      // Nothing is encoded.
      fingerprint: () => 'stage',
      lightOf: createLightMeter(),
      toneOf: createToneMeter(),
      measurer: () => {
        this.#measurer ??= createTextMeasurer();
        return this.#measurer;
      },
      requirePixels: async () => {},
    };
  }

  /** The videos to plan. A template that cannot be used is the problem of its agents. */
  async request(
    listing: Listing,
    templates: TemplateCache,
    options: Pick<VideoTaskOptions, 'templateId'> = {},
  ): Promise<AgentVideos[]> {
    const requested: AgentVideos[] = [];
    for (const agent of listing.agents) {
      const { ratio } = toAgentOptions(agent, options);
      const known = { agentId: agent.id, ratios: [ratio, OTHER[ratio]] } as const;
      const ofAgent = { listing: { ...listing, agents: [agent] }, options: { ...NO_OPTIONS, ...options } };
      try {
        const [found] = (await agentVideos(ofAgent, templates)) as [RequestedVideo];
        const own = { ...found, listing };
        const [other] = otherShapes([own], OTHER[ratio]) as [RequestedVideo];
        requested.push({ ...known, videos: [own, other] });
      } catch (error) {
        requested.push({ ...known, error: error as Error });
      }
    }
    return requested;
  }

  /** @throws {@link ListingVideoError}; the signal's reason. */
  async plan(video: RequestedVideo, assets: CollectedAssets, signal: AbortSignal): Promise<VideoPlan> {
    // Planning is synchronous for up to 100 ms: frames are answered in between.
    await setImmediate();
    signal.throwIfAborted();
    return planVideo(video, assets, {
      ...this.#tools,
      musicChooser: await this.#musicChooser(video),
      drawTransition: transitionDrawer(photosByDigest(assets)),
    });
  }

  /** True, once, if a music file of the videos is not the one that was read. */
  async hasMusicChanged(): Promise<boolean> {
    let hasChanged = false;
    for (const [value, known] of this.#musicStamps) {
      const stamp = await musicStamp(value, this.#baseDir);
      if (stamp === known) continue;
      this.#musicStamps.set(value, stamp);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Each soundtrack and file is read once, and again when the file changes. */
  async #musicChooser({ options: { templateData } }: RequestedVideo): Promise<MusicChooser> {
    const { music = '' } = templateData;
    const stamp = await musicStamp(music, this.#baseDir);
    keepLast(this.#musicStamps, music, stamp, MAX_MUSIC_FILES);
    const soundtrackDirs = soundtrackDirsOf(this.#templatesDirs);
    const chooser =
      this.#musicChoosers.get(stamp) ??
      createMusicChooser({
        override: undefined,
        baseDir: this.#baseDir,
        soundtrackDirs,
        findBeats: this.#findBeats,
      });
    keepLast(this.#musicChoosers, stamp, chooser, MAX_MUSIC_FILES);
    return chooser;
  }
}

const NO_OPTIONS: VideoTaskOptions = { quality: 'standard', minAssets: 1, force: false };

/** The photos, and the images that the videos show beside them. */
export function imagesOf(listing: Listing, requested: readonly AgentVideos[]): NamedImages {
  const videos = requested.flatMap((entry) => ('videos' in entry ? [entry.videos[0]] : []));
  const urls = videos.flatMap(({ template, options }) => [
    ...imageLayers(template, options.templateData).values(),
  ]);
  return {
    assets: toNamedPhotos(listing.assets, videos),
    pictures: listing.agents.flatMap(({ picture }) => (picture ? [{ url: picture }] : [])),
    logos: [...new Set(urls)].map((url) => ({ url })),
  };
}
