/** The videos of earlier runs that a run leaves in the folder, for its report. Pure. */
import type { KeptVideo, ReportEntry } from './report.ts';

/** Names in one sentence. */
const MAX_NAMES = 5;

/**
 * The entries of what the folder had and this run did not make, without their scenes, whose stills would fill the report.
 *
 * @param made - The entries of this run.
 */
export function keptVideos(
  earlier: readonly { readonly entry: KeptVideo; readonly taskId: string | undefined }[],
  made: readonly ReportEntry[],
): KeptVideo[] {
  const names = new Set(made.map(({ video }) => video.file));
  return earlier
    .filter(({ entry }) => !names.has(entry.video.file))
    .map(({ entry, taskId }) => ({
      ...entry,
      ...(taskId === undefined ? {} : { task_id: taskId }),
      is_unchanged: true,
      scenes: [],
      warnings: [],
    }));
}

/** A sentence that names them, because they do not show later changes of the listing; empty when there are none. */
export function describeKept(kept: readonly KeptVideo[]): string[] {
  if (kept.length === 0) return [];
  const names = kept
    .slice(0, MAX_NAMES)
    .map(({ video, ratio, quality }) => `${video.file} (${ratio}${quality === 'draft' ? ', draft' : ''})`);
  const more = kept.length > MAX_NAMES ? ` and ${kept.length - MAX_NAMES} more` : '';
  return [`kept from earlier runs, without later changes: ${names.join(', ')}${more}`];
}
