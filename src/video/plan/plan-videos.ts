/** Plans the videos of a task before anything is rendered: each with its storyboard, timeline, music and file names. */

import { describeStoryboard } from '../../design/storyboard/describe-storyboard.ts';
import type { TemplateCache } from '../../design/template/load-template.ts';
import type { TextMeasurer } from '../../design/text/text.ts';
import { createTextMeasurer } from '../../design/text/text-measurer.ts';
import { alteredSpans } from '../../design/timeline/altered-spans.ts';
import type { FrameSpan } from '../../design/timeline/timeline.ts';
import type { Listing } from '../../listing/listing.ts';
import type { PreparedAssets } from '../../media/assets/prepare-assets.ts';
import { soundtrackDirsOf } from '../../media/encode/audio/load-soundtrack.ts';
import { transitionDrawer } from '../../media/render/draw-transitions.ts';
import type { AllowedFolders } from '../../platform/disk/allowed-folders.ts';
import { forPlaces, planForPlaces } from '../destinations/plan-for-places.ts';
import { openTemplates } from '../templates/template-fonts.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import { chooseNames, type NamedVideo, smallName } from './choose-names.ts';
import { takeWordsOfCopies, withWordsOfCopies } from './copied-photos.ts';
import { forLengths, ofLength, wordsFor } from './for-lengths.ts';
import { photosByDigest } from './gather-assets.ts';
import { describeListing, describeSmallPhotos } from './listing-notes.ts';
import { warnOfListing } from './listing-warnings.ts';
import { createMusicChooser } from './music/choose-music.ts';
import type { FindMusicBeats } from './music/music-beats.ts';
import { nameFiles } from './name-files.ts';
import { createLightMeter } from './photo-light.ts';
import { createToneMeter } from './photo-tone.ts';
import { type Fingerprint, type PlanTools, planVideo, type VideoPlan } from './plan-video.ts';
import { createSceneSharing, type StoryboardKeeping } from './provide-storyboard.ts';
import { agentVideos, otherShapes, type RequestedVideo, unbrandedVideos } from './requested-videos.ts';

export interface PlannedVideo extends VideoPlan {
  readonly listingNotes: readonly string[];
  /** The agent has another file before it, for other places or of another length. */
  readonly isFurther: boolean;
  /** The words for its places and its length in its name; null where it needs none. */
  readonly namedFor: string | null;
  /** File names within the listing's folder. */
  readonly names: VideoFileNames;
}

export interface VideoFileNames {
  readonly video: string;
  readonly poster: string;
  readonly preview: string | null;
  /** Of the smaller file, which is made only where the video is large; null: of none. */
  readonly small: string | null;
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
  /** The only folders that music files can be in; absent: every folder. */
  readonly folders?: AllowedFolders | undefined;
  /** By default of this call alone. */
  readonly templates?: TemplateCache;
  /** By default chosen from listing and options. */
  readonly agentVideos?: readonly RequestedVideo[];
  /** What the folder of the listing has, the latest first; nothing by default. */
  readonly earlier?: readonly NamedVideo[] | undefined;
  /** Absent: music files count as music without beats. */
  readonly findBeats?: FindMusicBeats;
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
 * @throws {@link ListingVideoError} `template_not_found` for an unknown `template_id`; `music_unusable` for music of
 *   the command line that cannot be used.
 */
export async function planVideos(request: PlanRequest): Promise<PlannedVideo[]> {
  const { options, assets, templatesDirs = [], fingerprint, signal } = request;
  const listing = takeWordsOfCopies(request.listing, assets.heirs);
  const templates = request.templates ?? openTemplates({ templatesDirs });
  const { quality } = options;
  const ofAgents = request.agentVideos ?? (await agentVideos(request, templates));
  const own = ofAgents.map((video) => withWordsOfCopies(video, assets.heirs));
  const ofWords = warnOfListing(own);
  const videos = own
    .flatMap((video) => forPlaces(video, options))
    .flatMap((video) => forLengths(video, options));
  if (options.alsoRatio !== undefined) videos.push(...otherShapes(videos, options.alsoRatio));
  if (options.alsoUnbranded === true)
    videos.push(...(await unbrandedVideos(listing, videos, templates, options.destinations)));
  let measurer: Promise<TextMeasurer> | undefined;
  const musicChooser = createMusicChooser({
    override: options.music,
    baseDir: request.baseDir ?? null,
    // Music of the command line comes from the user.
    isUntrusted: options.untrusted === true && options.templateData?.music === undefined,
    folders: request.folders,
    soundtrackDirs: soundtrackDirsOf(templatesDirs),
    ...(request.findBeats ? { findBeats: request.findBeats } : {}),
    signal,
  });
  const tools: PlanTools = {
    musicChooser,
    quality,
    unbrandedKeep: options.unbrandedKeep,
    storyboards: request.storyboards ?? null,
    fingerprint,
    drawTransition: transitionDrawer(photosByDigest(assets)),
    lightOf: createLightMeter(),
    toneOf: createToneMeter(),
    measurer: () => {
      measurer ??= createTextMeasurer();
      return measurer;
    },
    sharedScenes: createSceneSharing(),
    requirePixels: async () => request.requirePixels?.(),
  };
  const smallPhotos = describeSmallPhotos(
    assets.photos,
    videos.map(({ options }) => options.ratio),
  );
  const listingNotes = [
    ...(smallPhotos === null ? [] : [smallPhotos]),
    ...[...describeListing(request.listing, assets), ...ofWords].map(({ message }) => message),
  ];
  const made: MadePlan[] = [];
  const known = new Map<string, Promise<VideoPlan>>();
  // Files that differ in nothing but their container or sound have one plan.
  const planOnce = async (video: RequestedVideo): Promise<VideoPlan> => {
    const { id, options, isOtherShape, delivery, length, cutOf } = video;
    const key = JSON.stringify([id, isOtherShape, options, cutOf]);
    const plan = known.get(key) ?? planAfterWhole(video);
    known.set(key, plan);
    return { ...(await plan), delivery, length };
  };
  const planAfterWhole = async ({ cutOf, ...video }: RequestedVideo): Promise<VideoPlan> => {
    if (cutOf === undefined) return planVideo(video, assets, tools);
    const { timeline } = await planOnce(ofLength(video, cutOf));
    return planVideo({ ...video, cutOf }, assets, tools, timeline);
  };
  for (const video of videos) {
    const plans = await planForPlaces(video, planOnce);
    made.push(...plans.map((plan) => ({ video, plan })));
  }
  return nameVideos(made, request).map((named) => ({ ...named, listingNotes }));
}

interface MadePlan {
  readonly video: RequestedVideo;
  readonly plan: VideoPlan;
}

interface NamedPlan extends MadePlan {
  readonly namedFor: string | null;
  readonly isFurther: boolean;
}

function nameVideos(made: readonly MadePlan[], request: PlanRequest): Omit<PlannedVideo, 'listingNotes'>[] {
  const files = made.map((file): NamedPlan => {
    const { video, plan } = file;
    const siblings = made.filter(
      (other) => other.video.id === video.id && other.video.isOtherShape === video.isOtherShape,
    );
    const namedFor = wordsFor(markOf(file), siblings.map(markOf));
    return { ...file, namedFor, isFurther: siblings[0]!.plan !== plan };
  });
  const names = toNames(files, request);
  const taken = [...names, ...(request.earlier ?? []).map(({ name }) => name)];
  // Files for the web have names that cannot be guessed, and the API shows no other.
  const hasSmall = ({ delivery }: VideoPlan): boolean =>
    delivery.small !== null && request.nameSecret === undefined;
  return files.map(({ video, plan, namedFor, isFurther }, index) => {
    const name = names[index]!;
    const preview = video.options.hasPreview ? `${name}.gif` : null;
    const small = hasSmall(plan) ? `${smallName(name, taken)}.mp4` : null;
    const named = { video: `${name}.mp4`, poster: `${name}.jpg`, preview, small };
    return { ...plan, isFurther, namedFor, names: named };
  });
}

function markOf({ video: { length }, plan: { delivery } }: MadePlan) {
  return { places: delivery.places, length };
}

function toNames(named: readonly NamedPlan[], { nameSecret, options, earlier = [] }: PlanRequest): string[] {
  const videos = named.map(({ video }) => video);
  const unbranded = videos.filter(({ template, isExtra }) => !isExtra && template.branding === 'none');
  const ids = [...new Set(videos.map(({ id }) => id))];
  const names = nameFiles(ids, nameSecret, new Set(unbranded.map(({ id }) => id)));
  const plainNames = new Map(ids.map((id, index) => [id, names[index]!]));
  return chooseNames(
    named.map(({ video: { id, isExtra, isOtherShape, options: own }, namedFor }) => ({
      agentId: isExtra ? null : id,
      ratio: own.ratio,
      templateId: own.templateId,
      isDraft: options.quality === 'draft',
      plainName: namedFor === null ? plainNames.get(id)! : `${plainNames.get(id)!}-${namedFor}`,
      ...(namedFor === null ? {} : { namedFor }),
      isOtherShape,
    })),
    earlier,
    { isTemplateChosen: options.templateId !== undefined, force: options.force },
  );
}

/** The altered photos of a video, and when they and their originals are visible. */
export function describeAltered({ timeline }: Pick<PlannedVideo, 'timeline'>) {
  const { fps } = timeline.storyboard;
  const toSec = (spans: readonly FrameSpan[]) =>
    spans.map(({ startFrame, endFrame }) => ({
      start_sec: roundSec(startFrame / fps),
      end_sec: roundSec(endFrame / fps),
    }));
  return alteredSpans(timeline).map(({ photo: { url, label, originalUrl }, spans, originalSpans }) => ({
    url,
    label,
    original_url: originalUrl,
    spans: toSec(spans),
    original_spans: toSec(originalSpans),
  }));
}

function roundSec(sec: number): number {
  return Math.round(sec * 1000) / 1000;
}

/** What sets the file apart from others of the agent. */
export function describeMark({ length, namedFor }: Pick<PlannedVideo, 'length' | 'namedFor'>) {
  return { ...(length === null ? {} : { length }), ...(namedFor === null ? {} : { named_for: namedFor }) };
}

export function describePlan(plan: PlannedVideo, assets: PreparedAssets) {
  const urls = new Map([...photosByDigest(assets)].map(([digest, { url }]) => [digest, url]));
  return describeStoryboard(plan.timeline.storyboard).map(({ startSec, endSec, ...scene }) => ({
    ...scene,
    start_sec: startSec,
    end_sec: endSec,
    photos: scene.photos.map((digest) => urls.get(digest) ?? digest),
  }));
}
