/** The table that ends a batch, on stderr: every listing, what became of it, and why; and one line that counts. */
import { formatDuration } from '../../settings/parse-duration.ts';
import type { CommandRun } from '../command-run.ts';
import { countVideos } from '../tasks/run-task.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { formatTable } from '../terminal/table.ts';
import {
  countResults,
  failureOf,
  isUnchanged,
  type ListingResult,
  type ListingState,
} from './listing-result.ts';

const STATE_WORDS: Readonly<Record<ListingState, string>> = {
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  INVALID: 'INVALID',
  NOT_STARTED: 'NOT STARTED',
};

/** Prints one row per listing; nothing under `--quiet`. */
export function printSummary(run: CommandRun, ends: readonly ListingResult[], durationSec: number): void {
  if (run.output.quiet || ends.length === 0) return;
  const { err } = run.terminal.styles;
  const lines = formatTable(
    ends,
    [
      { title: 'LISTING', text: (end) => escapeText(end.file), shrinks: true },
      {
        title: 'RESULT',
        text: (end) => STATE_WORDS[end.state],
        paint: (text, end) => (end.state === 'SUCCEEDED' ? err.green(text) : err.red(text)),
      },
      { title: 'NOTE', text: (end) => escapeText(noteOf(end)), shrinks: true },
    ],
    run.terminal.stderrIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  run.terminal.log('');
  for (const line of lines) run.terminal.log(line);
  run.terminal.log('');
  run.terminal.log(`${countWords(ends)} in ${formatDuration(durationSec * 1000)}`);
}

function noteOf(end: ListingResult): string {
  const failure = failureOf(end);
  if (failure !== null) return failure.message;
  if (end.task === null) return '';
  const made = countVideos(toTaskDocument(end.task).results.length);
  return isUnchanged(end) ? `${made}, unchanged` : `${made}, ${formatDuration(end.durationSec * 1000)}`;
}

/** `12 listings: 9 succeeded (4 unchanged), 2 failed, 1 invalid`. */
function countWords(ends: readonly ListingResult[]): string {
  const { listings, succeeded, unchanged, failed, invalid, not_started: idle } = countResults(ends);
  const parts = [
    `${succeeded} succeeded${unchanged > 0 ? ` (${unchanged} unchanged)` : ''}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(invalid > 0 ? [`${invalid} invalid`] : []),
    ...(idle > 0 ? [`${idle} not started`] : []),
  ];
  return `${listings} listing${listings === 1 ? '' : 's'}: ${parts.join(', ')}`;
}
