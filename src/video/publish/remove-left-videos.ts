/** `--clean`: removes the videos of agents who are no longer in the listing. */
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import type { VideoTaskPayload } from '../video-task.ts';
import { describeKept, keptVideos, type MadeVideo } from './kept-videos.ts';
import { isIntact } from './output-folder.ts';
import type { KeptVideo, ReportFile } from './report.ts';

/** A file beside the report: not hidden, in no other folder. Reports are edited by hand. */
const FILE_NAME = /^(?!\.)[^/\\\p{Cc}]+\.(?:mp4|jpg|gif)$/u;

/** What is left for the report. */
export interface SettledVideos {
  readonly kept: readonly KeptVideo[];
  /** Names of files. */
  readonly removed: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Removes a file of the folder. @returns False when it is still there. */
export type RemoveFile = (file: string) => Promise<boolean>;

/** For a dry run. */
export const removeNothing: RemoveFile = async () => true;

const removeFile: RemoveFile = (file) =>
  rm(file).then(
    () => true,
    () => false,
  );

/**
 * What the folder keeps beside the videos of this run; with `--clean` without those of agents who have left.
 *
 * @param earlier - What the folder had before the run.
 * @param made - The entries of this run.
 * @param folder - Absolute; the caller holds its lock, unless it removes nothing.
 */
export async function settleKept(
  earlier: readonly { readonly entry: KeptVideo; readonly taskId: string | undefined }[],
  made: readonly MadeVideo[],
  { listing, options }: Pick<VideoTaskPayload, 'listing' | 'options'>,
  folder: string,
  remove = removeFile,
): Promise<SettledVideos> {
  const kept = keptVideos(earlier, made, listing);
  if (options.clean === true) return removeLeftVideos(kept, folder, remove);
  return { kept, removed: [], ...describeKept(kept) };
}

/**
 * Removes each file that this program made and nobody has changed since: its size and SHA-256 are those of the report.
 */
async function removeLeftVideos(
  kept: readonly KeptVideo[],
  folder: string,
  remove: RemoveFile,
): Promise<SettledVideos> {
  const left = kept.filter((video) => video.has_agent_left === true);
  const used = new Set(kept.filter((video) => !left.includes(video)).flatMap(namesOf));
  const removed: string[] = [];
  const changed = new Set<KeptVideo>();
  for (const entry of left) {
    const { video, poster, preview } = entry;
    if (!(await isOurs(video, folder))) {
      changed.add(entry);
      continue;
    }
    // The video comes last: a process that is killed before leaves a report that still finds all of them.
    for (const file of [poster, preview, video]) {
      if (file === null || used.has(file.file) || removed.includes(file.file)) continue;
      if (!(await isOurs(file, folder))) continue;
      // What cannot be removed stays for the next run, which finds it in the report.
      const isGone = await remove(path.join(folder, file.file));
      if (isGone) removed.push(file.file);
      else if (file === video) changed.add(entry);
    }
  }
  const rest = kept.filter((entry) => entry.has_agent_left !== true || changed.has(entry));
  const { notes } = describeKept(rest);
  const names = [...changed].map(({ video }) => video.file).join(', ');
  return {
    kept: rest,
    removed,
    notes: [...notes, ...(removed.length > 0 ? [`removed by --clean: ${removed.join(', ')}`] : [])],
    warnings:
      changed.size === 0 ? [] : [`not removed, because this program did not write it as it is: ${names}`],
  };
}

function namesOf({ video, poster, preview }: KeptVideo): string[] {
  return [video, poster, preview].flatMap((file) => (file === null ? [] : [file.file]));
}

async function isOurs(described: ReportFile, folder: string): Promise<boolean> {
  if (!FILE_NAME.test(described.file)) return false;
  // A link is the user's, and a named pipe would hold up the run for ever.
  const isFile = await lstat(path.join(folder, described.file)).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile && (await isIntact(described, folder));
}
