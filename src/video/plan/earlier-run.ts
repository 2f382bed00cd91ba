/** The report of an earlier run, which of its videos the folder still has, and whether one is up to date. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isIntact } from '../publish/output-folder.ts';
import { readReportFile } from '../publish/read-report.ts';
import { withNamesNow } from '../publish/renamed-files.ts';
import {
  isFile,
  type KeptVideo,
  REPORT_NAME,
  REPORT_VERSION,
  type Report,
  type ReportEntry,
} from '../publish/report.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import type { NamedVideo } from './choose-names.ts';
import { isOtherListing, otherListing } from './same-listing.ts';

/**
 * The folder's report.json, with the names that its files have now; null when it is absent, damaged or of a later
 * version.
 */
export async function readPreviousReport(reportPath: string): Promise<Report | null> {
  const report = await readReportFile(reportPath);
  const isReadable = [report.videos, report.dropped_assets].every((list) => Array.isArray(list));
  if (report.schema_version !== REPORT_VERSION || !isReadable) return null;
  return withNamesNow(report as Report, path.dirname(reportPath));
}

export interface EarlierVideo extends NamedVideo {
  /** Of the task that made it, as far as it is known. */
  readonly taskId: string | undefined;
  readonly entry: KeptVideo;
}

/** A file beside the report: not hidden, in no other folder. Reports are edited by hand. */
const VIDEO_FILE = /^(?!\.)[^/\\\p{Cc}]+\.mp4$/u;

/**
 * What the folder has from earlier runs of this listing, the latest run first.
 *
 * @throws {@link ListingVideoError} `output_exists` when it has the videos of another listing, unless forced.
 */
export async function readEarlierRun(folder: string, payload: VideoTaskPayload): Promise<EarlierVideo[]> {
  const report = await readPreviousReport(path.join(folder, REPORT_NAME));
  if (report === null) return [];
  if (isOtherListing(report, payload)) {
    if (payload.options.force) return [];
    throw otherListing(report, payload);
  }
  return findEarlierVideos(report, folder);
}

/** The same for a look at the folder: none when it has the videos of another listing. */
export async function listVideos(
  folder: string,
  task: Pick<VideoTaskPayload, 'listing' | 'listingFile' | 'baseDir'>,
): Promise<EarlierVideo[]> {
  const report = await readPreviousReport(path.join(folder, REPORT_NAME));
  return report === null || isOtherListing(report, task) ? [] : findEarlierVideos(report, folder);
}

async function findEarlierVideos(report: Report, folder: string): Promise<EarlierVideo[]> {
  const { videos: own, also_ratio = [], also_for = [], unbranded = [], kept = [] } = report;
  const entries = [own, also_ratio, also_for, unbranded, kept].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const videos = new Map<string, EarlierVideo>();
  for (const entry of entries as KeptVideo[]) {
    if (!isEntry(entry)) continue;
    const { file } = entry.video;
    if (!VIDEO_FILE.test(file) || videos.has(file)) continue;
    if (!(await stat(path.join(folder, file)).catch(() => null))?.isFile()) continue;
    const {
      agent_id: agentId = null,
      ratio,
      template_id: templateId,
      quality = report.quality,
      task_id: taskId = report.task_id,
      named_for: namedFor,
    } = entry;
    const name = file.slice(0, -'.mp4'.length);
    videos.set(file, {
      agentId,
      name,
      ratio,
      templateId,
      isDraft: quality === 'draft',
      taskId,
      entry,
      ...(typeof namedFor === 'string' ? { namedFor } : {}),
    });
  }
  return [...videos.values()];
}

/** True for an entry with all that names, pages and further reports need. */
function isEntry(entry: Partial<KeptVideo> | null): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { video, poster, preview, ratio, template_id: templateId, duration_sec: durationSec, sound } = entry;
  return (
    isFile(video) &&
    (entry.small_video === undefined || isFile(entry.small_video)) &&
    [poster, preview].every((file) => file === null || isFile(file)) &&
    (ratio === '1920:1080' || ratio === '1080:1920') &&
    typeof templateId === 'string' &&
    typeof durationSec === 'number' &&
    typeof sound === 'object'
  );
}

export interface ExpectedVideo {
  readonly key: string;
  /** Names of all its files but the smaller one. */
  readonly files: readonly string[];
  /** Of the smaller file, which it has only where it is large; absent: it has none. */
  readonly small?: string | null;
}

/** The entry with the same inputs, if none of its files has changed on disk since (by size and SHA-256). */
export async function findUnchangedVideo<Entry extends ReportEntry>(
  entries: readonly Entry[],
  expected: ExpectedVideo,
  folder: string,
): Promise<Entry | null> {
  const entry = entries.find(({ key }) => key === expected.key);
  if (!entry) return null;
  const files = [entry.video, entry.poster, entry.preview].filter((file) => file !== null);
  const isSameSet =
    files.length === expected.files.length && files.every(({ file }) => expected.files.includes(file));
  const { small_video: small } = entry;
  if (!isSameSet || (small !== undefined && small.file !== expected.small)) return null;
  for (const file of [...files, ...(small ? [small] : [])]) if (!(await isIntact(file, folder))) return null;
  return entry;
}
