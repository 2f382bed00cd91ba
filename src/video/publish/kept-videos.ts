/** The videos of earlier runs that a run leaves in the folder, for its report. Pure. */
import type { Listing } from '../../listing/listing.ts';
import type { KeptVideo, ReportFile } from './report.ts';

/** A video of this run. */
export interface MadeVideo {
  readonly video: Pick<ReportFile, 'file'>;
}

/** Names in one sentence. */
const MAX_NAMES = 5;

/**
 * The entries of what the folder had and this run did not make, without their scenes, whose stills would fill the report.
 *
 * @param made - The entries of this run.
 */
export function keptVideos(
  earlier: readonly { readonly entry: KeptVideo; readonly taskId: string | undefined }[],
  made: readonly MadeVideo[],
  { agents }: Pick<Listing, 'agents'>,
): KeptVideo[] {
  const names = new Set(made.map(({ video }) => video.file));
  const ids = new Set(agents.map(({ id }) => id));
  return earlier
    .filter(({ entry }) => !names.has(entry.video.file))
    .map(({ entry: { has_agent_left: _, ...entry }, taskId }) => ({
      ...entry,
      ...(taskId === undefined ? {} : { task_id: taskId }),
      ...(entry.agent_id !== undefined && !ids.has(entry.agent_id) ? { has_agent_left: true } : {}),
      is_unchanged: true,
      scenes: [],
      warnings: [],
    }));
}

/** Notes and warnings about kept videos. */
export interface KeptSentences {
  readonly notes: string[];
  readonly warnings: string[];
}

/** Sentences that name them, because they do not show later changes of the listing, and may show an agent who has left it. */
export function describeKept(kept: readonly KeptVideo[]): KeptSentences {
  const left = kept.filter((video) => video.has_agent_left === true);
  const others = kept.filter((video) => video.has_agent_left !== true);
  return {
    notes:
      others.length === 0 ? [] : [`kept from earlier runs, without later changes: ${nameVideos(others)}`],
    warnings:
      left.length === 0
        ? []
        : [
            `kept videos of agents who are no longer in the listing: ${nameVideos(left)}; --clean removes them`,
          ],
  };
}

function nameVideos(videos: readonly KeptVideo[]): string {
  const names = videos
    .slice(0, MAX_NAMES)
    .map(({ video, ratio, quality }) => `${video.file} (${ratio}${quality === 'draft' ? ', draft' : ''})`);
  const more = videos.length > MAX_NAMES ? ` and ${videos.length - MAX_NAMES} more` : '';
  return `${names.join(', ')}${more}`;
}
