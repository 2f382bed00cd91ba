/** The work of `tasks list|get|cancel|prune`, on the store that other processes share. */
import { countWords } from '../../listing/words/count-words.ts';
import { formatAge, parseDurationMs } from '../../platform/settings/parse-duration.ts';
import type { TaskState } from '../../task/task.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { requireLocal, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { fileLinker, type LinkFile } from '../terminal/link-file.ts';
import { printResult } from '../terminal/print-json.ts';
import { describeProgress } from '../terminal/progress-view.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { type Column, printTable } from '../terminal/table.ts';
import { resultPaths, warnOfUnreadable } from './log-task.ts';
import { toTaskDocument } from './task-document.ts';

interface ListOptions {
  readonly state?: TaskState;
  readonly limit: number;
  readonly startingAfter?: string;
}

interface PruneOptions {
  readonly olderThan: string;
  readonly dryRun?: boolean;
}

/** Tasks on a page of `tasks list`, as in the API. */
const DEFAULT_LIMIT = 20;

export async function listTasks(run: CommandRun<ListOptions>): Promise<number> {
  const { engine, server } = await run.backend();
  const { state, limit, startingAfter } = run.options;
  const page = await engine.list({
    limit,
    ...(state === undefined ? {} : { state }),
    ...(startingAfter === undefined ? {} : { startingAfter }),
  });
  warnOfUnreadable(run, page.warnings);
  return printResult(run, { data: page.data.map(toTaskDocument), has_more: page.hasMore }, () => {
    const last = page.data.at(-1);
    if (last === undefined) return run.info('no tasks');
    printTable(run.terminal, page.data, listColumns(run));
    if (page.hasMore) run.info(escapeText(`more: ${nextPage(run, last.id, server?.url)}`));
  });
}

/** The command that prints the next page: the same filters, the same store. */
function nextPage({ options }: CommandRun<ListOptions>, lastId: string, server: string | undefined): string {
  const { state, limit, home } = options;
  const words = [
    ...(state === undefined ? [] : ['--state', state]),
    ...(limit === DEFAULT_LIMIT ? [] : ['--limit', String(limit)]),
    ...['--starting-after', lastId],
    ...(server === undefined ? [] : ['--server', server]),
    ...(typeof home === 'string' ? ['--home', home] : []),
  ];
  return ['listing-video tasks list', ...words.map(shellWord)].join(' ');
}

export async function getTask(run: CommandRun): Promise<number> {
  const { engine } = await run.backend();
  const task = await engine.get(run.args[0]!);
  const payload = run.output.json ? null : await engine.payload(task.id);
  const link = await fileLinker(run.terminal);
  return printResult(run, toTaskDocument(task), () => {
    for (const line of describeTask(task, payload, link)) run.terminal.print(line);
  });
}

export async function cancelTask(run: CommandRun): Promise<number> {
  const { engine } = await run.backend();
  const task = await engine.cancel(run.args[0]!);
  return printResult(run, toTaskDocument(task), () =>
    run.terminal.print(`${task.id} is ${task.state === 'FAILED' ? 'cancelled' : 'stopping'}`),
  );
}

/** Tasks that a dry run lists at most; `--json` has the ids of all. */
const SHOWN_PRUNED = 100;

export async function pruneTasks(run: CommandRun<PruneOptions>): Promise<number> {
  await requireLocal(run, 'tasks prune');
  const { olderThan, dryRun: isDryRun = false } = run.options;
  const spanMs = parseDurationMs(olderThan);
  if (spanMs === null) {
    throw usageError(
      `--older-than: expected a time span such as 30d or 12h, found "${olderThan}"`,
      '--older-than 30d',
    );
  }
  const { engine, store } = await run.backend();
  const { removed, warnings } = await store.prune({
    olderThanMs: run.host.nowMs() - spanMs,
    states: ['SUCCEEDED', 'FAILED'],
    isDryRun,
  });
  warnOfUnreadable(run, warnings);
  const shown = isDryRun && !run.output.json ? removed.slice(0, SHOWN_PRUNED) : [];
  const tasks = await Promise.all(shown.map((id) => engine.get(id)));
  return printResult(run, { dry_run: isDryRun, removed }, () => {
    const records = `the records of ${countWords(removed.length, 'task')}`;
    if (!isDryRun) return run.terminal.print(`deleted ${records}; the videos stay`);
    if (tasks.length > 0) printTable(run.terminal, tasks, listColumns(run));
    if (removed.length > tasks.length)
      run.terminal.print(`… and ${removed.length - tasks.length} newer ones`);
    run.info(`would delete ${records}; the videos stay`);
  });
}

function listColumns(run: CommandRun): Column<VideoTask>[] {
  const { out } = run.terminal.styles;
  const paintState = (text: string, task: VideoTask): string => {
    if (task.state === 'SUCCEEDED') return out.green(text);
    if (task.state === 'FAILED') return out.red(text);
    return task.state === 'RUNNING' ? out.cyan(text) : out.dim(text);
  };
  return [
    { title: 'ID', text: (task) => task.id },
    { title: 'STATE', text: (task) => task.state, paint: paintState },
    {
      title: 'AGE',
      text: (task) => formatAge(run.host.nowMs() - Date.parse(task.createdAt)),
      align: 'right',
    },
    { title: 'LISTING', text: (task) => escapeText(task.summary?.label ?? '-'), shrinks: true },
    { title: 'NOTE', text: noteOf, shrinks: true },
  ];
}

function noteOf(task: VideoTask): string {
  if (task.state === 'FAILED') return escapeText(task.failure?.message ?? '');
  if (task.state === 'RUNNING' && task.progress) return describeProgress(task.progress);
  if (task.summary !== null) return countWords(task.summary.resultCount, 'video');
  // A server does not return the listing.
  return task.state === 'SUCCEEDED' ? countWords(toTaskDocument(task).results.length, 'video') : '';
}

function describeTask(task: VideoTask, payload: VideoTaskPayload | null, link: LinkFile): string[] {
  const document = toTaskDocument(task);
  const rows: [string, string][] = [
    ['id', task.id],
    ['state', task.state],
    ['created', task.createdAt],
    ['listing', escapeText(task.summary?.label ?? '-')],
  ];
  if (payload?.listingFile) rows.push(['file', escapeText(payload.listingFile)]);
  if (payload) rows.push(['folder', escapeText(payload.outputDir)]);
  if (task.progress && task.state !== 'SUCCEEDED') rows.push(['progress', describeProgress(task.progress)]);
  if (document.failure_message !== undefined) rows.push(['failure', escapeText(document.failure_message)]);
  for (const file of resultPaths(task)) rows.push(['result', link(escapeText(file), file)]);
  for (const { url, reason } of document.dropped_assets) {
    rows.push(['dropped', `${escapeText(url)}: ${escapeText(reason)}`]);
  }
  return rows.map(([name, value]) => `${name.padEnd(9)} ${value}`);
}
