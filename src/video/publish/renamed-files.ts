/**
 * Finds the files of a report under the names that they have now. A process that is killed while it renames files cannot
 * say so in the report: their contents do.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isOurs } from './kept-videos.ts';
import { filesOf, type Report, type ReportFile, type ReportFiles, withFiles } from './report.ts';

/** @returns The report itself where no file is missing, or has another name. */
export async function withNamesNow(report: Report, folder: string): Promise<Report> {
  const present = await readdir(folder).catch((): string[] => []);
  const lists = [report.videos, report.also_ratio, report.also_for, report.unbranded, report.kept].flatMap(
    listOf,
  );
  const named = new Set(lists.flatMap(filesOf).map(({ file }) => file));
  const isMissing = ({ file }: ReportFile): boolean => !present.includes(file);
  if (!lists.flatMap(filesOf).some(isMissing)) return report;
  const free = new Set(present.filter((name) => !named.has(name)));
  const rename = async (described: ReportFile): Promise<ReportFile> => {
    if (!isMissing(described)) return described;
    const isSameKind = (name: string): boolean => path.extname(name) === path.extname(described.file);
    for (const name of [...free].filter(isSameKind)) {
      const now = { ...described, file: name };
      if (!(await isOurs(now, folder))) continue;
      free.delete(name);
      return now;
    }
    return described;
  };
  const renameAll = async <E extends ReportFiles>(entries: readonly E[]): Promise<E[]> => {
    const renamed: E[] = [];
    for (const entry of entries) renamed.push(await withFiles(entry, rename));
    return renamed;
  };
  return {
    ...report,
    videos: await renameAll(listOf(report.videos)),
    ...(report.also_ratio && { also_ratio: await renameAll(listOf(report.also_ratio)) }),
    ...(report.also_for && { also_for: await renameAll(listOf(report.also_for)) }),
    ...(report.unbranded && { unbranded: await renameAll(listOf(report.unbranded)) }),
    ...(report.kept && { kept: await renameAll(listOf(report.kept)) }),
  };
}

/** Reports are edited by hand. */
function listOf<E extends ReportFiles>(entries: readonly E[] | undefined): readonly E[] {
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}
