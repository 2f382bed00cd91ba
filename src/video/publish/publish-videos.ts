/** The last step: writes report.json and report.html beside the staged files and publishes all of them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { toOutputError } from '../../platform/disk/disk-error.ts';
import type { VideoResult, VideoTaskOutcome } from '../video-task.ts';
import { listWarnings } from './list-warnings.ts';
import type { OutputFolder } from './output-folder.ts';
import { REPORT_NAME, type Report, type ReportEntry, type ReportVideo } from './report.ts';
import { toReportHtml } from './report-html.ts';
import { readTexts } from './report-page/read-texts.ts';

export const REPORT_PAGE_NAME = 'report.html';
/** Of the outcome: lists of tasks read a hundred records. */
const MAX_WARNINGS = 50;
const MAX_WARNING_CHARS = 500;

/**
 * @param media - Names of the staged files; other files of the report are already in the folder.
 * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
 */
export async function publishVideos(
  folder: OutputFolder,
  media: readonly string[],
  report: Report,
): Promise<VideoTaskOutcome> {
  try {
    await writeFile(folder.stagedPath(REPORT_NAME), `${JSON.stringify(report, null, 2)}\n`);
    const texts = await readTexts(report, (name) => [folder.stagedPath(name), path.join(folder.path, name)]);
    await writeFile(folder.stagedPath(REPORT_PAGE_NAME), toReportHtml(report, texts));
  } catch (error) {
    throw toOutputError(error, folder.path);
  }
  await folder.publish([...media, REPORT_PAGE_NAME, REPORT_NAME]);
  const warnings = listWarnings(report).slice(0, MAX_WARNINGS).map(shorten);
  const { also_ratio: alsoRatio, also_for: alsoFor, unbranded } = report;
  return {
    results: report.results,
    ...(alsoRatio && {
      also_ratio: alsoRatio.map((video) => {
        const { agent_id, ratio, metadata } = video;
        return { agent_id, ratio, ...placesOf(video, folder.path), metadata };
      }),
    }),
    ...(alsoFor && {
      also_for: alsoFor.map((video) => {
        const { agent_id, ratio, metadata, destinations = [], length } = video;
        const places = destinations.map(({ name }) => name);
        return {
          ...{ agent_id, ratio, destinations: places, ...(length && { length }) },
          ...placesOf(video, folder.path),
          metadata,
        };
      }),
    }),
    ...(unbranded && {
      unbranded: unbranded.map((video) => ({ ratio: video.ratio, ...placesOf(video, folder.path) })),
    }),
    dropped_assets: report.dropped_assets,
    ...(warnings.length > 0 ? { warnings } : {}),
    report: path.join(folder.path, REPORT_NAME),
  };
}

function shorten(sentence: string): string {
  const chars = [...sentence];
  return chars.length > MAX_WARNING_CHARS ? `${chars.slice(0, MAX_WARNING_CHARS - 1).join('')}…` : sentence;
}

/** The results of a task, as the API shows them. @param folder - Absolute path of the files. */
export function resultsOf(videos: readonly ReportVideo[], folder: string): VideoResult[] {
  return videos.map((video) => ({
    agent_id: video.agent_id,
    ...placesOf(video, folder),
    metadata: video.metadata,
  }));
}

function placesOf({ video, preview, created_at }: ReportEntry, folder: string) {
  const toUrl = (name: string) => pathToFileURL(path.join(folder, name)).href;
  return {
    url: toUrl(video.file),
    created_at,
    ...(preview ? { preview_url: toUrl(preview.file) } : {}),
  };
}
