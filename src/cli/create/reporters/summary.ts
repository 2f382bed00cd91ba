/** The summary of a batch on stderr: a table with the result of every listing, and one line that counts them. */
import { formatDuration } from '../../../platform/settings/parse-duration.ts';
import type { CommandRun } from '../../command-run.ts';
import {
  countResults,
  durationSecOf,
  failureOf,
  isUnchanged,
  type ListingResult,
  stateOf,
  taskOf,
} from '../../listings/listing-result.ts';
import { countVideos } from '../../tasks/log-task.ts';
import { toTaskDocument } from '../../tasks/task-document.ts';
import { escapeText } from '../../terminal/escape-text.ts';
import { type Column, formatTable, truncate } from '../../terminal/table.ts';

/** In narrower terminals each note gets a line of its own. */
const NARROW_COLUMNS = 60;

/** Prints one row per listing; nothing under `--quiet`. */
export function printSummary(run: CommandRun, results: readonly ListingResult[], durationSec: number): void {
  if (run.output.quiet || results.length === 0) return;
  const { err } = run.terminal.styles;
  const widthColumns = run.terminal.stderrIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY;
  const columns: Column<ListingResult>[] = [
    { title: 'LISTING', text: ({ source }) => escapeText(source.file), shrinks: true },
    {
      title: 'RESULT',
      text: (result) => stateOf(result).replace('_', ' '),
      paint: (text, { kind }) => (kind === 'succeeded' ? err.green(text) : err.red(text)),
    },
  ];
  const isNarrow = widthColumns < NARROW_COLUMNS;
  const note: Column<ListingResult> = {
    title: 'NOTE',
    text: (result) => escapeText(noteOf(result)),
    shrinks: true,
  };
  const lines = formatTable(results, isNarrow ? columns : [...columns, note], widthColumns).flatMap(
    (line, index) => {
      const text = isNarrow && index > 0 ? note.text(results[index - 1]!) : '';
      return text === '' ? [line] : [line, `  ${truncate(text, widthColumns - 2)}`];
    },
  );
  run.terminal.log('');
  for (const line of lines) run.terminal.log(line);
  run.terminal.log('');
  run.terminal.log(`${countWords(results)} in ${formatDuration(durationSec * 1000)}`);
  if (run.signal.aborted) run.info('run the same command again to continue: what is done stays');
}

function noteOf(result: ListingResult): string {
  const failure = failureOf(result);
  if (failure !== null) return failure.message;
  const task = taskOf(result);
  if (task === null) return '';
  const { also_ratio: alsoRatio = [] } = task.outcome ?? {};
  const made = countVideos(toTaskDocument(task).results.length + alsoRatio.length);
  return isUnchanged(result)
    ? `${made}, unchanged`
    : `${made}, ${formatDuration(durationSecOf(result) * 1000)}`;
}

/** `12 listings: 9 succeeded (4 unchanged), 2 failed, 1 invalid`. Ctrl-C is no failure of a listing. */
function countWords(results: readonly ListingResult[]): string {
  const { listings, succeeded, unchanged, failed, invalid, not_started: idle } = countResults(results);
  const stopped = results.filter((result) => failureOf(result)?.code === 'cancelled').length;
  const parts = [
    `${succeeded} succeeded${unchanged > 0 ? ` (${unchanged} unchanged)` : ''}`,
    ...(failed > stopped ? [`${failed - stopped} failed`] : []),
    ...(stopped > 0 ? [`${stopped} interrupted`] : []),
    ...(invalid > 0 ? [`${invalid} invalid`] : []),
    ...(idle > 0 ? [`${idle} not started`] : []),
  ];
  return `${listings} listing${listings === 1 ? '' : 's'}: ${parts.join(', ')}`;
}
