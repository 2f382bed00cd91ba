/** The table that ends a batch, on stderr: every listing, what became of it, and why. */
import type { ListingVideoError } from '../errors.ts';
import type { TaskRecord } from '../task/task.ts';
import type { CommandRun } from './command-run.ts';
import { escapeText } from './escape-text.ts';
import type { InvalidListing } from './judge-batch.ts';
import type { ListingVerdictOfFile } from './read-listing.ts';
import { countVideos, filmsOf } from './run-task.ts';
import { formatTable } from './table.ts';

/** A task that has ended, with the file it came from. */
export interface EndedTask {
  readonly file: string;
  readonly task: TaskRecord;
}

/** A listing whose task could not be made or followed to its end. */
export interface BrokenOff {
  readonly file: string;
  readonly error: ListingVideoError;
}

/** What became of the listings of a batch; those in none of the lists were not started. */
export interface BatchEnd {
  readonly ended: readonly EndedTask[];
  readonly broken: readonly BrokenOff[];
  readonly invalid: readonly InvalidListing[];
}

/** Prints one row per listing; nothing under `--quiet`. */
export function printSummary(
  run: CommandRun,
  verdicts: readonly ListingVerdictOfFile[],
  { ended, broken, invalid }: BatchEnd,
): void {
  if (run.output.quiet) return;
  const { err } = run.terminal.styles;
  const rows = verdicts.map(({ file }) => {
    const task = ended.find((entry) => entry.file === file)?.task;
    const bad = invalid.find((entry) => entry.file === file);
    const error = broken.find((entry) => entry.file === file)?.error;
    const state = task?.state ?? (bad ? 'INVALID' : error ? 'FAILED' : 'NOT STARTED');
    const made = task ? countVideos(filmsOf(task).length) : '';
    const note = task?.failure?.message ?? bad?.detail[0]?.msg ?? error?.message ?? made;
    return { file, state, note };
  });
  const lines = formatTable(
    rows,
    [
      { title: 'LISTING', text: (row) => escapeText(row.file), shrinks: true },
      {
        title: 'RESULT',
        text: (row) => row.state,
        paint: (text, row) => (row.state === 'SUCCEEDED' ? err.green(text) : err.red(text)),
      },
      { title: 'NOTE', text: (row) => escapeText(row.note), shrinks: true },
    ],
    run.terminal.stderrIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  run.terminal.note('');
  for (const line of lines) run.terminal.note(line);
}
