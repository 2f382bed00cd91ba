/** Shows the progress of a task on stderr: a moving line on a terminal, elsewhere a line per stage and per 10 %. */
import type { Ora } from 'ora';
import { formatDuration } from '../../platform/settings/parse-duration.ts';
import type { TaskProgress } from '../../task/task.ts';
import { displayWidth } from './display-width.ts';
import { escapeText } from './escape-text.ts';
import { truncate, truncateStart } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressView {
  update(progress: TaskProgress): void;
  /** Removes the moving line; call it before printing anything else. */
  stop(): void;
}

/** The stages of a video task in words. */
const STAGE_WORDS: Readonly<Record<string, string>> = {
  lock: 'waiting for another command',
  assets: 'checking photos',
  storyboard: 'planning scenes',
  render: 'rendering',
  assemble: 'joining videos',
  publish: 'writing results',
  upload: 'sending photos',
  wait: 'waiting at the server',
  fetch: 'fetching results',
};

/** `42 %, rendering, 1 min 20 s left`. */
export function describeProgress(progress: TaskProgress): string {
  const parts = [`${Math.floor(progress.percent)} %`];
  if (progress.stage !== null) parts.push(escapeText(STAGE_WORDS[progress.stage] ?? progress.stage));
  if (progress.etaSeconds !== null && progress.etaSeconds > 0) {
    parts.push(`${formatDuration(progress.etaSeconds * 1000)} left`);
  }
  return parts.join(', ');
}

/** A label shorter than this is left out. */
const MIN_LABEL_COLUMNS = 8;

/**
 * One line that fits: the label is cut at its start, since the end of a path distinguishes files. The progress stays.
 */
export function formatProgressLine(label: string, progress: TaskProgress, widthColumns: number): string {
  const words = describeProgress(progress);
  const room = widthColumns - displayWidth(words) - 2;
  if (room < Math.min(MIN_LABEL_COLUMNS, displayWidth(label))) return truncate(words, widthColumns);
  return `${truncateStart(label, room)}: ${words}`;
}

/**
 * @param label - What is being rendered; escaped here.
 * @param isQuiet - Shows nothing.
 */
export async function createProgressView(
  terminal: Terminal,
  label: string,
  isQuiet: boolean,
): Promise<ProgressView> {
  if (isQuiet) return { update: () => undefined, stop: () => undefined };
  return terminal.canAnimate
    ? createMovingView(terminal, escapeText(label))
    : createPlainView(terminal, escapeText(label));
}

/** Shows the progress of `work`; the view is gone when it has ended. */
export async function withProgress<T>(
  terminal: Terminal,
  label: string,
  isQuiet: boolean,
  work: (onProgress: (progress: TaskProgress) => void) => Promise<T>,
): Promise<T> {
  const view = await createProgressView(terminal, label, isQuiet);
  try {
    return await work((progress) => view.update(progress));
  } finally {
    view.stop();
  }
}

async function createMovingView(terminal: Terminal, label: string): Promise<ProgressView> {
  const spinner = await createSpinner(terminal);
  spinner.start(truncateStart(label, besideSpinner(terminal)));
  return {
    update: (progress) => {
      if (!spinner.isSpinning) return;
      spinner.text = formatProgressLine(label, progress, besideSpinner(terminal));
    },
    stop: () => spinner.stop(),
  };
}

/** A spinner on stderr, which its caller starts and stops. */
export async function createSpinner(terminal: Terminal): Promise<Ora> {
  const { default: ora } = await import('ora');
  return ora({
    stream: terminal.stderr as NodeJS.WriteStream,
    isEnabled: true,
    // Ctrl-C must reach the process as a signal, and stdin can be the listing.
    discardStdin: false,
    color: terminal.styles.err.level > 0 ? 'cyan' : false,
  });
}

/**
 * Columns beside a spinner, less those of the `^C` that terminals echo: a line that wraps cannot be rewritten in place.
 */
function besideSpinner(terminal: Terminal): number {
  return terminal.columns - 5;
}

export function fitBesideSpinner(text: string, terminal: Terminal): string {
  return truncate(text, besideSpinner(terminal));
}

function createPlainView(terminal: Terminal, label: string): ProgressView {
  let lastStage: string | null = null;
  let lastStep = 0;
  return {
    update: (progress) => {
      const step = Math.floor(progress.percent / 10);
      if (progress.stage === lastStage && step <= lastStep) return;
      lastStage = progress.stage;
      lastStep = Math.max(step, lastStep);
      terminal.log(`${label}: ${describeProgress(progress)}`);
    },
    stop: () => undefined,
  };
}
