/**
 * Shows the progress of a `create` on stderr. A single listing shows its task; a batch shows one moving line on a
 * terminal, and elsewhere a line per listing, since the percentages of a hundred listings would fill a log.
 */
import pLimit from 'p-limit';
import { formatDuration } from '../../../platform/settings/parse-duration.ts';
import type { TaskProgress } from '../../../task/task.ts';
import { escapeText } from '../../terminal/escape-text.ts';
import {
  createSpinner,
  createProgressView as createTaskView,
  describeProgress,
  fitBesideSpinner,
  type ProgressView as TaskView,
} from '../../terminal/progress-view.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface ProgressView {
  begin(file: string): Promise<void> | void;
  update(file: string, progress: TaskProgress): void;
  /** Prints a line while the moving line is hidden. */
  log(line: string): void;
  /** The listing has ended. `print` writes lines while the moving line is hidden. */
  end(file: string, isGood: boolean, print: () => Promise<void>): Promise<void>;
  /** Removes the moving line for good. */
  stop(): void;
}

/** @param total - Number of listings to render; a single one shows its own progress. */
export async function createProgressView(
  terminal: Terminal,
  { total, isQuiet, nowMs }: { total: number; isQuiet: boolean; nowMs: () => number },
): Promise<ProgressView> {
  if (total === 1 && !isQuiet) return createSingleView(terminal);
  if (isQuiet || !terminal.canAnimate) return createPlainView(terminal, total, isQuiet);
  return createMovingView(terminal, total, nowMs);
}

function createSingleView(terminal: Terminal): ProgressView {
  let view: TaskView | undefined;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    view?.stop();
  };
  return {
    begin: async (file) => {
      view = await createTaskView(terminal, file, false);
      if (isStopped) view.stop();
    },
    update: (_, progress) => view?.update(progress),
    // The moving line says that it waits.
    log: (line) => {
      if (view === undefined || !terminal.canAnimate) terminal.log(line);
    },
    end: (_file, _isGood, print) => {
      stop();
      return print();
    },
    stop,
  };
}

function createPlainView(terminal: Terminal, total: number, isQuiet: boolean): ProgressView {
  let begun = 0;
  // One after the other, so that the lines of two listings do not mix.
  const queue = pLimit(1);
  return {
    begin: (file) => {
      begun += 1;
      if (!isQuiet) terminal.log(`${escapeText(file)}: started (${begun} of ${total})`);
    },
    update: () => undefined,
    log: (line) => {
      if (!isQuiet) terminal.log(line);
    },
    end: (_file, _isGood, print) => queue(print),
    stop: () => undefined,
  };
}

/** Shows the time left once so many listings have ended, by their pace: what is up to date ends at once. */
const PACE_LISTINGS = 5;

async function createMovingView(
  terminal: Terminal,
  total: number,
  nowMs: () => number,
): Promise<ProgressView> {
  const running = new Map<string, TaskProgress | null>();
  // One after the other, so that the lines of two listings do not mix.
  const queue = pLimit(1);
  let ended = 0;
  let failed = 0;
  let isStopped = false;
  /** When the last listings ended. */
  const ends: number[] = [];
  const spinner = await createSpinner(terminal);
  const timeLeft = (): string => {
    if (ends.length <= PACE_LISTINGS || ended === total) return '';
    const eachMs = (ends.at(-1)! - ends[0]!) / PACE_LISTINGS;
    return `, about ${formatDuration(Math.ceil((eachMs * (total - ended)) / 60_000) * 60_000)} left`;
  };
  const show = (): void => {
    const counts = `${ended} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}${timeLeft()}`;
    // The most advanced first: it is the one being rendered.
    const shown = [...running].sort(([, a], [, b]) => (b?.percent ?? 0) - (a?.percent ?? 0));
    const parts = shown.map(([file, progress]) => {
      return progress === null ? escapeText(file) : `${escapeText(file)} ${describeProgress(progress)}`;
    });
    // A line that wraps cannot be rewritten in place.
    spinner.text = fitBesideSpinner([counts, ...parts].join(' · '), terminal);
    if (!spinner.isSpinning && !isStopped && ended < total) spinner.start();
  };
  return {
    begin: (file) => {
      running.set(file, null);
      show();
    },
    update: (file, progress) => {
      if (!running.has(file)) return;
      running.set(file, progress);
      show();
    },
    log: (line) => {
      spinner.stop();
      terminal.log(line);
      show();
    },
    end: (file, isGood, print) =>
      queue(async () => {
        running.delete(file);
        ended += 1;
        ends.push(nowMs());
        if (ends.length > PACE_LISTINGS + 1) ends.shift();
        if (!isGood) failed += 1;
        spinner.stop();
        await print();
        show();
      }),
    stop: () => {
      isStopped = true;
      spinner.stop();
    },
  };
}
