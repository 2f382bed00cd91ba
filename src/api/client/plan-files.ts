/** Plans the local files of a listing, and matches them with the results of a server's task. Pure. */
import { ListingVideoError } from '../../platform/errors.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { chooseNames, type NamedVideo } from '../../video/plan/choose-names.ts';
import { nameFiles } from '../../video/plan/name-files.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { ApiResult } from './parse-answer.ts';

/** The files of one agent, with the names of a local run. */
export interface AgentFiles {
  readonly agentId: string;
  readonly video: string;
  readonly poster: string;
  readonly preview: string | null;
}

/**
 * @param earlier - What the folder has, the latest first.
 * @returns The files in the order of the agents.
 */
export function planFiles(
  { listing: { agents }, options }: VideoTaskPayload,
  earlier: readonly NamedVideo[],
): AgentFiles[] {
  const ids = agents.map(({ id }) => id);
  const plainNames = nameFiles(ids, undefined);
  const optionsOf = agents.map((agent) => toAgentOptions(agent, options));
  const names = chooseNames(
    optionsOf.map(({ ratio, templateId }, index) => ({
      agentId: ids[index]!,
      plainName: plainNames[index]!,
      ratio,
      templateId,
      isDraft: false,
      isOtherShape: false,
    })),
    earlier,
    { isTemplateChosen: options.templateId !== undefined, force: options.force },
  );
  return ids.map((agentId, index) => ({
    agentId,
    video: `${names[index]}.mp4`,
    poster: `${names[index]}.jpg`,
    preview: optionsOf[index]!.hasPreview ? `${names[index]}.gif` : null,
  }));
}

/**
 * The results in the order of `files`, each checked for completeness.
 *
 * @throws {@link ListingVideoError} `server_answer_invalid` when the results do not match.
 */
export function matchResults(
  files: readonly AgentFiles[],
  results: readonly ApiResult[],
  server: URL,
): ApiResult[] {
  const byAgent = new Map(results.map((result) => [result.agent_id, result]));
  if (byAgent.size !== files.length || results.length !== files.length)
    throw invalid(`${results.length} results for ${files.length} agents`);
  return files.map(({ agentId, preview }) => {
    const result = byAgent.get(agentId);
    if (result === undefined) throw invalid(`no result for agent ${agentId}`);
    if (preview !== null && result.preview_url === undefined)
      throw invalid(`no preview for agent ${agentId}`);
    for (const url of [result.url, result.preview_url, result.poster_url]) {
      // Over https a listing was sent in secret, so its videos are not downloaded over http.
      if (url !== undefined && server.protocol === 'https:' && !url.startsWith('https:')) {
        const hint = 'start the server with --public-url https://…';
        throw invalid(`its files are at ${url.slice(0, 200)}, without TLS`, hint);
      }
    }
    return result;
  });
}

function invalid(what: string, hint?: string): ListingVideoError {
  const message = `the server's answer does not match its API: ${what}`;
  return new ListingVideoError('server_answer_invalid', message, { hint });
}
