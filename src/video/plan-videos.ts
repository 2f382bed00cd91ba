/** What is to be made, decided before anything is rendered: per agent the options, the storyboard, the timeline, the names. */
import type { PreparedAssets } from '../assets/prepare-assets.ts';
import { soundtrackDirsOf } from '../encode/sound/load-soundtrack.ts';
import type { Agent, Listing } from '../listing/listing.ts';
import { describeStoryboard } from '../storyboard/describe.ts';
import { makeStoryboard } from '../storyboard/make-storyboard.ts';
import { loadTemplate } from '../template/load-template.ts';
import type { Template } from '../template/template.ts';
import { createTextMeasurer } from '../text/text-measurer.ts';
import { makeTimeline } from '../timeline/make-timeline.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type AgentOptions, toAgentOptions } from './agent-options.ts';
import { type ChosenMusic, createMusicChooser } from './choose-music.ts';
import { imageLayers } from './image-layers.ts';
import { nameFiles } from './name-files.ts';
import { createLightMeter } from './photo-light.ts';
import type { VideoTaskOptions } from './video-task.ts';

export interface PlannedVideo {
  readonly agent: Agent;
  readonly agentName: string;
  readonly options: AgentOptions;
  readonly timeline: Timeline;
  readonly music: ChosenMusic;
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
  /** Folders of own templates, with `soundtracks/` in them. */
  readonly templatesDirs?: readonly string[];
  readonly signal?: AbortSignal;
  /** What a segment's bits depend on beside its scenes, for a frame of this size. */
  readonly fingerprint: (size: { widthPx: number; heightPx: number; fps: number }) => string;
}

/**
 * One planned video per agent, in the listing's order.
 *
 * @throws {@link ListingVideoError} `template_not_found` for an unknown `template_id`; `music_unusable` for an order of
 *   music that cannot be carried out.
 */
export async function planVideos(request: PlanRequest): Promise<PlannedVideo[]> {
  const { listing, assets, templatesDirs = [] } = request;
  const measurer = await createTextMeasurer();
  const templates = new Map<string, Template>();
  const musicChooser = createMusicChooser({
    order: request.options.music,
    baseDir: request.baseDir ?? null,
    soundtrackDirs: soundtrackDirsOf(templatesDirs),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const lightOf = createLightMeter();
  const planned: Omit<PlannedVideo, 'names'>[] = [];
  const unbranded = new Set<string>();
  for (const agent of listing.agents) {
    const options = toAgentOptions(agent, request.options);
    const template =
      templates.get(options.templateId) ??
      (await loadTemplate(options.templateId, { agentId: agent.id, templatesDirs }));
    templates.set(options.templateId, template);
    if (template.branding === 'none') unbranded.add(agent.id);
    const images = new Map(
      [...imageLayers(template, options.templateData)].flatMap(([name, url]) => {
        const image = assets.logos.get(url);
        return image ? [[name, image] as const] : [];
      }),
    );
    const storyboard = makeStoryboard({
      listing,
      agent,
      template,
      templateData: options.templateData,
      ratio: options.ratio,
      photos: assets.photos,
      picture: (agent.picture && assets.pictures.get(agent.picture)) || null,
      logo: images.get('logo') ?? null,
      images,
      measurer,
      beats: (await musicChooser.own(template))?.soundtrack ?? null,
      lightOf,
    });
    const timeline = makeTimeline(storyboard, request.fingerprint(storyboard));
    planned.push({
      agent,
      agentName: toName(agent),
      options,
      timeline,
      music: await musicChooser.choose(template, options.templateData.music),
    });
  }
  const names = nameFiles(
    listing.agents.map(({ id }) => id),
    request.nameSecret,
    unbranded,
  );
  return planned.map((plan, index) => {
    const name = names[index]!;
    const preview = plan.options.hasPreview ? `${name}.gif` : null;
    return { ...plan, names: { video: `${name}.mp4`, poster: `${name}.jpg`, preview } };
  });
}

/** The scenes in words, photos by their URLs. */
export function describePlan(plan: PlannedVideo, assets: PreparedAssets) {
  const urls = new Map(assets.photos.map((photo) => [photo.digest, photo.url]));
  for (const photo of assets.pictures.values()) urls.set(photo.digest, photo.url);
  return describeStoryboard(plan.timeline.storyboard).map((scene) => ({
    ...scene,
    photos: scene.photos.map((digest) => urls.get(digest) ?? digest),
  }));
}

function toName(agent: Agent): string {
  return `${agent.first_name} ${agent.last_name}`.trim();
}
