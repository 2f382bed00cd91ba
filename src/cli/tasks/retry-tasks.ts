/** The work of `tasks retry`: one task by its id, or all that failed with a code or since a time. */
import { ERROR_TABLE, findErrorRow } from '../../platform/errors.ts';
import { parseDurationMs } from '../../platform/settings/parse-duration.ts';
import type { TaskProgress } from '../../task/task.ts';
import { nearestHint, requireLocal, toErrorDocument, toListingVideoError, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { exitCodeOfTask } from '../exit-code.ts';
import { INTERRUPTED_EXIT_CODE, onInterrupt } from '../terminal/interrupts.ts';
import { printJson } from '../terminal/print-json.ts';
import { createProgressView } from '../terminal/progress-view.ts';
import { endedTaskOptions, logError, showEndedTask, warnOfUnreadable } from './log-task.ts';
import { toTaskDocument } from './task-document.ts';
import { labelOf } from './watch-tasks.ts';

interface RetryOptions {
  readonly code?: string;
  readonly since?: string;
}

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
  const { document, exitCode, isHere } = await retry(run, id);
  if (run.output.json) printJson(run.terminal, isHere ? { data: [document], has_more: false } : document);
  return exitCode;
}

/** Retries every task of the query, oldest first. A task that is refused does not stop the others. */
async function retryFailed(run: CommandRun, query: FailureQuery): Promise<number> {
  const data: object[] = [];
  const refused: object[] = [];
  const exitCodes: number[] = [];
  for (const { id, label } of await findFailed(run, query)) {
    if (run.signal.aborted) break;
    try {
      const { document, exitCode } = await retry(run, id);
      exitCodes.push(exitCode);
      data.push(document);
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

/** Runs a task of the command line to its end, whatever that is. A server will run any other. */
async function retry(run: CommandRun, id: string) {
  const { engine } = await run.backend();
  const waiting = await engine.retry(id);
  if (waiting.origin !== 'cli') {
    if (!run.output.json) run.terminal.print(`${id} is PENDING again; the server will run it`);
    return { document: toTaskDocument(waiting), exitCode: 0, isHere: false };
  }
  const label = labelOf(waiting);
  const view = await createProgressView(run.terminal, label, run.output.quiet);
  const release = onInterrupt(run, () => view.stop());
  const onProgress = (progress: TaskProgress): void => view.update(progress);
  const task = await engine.runTask(id, { signal: run.signal, onProgress }).finally(() => {
    release();
    view.stop();
  });
  await showEndedTask(run, task, await endedTaskOptions(run, label));
  const listingFile = (await engine.payload(id))?.listingFile ?? null;
  const report = task.outcome?.report ?? null;
  return {
    document: { ...toTaskDocument(task), listing_file: listingFile, report },
    exitCode: exitCodeOfTask(task, run.signal.aborted),
    isHere: true,
  };
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
