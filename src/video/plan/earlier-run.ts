/** What an earlier run left in the folder, and which of its videos are still exactly what would be made now. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeFile } from '../publish/output-folder.ts';
import { REPORT_VERSION, type Report, type ReportEntry, type ReportFile } from '../publish/report.ts';

/** The folder's report.json; null when there is none that this version can read. A broken one is as good as none. */
export async function readPreviousReport(reportPath: string): Promise<Report | null> {
  try {
    const report = JSON.parse(await readFile(reportPath, 'utf8')) as Report;
    return report.version === REPORT_VERSION && Array.isArray(report.videos) ? report : null;
  } catch {
    return null;
  }
}

/**
 * The earlier entry that was made from the same inputs and whose files all still have their bytes. A file that somebody
 * replaced or damaged is noticed by its digest.
 */
export async function findUnchangedVideo<Film extends ReportEntry>(
  films: readonly Film[],
  wanted: { readonly key: string; readonly files: readonly string[] },
  folder: string,
): Promise<Film | null> {
  const entry = films.find(({ key }) => key === wanted.key);
  if (!entry) return null;
  const files = [entry.video, entry.poster, entry.preview].filter((file) => file !== null);
  const isSameSet =
    files.length === wanted.files.length && files.every(({ file }) => wanted.files.includes(file));
  if (!isSameSet) return null;
  for (const file of files) if (!(await isIntact(file, folder))) return null;
  return entry;
}

async function isIntact(file: ReportFile, folder: string): Promise<boolean> {
  const found = await describeFile(path.join(folder, file.file)).catch(() => null);
  return found !== null && found.sizeBytes === file.sizeBytes && found.sha256 === file.sha256;
}
