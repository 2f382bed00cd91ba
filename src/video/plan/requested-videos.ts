/**
 * Which videos a task makes: one per agent, and on request each also in the other ratio, and one without branding per
 * ratio. Options and templates are decided.
 */

import type { TemplateCache } from '../../design/template/load-template.ts';
import type { Template } from '../../design/template/template.ts';
import type { Agent, AspectRatio, Listing } from '../../listing/listing.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { type Delivery, deliveryFor, USUAL_DELIVERY } from '../destinations/delivery.ts';
import { type DestinationName, isUnbrandedPlace } from '../destinations/destination-table.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { type AgentOptions, DEFAULT_TEMPLATE_ID, toAgentOptions } from './agent-options.ts';
import { toNeutralData } from './neutral-data.ts';

export interface RequestedVideo {
  /** The agent's, in both ratios; an unbranded video has an id that no agent has. */
  readonly id: string;
  /** The storyboard is made for this agent; an unbranded video shows nothing of them. */
  readonly agent: Agent;
  readonly listing: Listing;
  readonly isExtra: boolean;
  readonly isOtherShape: boolean;
  readonly options: AgentOptions;
  readonly template: Template;
  readonly delivery: Delivery;
  /** As `--length` has it, of several; null without. */
  readonly length: string | null;
  /** It shows scenes of the same agent's video of this length ('': the usual); absent: it is planned for its own length. */
  readonly cutOf?: string;
  /** Sentences for the report. */
  readonly notes: readonly string[];
}

const UNBRANDED_TEMPLATE_ID = 'unbranded';

/**
 * One video per agent, in the listing's order.
 *
 * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`.
 */
export async function agentVideos(
  { listing, options: overrides }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  templates: TemplateCache,
): Promise<RequestedVideo[]> {
  const videos: RequestedVideo[] = [];
  for (const agent of listing.agents) {
    const options = toAgentOptions(agent, overrides);
    const template = await templates.get(options.templateId, agent.id);
    const kind = { isExtra: false, isOtherShape: false, length: null };
    const notes = noteIgnoredData(agent, overrides);
    const delivery = USUAL_DELIVERY;
    videos.push({ id: agent.id, agent, listing, ...kind, options, template, delivery, notes });
  }
  return videos;
}

/** Data fills the layers of a template that someone chose. */
function noteIgnoredData(
  { video_options: own }: Agent,
  { templateId }: VideoTaskPayload['options'],
): string[] {
  const isIgnored = templateId === undefined && (own?.template_id ?? null) === null;
  if (!isIgnored || Object.keys(own?.template_data ?? {}).length === 0) return [];
  return [`template_data is ignored without a template: add "template_id": "${DEFAULT_TEMPLATE_ID}"`];
}

/** The same videos in `ratio`, except those that have it already. */
export function otherShapes(forAgents: readonly RequestedVideo[], ratio: AspectRatio): RequestedVideo[] {
  return forAgents
    .filter(({ options }) => options.ratio !== ratio)
    .map((video) => ({ ...video, isOtherShape: true, options: { ...video.options, ratio } }));
}

/**
 * One unbranded video per ratio and length, with the house data of the first agent of that ratio.
 *
 * @throws {@link ListingVideoError} `template_invalid` when the user's own template "unbranded" shows branding.
 */
export async function unbrandedVideos(
  listing: Listing,
  forAgents: readonly RequestedVideo[],
  templates: TemplateCache,
  destinations: readonly DestinationName[] = [],
): Promise<RequestedVideo[]> {
  const template = await templates.get(UNBRANDED_TEMPLATE_ID);
  if (template.branding !== 'none') {
    throw new ListingVideoError(
      'template_invalid',
      `the template "${template.id}" shows branding, but an unbranded video is requested`,
      {
        hint: `give your own template another id, or add "branding": "none" to its file`,
        context: { template_id: template.id },
      },
    );
  }
  const taken = new Set(listing.agents.map(({ id }) => id));
  const videos = new Map<string, RequestedVideo>();
  for (const { agent, options, length, cutOf } of forAgents) {
    const { ratio, templateData, hasPreview } = options;
    const key = `${ratio} ${length}`;
    if (videos.has(key)) continue;
    let id = `${UNBRANDED_TEMPLATE_ID}-${ratio.replace(':', 'x')}`;
    while (taken.has(id)) id += '-2';
    const ownOptions = {
      templateId: UNBRANDED_TEMPLATE_ID,
      templateData: toNeutralData(templateData),
      ratio,
      hasPreview,
      metadata: {},
    };
    videos.set(key, {
      id,
      agent,
      listing,
      length,
      ...(cutOf === undefined ? {} : { cutOf }),
      isExtra: true,
      isOtherShape: false,
      options: ownOptions,
      template,
      delivery: {
        ...deliveryFor(destinations.filter(isUnbrandedPlace)),
        small: deliveryFor(destinations).small,
      },
      notes: [],
    });
  }
  return [...videos.values()];
}

/** URLs by data layer: those image layers of the template that `template_data` fills. */
export function imageLayers(
  { dataLayers }: Pick<Template, 'dataLayers'>,
  data: Readonly<Record<string, string>>,
): Map<string, string> {
  const filled = dataLayers.flatMap(({ name, type }): [string, string][] => {
    const url = type === 'image' && Object.hasOwn(data, name) ? data[name]! : '';
    return url.trim() === '' ? [] : [[name, url]];
  });
  return new Map(filled);
}
