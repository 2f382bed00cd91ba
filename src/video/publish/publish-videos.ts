/** The last step: writes report.json and report.html beside the staged files and publishes all of them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { toOutputError } from '../../disk/disk-error.ts';
import type { VideoTaskOutcome } from '../video-task.ts';
import type { OutputFolder } from './output-folder.ts';
import { REPORT_NAME, type Report, type ReportEntry } from './report.ts';
import { toReportHtml } from './report-html.ts';

const REPORT_PAGE_NAME = 'report.html';

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
    await writeFile(folder.stagedPath(REPORT_PAGE_NAME), toReportHtml(report));
  } catch (error) {
    throw toOutputError(error, folder.path);
  }
  await folder.publish([...media, REPORT_PAGE_NAME, REPORT_NAME]);
  return {
    results: report.videos.map((video) => ({
      agent_id: video.agent_id,
      ...placesOf(video, folder.path),
      metadata: video.metadata,
    })),
    ...(report.also_ratio === undefined
      ? {}
      : {
          also_ratio: report.also_ratio.map((video) => ({
            agent_id: video.agent_id,
            ratio: video.ratio,
            ...placesOf(video, folder.path),
            metadata: video.metadata,
          })),
        }),
    ...(report.unbranded === undefined
      ? {}
      : {
          unbranded: report.unbranded.map((entry) => ({
            ratio: entry.ratio,
            ...placesOf(entry, folder.path),
          })),
        }),
    dropped_assets: report.dropped_assets,
    report: path.join(folder.path, REPORT_NAME),
  };
}

function placesOf({ video, preview, created_at }: ReportEntry, folder: string) {
  const toUrl = (name: string) => pathToFileURL(path.join(folder, name)).href;
  return {
    url: toUrl(video.file),
    created_at,
    ...(preview ? { preview_url: toUrl(preview.file) } : {}),
  };
}
