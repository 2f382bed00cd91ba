/** The work of `tasks retry`: one task by its id, or all that failed with a code or since a time. */
import { ERROR_TABLE, findErrorRow } from '../../platform/errors.ts';
import { parseDurationMs } from '../../platform/settings/parse-duration.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { nearestHint, requireLocal, toErrorDocument, toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { exitCodeOfTask } from '../exit-code.ts';
import { INTERRUPTED_EXIT_CODE, onInterrupt } from '../terminal/interrupts.ts';
import { printJson, printResult } from '../terminal/print-json.ts';
import { createProgressView } from '../terminal/progress-view.ts';
import { logEndedTask, logError, printEndedTask, warnOfUnreadable } from './log-task.ts';
import { toTaskDocument } from './task-document.ts';
import { labelOf } from './watch-tasks.ts';

/** Options of `tasks retry`. */
interface RetryOptions {
  readonly code?: string;
  readonly since?: string;
}

/** Which FAILED tasks are retried. */
interface FailureQuery {
  readonly code: string | undefined;
  /** Only tasks that failed at this time or later, in milliseconds since 1970. */
  readonly sinceMs: number;
}

const PAGE_SIZE = 100;

/** `tasks retry`: runs a task of the command line here; a server with this data folder runs any other. */
export async function retryTasks(run: CommandRun<RetryOptions>): Promise<number> {
  await requireLocal(run, 'tasks retry');
  const [id] = run.args;
  const { code, since } = run.options;
  const isForMany = code !== undefined || since !== undefined;
  if ((id !== undefined) === isForMany) {
    throw usageError(
      id === undefined
        ? 'tasks retry needs an id, --code or --since'
        : 'an id cannot be combined with --code or --since',
      'listing-video tasks retry --code disk_full --since 1h',
    );
  }
  return id === undefined ? retryFailed(run, parseFailureQuery(run)) : retryOne(run, id);
}

async function retryOne(run: CommandRun, id: string): Promise<number> {
  const { engine } = await run.backend();
  const waiting = await engine.retry(id);
  if (waiting.origin !== 'cli') {
    return printResult(run, toTaskDocument(waiting), () => printWaiting(run, waiting));
  }
  const task = await runHere(run, waiting);
  if (run.output.json) printJson(run.terminal, { data: [await toRunDocument(run, task)], has_more: false });
  return exitCodeOfTask(task, run.signal.aborted);
}

/** Retries every task of the query, oldest first. A task that is refused does not stop the others. */
async function retryFailed(run: CommandRun, query: FailureQuery): Promise<number> {
  const { engine } = await run.backend();
  const data: object[] = [];
  const refused: object[] = [];
  const exitCodes: number[] = [];
  for (const { id, label } of await findFailed(run, query)) {
    if (run.signal.aborted) break;
    try {
      const waiting = await engine.retry(id);
      if (waiting.origin === 'cli') {
        const task = await runHere(run, waiting);
        exitCodes.push(exitCodeOfTask(task, run.signal.aborted));
        data.push(await toRunDocument(run, task));
      } else {
        exitCodes.push(0);
        data.push(toTaskDocument(waiting));
        if (!run.output.json) printWaiting(run, waiting);
      }
    } catch (thrown) {
      const error = toListingVideoError(thrown);
      exitCodes.push(error.exitCode);
      refused.push({ id, ...toErrorDocument(error) });
      if (!run.output.json) logError(run, label, error);
      if (findErrorRow(error.code)?.endsBatch === true) break;
    }
  }
  if (run.output.json) {
    printJson(run.terminal, { data, has_more: false, ...(refused.length === 0 ? {} : { refused }) });
  } else if (exitCodes.length === 0) run.info('no FAILED task matches');
  return run.signal.aborted ? INTERRUPTED_EXIT_CODE : exitCodeOfMany(exitCodes);
}

/** 3 before 1; 2 if no task was retried. */
function exitCodeOfMany(exitCodes: readonly number[]): number {
  if (exitCodes.includes(3)) return 3;
  if (exitCodes.length > 0 && exitCodes.every((code) => code === 2)) return 2;
  return exitCodes.every((code) => code === 0) ? 0 : 1;
}

/** Oldest first, as they were submitted. Found before the first retry, so that none is retried twice. */
async function findFailed(
  run: CommandRun,
  { code, sinceMs }: FailureQuery,
): Promise<{ readonly id: string; readonly label: string }[]> {
  const { engine } = await run.backend();
  const found: { id: string; label: string }[] = [];
  let startingAfter: string | undefined;
  for (;;) {
    const page = await engine.list({
      ...{ state: 'FAILED', limit: PAGE_SIZE },
      ...(startingAfter === undefined ? {} : { startingAfter }),
    });
    warnOfUnreadable(run, page.warnings);
    for (const task of page.data) {
      const isMatch = code === undefined || task.failure?.code === code;
      if (isMatch && Date.parse(task.updatedAt) >= sinceMs) found.push({ id: task.id, label: labelOf(task) });
    }
    startingAfter = page.data.at(-1)?.id;
    // Pages have the newest first.
    if (!page.hasMore || startingAfter === undefined) return found.reverse();
  }
}

function parseFailureQuery(run: CommandRun<RetryOptions>): FailureQuery {
  const { code, since } = run.options;
  if (code !== undefined && findErrorRow(code) === null) {
    const names = Object.keys(ERROR_TABLE).filter((name) => findErrorRow(name) !== null);
    throw usageError(
      `--code: no failure has the code "${code}"`,
      nearestHint(code, names, '`listing-video tasks list --state FAILED --json` shows failures'),
    );
  }
  if (since === undefined) return { code, sinceMs: Number.NEGATIVE_INFINITY };
  const spanMs = parseDurationMs(since);
  if (spanMs === null) {
    throw usageError(`--since: expected a time span such as 1h or 2d, found "${since}"`, '--since 1h');
  }
  return { code, sinceMs: run.host.nowMs() - spanMs };
}

function printWaiting(run: CommandRun, { id }: VideoTask): void {
  run.terminal.print(`${id} is PENDING again; the server will run it`);
}

/** Runs the task to its end, whatever that is, and prints it unless the output is JSON. Progress goes to stderr. */
async function runHere(run: CommandRun, waiting: VideoTask): Promise<VideoTask> {
  const { engine } = await run.backend();
  const label = labelOf(waiting);
  const view = await createProgressView(run.terminal, label, run.output.quiet);
  const release = onInterrupt(run, () => view.stop());
  let task: VideoTask;
  try {
    task = await engine.runTask(waiting.id, {
      signal: run.signal,
      onProgress: (progress) => view.update(progress),
    });
  } finally {
    release();
    view.stop();
  }
  await (run.output.json ? logEndedTask : printEndedTask)(run, task, label);
  return task;
}

async function toRunDocument(run: CommandRun, task: VideoTask): Promise<object> {
  const { engine } = await run.backend();
  const listingFile = (await engine.payload(task.id))?.listingFile ?? null;
  return { ...toTaskDocument(task), listing_file: listingFile, report: task.outcome?.report ?? null };
}
