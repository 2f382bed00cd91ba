/**
 * Finds the files of a report under the names that they have now. A process that is killed while it renames files cannot
 * say so in the report: their contents do.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isOurs } from './kept-videos.ts';
import type { Report, ReportEntry, ReportFile } from './report.ts';

type Entry = Pick<ReportEntry, 'video' | 'poster' | 'preview' | 'captions' | 'description'>;
type FileOrNone = ReportFile | null | undefined;

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
  const rename = async <F extends FileOrNone>(described: F): Promise<F> => {
    if (!isFile(described) || !isMissing(described)) return described;
    const isSameKind = (name: string): boolean => path.extname(name) === path.extname(described.file);
    for (const name of [...free].filter(isSameKind)) {
      const now = { ...described, file: name };
      if (!(await isOurs(now, folder))) continue;
      free.delete(name);
      return now;
    }
    return described;
  };
  const renameAll = async <E extends Entry>(entries: readonly E[]): Promise<E[]> => {
    const renamed: E[] = [];
    for (const entry of entries) {
      const [video, poster] = [await rename(entry.video), await rename(entry.poster)];
      const [captions, description] = [await rename(entry.captions), await rename(entry.description)];
      renamed.push({
        ...{ ...entry, video, poster, preview: await rename(entry.preview) },
        ...(captions && { captions }),
        ...(description && { description }),
      });
    }
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
function listOf<E extends Entry>(entries: readonly E[] | undefined): readonly E[] {
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

function filesOf({ video, poster, preview, captions, description }: Entry): ReportFile[] {
  return [video, poster, preview, captions, description].filter(isFile);
}

function isFile(file: FileOrNone): file is ReportFile {
  return typeof file?.file === 'string' && typeof file.size_bytes === 'number';
}
