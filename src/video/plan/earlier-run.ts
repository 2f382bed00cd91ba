/** The report of an earlier run, and the check whether its videos are up to date. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describeFile } from '../publish/output-folder.ts';
import { REPORT_VERSION, type Report, type ReportEntry, type ReportFile } from '../publish/report.ts';

/** The folder's report.json; null when it is absent, damaged or of another version. */
export async function readPreviousReport(reportPath: string): Promise<Report | null> {
  try {
    const report = JSON.parse(await readFile(reportPath, 'utf8')) as Report;
    return report.version === REPORT_VERSION && Array.isArray(report.videos) ? report : null;
  } catch {
    return null;
  }
}

/**
 * The entry with the same inputs, if none of its files has changed on disk since (by size and SHA-256).
 */
export async function findUnchangedVideo<Entry extends ReportEntry>(
  entries: readonly Entry[],
  expected: { readonly key: string; readonly files: readonly string[] },
  folder: string,
): Promise<Entry | null> {
  const entry = entries.find(({ key }) => key === expected.key);
  if (!entry) return null;
  const files = [entry.video, entry.poster, entry.preview].filter((file) => file !== null);
  const isSameSet =
    files.length === expected.files.length && files.every(({ file }) => expected.files.includes(file));
  if (!isSameSet) return null;
  for (const file of files) if (!(await isIntact(file, folder))) return null;
  return entry;
}

async function isIntact(file: ReportFile, folder: string): Promise<boolean> {
  const found = await describeFile(path.join(folder, file.file)).catch(() => null);
  return found !== null && found.sizeBytes === file.sizeBytes && found.sha256 === file.sha256;
}
