/** `tasks watch` without an id: follows every pending and running task, on a terminal as a moving table. */

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
import { printEndedTask } from './log-task.ts';
import { toTaskDocument } from './task-document.ts';

/** A person sees no difference below this. */
const INTERVAL_MS = 400;
/** Slower for a server, which answers other clients too. */
const SERVER_INTERVAL_MS = 2_000;
/** Per state; pending tasks beyond it are not started soon. */
const MAX_TASKS = 100;
/** A table higher than the window could not be drawn over. */
const MAX_ROWS = 15;

/** Shows what is unfinished. */
interface WatchView {
  show(unfinished: readonly VideoTask[]): void;
  /** `print` writes lines while the table is hidden. */
  end(task: VideoTask, print: () => Promise<void>): Promise<void>;
  stop(): void;
}

/** @returns The exit code: 1 when a watched task has failed. */
export async function watchTasks(run: CommandRun): Promise<number> {
  const { engine, server } = await run.backend();
  const signal = AbortSignal.any([run.signal, run.terminal.readerGone]);
  const view = await createView(run);
  let watched: readonly VideoTask[] = [];
  let exitCode = 0;
  try {
    for (;;) {
      const unfinished = await listUnfinished(engine);
      for (const { id } of watched.filter((task) => !unfinished.some(({ id }) => id === task.id))) {
        // Null: deleted by `tasks prune` meanwhile.
        const task = await engine.get(id).catch(() => null);
        if (task === null) continue;
        exitCode = Math.max(exitCode, exitCodeOfTask(task, false) === 0 ? 0 : 1);
        await view.end(task, () => printEndedTask(run, task, labelOf(task)));
      }
      watched = unfinished;
      view.show(unfinished);
      if (unfinished.length === 0) break;
      await run.host.delay(watchIntervalMs(server), signal);
    }
  } catch (error) {
    // An abort is the usual way to end the watch.
    if (!signal.aborted) throw error;
  } finally {
    view.stop();
  }
  if (run.signal.aborted) return INTERRUPTED_EXIT_CODE;
  if (!signal.aborted) run.info('no pending or running tasks');
  return exitCode;
}

/** Milliseconds between two reads of the store or server. */
export function watchIntervalMs(server: Backend['server']): number {
  return server === null ? INTERVAL_MS : SERVER_INTERVAL_MS;
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

function createView(run: CommandRun): Promise<WatchView> {
  if (run.output.json) return Promise.resolve(createJsonView(run));
  return run.terminal.canAnimate && !run.output.quiet
    ? createTableView(run)
    : Promise.resolve(createLineView(run));
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

/** Where lines cannot be rewritten, each task is logged as by `tasks watch <id>`. */
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
    end: (_task, print) => print(),
    stop: () => undefined,
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
