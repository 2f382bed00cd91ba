/** Prints what a task made, and logs how it ended. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDuration } from '../../platform/settings/parse-duration.ts';
import { formatSize } from '../../platform/settings/parse-size.ts';
import type { StoreWarning } from '../../task/task-store.ts';
import { listWarnings } from '../../video/publish/list-warnings.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import type { Report, ReportEntry } from '../../video/publish/report.ts';
import type { AlsoRatioResult, UnbrandedResult, VideoResult } from '../../video/video-task.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { hintLabel } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { fileLinker } from '../terminal/link-file.ts';
import { showPosters } from '../terminal/show-posters.ts';
import { wrapMessage } from '../terminal/wrap-text.ts';
import { toTaskDocument } from './task-document.ts';

/** Prints the paths of a task's results on stdout, after {@link logEndedTask}. */
export async function printEndedTask(
  run: CommandRun,
  task: VideoTask,
  label: string,
  report?: Partial<Report>,
  warn?: (warning: string) => void,
): Promise<void> {
  await logEndedTask(run, task, label, report, warn);
  const { cwd } = await run.host.machine();
  const files = resultPaths(task);
  const link = await fileLinker(run.terminal);
  for (const file of files) run.terminal.print(link(escapeText(shortestPath(file, cwd)), file));
  await showPosters(run, files);
}

/**
 * Logs how a task ended: dropped assets, warnings and reuse, or the failure and what to do.
 *
 * @param known - The task's report, when it has been read before.
 * @param warn - Gets the warnings in place of the log.
 */
export async function logEndedTask(
  run: CommandRun,
  task: VideoTask,
  label: string,
  known?: Partial<Report>,
  warn: (warning: string) => void = (warning) => logWarning(run, warning),
): Promise<void> {
  const { terminal, info } = run;
  const { err } = terminal.styles;
  const name = escapeText(label);
  const { dropped_assets: dropped } = toTaskDocument(task);
  for (const { url, reason } of dropped) logDroppedAsset(run, url, reason);
  if (task.state !== 'SUCCEEDED') {
    logError(run, label, { message: task.failure?.message ?? task.state, hint: hintFor(task) });
    return;
  }
  const report = known ?? (await readReport(task.outcome?.report ?? null));
  for (const warning of listWarnings(report)) warn(warning);
  for (const note of report.notes ?? []) logInfo(run, err.dim('note:'), note);
  if (run.output.verbose) for (const line of formatReport(report)) info(line);
  const spentMs = Date.parse(task.updatedAt) - Date.parse(task.startedAt ?? task.createdAt);
  const count = videosOf(task).length;
  info(
    `${err.green('done:')} ${name}: ${countVideos(count)} in ${formatDuration(spentMs)}${reuseNote(report)}`,
  );
}

/** Logs what a person should know although the work goes on. */
export function logWarning(run: CommandRun, message: string): void {
  logInfo(run, run.terminal.styles.err.yellow('warning:'), message);
}

/** Logs that an asset is not in the videos, and why. */
export function logDroppedAsset(run: CommandRun, url: string, reason: string): void {
  logInfo(run, run.terminal.styles.err.yellow('dropped:'), `${url}: ${reason}`);
}

/** Nothing under `--quiet`. */
function logInfo(run: CommandRun, label: string, text: string): void {
  for (const line of wrapMessage(run.terminal, `${label} `, escapeText(text))) run.info(line);
}

/** Logs that one listing failed, why, and what to do. */
export function logError(
  run: CommandRun,
  label: string,
  error: { readonly message: string; readonly hint?: string | undefined },
): void {
  const { terminal } = run;
  const { err } = terminal.styles;
  const { hint, message } = error;
  const lines = wrapMessage(terminal, `${err.red.bold('error:')} `, escapeText(`${label}: ${message}`));
  if (hint !== undefined)
    lines.push(...wrapMessage(terminal, `  ${err.dim(hintLabel(hint))}`, escapeText(hint)));
  for (const line of lines) terminal.log(line);
}

/** Logs what a list leaves out because its file is damaged. Each message names its file. */
export function warnOfUnreadable(run: CommandRun, warnings: readonly StoreWarning[]): void {
  for (const { message } of warnings) logWarning(run, message);
}

/** `1 video`, `3 videos`. */
export function countVideos(count: number): string {
  return `${count} video${count === 1 ? '' : 's'}`;
}

/** `1 scene`, `3 scenes`. A segment is a scene with the transition that leaves it. */
function countScenes(count: number): string {
  return `${count} scene${count === 1 ? '' : 's'}`;
}

/** The agents' videos, then those in the other ratio and the unbranded ones. */
function videosOf(task: VideoTask): (VideoResult | AlsoRatioResult | UnbrandedResult)[] {
  const { also_ratio: alsoRatio = [], unbranded = [] } = task.outcome ?? {};
  return [...toTaskDocument(task).results, ...alsoRatio, ...unbranded];
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

/** report.json; empty when it cannot be read. */
export async function readReport(file: string | null): Promise<Partial<Report>> {
  // The videos exist: a report that was moved meanwhile is no failure.
  return file === null ? {} : readReportFile(file);
}

/** For `--verbose`: a line per video, then the seconds of each stage. */
function formatReport({ videos = [], also_ratio = [], timings }: Partial<Report>): string[] {
  const lines = [...videos, ...also_ratio].map(
    ({ agent_id, template_id, ratio, duration_sec, segments, video }) =>
      escapeText(
        `video ${agent_id}: ${template_id} ${ratio}, ${duration_sec.toFixed(1)} s, ${countScenes(segments.rendered)} rendered, ` +
          `${segments.reused} reused, ${formatSize(video.size_bytes)}`,
      ),
  );
  if (timings === undefined) return lines;
  const stages = Object.entries(timings).map(([stage, seconds]) => `${stage} ${Number(seconds).toFixed(1)}`);
  return [...lines, escapeText(`seconds: ${stages.join(', ')}`)];
}

function reuseNote(report: Partial<Report>): string {
  const { videos: own = [], also_ratio = [], unbranded = [] } = report;
  const videos: readonly ReportEntry[] = [...own, ...also_ratio, ...unbranded];
  if (videos.length > 0 && videos.every((video) => video.is_unchanged)) {
    return ', all reused';
  }
  const rendered = videos.reduce((sum, video) => sum + (video.segments?.rendered ?? 0), 0);
  const reused = videos.reduce((sum, video) => sum + (video.segments?.reused ?? 0), 0);
  return reused > 0 ? `, reused ${reused} of ${countScenes(rendered + reused)}` : '';
}

/** Relative below the working directory, else absolute. */
export function shortestPath(file: string, cwd: string): string {
  // An address at a server.
  if (!path.isAbsolute(file)) return file;
  const relative = path.relative(cwd, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) ? relative : file;
}
