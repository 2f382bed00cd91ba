/** `tasks watch`: follows one task, or every pending and running one, which a terminal shows as a moving table. */
import { ListingVideoError } from '../../platform/errors.ts';
import { toTaskProgressView } from '../../task/task-view.ts';
import type { Backend, VideoTask } from '../../wiring/backend.ts';
import type { CommandRun } from '../command-run.ts';
import { exitCodeOfTask } from '../exit-code.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { INTERRUPTED_EXIT_CODE } from '../terminal/interrupts.ts';
import { printJsonLine } from '../terminal/print-json.ts';
import {
  createProgressView,
  createSpinner,
  describeProgress,
  fitBesideSpinner,
  type ProgressView,
} from '../terminal/progress-view.ts';
import { formatTable, truncate } from '../terminal/table.ts';
import { endedTaskOptions, showEndedTask } from './log-task.ts';
import { toTaskDocument } from './task-document.ts';

/** A person sees no difference below this. */
const INTERVAL_MS = 400;
/** Slower for a server, which answers other clients too. */
const SERVER_INTERVAL_MS = 2_000;
/** Per state; pending tasks beyond it are not started soon. */
const MAX_TASKS = 100;
/** A table higher than the window could not be drawn over. */
const MAX_ROWS = 15;

interface WatchView {
  show(unfinished: readonly VideoTask[]): void;
  /** `print` writes lines while the moving lines are hidden. */
  end(task: VideoTask, print: () => Promise<void>): Promise<void>;
  stop(): void;
}

/**
 * With an id it ends with the task, or when the reader of stdout has gone; without one, when no task is unfinished.
 *
 * @returns The exit code: that of the task, or 1 when one of all tasks has failed.
 */
export async function watchTasks(run: CommandRun): Promise<number> {
  const [id] = run.args;
  const { engine, server } = await run.backend();
  const { readerGone } = run.terminal;
  const signal = AbortSignal.any([run.signal, readerGone]);
  const read = async () => (id === undefined ? listUnfinished(engine) : [await engine.get(id)]);
  let found = await read();
  const view = await createView(run, id === undefined);
  let watched: readonly VideoTask[] = [];
  let exitCode = 0;
  try {
    for (;;) {
      const unfinished = found.filter(({ state }) => state === 'PENDING' || state === 'RUNNING');
      const isOver = (task: VideoTask) => !unfinished.some((other) => other.id === task.id);
      if (id !== undefined) view.show(found);
      const over = id === undefined ? await readAgain(watched.filter(isOver), engine) : found.filter(isOver);
      for (const task of over) {
        const code = exitCodeOfTask(task, false);
        exitCode = id === undefined ? Math.max(exitCode, Math.min(code, 1)) : code;
        const print = async () => showEndedTask(run, task, await endedTaskOptions(run, labelOf(task)));
        await view.end(task, print);
      }
      watched = unfinished;
      if (id === undefined) view.show(unfinished);
      if (unfinished.length === 0) break;
      await run.host.delay(server === null ? INTERVAL_MS : SERVER_INTERVAL_MS, signal);
      found = await read();
    }
  } catch (error) {
    // An abort is the usual way to end the watch.
    if (!signal.aborted) throw error;
    if (run.signal.aborted && id !== undefined) throw stoppedWatching(id, server, error);
  } finally {
    view.stop();
  }
  if (run.signal.aborted && id === undefined) return INTERRUPTED_EXIT_CODE;
  if (!signal.aborted && id === undefined) run.info('no pending or running tasks');
  return exitCode;
}

function stoppedWatching(id: string, server: Backend['server'], cause: unknown): ListingVideoError {
  const at = server === null ? '' : ` --server ${server.url}`;
  const hint = `to stop the task too: listing-video tasks cancel ${id}${at}`;
  return new ListingVideoError('cancelled', `stopped watching ${id}; the task continues`, { hint, cause });
}

/** As they ended. One that `tasks prune` deleted meanwhile is left out. */
async function readAgain(tasks: readonly VideoTask[], engine: Backend['engine']): Promise<VideoTask[]> {
  const found = await Promise.all(tasks.map(({ id }) => engine.get(id).catch(() => null)));
  return found.filter((task) => task !== null);
}

/** Running tasks first, each state newest first. */
async function listUnfinished(engine: Backend['engine']): Promise<readonly VideoTask[]> {
  const [running, pending] = await Promise.all([
    engine.list({ limit: MAX_TASKS, state: 'RUNNING' }),
    engine.list({ limit: MAX_TASKS, state: 'PENDING' }),
  ]);
  // A task that started between the two answers is in both.
  const seen = new Set(running.data.map(({ id }) => id));
  return [...running.data, ...pending.data.filter(({ id }) => !seen.has(id))];
}

async function createView(run: CommandRun, isOfAll: boolean): Promise<WatchView> {
  if (run.output.json) return createJsonView(run);
  return isOfAll && run.terminal.canAnimate && !run.output.quiet ? createTableView(run) : createLineView(run);
}

function createJsonView(run: CommandRun): WatchView {
  const shown = new Map<string, string>();
  const print = (task: VideoTask): void => {
    const event = JSON.stringify([task.state, task.progress]);
    if (shown.get(task.id) === event) return;
    shown.set(task.id, event);
    printJsonLine(run.terminal, { ...toTaskDocument(task), progress: toTaskProgressView(task) });
  };
  return { show: (tasks) => tasks.forEach(print), end: async (task) => print(task), stop: () => undefined };
}

/** For a single task, and where lines cannot be rewritten. */
function createLineView(run: CommandRun): WatchView {
  const views = new Map<string, Promise<ProgressView>>();
  return {
    show: (tasks) => {
      for (const task of tasks) {
        const view = views.get(task.id) ?? createProgressView(run.terminal, labelOf(task), run.output.quiet);
        views.set(task.id, view);
        const { progress } = task;
        if (progress) void view.then((opened) => opened.update(progress));
      }
    },
    end: async (task, print) => {
      (await views.get(task.id))?.stop();
      await print();
    },
    stop: () => {
      for (const view of views.values()) void view.then((opened) => opened.stop());
    },
  };
}

async function createTableView(run: CommandRun): Promise<WatchView> {
  const { terminal } = run;
  const spinner = await createSpinner(terminal);
  return {
    show: (tasks) => {
      if (tasks.length === 0) return;
      const head = fitBesideSpinner(
        `${tasks.length} unfinished; Ctrl-C stops watching, not the tasks`,
        terminal,
      );
      spinner.text = [head, ...tableOf(tasks, terminal.columns - 1)].join('\n');
      if (!spinner.isSpinning) spinner.start();
    },
    end: async (_task, print) => {
      spinner.stop();
      await print();
    },
    stop: () => spinner.stop(),
  };
}

function tableOf(tasks: readonly VideoTask[], widthColumns: number): string[] {
  const lines = formatTable(
    tasks.slice(0, MAX_ROWS),
    [
      { title: 'ID', text: ({ id }) => id },
      { title: 'STATE', text: ({ state }) => state },
      { title: 'LISTING', text: (task) => escapeText(labelOf(task)), shrinks: true },
      {
        title: 'PROGRESS',
        text: ({ progress }) => (progress ? describeProgress(progress) : ''),
        shrinks: true,
      },
    ],
    widthColumns,
  );
  const more = tasks.length - MAX_ROWS;
  return (more > 0 ? [...lines, `and ${more} more`] : lines).map((line) => truncate(line, widthColumns));
}

/** The listing's id; of a task that does not hold it, its own. */
export function labelOf(task: VideoTask): string {
  return task.summary?.label ?? task.id;
}
