/** What is to be made, decided before anything is rendered: per agent the options, the storyboard, the timeline, the names. */
import type { PreparedAssets } from '../../assets/prepare-assets.ts';
import { soundtrackDirsOf } from '../../encode/sound/load-soundtrack.ts';
import { ListingVideoError } from '../../errors.ts';
import type { Agent, AspectRatio, Listing } from '../../listing/listing.ts';
import { describeStoryboard } from '../../storyboard/describe-storyboard.ts';
import { makeStoryboard } from '../../storyboard/make-storyboard.ts';
import type { Template } from '../../template/template.ts';
import { createTemplateCache } from '../../template/template-cache.ts';
import { createTextMeasurer } from '../../text/text-measurer.ts';
import { makeTimeline } from '../../timeline/make-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { VideoTaskOptions } from '../video-task.ts';
import { type AgentOptions, toAgentOptions } from './agent-options.ts';
import { type ChosenMusic, createMusicChooser } from './choose-music.ts';
import { imageLayers } from './image-layers.ts';
import { nameFiles } from './name-files.ts';
import { toNeutralData } from './neutral-data.ts';
import { createLightMeter } from './photo-light.ts';

export interface PlannedVideo {
  /** Whose film it is; null for a film without branding that comes besides. */
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly options: AgentOptions;
  readonly timeline: Timeline;
  readonly music: ChosenMusic;
  /** Sentences for the report, beside those of storyboard and music. */
  readonly notes: readonly string[];
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
 * One planned video per agent, in the listing's order, and after them the films without branding that were asked for.
 *
 * @throws {@link ListingVideoError} `template_not_found` for an unknown `template_id`; `music_unusable` for an order of
 *   music that cannot be carried out.
 */
export async function planVideos(request: PlanRequest): Promise<PlannedVideo[]> {
  const { listing, assets, templatesDirs = [] } = request;
  const measurer = await createTextMeasurer();
  const templates = createTemplateCache({ templatesDirs });
  const musicChooser = createMusicChooser({
    order: request.options.music,
    baseDir: request.baseDir ?? null,
    soundtrackDirs: soundtrackDirsOf(templatesDirs),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const lightOf = createLightMeter();
  const films = [
    ...listing.agents.map((agent) => agentFilm(agent, request.options)),
    ...unbrandedFilms(request),
  ];
  const planned: Omit<PlannedVideo, 'names'>[] = [];
  const unbranded = new Set<string>();
  for (const { id, subject, isAgents, options, notes } of films) {
    const template = await templates.get(options.templateId, isAgents ? id : undefined);
    if (isAgents && template.branding === 'none') unbranded.add(id);
    if (!isAgents && template.branding !== 'none') throw brandedTwin(template);
    const images = new Map(
      [...imageLayers(template, options.templateData)].flatMap(([name, url]) => {
        const image = assets.logos.get(url);
        return image ? [[name, image] as const] : [];
      }),
    );
    const storyboard = makeStoryboard({
      listing,
      agent: subject,
      template,
      templateData: options.templateData,
      ratio: options.ratio,
      photos: assets.photos,
      portrait: (isAgents && subject.picture && assets.pictures.get(subject.picture)) || null,
      logo: images.get('logo') ?? null,
      images,
      measurer,
      beats: (await musicChooser.own(template))?.soundtrack ?? null,
      lightOf,
    });
    const timeline = makeTimeline(storyboard, request.fingerprint(storyboard));
    planned.push({
      agent: isAgents ? { id, name: toName(subject) } : null,
      options,
      timeline,
      music: await musicChooser.choose(template, options.templateData.music),
      notes,
    });
  }
  const names = nameFiles(
    films.map(({ id }) => id),
    request.nameSecret,
    unbranded,
  );
  return planned.map((plan, index) => {
    const name = names[index]!;
    const preview = plan.options.hasPreview ? `${name}.gif` : null;
    return { ...plan, names: { video: `${name}.mp4`, poster: `${name}.jpg`, preview } };
  });
}

/** A film that is wanted. */
interface WantedFilm {
  /** The agent's; of a film besides a name that no agent has. */
  readonly id: string;
  /** Of whom the storyboard is made; a film without branding shows nothing of them. */
  readonly subject: Agent;
  readonly isAgents: boolean;
  readonly options: AgentOptions;
  readonly notes: readonly string[];
}

const UNBRANDED_TEMPLATE_ID = 'unbranded';

function agentFilm(agent: Agent, overrides: VideoTaskOptions): WantedFilm {
  const options = toAgentOptions(agent, overrides);
  return { id: agent.id, subject: agent, isAgents: true, options, notes: [] };
}

/** One for each ratio, with what the first agent of that ratio says of the house. */
function unbrandedFilms({ listing, options: overrides }: PlanRequest): WantedFilm[] {
  if (overrides.alsoUnbranded !== true) return [];
  const taken = new Set(listing.agents.map(({ id }) => id));
  const films = new Map<AspectRatio, WantedFilm>();
  for (const agent of listing.agents) {
    const { ratio, templateData, hasPreview } = toAgentOptions(agent, overrides);
    if (films.has(ratio)) continue;
    let id = `${UNBRANDED_TEMPLATE_ID}-${ratio.replace(':', 'x')}`;
    while (taken.has(id)) id += '-2';
    const { data, warnings } = toNeutralData(templateData, listing);
    const options = {
      templateId: UNBRANDED_TEMPLATE_ID,
      templateData: data,
      ratio,
      hasPreview,
      metadata: {},
    };
    films.set(ratio, { id, subject: agent, isAgents: false, options, notes: warnings });
  }
  return [...films.values()];
}

/** An own template of that name took the place of ours. */
function brandedTwin({ id }: Template): ListingVideoError {
  return new ListingVideoError(
    'template_invalid',
    `the template "${id}" shows branding, and a film without any was asked for`,
    {
      hint: `give your own template another id, or its file "branding": "none"`,
      context: { template_id: id },
    },
  );
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
