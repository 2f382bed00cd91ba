/** The body of `POST /v1/tasks`: the listing with the options of the command line for every agent. Pure. */
import { createHash } from 'node:crypto';
import type { Agent } from '../listing/listing.ts';
import { DEFAULT_TEMPLATE_ID } from '../video/plan/agent-options.ts';
import type { VideoTaskOptions, VideoTaskPayload } from '../video/video-task.ts';

/** The request body and its identity. */
export interface TaskRequest {
  readonly body: string;
  /** SHA-256 of server and body, hex. */
  readonly sha256: string;
  /** Whether an asset has a caption, which the API shows with a beta only. */
  readonly hasCaptions: boolean;
}

export function toTaskRequest({ listing, options }: VideoTaskPayload, server: string): TaskRequest {
  const agents = listing.agents.map((agent) => withOptions(agent, options));
  const body = JSON.stringify({ ...listing, agents });
  return {
    body,
    sha256: createHash('sha256').update(`${server}\n${body}`).digest('hex'),
    hasCaptions: listing.assets.some(({ caption }) => caption !== undefined),
  };
}

/** The same choices as `../video/plan/agent-options.ts` makes for a local run. */
function withOptions(agent: Agent, overrides: VideoTaskOptions): Agent {
  const { templateId, templateData, ratio, preview } = overrides;
  const own = agent.video_options;
  const named = templateId ?? own?.template_id ?? null;
  const changes = {
    ...(templateId === undefined ? {} : { template_id: templateId }),
    // The API ignores data without a template, so the template is named.
    ...(templateData === undefined
      ? {}
      : {
          template_id: named ?? DEFAULT_TEMPLATE_ID,
          template_data: { ...(named === null ? {} : own?.template_data), ...templateData },
        }),
    ...(ratio === undefined ? {} : { ratio }),
    ...(preview === undefined ? {} : { create_preview: preview }),
  };
  return Object.keys(changes).length === 0 ? agent : { ...agent, video_options: { ...own, ...changes } };
}
