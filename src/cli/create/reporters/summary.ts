/** The summary of a batch on stderr: a table with the result of every listing, and one line that counts them. */
import type { ChalkInstance } from 'chalk';
import { countWords } from '../../../listing/words/count-words.ts';
import { formatDuration } from '../../../platform/settings/parse-duration.ts';
import type { Printer } from '../../command-run.ts';
import {
  countResults,
  durationSecOf,
  failureOf,
  isUnchanged,
  type ListingResult,
  stateOf,
  taskOf,
} from '../../listings/listing-result.ts';
import { toTaskDocument } from '../../tasks/task-document.ts';
import { escapeText } from '../../terminal/escape-text.ts';
import { type Column, formatTable, truncate } from '../../terminal/table.ts';
import type { Reporter } from './reporter.ts';

/** In narrower terminals each note gets a line of its own. */
const NARROW_COLUMNS = 60;

/** One row per listing; nothing under `--quiet`. */
export function summaryReporter({ terminal, output, info }: Printer): Reporter {
  return {
    finish({ listings, isBatch, isComplete, isInterrupted, durationSec }) {
      if (!isBatch || !isComplete || output.quiet || listings.length === 0) return;
      const widthColumns = terminal.stderrIsTty ? terminal.columns : Number.POSITIVE_INFINITY;
      const lines = formatSummary(listings, widthColumns, terminal.styles.err);
      for (const line of ['', ...lines, '']) terminal.log(line);
      terminal.log(`${describeResults(listings)} in ${formatDuration(durationSec * 1000)}`);
      if (isInterrupted) info('run the same command again to continue: what is done stays');
    },
  };
}

function formatSummary(
  results: readonly ListingResult[],
  widthColumns: number,
  err: ChalkInstance,
): string[] {
  const columns: Column<ListingResult>[] = [
    { title: 'LISTING', text: ({ source }) => escapeText(source.file), shrinks: true },
    {
      title: 'RESULT',
      text: (result) => stateOf(result).replace('_', ' '),
      paint: (text, { kind }) => (kind === 'succeeded' ? err.green(text) : err.red(text)),
    },
  ];
  const note = (result: ListingResult): string => escapeText(noteOf(result));
  if (widthColumns >= NARROW_COLUMNS)
    return formatTable(results, [...columns, { title: 'NOTE', text: note, shrinks: true }], widthColumns);
  return formatTable(results, columns, widthColumns).flatMap((line, index) => {
    const text = index > 0 ? note(results[index - 1]!) : '';
    return text === '' ? [line] : [line, `  ${truncate(text, widthColumns - 2)}`];
  });
}

function noteOf(result: ListingResult): string {
  const failure = failureOf(result);
  if (failure !== null) return failure.message;
  const task = taskOf(result);
  if (task === null) return '';
  const { also_ratio: alsoRatio = [], also_for: alsoFor = [] } = task.outcome ?? {};
  const made = countWords(toTaskDocument(task).results.length + alsoRatio.length + alsoFor.length, 'video');
  return isUnchanged(result)
    ? `${made}, unchanged`
    : `${made}, ${formatDuration(durationSecOf(result) * 1000)}`;
}

/** `12 listings: 9 succeeded (4 unchanged), 2 failed, 1 invalid`. Ctrl-C is no failure of a listing. */
function describeResults(results: readonly ListingResult[]): string {
  const { listings, succeeded, unchanged, failed, invalid, not_started: idle } = countResults(results);
  const stopped = results.filter((result) => failureOf(result)?.code === 'cancelled').length;
  const parts = [
    `${succeeded} succeeded${unchanged > 0 ? ` (${unchanged} unchanged)` : ''}`,
    ...(failed > stopped ? [`${failed - stopped} failed`] : []),
    ...(stopped > 0 ? [`${stopped} interrupted`] : []),
    ...(invalid > 0 ? [`${invalid} invalid`] : []),
    ...(idle > 0 ? [`${idle} not started`] : []),
  ];
  return `${countWords(listings, 'listing')}: ${parts.join(', ')}`;
}
