/** Prints what a task made, and logs how it ended. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { countWords } from '../../listing/words/count-words.ts';
import { formatDuration } from '../../platform/settings/parse-duration.ts';
import { formatSize } from '../../platform/settings/parse-size.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { StoreWarning } from '../../task/task-store.ts';
import { describeFits } from '../../video/destinations/judge-file.ts';
import { listWarnings } from '../../video/publish/list-warnings.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import type { Report, ReportEntry } from '../../video/publish/report.ts';
import type { AlsoRatioResult, UnbrandedResult, VideoResult } from '../../video/video-task.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { hintLabel } from '../cli-error.ts';
import type { CommandRun, Printer } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { fileLinker } from '../terminal/link-file.ts';
import { showPosters } from '../terminal/show-posters.ts';
import { wrapMessage } from '../terminal/wrap-text.ts';
import { toTaskDocument } from './task-document.ts';

export interface EndedTaskOptions {
  readonly label: string;
  readonly report?: Partial<Report> | undefined;
  /** Gets the warnings in place of the log. */
  readonly warn?: ((warning: string) => void) | undefined;
  readonly cwd: string;
  readonly pictures: Settings['pictures'];
}

/** {@link EndedTaskOptions} of a command. */
export async function endedTaskOptions(run: CommandRun, label: string): Promise<EndedTaskOptions> {
  return { label, cwd: (await run.host.machine()).cwd, pictures: (await run.settings()).pictures };
}

/** Logs how a task ended, and without `--json` prints the paths of its results on stdout. */
export async function showEndedTask(
  printer: Printer,
  task: VideoTask,
  options: EndedTaskOptions,
): Promise<void> {
  const { terminal, output } = printer;
  await logEndedTask(printer, task, options);
  if (output.json) return;
  const files = resultPaths(task);
  const link = await fileLinker(terminal);
  for (const file of files) terminal.print(link(escapeText(shortestPath(file, options.cwd)), file));
  await showPosters(printer, options.pictures, files);
}

/** Dropped assets, warnings and reuse, or the failure and what to do. */
async function logEndedTask(
  printer: Printer,
  task: VideoTask,
  { label, report: known, warn = (warning) => logWarning(printer, warning) }: EndedTaskOptions,
): Promise<void> {
  const { info, output } = printer;
  const { err } = printer.terminal.styles;
  const { dropped_assets: dropped } = toTaskDocument(task);
  for (const asset of dropped) logDroppedAsset(printer, label, asset);
  if (task.state !== 'SUCCEEDED') {
    logError(printer, label, { message: task.failure?.message ?? task.state, hint: hintFor(task) });
    return;
  }
  const file = task.outcome?.report ?? null;
  // The videos exist: a report that was moved meanwhile is no failure.
  const report = known ?? (file === null ? {} : await readReportFile(file));
  for (const warning of listWarnings(report)) warn(warning);
  for (const note of report.notes ?? []) logInfo(printer, err.dim('note:'), note);
  if (output.verbose) for (const line of formatReport(report)) info(line);
  for (const { video, destinations = [] } of entriesOf(report))
    if (destinations.length > 0)
      logInfo(printer, err.dim('places:'), `${video.file} ${describeFits(destinations)}`);
  const spentMs = Date.parse(task.updatedAt) - Date.parse(task.startedAt ?? task.createdAt);
  const made = `${countWords(videosOf(task).length, 'video')} in ${formatDuration(spentMs)}${reuseNote(report)}`;
  info(`${err.green('done:')} ${escapeText(label)}: ${made}`);
}

export function logWarning(printer: Printer, message: string): void {
  logInfo(printer, printer.terminal.styles.err.yellow('warning:'), message);
}

/** @param label - Of its listing: a batch mixes the lines of several. */
export function logDroppedAsset(
  printer: Printer,
  label: string,
  { url, reason }: { readonly url: string; readonly reason: string },
): void {
  logInfo(printer, printer.terminal.styles.err.yellow('dropped:'), `${label}: ${url}: ${reason}`);
}

/** Nothing under `--quiet`. */
function logInfo({ terminal, info }: Printer, label: string, text: string): void {
  for (const line of wrapMessage(terminal, `${label} `, escapeText(text))) info(line);
}

export function logError(
  { terminal }: Pick<Printer, 'terminal'>,
  label: string,
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): void {
  const { err } = terminal.styles;
  const lines = wrapMessage(terminal, `${err.red.bold('error:')} `, escapeText(`${label}: ${message}`));
  if (hint !== undefined)
    lines.push(...wrapMessage(terminal, `  ${err.dim(hintLabel(hint))}`, escapeText(hint)));
  for (const line of lines) terminal.log(line);
}

/** Logs what a list leaves out because its file is damaged. Each message names its file. */
export function warnOfUnreadable(printer: Printer, warnings: readonly StoreWarning[]): void {
  for (const { message } of warnings) logWarning(printer, message);
}

/** The agents' videos, those in the other ratio, those for further places, and the unbranded ones. */
function videosOf(task: VideoTask): (VideoResult | AlsoRatioResult | UnbrandedResult)[] {
  const { also_ratio: alsoRatio = [], also_for: alsoFor = [], unbranded = [] } = task.outcome ?? {};
  return [...toTaskDocument(task).results, ...alsoRatio, ...alsoFor, ...unbranded];
}

/** Absolute paths of a task's results: each video with its preview, then report.html. */
export function resultPaths(task: VideoTask): string[] {
  const urls = videosOf(task).flatMap(({ url, preview_url }) => [
    url,
    ...(typeof preview_url === 'string' ? [preview_url] : []),
  ]);
  const report = task.outcome?.report ?? null;
  const files = urls.map(toLocalPath);
  return report === null ? files : [...files, path.join(path.dirname(report), 'report.html')];
}

/** The path of a `file:` URL of this machine; anything else unchanged. */
function toLocalPath(url: string): string {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
}

function hintFor(task: VideoTask): string {
  if (task.failure?.code === 'cancelled')
    return 'run the command again: it continues with the finished scenes';
  return task.failure?.hint ?? `fix the cause, then run listing-video tasks retry ${task.id}`;
}

/** For `--verbose`: a line per video, then the seconds of each stage. */
function formatReport({ videos = [], also_ratio = [], also_for = [], timings }: Partial<Report>): string[] {
  const lines = [...videos, ...also_ratio, ...also_for].map(
    ({ agent_id, template_id, ratio, duration_sec, segments, video }) =>
      escapeText(
        `video ${agent_id}: ${template_id} ${ratio}, ${duration_sec.toFixed(1)} s, ${countWords(segments.rendered, 'scene')} rendered, ` +
          `${segments.reused} reused, ${formatSize(video.size_bytes)}`,
      ),
  );
  if (timings === undefined) return lines;
  const stages = Object.entries(timings).map(([stage, seconds]) => `${stage} ${Number(seconds).toFixed(1)}`);
  return [...lines, escapeText(`seconds: ${stages.join(', ')}`)];
}

function entriesOf(report: Partial<Report>): readonly ReportEntry[] {
  const { videos = [], also_ratio = [], also_for = [], unbranded = [] } = report;
  return [...videos, ...also_ratio, ...also_for, ...unbranded];
}

function reuseNote(report: Partial<Report>): string {
  const videos = entriesOf(report);
  if (videos.length > 0 && videos.every((video) => video.is_unchanged)) {
    return ', all reused';
  }
  const rendered = videos.reduce((sum, video) => sum + (video.segments?.rendered ?? 0), 0);
  const reused = videos.reduce((sum, video) => sum + (video.segments?.reused ?? 0), 0);
  return reused > 0 ? `, reused ${reused} of ${countWords(rendered + reused, 'scene')}` : '';
}

/** Relative below the working directory, else absolute. */
export function shortestPath(file: string, cwd: string): string {
  // An address at a server.
  if (!path.isAbsolute(file)) return file;
  const relative = path.relative(cwd, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) ? relative : file;
}
