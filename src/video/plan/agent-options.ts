/** Which template, data, ratio and preview one agent gets: the listing's `video_options` under the command line's. */
import type { Agent, AspectRatio } from '../../listing/listing.ts';
import type { VideoTaskOptions } from '../video-task.ts';

export const DEFAULT_TEMPLATE_ID = 'classic';
const DEFAULT_RATIO: AspectRatio = '1920:1080';

/** Every choice made; nothing optional is left. */
export interface AgentOptions {
  readonly templateId: string;
  readonly templateData: Readonly<Record<string, string>>;
  readonly ratio: AspectRatio;
  readonly hasPreview: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * An override holds for every agent. `template_data` counts only where a template is named, by the agent or by the
 * override; data given as an override is laid over the agent's own.
 */
export function toAgentOptions(
  agent: Agent,
  overrides: Pick<VideoTaskOptions, 'templateId' | 'templateData' | 'ratio' | 'preview'>,
): AgentOptions {
  const own = agent.video_options ?? {};
  const namedTemplate = overrides.templateId ?? own.template_id ?? null;
  const ownData = namedTemplate === null ? {} : (own.template_data ?? {});
  return {
    templateId: namedTemplate ?? DEFAULT_TEMPLATE_ID,
    templateData: { ...ownData, ...overrides.templateData },
    ratio: overrides.ratio ?? own.ratio ?? DEFAULT_RATIO,
    hasPreview: overrides.preview ?? own.create_preview ?? false,
    metadata: own.metadata ?? {},
  };
}
