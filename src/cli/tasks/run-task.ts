/** Runs one task in this process while showing its progress, and says in words how it ended. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findErrorRow } from '../../errors.ts';
import { formatDuration } from '../../settings/parse-duration.ts';
import type { TaskRecord } from '../../task/task.ts';
import type { Report, ReportEntry } from '../../video/publish/report.ts';
import type { UnbrandedResult, VideoResult } from '../../video/video-task.ts';
import type { CommandRun } from '../command-run.ts';
import { INTERRUPTED_EXIT_CODE } from '../interrupts.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { fileLinker } from '../terminal/link-file.ts';
import { createProgressView } from '../terminal/progress-view.ts';
import { showPosters } from '../terminal/show-posters.ts';
import { reportOf, toTaskDocument, unbrandedOf } from './task-document.ts';

/** Runs the task to its end, whatever that is. Progress goes to stderr. */
export async function runTask(run: CommandRun, taskId: string, label: string): Promise<TaskRecord> {
  const backend = await run.backend();
  const view = await createProgressView(run.terminal, label, run.output.quiet);
  const onInterrupt = (): void => {
    view.stop();
    run.info('stopping cleanly; a second Ctrl-C stops at once');
  };
  run.signal.addEventListener('abort', onInterrupt, { once: true });
  try {
    return await backend.engine.runTask(taskId, {
      signal: run.signal,
      onProgress: (progress) => view.update(progress),
    });
  } finally {
    run.signal.removeEventListener('abort', onInterrupt);
    view.stop();
  }
}

/** Prints the paths of what an ended task made on stdout, and {@link logEndedTask}. */
export async function printEndedTask(
  run: CommandRun,
  task: TaskRecord,
  label: string,
  report?: Partial<Report>,
): Promise<void> {
  await logEndedTask(run, task, label, report);
  const { cwd } = await run.host.machine();
  const files = resultPaths(task);
  const link = await fileLinker(run.terminal);
  for (const file of files) run.terminal.print(link(escapeText(shortestPath(file, cwd)), file));
  await showPosters(run, files);
}

/**
 * Says on stderr how a task ended: dropped assets, warnings, what was reused; or the failure and what to do.
 *
 * @param known - The task's report, when it has been read already.
 */
export async function logEndedTask(
  run: CommandRun,
  task: TaskRecord,
  label: string,
  known?: Partial<Report>,
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
  const report = known ?? (await readReport(reportOf(task)));
  for (const warning of warningsOf(report)) info(`${err.yellow('warning:')} ${escapeText(warning)}`);
  if (run.output.verbose) {
    const { reportLines } = await import('../verbose-lines.ts');
    for (const line of reportLines(report)) info(line);
  }
  const spentMs = Date.parse(task.updatedAt) - Date.parse(task.startedAt ?? task.createdAt);
  const count = filmsOf(task).length;
  info(
    `${err.green('done:')} ${name}: ${countVideos(count)} in ${formatDuration(spentMs)}${reuseNote(report)}`,
  );
}

/** Says on stderr that an asset is not in the videos, and why. */
export function logDroppedAsset(run: CommandRun, url: string, reason: string): void {
  const { err } = run.terminal.styles;
  run.info(`${err.yellow('dropped:')} ${escapeText(url)}: ${escapeText(reason)}`);
}

/** Says on stderr that one listing failed, why, and what to do. */
export function logError(
  run: CommandRun,
  label: string,
  error: { readonly message: string; readonly hint?: string | undefined },
): void {
  const { err } = run.terminal.styles;
  run.terminal.log(`${err.red.bold('error:')} ${escapeText(`${label}: ${error.message}`)}`);
  if (error.hint !== undefined) run.terminal.log(`${err.dim('  try:')} ${escapeText(error.hint)}`);
}

/** `1 video`, `3 videos`. */
export function countVideos(count: number): string {
  return `${count} video${count === 1 ? '' : 's'}`;
}

/** The agents' films, then those without branding. */
export function filmsOf(task: TaskRecord): (VideoResult | UnbrandedResult)[] {
  return [...toTaskDocument(task).results, ...unbrandedOf(task)];
}

/** Absolute paths of what a task made: each video with its preview, then the page that shows them. */
export function resultPaths(task: TaskRecord): string[] {
  const urls = filmsOf(task).flatMap(({ url, preview_url }) => [
    url,
    ...(typeof preview_url === 'string' ? [preview_url] : []),
  ]);
  const report = reportOf(task);
  const files = urls.map(toLocalPath);
  return report === null ? files : [...files, path.join(path.dirname(report), 'report.html')];
}

/** The path of a `file:` URL; anything else, and one that names no file of this machine, as it is. */
function toLocalPath(url: string): string {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
}

/** The exit code that the end of a task stands for. */
export function exitCodeOf(task: TaskRecord, isInterrupted: boolean): number {
  if (task.state === 'SUCCEEDED') return 0;
  if (isInterrupted) return INTERRUPTED_EXIT_CODE;
  const exitCode = findErrorRow(task.failure?.code ?? '')?.exitCode ?? 1;
  // Cancelled from another terminal: nobody interrupted this command, its task failed.
  return exitCode === INTERRUPTED_EXIT_CODE ? 1 : exitCode;
}

function hintFor(task: TaskRecord): string {
  if (task.failure?.code === 'cancelled')
    return 'run the same command again, it goes on from what was rendered';
  return task.failure?.hint ?? `listing-video tasks retry ${task.id}, once the cause is mended`;
}

/** report.json, or nothing when it cannot be read. */
export async function readReport(file: string | null): Promise<Partial<Report>> {
  if (file === null) return {};
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Report>;
  } catch {
    // The videos are there; a report that somebody moved meanwhile is not worth a failure.
    return {};
  }
}

function warningsOf(report: Partial<Report>): string[] {
  const perVideo = (report.videos ?? []).flatMap((video) =>
    (video.warnings ?? []).map((warning) => `${video.agent_id}: ${warning}`),
  );
  const unbranded = (report.unbranded ?? []).flatMap((film) =>
    (film.warnings ?? []).map((warning) => `unbranded: ${warning}`),
  );
  return [...new Set([...(report.warnings ?? []), ...perVideo, ...unbranded])];
}

function reuseNote(report: Partial<Report>): string {
  const videos: readonly ReportEntry[] = [...(report.videos ?? []), ...(report.unbranded ?? [])];
  if (videos.length > 0 && videos.every((video) => video.isUnchanged)) {
    return ', all reused';
  }
  const rendered = videos.reduce((sum, video) => sum + (video.segments?.rendered ?? 0), 0);
  const reused = videos.reduce((sum, video) => sum + (video.segments?.reused ?? 0), 0);
  return reused > 0 ? `, reused ${reused} of ${rendered + reused} segments` : '';
}

/** Relative where that stays below the working directory. */
export function shortestPath(file: string, cwd: string): string {
  // The address of a result that is at a server.
  if (!path.isAbsolute(file)) return file;
  const relative = path.relative(cwd, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative) ? relative : file;
}
