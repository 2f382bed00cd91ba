/** The body of `POST /v1/tasks`: the listing with the options of the command line for every agent. Pure. */
import { createHash } from 'node:crypto';
import type { Agent, Listing } from '../../listing/listing.ts';
import { replaceLocalFiles } from '../../listing/rules/find-local-files.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';
import type { LocalImages } from '../../video/uploads/read-local-image.ts';
import type { VideoTaskOptions, VideoTaskPayload } from '../../video/video-task.ts';
import { betasOfListing } from '../listing-betas.ts';

export interface TaskRequest {
  /** The listing with the options of the command line. It can name files of this machine. */
  readonly listing: Listing;
  readonly images: LocalImages;
  /** SHA-256 of server and body, hex. A file of this machine counts with its content. */
  readonly sha256: string;
  /** Betas without which the server would ignore a part of the listing. */
  readonly betas: readonly string[];
}

/** The listing of a payload with the options of the command line for every agent. */
export function toRequestListing({ listing, options }: VideoTaskPayload): Listing {
  return { ...listing, agents: listing.agents.map((agent) => withOptions(agent, options)) };
}

/** @param images - Every file of this machine that the listing names. */
export function toTaskRequest(listing: Listing, server: string, images: LocalImages): TaskRequest {
  const names = [...images].map(([url, { sha256 }]) => [url, `sha256:${sha256}`] as const);
  const identity = toRequestBody(listing, new Map(names));
  return {
    listing,
    images,
    sha256: createHash('sha256').update(`${server}\n${identity}`).digest('hex'),
    betas: [...betasOfListing(listing), ...(images.size > 0 ? ['uploads'] : [])],
  };
}

/** @param urls - URLs at the server, of the files of this machine. */
export function toRequestBody(listing: Listing, urls: ReadonlyMap<string, string>): string {
  return JSON.stringify(urls.size === 0 ? listing : replaceLocalFiles(listing, urls));
}

/** The same choices as `../video/plan/agent-options.ts` makes for a local run. */
function withOptions(agent: Agent, { templateId, templateData, ratio, preview }: VideoTaskOptions): Agent {
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
