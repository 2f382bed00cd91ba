/**
 * Videos with a template that the command line chose: they stay beside those with the template of the listing, and a
 * render of the studio makes them again with it. Pure.
 */
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import type { DestinationName } from '../../video/destinations/destination-table.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { hasChosenTemplate } from '../../video/plan/choose-names.ts';
import type { EarlierVideo } from '../../video/plan/earlier-run.ts';
import { fitsOf } from '../../video/publish/kept-videos.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';

/** Videos that one task renews. */
export interface ChosenTemplate {
  readonly templateId: string;
  readonly ratio: AspectRatio;
  readonly places: readonly DestinationName[];
  /** Ids, in the order of the listing. */
  readonly agents: readonly string[];
}

/** @param all - What the folder has. */
export function isOfChosenTemplate(
  video: EarlierVideo,
  { agents }: Pick<Listing, 'agents'>,
  options: VideoTaskOptions,
  all: readonly EarlierVideo[],
): boolean {
  const agent = agents.find(({ id }) => id === video.agentId);
  return agent !== undefined && hasChosenTemplate(video, toAgentOptions(agent, options).templateId, all);
}

interface RenewOptions {
  /** Those to render. */
  readonly agents: Listing['agents'];
  /** Ids of the templates that there are. */
  readonly templates: readonly string[];
  /** Null: every ratio. */
  readonly ratios: readonly AspectRatio[] | null;
}

/**
 * The videos that a render makes again with a template that the command line chose. Those that it named for a place are
 * made by the command line alone.
 *
 * @param all - What the folder has.
 */
export function findChosenTemplates(
  all: readonly EarlierVideo[],
  { agents, templates, ratios }: RenewOptions,
  options: VideoTaskOptions,
): ChosenTemplate[] {
  const isDraft = options.quality === 'draft';
  const renewed = all.filter(
    (video) =>
      video.isDraft === isDraft &&
      video.namedFor === undefined &&
      templates.includes(video.templateId) &&
      (ratios?.includes(video.ratio) ?? true) &&
      isOfChosenTemplate(video, { agents }, options, all),
  );
  const tasks = new Map<string, ChosenTemplate>();
  for (const { id } of agents)
    for (const { templateId, ratio, entry } of renewed.filter(({ agentId }) => agentId === id)) {
      const places = fitsOf(entry).map(({ name }) => name);
      const key = [templateId, ratio, ...places].join(' ');
      tasks.set(key, { templateId, ratio, places, agents: [...(tasks.get(key)?.agents ?? []), id] });
    }
  return [...tasks.values()];
}
