/** Shows how far a task is, on stderr: a line that moves on a terminal, a line per stage and per 10 % elsewhere. */
import { formatDuration } from '../settings/parse-duration.ts';
import type { TaskProgress } from '../task/task.ts';
import { escapeText } from './escape-text.ts';
import { truncate } from './table.ts';
import type { Terminal } from './terminal.ts';

/** One task's display. */
export interface ProgressView {
  update(progress: TaskProgress): void;
  /** Takes the moving line away; call it before printing anything else. */
  stop(): void;
}

/** The stages of a video task in words. */
const STAGE_WORDS: Readonly<Record<string, string>> = {
  assets: 'checking photos',
  storyboard: 'planning scenes',
  render: 'rendering',
  assemble: 'joining videos',
  publish: 'writing results',
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

/**
 * @param label - What is being made, escaped here.
 * @param isQuiet - Shows nothing.
 */
export async function createProgressView(
  terminal: Terminal,
  label: string,
  isQuiet: boolean,
): Promise<ProgressView> {
  if (isQuiet) return { update: () => undefined, stop: () => undefined };
  return terminal.mayAnimate
    ? createMovingView(terminal, escapeText(label))
    : createPlainView(terminal, escapeText(label));
}

async function createMovingView(terminal: Terminal, label: string): Promise<ProgressView> {
  const { default: ora } = await import('ora');
  const spinner = ora({
    stream: terminal.stderr as NodeJS.WriteStream,
    isEnabled: true,
    // Ctrl-C must reach the process as a signal, and stdin may be the listing.
    discardStdin: false,
    color: terminal.styles.err.level > 0 ? 'cyan' : false,
    text: fitBesideSpinner(label, terminal),
  }).start();
  return {
    update: (progress) => {
      if (!spinner.isSpinning) return;
      spinner.text = fitBesideSpinner(`${label}: ${describeProgress(progress)}`, terminal);
    },
    stop: () => spinner.stop(),
  };
}

/**
 * The text beside a spinner. A line that wraps could not be rewritten in place, nor could one that the `^C` which
 * terminals echo makes wrap.
 */
export function fitBesideSpinner(text: string, terminal: Terminal): string {
  return truncate(text, terminal.columns - 5);
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
      terminal.note(`${label}: ${describeProgress(progress)}`);
    },
    stop: () => undefined,
  };
}
