/**
 * The videos of earlier runs that a run leaves in the folder, for its report; with `--clean` without those of agents
 * who are no longer in the listing.
 */
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { DESTINATION_NAMES } from '../destinations/destination-table.ts';
import type { Fit } from '../destinations/judge-file.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { isIntact } from './output-folder.ts';
import {
  filesOf,
  isFile,
  type KeptVideo,
  type ReportAlteredPhoto,
  type ReportFile,
  type ReportFiles,
} from './report.ts';

const MAX_NAMES = 5;
/** A file beside the report: not hidden, in no other folder. Reports are edited by hand. */
export const FILE_NAME = /^(?!\.)[^/\\\p{Cc}]+\.(?:mp4|jpg|gif|vtt|txt)$/u;

interface EarlierEntry {
  readonly entry: KeptVideo;
  /** Of the task that made it, as far as it is known. */
  readonly taskId: string | undefined;
}

/** What is left for the report. */
export interface SettledVideos {
  readonly kept: readonly KeptVideo[];
  /** Names of files. */
  readonly removed: readonly string[];
  /** Sentences that name kept videos, because they do not show later changes of the listing. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Removes a file of the folder. @returns False when it is still there. */
type RemoveFile = (file: string) => Promise<boolean>;

/** For a dry run. */
export const removeNothing: RemoveFile = async () => true;

const removeFile: RemoveFile = (file) =>
  rm(file).then(
    () => true,
    () => false,
  );

/**
 * @param earlier - What the folder had before the run.
 * @param made - The entries of this run.
 * @param folder - Absolute; the caller holds its lock, unless it removes nothing.
 */
export async function settleKept(
  earlier: readonly EarlierEntry[],
  made: readonly { readonly video: Pick<ReportFile, 'file'> }[],
  { listing, options, otherAgents = [] }: Pick<VideoTaskPayload, 'listing' | 'options' | 'otherAgents'>,
  folder: string,
  remove = removeFile,
): Promise<SettledVideos> {
  const names = new Set(made.map(({ video }) => video.file));
  const kept = earlier
    .filter(({ entry }) => !names.has(entry.video.file))
    .map((video) => toKept(video, [...listing.agents.map(({ id }) => id), ...otherAgents]));
  if (options.clean === true) return removeLeftVideos(kept, folder, remove);
  const left = kept.filter(hasLeft);
  const warning = `kept videos of agents who are no longer in the listing: ${nameVideos(left)}; --clean removes them`;
  return { kept, removed: [], notes: describeKept(kept), warnings: left.length === 0 ? [] : [warning] };
}

/** Without scenes and stills, which would fill the report. */
function toKept({ entry, taskId }: EarlierEntry, agentIds: readonly string[]): KeptVideo {
  const { has_agent_left: _, altered_photos: altered, destinations: places, ...rest } = entry;
  const isLeft = entry.agent_id !== undefined && !agentIds.includes(entry.agent_id);
  return {
    ...rest,
    ...(taskId === undefined ? {} : { task_id: taskId }),
    ...(isLeft ? { has_agent_left: true } : {}),
    is_unchanged: true,
    scenes: [],
    ...(Array.isArray(altered) ? { altered_photos: altered.filter(isAlteredPhoto).map(withoutStills) } : {}),
    ...(Array.isArray(places) ? { destinations: places.filter(isKnownPlace) } : {}),
    warnings: [],
  };
}

/** Reports are edited by hand. */
function isAlteredPhoto(photo: Partial<ReportAlteredPhoto> | null): boolean {
  const { url, label, original_url: originalUrl, spans, original_spans: originalSpans } = photo ?? {};
  return (
    typeof url === 'string' &&
    typeof label === 'string' &&
    (originalUrl === null || typeof originalUrl === 'string') &&
    [spans, originalSpans].every((list) => Array.isArray(list) && list.every(isSpan))
  );
}

function isSpan(span: ReportAlteredPhoto['spans'][number] | null): boolean {
  return typeof span?.start_sec === 'number' && typeof span.end_sec === 'number';
}

/** Places that a video was made for, and how it fits them. Reports are edited by hand. */
export function fitsOf({ destinations }: Pick<KeptVideo, 'destinations'>): readonly Fit[] {
  return Array.isArray(destinations) ? destinations.filter(isKnownPlace) : [];
}

function isKnownPlace(place: Partial<NonNullable<KeptVideo['destinations']>[number]> | null): boolean {
  const { name, reasons } = place ?? {};
  return DESTINATION_NAMES.some((known) => known === name) && Array.isArray(reasons);
}

function withoutStills({ still: _, original_still: __, ...photo }: ReportAlteredPhoto): ReportAlteredPhoto {
  return photo;
}

function hasLeft(video: KeptVideo): boolean {
  return video.has_agent_left === true;
}

/** Removes each file that has the size and SHA-256 of the report: nobody has changed it since. */
async function removeLeftVideos(
  kept: readonly KeptVideo[],
  folder: string,
  remove: RemoveFile,
): Promise<SettledVideos> {
  const used = new Set(
    kept
      .filter((video) => !hasLeft(video))
      .flatMap(filesOf)
      .map(({ file }) => file),
  );
  const removed: string[] = [];
  const changed = new Set<KeptVideo>();
  for (const entry of kept.filter(hasLeft)) {
    if (!(await isOurs(entry.video, folder))) {
      changed.add(entry);
      continue;
    }
    // The video comes last: a process that is killed while it removes leaves a report that still finds all of them.
    for (const described of filesOf(entry)) {
      const { file } = described;
      if (used.has(file) || removed.includes(file) || !(await isOurs(described, folder))) continue;
      // What cannot be removed stays for the next run, which finds it in the report.
      if (await remove(path.join(folder, file))) removed.push(file);
      else if (described === entry.video) changed.add(entry);
    }
  }
  const rest = kept.filter((entry) => !hasLeft(entry) || changed.has(entry));
  const names = [...changed].map(({ video }) => video.file).join(', ');
  return {
    kept: rest,
    removed,
    notes: [
      ...describeKept(rest),
      ...(removed.length > 0 ? [`removed by --clean: ${removed.join(', ')}`] : []),
    ],
    warnings: names === '' ? [] : [`not removed, because this program did not write it as it is: ${names}`],
  };
}

/** Removes the smaller files of videos that are made anew and have none any more. */
export async function removeOldSmall(
  earlier: readonly Pick<EarlierEntry, 'entry'>[],
  made: readonly ReportFiles[],
  folder: string,
): Promise<void> {
  const videos = new Set(made.map(({ video }) => video.file));
  const used = new Set(made.flatMap(filesOf).map(({ file }) => file));
  for (const { entry } of earlier) {
    const { small_video: small } = entry;
    const isOld = videos.has(entry.video.file) && isFile(small) && !used.has(small.file);
    if (isOld && (await isOurs(small, folder))) await removeFile(path.join(folder, small.file));
  }
}

/** True if the file beside the report is as it describes it, and no link. */
export async function isOurs(described: ReportFile, folder: string): Promise<boolean> {
  if (!FILE_NAME.test(described.file)) return false;
  // A link is the user's, and a named pipe would hold up the run for ever.
  const found = await lstat(path.join(folder, described.file)).catch(() => null);
  return found?.isFile() === true && (await isIntact(described, folder));
}

/** One sentence, or none. */
function describeKept(kept: readonly KeptVideo[]): string[] {
  const others = kept.filter((video) => !hasLeft(video));
  return others.length === 0 ? [] : [`kept from earlier runs, without later changes: ${nameVideos(others)}`];
}

function nameVideos(videos: readonly KeptVideo[]): string {
  const names = videos
    .slice(0, MAX_NAMES)
    .map(({ video, ratio, quality }) => `${video.file} (${ratio}${quality === 'draft' ? ', draft' : ''})`);
  const more = videos.length > MAX_NAMES ? ` and ${videos.length - MAX_NAMES} more` : '';
  return `${names.join(', ')}${more}`;
}
