/** Gives the videos of a listing the new names of its folder and agents, so that they are found and renewed under them. */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { outputUnwritable } from '../../platform/disk/disk-error.ts';
import { exists, makeFolder } from '../../platform/disk/folder.ts';
import { safeName } from '../../platform/disk/safe-name.ts';
import { readPreviousReport } from '../plan/earlier-run.ts';
import { FILE_NAME } from './kept-videos.ts';
import { openOutputFolder } from './output-folder.ts';
import { REPORT_PAGE_NAME, resultsOf } from './publish-videos.ts';
import { REPORT_NAME, type Report, type ReportFile, type ReportFiles, withFiles } from './report.ts';
import { toReportHtml } from './report-html.ts';
import { readTexts } from './report-page/read-texts.ts';

export interface NewResultNames {
  readonly listingId: string;
  /** New ids by the earlier ones. */
  readonly agents: ReadonlyMap<string, string>;
}

/**
 * Renames the files, then says so in the report, then renames the folder. After a process that was killed in between,
 * the files are found by their contents, and the folder by the listing file in its report: a second call goes on.
 *
 * @param to - Must not exist, unless it is `from`.
 * @throws {@link ListingVideoError} `output_locked` while another process writes there, `output_unwritable`.
 */
export async function moveResults(from: string, to: string, names: NewResultNames): Promise<void> {
  if (to !== from && (await exists(to))) throw outputUnwritable(new Error('it exists'), to);
  const lock = await openOutputFolder(from);
  try {
    const report = await readPreviousReport(path.join(from, REPORT_NAME));
    if (report === null) return;
    const renamed = await renameAll(report, from, names);
    const listing = { ...report.listing, id: names.listingId };
    const moved = { ...renamed, listing, results: resultsOf(renamed.videos, to) };
    const write = (name: string, text: string) =>
      writeFileAtomically(path.join(from, name), text, { durable: true });
    const texts = await readTexts(moved, (name) => [path.join(from, name)]);
    await write(REPORT_PAGE_NAME, toReportHtml(moved, texts));
    await write(REPORT_NAME, `${JSON.stringify(moved, null, 2)}\n`);
  } finally {
    await lock.close();
  }
  if (to === from) return;
  await makeFolder(path.dirname(to), false);
  await rename(from, to);
}

type Entry = ReportFiles & { readonly agent_id?: string };

async function renameAll(report: Report, folder: string, { agents }: NewResultNames): Promise<Report> {
  const each = async <E extends Entry>(entries: readonly E[] | undefined): Promise<E[]> => {
    const renamed: E[] = [];
    for (const entry of Array.isArray(entries) ? entries : []) renamed.push(await renameEntry(entry));
    return renamed;
  };
  const renameEntry = async <E extends Entry>(entry: E): Promise<E> => {
    const { agent_id: before } = entry;
    const after = before === undefined ? undefined : agents.get(before);
    if (before === undefined || after === undefined) return entry;
    const move = (file: ReportFile) => renameFile(file, folder, safeName(before), safeName(after));
    return { ...(await withFiles(entry, move)), agent_id: after };
  };
  return {
    ...report,
    videos: await each(report.videos),
    ...(report.also_ratio && { also_ratio: await each(report.also_ratio) }),
    ...(report.also_for && { also_for: await each(report.also_for) }),
    ...(report.kept && { kept: await each(report.kept) }),
  };
}

/** A name that is taken, or was not made of the agent's, stays. */
async function renameFile(
  file: ReportFile,
  folder: string,
  before: string,
  after: string,
): Promise<ReportFile> {
  const rest = file.file.slice(before.length);
  if (!FILE_NAME.test(file.file) || !file.file.startsWith(before) || !/^[-.]/.test(rest)) return file;
  const name = `${after}${rest}`;
  const target = path.join(folder, name);
  if (await exists(target)) return file;
  return rename(path.join(folder, file.file), target).then(
    () => ({ ...file, file: name }),
    () => file,
  );
}
