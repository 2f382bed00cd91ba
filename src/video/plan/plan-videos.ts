/** Plans videos before anything is rendered: per video the storyboard, the timeline, the music and the file names. */
import type { PreparedAssets } from '../../assets/prepare-assets.ts';
import { soundtrackDirsOf } from '../../encode/audio/load-soundtrack.ts';
import { reportLife } from '../../life-sign.ts';
import type { Listing } from '../../listing/listing.ts';
import { describeStoryboard } from '../../storyboard/describe-storyboard.ts';
import { toDraftStoryboard } from '../../storyboard/draft-storyboard.ts';
import type { TemplateCache } from '../../template/load-template.ts';
import type { TextMeasurer } from '../../text/text.ts';
import { createTextMeasurer } from '../../text/text-measurer.ts';
import { makeTimeline } from '../../timeline/make-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { openTemplates } from '../templates/template-fonts.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import type { AgentOptions } from './agent-options.ts';
import { type ChosenMusic, createMusicChooser } from './choose-music.ts';
import { chooseNames, type NamedVideo } from './choose-names.ts';
import { fontNotes } from './font-notes.ts';
import { nameFiles } from './name-files.ts';
import { createLightMeter } from './photo-light.ts';
import { createToneMeter } from './photo-tone.ts';
import { provideStoryboard, type StoryboardKeeping, type StoryboardSource } from './provide-storyboard.ts';
import {
  agentVideos,
  imageLayers,
  otherShapes,
  type RequestedVideo,
  unbrandedVideos,
} from './requested-videos.ts';
import { describeSmallPhotos } from './small-photos.ts';

/** Names what the bits of a segment depend on apart from its scenes, for frames of this size. */
export type Fingerprint = (size: { widthPx: number; heightPx: number; fps: number }) => string;

export interface PlannedVideo {
  /** Null for an extra video without branding. */
  readonly agent: { readonly id: string; readonly name: string } | null;
  /** The agent's video in the other ratio. */
  readonly isOtherShape: boolean;
  readonly options: AgentOptions;
  readonly timeline: Timeline;
  readonly music: ChosenMusic;
  /** Sentences for the report, in addition to those of storyboard and music. */
  readonly notes: readonly string[];
  /** Sentences about the listing, the same in every video of it. */
  readonly listingNotes: readonly string[];
  /** File names within the listing's folder. */
  readonly names: { readonly video: string; readonly poster: string; readonly preview: string | null };
}

export interface PlanRequest {
  readonly listing: Listing;
  readonly options: VideoTaskOptions;
  readonly nameSecret?: string | undefined;
  readonly assets: PreparedAssets;
  /** Folder that the path of a music file resolves against; null (default) forbids files. */
  readonly baseDir?: string | null;
  /** Folders of the user's templates, with `soundtracks/` in them. */
  readonly templatesDirs?: readonly string[];
  /** By default of this call alone. */
  readonly templates?: TemplateCache;
  /** By default chosen from listing and options. */
  readonly agentVideos?: readonly RequestedVideo[];
  /** What the folder of the listing has, the latest first; nothing by default. */
  readonly earlier?: readonly NamedVideo[] | undefined;
  /** Where storyboards are kept; they are made by default. */
  readonly storyboards?: StoryboardKeeping | null;
  /** Called before the pixels of photos are read. */
  readonly requirePixels?: () => Promise<void>;
  readonly signal?: AbortSignal;
  readonly fingerprint: Fingerprint;
}

/**
 * One planned video per agent, in the listing's order, then the requested ones in the other ratio and without branding.
 *
 * @throws {@link ListingVideoError} `template_not_found` for an unknown `template_id`; `music_unusable` for music of the
 *   command line that cannot be used.
 */
export async function planVideos(request: PlanRequest): Promise<PlannedVideo[]> {
  const { listing, options, assets, templatesDirs = [], fingerprint, signal } = request;
  const templates = request.templates ?? openTemplates({ templatesDirs });
  const { quality } = options;
  const videos = [...(request.agentVideos ?? (await agentVideos(request, templates)))];
  if (options.alsoRatio !== undefined) videos.push(...otherShapes(videos, options.alsoRatio));
  if (options.alsoUnbranded === true) videos.push(...(await unbrandedVideos(listing, videos, templates)));
  let measurer: Promise<TextMeasurer> | undefined;
  const musicChooser = createMusicChooser({
    override: options.music,
    baseDir: request.baseDir ?? null,
    // Music of the command line comes from the user.
    isUntrusted: options.untrusted === true && options.templateData?.music === undefined,
    soundtrackDirs: soundtrackDirsOf(templatesDirs),
    signal,
  });
  const lightOf = createLightMeter();
  const toneOf = createToneMeter();
  const names = toNames(videos, request);
  const smallPhotos = describeSmallPhotos(
    assets.photos,
    videos.map(({ options }) => options.ratio),
  );
  const planned: PlannedVideo[] = [];
  for (const [index, video] of videos.entries()) {
    const { id, agent, listing: shown, isExtra, isOtherShape, options, template, notes } = video;
    reportLife();
    const { templateData, ratio, hasPreview } = options;
    const images = new Map(
      [...imageLayers(template, templateData)].flatMap(([layer, url]) => {
        const image = assets.logos.get(url);
        return image ? [[layer, image] as const] : [];
      }),
    );
    const source: StoryboardSource = {
      listing: shown,
      agent,
      template,
      templateData,
      ratio,
      photos: assets.photos,
      portrait: (!isExtra && agent.picture && assets.pictures.get(agent.picture)) || null,
      logo: images.get('logo') ?? null,
      images,
      beats: (await musicChooser.own(template))?.soundtrack ?? null,
    };
    const whole = await provideStoryboard(source, request.storyboards ?? null, async () => {
      await request.requirePixels?.();
      // Loaded only here: a listing that has not changed needs neither.
      const { makeStoryboard } = await import('../../storyboard/make-storyboard.ts');
      measurer ??= createTextMeasurer();
      return makeStoryboard({ ...source, measurer: await measurer, lightOf, toneOf });
    });
    const storyboard = quality === 'draft' ? toDraftStoryboard(whole) : whole;
    const name = names[index]!;
    planned.push({
      agent: isExtra ? null : { id, name: `${agent.first_name} ${agent.last_name}`.trim() },
      isOtherShape,
      options,
      timeline: makeTimeline(storyboard, fingerprint(storyboard)),
      music: await musicChooser.choose(template, templateData.music),
      notes: [...notes, ...fontNotes(whole)],
      listingNotes: smallPhotos === null ? [] : [smallPhotos],
      names: {
        video: `${name}.mp4`,
        poster: `${name}.jpg`,
        preview: hasPreview ? `${name}.gif` : null,
      },
    });
  }
  return planned;
}

/** File names without their endings, in the order of the videos. */
function toNames(
  videos: readonly RequestedVideo[],
  { nameSecret, options, earlier = [] }: PlanRequest,
): string[] {
  const unbranded = videos.filter(({ template, isExtra }) => !isExtra && template.branding === 'none');
  const ids = [...new Set(videos.map(({ id }) => id))];
  const names = nameFiles(ids, nameSecret, new Set(unbranded.map(({ id }) => id)));
  const plainNames = new Map(ids.map((id, index) => [id, names[index]!]));
  return chooseNames(
    videos.map(({ id, isExtra, isOtherShape, options: { ratio, templateId } }) => ({
      agentId: isExtra ? null : id,
      ratio,
      templateId,
      isDraft: options.quality === 'draft',
      plainName: plainNames.get(id)!,
      isOtherShape,
    })),
    earlier,
    { isTemplateChosen: options.templateId !== undefined, force: options.force },
  );
}

/** The scenes in words, photos by their URLs. */
export function describePlan(plan: PlannedVideo, assets: PreparedAssets) {
  const urls = new Map(assets.photos.map((photo) => [photo.digest, photo.url]));
  for (const photo of assets.pictures.values()) urls.set(photo.digest, photo.url);
  return describeStoryboard(plan.timeline.storyboard).map(({ startSec, endSec, ...scene }) => ({
    ...scene,
    start_sec: startSec,
    end_sec: endSec,
    photos: scene.photos.map((digest) => urls.get(digest) ?? digest),
  }));
}
